"""`treewise lab run`: plays what is missing, with one bar for all of it."""

from __future__ import annotations

import os
import shlex
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from treewise import spec
from treewise.cli.output import console, in_words, progress
from treewise.compositions import parse_search
from treewise.lab.toml_table import read_source
from treewise.processes import cores
from treewise.wording import counted, shortened

if TYPE_CHECKING:
    from treewise.lab.executor import Executor
    from treewise.lab.experiment import Experiment
    from treewise.lab.outcome import Cell
    from treewise.lab.run import Stopped
    from treewise.lab.tally import Tally


INTERRUPTED = 130
"""What a command that Ctrl-C stopped ends with."""
_MINUTE = 60.0
_LONG = 100
"""Steps of the matches under way from which on they are worth telling."""


def run(args: Namespace) -> int:
    """Plays until nothing is left, a limit is reached or Ctrl-C."""
    return INTERRUPTED if play(args) is None else 0


def play(args: Namespace) -> int | None:
    """The same: how many matches it played, or None if Ctrl-C stopped it."""
    from treewise.lab.document import read_document

    folder = games_folder(args, read_document(args.file).folder)
    if folder is None:
        return _run(args)
    args.file, args.store = args.file.absolute(), (args.store or args.file.with_suffix(".sqlite")).absolute()
    with chdir(folder):  # before any worker process starts: they stay where they began
        return _run(args)


def games_folder(args: Namespace, variable: str) -> Path | None:
    """Where the files of an experiment's games are: as --folder or the environment variable of its file says."""
    given = args.folder or (os.environ.get(variable) if variable else None)
    if variable and not given:
        raise ValueError(
            f"{args.file}: its games are files of other people: name their folder by --folder or {variable}"
        )
    if given and not Path(given).is_dir():
        raise ValueError(f"{given}: there is no such folder")
    return Path(given) if given else None


def _run(args: Namespace) -> int | None:
    from treewise.lab import read_experiment

    experiment = read_experiment(args.file)
    store = Path(args.store or args.file.with_suffix(".sqlite"))
    choose = _chooser(args, experiment)
    out = console()
    try:
        stopped = _play(args, experiment, store, choose)
    except KeyboardInterrupt:
        out.print(f"stopped; what was finished is in {store}. To go on: {same_command()}", soft_wrap=True)
        return None
    done, asked = stopped.tally.done, stopped.tally.asked
    out.print(f"{counted(stopped.played, 'match')} played; {done:,} of {asked:,} are in {store}", soft_wrap=True)
    if not stopped.complete:
        out.print(f"To go on: {same_command()}", soft_wrap=True)
    return stopped.played


def _play(args: Namespace, experiment: Experiment, store: Path, choose: Callable[[Cell], bool]) -> Stopped:
    from treewise.lab import run as play
    from treewise.lab.sequential import sequential_test

    tell_left_behind(store, experiment.cells)
    executor = make_executor(args, [cell for cell in experiment.cells if choose(cell)])
    try:
        with _bar(experiment.name) as report:
            return play(
                experiment,
                store,
                executor,
                source=read_source(args.file),
                choose=choose,
                most=args.most,
                seconds=None if args.minutes is None else 60 * args.minutes,
                test=sequential_test(experiment.sprt),
                report=report,
            )
    finally:
        executor.close()


def tell_left_behind(store: Path, cells: Iterable[Cell]) -> None:
    """Says so if the store has matches that were played by other sources of the Python files that these cells name."""
    from treewise.lab.own_sources import left_behind
    from treewise.lab.store import Store

    if not store.exists():
        return
    with Store(store) as opened:
        found = left_behind(opened, cells)
    for path, matches in found.items():
        what = f"{counted(matches, 'match')} of {store} from before {path}, or a file that it imports, was changed"
        print(f"{what}: kept, and not counted", file=sys.stderr)


def _chooser(args: Namespace, experiment: Experiment) -> Callable[[Cell], bool]:
    """Which cells were asked for; all without --budget and --games."""
    check_labels(args, [(cell.game_label, cell.budget) for cell in experiment.cells])
    return lambda cell: asked_for(args, cell.game_label, cell.budget)


def check_labels(args: Namespace, known: Sequence[tuple[str, str]]) -> None:
    """ValueError if --games or --budget names what none of the known pairs of a game and a budget has."""
    for what, asked, place in (("game", args.games, 0), ("budget", args.budget, 1)):
        labels = list(dict.fromkeys(pair[place] for pair in known))
        for name in asked:
            if name not in labels:
                raise ValueError(f"unknown {what} '{shortened(name)}'; {spec.suggest(name, labels)}")


def asked_for(args: Namespace, game: str, budget: str) -> bool:
    """Whether --games and --budget, where given, name these."""
    return (not args.games or game in args.games) and (not args.budget or budget in args.budget)


def make_executor(args: Namespace, cells: list[Cell]) -> Executor:
    """Who plays the matches of these cells: as --ray and --processes say, or as the cores of this machine allow."""
    from treewise.lab import LocalExecutor, RayExecutor

    if args.ray is not None:
        return RayExecutor(args.ray, args.processes, _threads(cells))
    return LocalExecutor(args.processes or _processes(cells))


def _processes(cells: list[Cell]) -> int:
    """As many as there are cores, or fewer where a search has several threads."""
    return max(1, cores() // _threads(cells))


def _threads(cells: list[Cell]) -> int:
    searches = {text for cell in cells for _, text in cell.entrants}
    return max((int(getattr(parse_search(text).parallel, "threads", 1)) for text in searches), default=1)


@contextmanager
def _bar(name: str) -> Iterator[Callable[[Tally], None]]:
    """A bar that shows how many matches are finished, how the last one's cell stands, and how far long ones are.

    Where nobody sees a bar, as in a log, it is a line a minute.
    """
    if not sys.stderr.isatty():
        yield _Lines()
        return
    with progress() as bar:
        task = bar.add_task(name, total=None, note="")
        begun = False

        def report(tally: Tally) -> None:
            nonlocal begun
            if not begun:  # what was there before says nothing about the speed
                bar.reset(task, total=tally.asked, completed=tally.done, note="")
                begun = True
            bar.update(task, total=tally.asked, completed=tally.done, note=_standing(tally))

        yield report


class _Lines:
    """Says once a minute how many matches are finished, how long the others will take, and how it stands."""

    def __init__(self) -> None:
        self.first: int | None = None

    def __call__(self, tally: Tally) -> None:
        now = time.monotonic()
        if self.first is None:  # what was there before says nothing about the speed
            self.first, self.began, self.said = tally.done, now, now
        if now - self.said < _MINUTE:
            return
        self.said = now
        words = f"{tally.done:,} of {counted(tally.asked, 'match')}"
        if tally.done > self.first:
            left = (now - self.began) / (tally.done - self.first) * (tally.asked - tally.done)
            words += f", {in_words(left) or '0 s'} left"
        standing = _standing(tally)
        print(f"{words}; {standing}" if standing else words, file=sys.stderr, flush=True)


def _standing(tally: Tally) -> str:
    if tally.elsewhere:
        return f"waiting for {tally.elsewhere} of another run"
    said = []
    if tally.latest is not None:
        cell, standing = tally.latest.cell, tally.latest.standing
        said.append(f"{cell.title}: {standing}" if cell.alone else f"{cell.title}, {cell.budget}: {standing}")
    if tally.steps >= _LONG:
        said.append(f"{tally.steps:,} steps into what is being played")
    return "; ".join(said)


def same_command() -> str:
    """What was typed, ready to be typed again."""
    return shlex.join(["treewise", *sys.argv[1:]])
