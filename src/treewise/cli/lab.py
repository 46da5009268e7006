"""Run experiments: matches by a file, recorded in a store that any later run continues.

The store is the file's name with .sqlite unless --store says another. Ctrl-C, a crash or a power cut lose only the
matches that were being played; the same command goes on with what is missing.
"""

from __future__ import annotations

import shlex
from argparse import ArgumentParser, Namespace
from pathlib import Path

from treewise import spec
from treewise.cli.options import whole
from treewise.cli.output import console, progress, table
from treewise.processes import cores

EXAMPLES = """\
examples:
  treewise lab run table.toml                        plays what is missing, on all cores
  treewise lab run table.toml --budget "1 s" --minutes 30
  treewise lab status table.toml                     how far it is
"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    run_parser = commands.add_parser("run", help="play what is missing of an experiment", allow_abbrev=False)
    _add_file(run_parser)
    run_parser.add_argument(
        "--processes", type=whole(1, 1024), default=cores(), metavar="K", help="matches at a time (default: all cores)"
    )
    run_parser.add_argument("--budget", action="append", metavar="LABEL", help="only this budget; may be repeated")
    run_parser.add_argument("--games", nargs="+", metavar="LABEL", help="only these games")
    run_parser.add_argument("--most", type=whole(1), metavar="N", help="stop after so many matches")
    run_parser.add_argument("--minutes", type=float, metavar="M", help="begin no match after so many minutes")
    status_parser = commands.add_parser("status", help="how far an experiment is", allow_abbrev=False)
    _add_file(status_parser)


def _add_file(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="the experiment file")
    parser.add_argument("--store", metavar="PATH", type=Path, help="the store (default: FILE with .sqlite)")


def run(args: Namespace) -> int:
    """Does one of the actions."""
    return {"run": _run, "status": _status}[args.action](args)


def _store(args: Namespace) -> Path:
    return Path(args.store or args.file.with_suffix(".sqlite"))


def _run(args: Namespace) -> int:
    from treewise.lab import LocalExecutor, read_experiment
    from treewise.lab import run as play

    experiment = read_experiment(args.file)
    budgets, games = set(args.budget or ()), set(args.games or ())
    _check_known("budget", budgets, {cell.budget for cell in experiment.cells})
    _check_known("game", games, {cell.game_label for cell in experiment.cells})
    executor = LocalExecutor(args.processes)
    try:
        with progress() as bar:
            task = bar.add_task(experiment.name, total=None, note="")
            stopped = play(
                experiment,
                _store(args),
                executor,
                source=args.file.read_text(encoding="utf-8"),
                choose=lambda cell: (not budgets or cell.budget in budgets) and (not games or cell.game_label in games),
                most=args.most,
                seconds=None if args.minutes is None else 60 * args.minutes,
                report=lambda tally: bar.update(task, completed=tally.done, total=tally.asked),
            )
    except KeyboardInterrupt:
        console().print(f"stopped; what was finished is in {_store(args)}. To go on: {_again()}")
        return 130
    finally:
        executor.close()
    done, asked = stopped.tally.done, stopped.tally.asked
    console().print(f"{stopped.played} matches played; {done:,} of {asked:,} are in {_store(args)}")
    if not stopped.complete:
        console().print(f"to go on: {_again()}")
    return 0


def _again() -> str:
    import sys

    return shlex.join(["treewise", *sys.argv[1:]])


def _check_known(what: str, asked: set[str], known: set[str]) -> None:
    for name in sorted(asked - known):
        raise ValueError(f"unknown {what} '{name}'; {spec.suggest(name, known)}")


def _status(args: Namespace) -> int:
    from treewise.lab.schedule import schedule
    from treewise.lab.store import Store
    from treewise.lab.tally import Tally

    with Store(_store(args)) as store:
        experiment = store.experiment(None)
        fixtures = schedule(experiment.cells, experiment.opening, experiment.reuse)
        tally = Tally(experiment.cells, fixtures, store.returns())
    rows = table("game", "budget", "A", "B", "done", "asked", "A wins", right=("done", "asked", "A wins"))
    for each in tally.cells:
        rate = "" if each.rate is None else f"{100 * each.rate:.1f} %"
        cell = each.cell
        rows.add_row(cell.game_label, cell.budget, cell.a, cell.b, str(each.done), str(cell.matches), rate)
    console().print(rows)
    return 0
