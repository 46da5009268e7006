"""Check the machine against recorded trajectories of the GVGAI framework.

A trajectory is a JSON file: the level as it begins, then each tick's action with what became of it. Chance is drawn
as the framework draws it, so every number must be the same. The exit status is 1 at the first difference, which is
named with its file, tick and field. A trajectory may stop before its match is over; how many do is said at the end.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from treewise.cli.output import console, progress

EXAMPLES = """\
examples:
  treewise vgdl verify traces --games games
  treewise vgdl verify traces_small --games games --levels levels_small
  treewise vgdl verify one.json two.json.gz --games games
  treewise vgdl verify mine.json.gz            a match recorded by treewise vgdl play
"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the action takes."""
    parser.add_argument("traces", metavar="TRACES", nargs="+", type=Path, help="folders or files, .json or .json.gz")
    where = "descriptions and numbered levels (default: the files that a match recorded by vgdl play names)"
    parser.add_argument("--games", metavar="FOLDER", type=Path, help=where)
    parser.add_argument("--levels", metavar="FOLDER", type=Path, help="levels that traces name (default: as --games)")


def run(args: Namespace) -> int:
    """Prints how much was compared, or the first difference."""
    from treewise.vgdl.recording import game_of
    from treewise.vgdl.trace import difference, difference_in, is_finished, read_trace, trace_files

    files = trace_files(args.traces)
    out, ticks, finished = console(), 0, 0
    with progress() as bar:
        task = bar.add_task("verifying", total=len(files), note="")
        for file in files:
            trace = read_trace(file)
            try:
                if args.games is None:
                    found = difference_in(game_of(trace), trace)
                else:
                    found = difference(trace, args.games, args.levels or args.games)
            except ValueError as error:
                raise ValueError(f"{file}: {error}") from error
            if found is not None:
                out.print(f"{file}: {found}", soft_wrap=True)
                return 1
            ticks += len(trace["steps"])
            finished += is_finished(trace)
            bar.update(task, advance=1, note=f"{ticks:,} ticks")
    unfinished = f", {len(files) - finished:,} of them unfinished" if finished < len(files) else ""
    out.print(f"{len(files):,} trajectories{unfinished}, {ticks:,} ticks, no difference")
    return 0
