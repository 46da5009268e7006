"""`treewise lab run`: plays what is missing, with one bar for all of it."""

from __future__ import annotations

import shlex
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from treewise import spec
from treewise.cli.output import console, progress
from treewise.processes import cores
from treewise.search import parse_search

if TYPE_CHECKING:
    from treewise.lab.executor import Executor
    from treewise.lab.experiment import Experiment
    from treewise.lab.outcome import Cell
    from treewise.lab.run import Stopped
    from treewise.lab.tally import Tally


def run(args: Namespace) -> int:
    """Plays until nothing is left, a limit is reached or Ctrl-C."""
    from treewise.lab import read_experiment

    experiment = read_experiment(args.file)
    store = Path(args.store or args.file.with_suffix(".sqlite"))
    choose = _chooser(args, experiment)
    out = console()
    try:
        stopped = _play(args, experiment, store, choose)
    except KeyboardInterrupt:
        out.print(f"stopped; what was finished is in {store}. To go on: {same_command()}", soft_wrap=True)
        return 130
    done, asked = stopped.tally.done, stopped.tally.asked
    out.print(f"{stopped.played:,} matches played; {done:,} of {asked:,} are in {store}", soft_wrap=True)
    if not stopped.complete:
        out.print(f"To go on: {same_command()}", soft_wrap=True)
    return 0


def _play(args: Namespace, experiment: Experiment, store: Path, choose: Callable[[Cell], bool]) -> Stopped:
    from treewise.lab import run as play
    from treewise.lab.sequential import sequential_test

    executor = make_executor(args, [cell for cell in experiment.cells if choose(cell)])
    try:
        with _bar(experiment.name) as report:
            return play(
                experiment,
                store,
                executor,
                source=args.file.read_text(encoding="utf-8"),
                choose=choose,
                most=args.most,
                seconds=None if args.minutes is None else 60 * args.minutes,
                test=sequential_test(experiment.sprt),
                report=report,
            )
    finally:
        executor.close()


def _chooser(args: Namespace, experiment: Experiment) -> Callable[[Cell], bool]:
    """Which cells were asked for; all without --budget and --games."""
    budgets, games = ({getattr(cell, key) for cell in experiment.cells} for key in ("budget", "game_label"))
    for what, asked, known in (("budget", args.budget, budgets), ("game", args.games, games)):
        for name in asked:
            if name not in known:
                raise ValueError(f"unknown {what} '{name}'; {spec.suggest(name, known)}")
    wanted = set(args.budget) or budgets, set(args.games) or games
    return lambda cell: cell.budget in wanted[0] and cell.game_label in wanted[1]


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
    """A bar that shows how many matches are finished, and how the cell of the last one stands."""
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


def _standing(tally: Tally) -> str:
    if tally.elsewhere:
        return f"waiting for {tally.elsewhere} of another run"
    latest = tally.latest
    if latest is None or not latest.standing:
        return ""
    cell = latest.cell
    return f"{cell.title}, {cell.budget}: {latest.standing}"


def same_command() -> str:
    """What was typed, ready to be typed again."""
    return shlex.join(["treewise", *sys.argv[1:]])
