"""Experiments of a second or less, and ways to run them."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from treewise.cli import main
from treewise.lab import Experiment, LocalExecutor, StoreError, read_experiment, run
from treewise.lab.executor import Result, play
from treewise.lab.run import Stopped
from treewise.lab.schedule import PlannedMatch
from treewise.lab.store import Store

SMALL = """
name = "small"
seed = 3
pairing = "gauntlet"
matches = 6
opening = 1
control = true
budgets = { few = "simulations(12)" }
[entrants]
base = "uct(c={c})"
greedy = "uct(c=0.0)"
MAST = "mcts(playout=mast)"
[[games]]
game = "tic_tac_toe"
values = { c = 0.7 }
[[games]]
game = "breakthrough(rows=5, columns=3)"
label = "Breakthrough"
values = { c = 1.0 }
"""

ALONE = """
name = "alone"
seed = 5
pairing = "alone"
base = "few"
matches = 4
[sources]
paper = "A paper, Table 1"
[entrants]
few = "uct(simulations=2)"
more = "uct(simulations=20)"
[[games]]
label = "Small"
games = ["same_game(rows=4, columns=4)", "same_game(rows=4, columns=5)", "same_game(rows=5, columns=5)"]
reference.paper = { few = { score = [7, 0.5] }, more = { wins = 50, score = [9.5, 1, "++"] } }
[[games]]
label = "Wide"
game = "same_game(rows=4, columns=8)"
entrants = ["few"]
[overall]
paper = { few = { score = 8 } }
"""
"""Every entrant by itself: 28 matches."""

LONGER = SMALL.replace("matches = 6", "matches = 24").replace("simulations(12)", "simulations(300)")
"""Some seconds long: there is time to disturb it."""


def write(folder: Path, text: str = SMALL, name: str = "small.toml") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def experiment(folder: Path, text: str = SMALL) -> Experiment:
    return read_experiment(write(folder, text))


class Here:
    """Plays in this process, one match for each call of `results`, in the order asked for."""

    def __init__(self, capacity: int = 4) -> None:
        self.capacity = capacity
        self.queue: list[PlannedMatch] = []
        self.submitted: list[PlannedMatch] = []

    def submit(self, match: PlannedMatch) -> None:
        self.queue.append(match)
        self.submitted.append(match)

    def results(self, timeout: float) -> list[Result]:
        return [play(self.queue.pop(0))]

    def close(self) -> None:
        self.queue.clear()


def play_here(given: Experiment, store: Path, **options: Any) -> Stopped:
    return run(given, store, Here(), **options)


def play_in_processes(given: Experiment, store: Path, processes: int = 2, **options: Any) -> Stopped:
    executor = LocalExecutor(processes)
    try:
        return run(given, store, executor, **options)
    finally:
        executor.close()


def start_run(file: Path, *arguments: str | Path) -> subprocess.Popen[str]:
    """`treewise lab run` as a program of its own."""
    command = [sys.executable, "-W", "ignore", "-m", "treewise", "lab", "run", str(file), *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ))


def contents(store: Path) -> dict[bytes, tuple[object, ...]]:
    """What every record says, apart from times, machines and the order in which they were finished."""
    with Store(store) as opened:
        return {each.planned.key: (each.planned, each.record) for each in opened.matches()}


def damage_of(store: Path, change: str) -> None:
    """What the disk might do: behind the back of the triggers."""
    db = sqlite3.connect(store)
    triggers = db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
    for trigger, _ in triggers:
        db.execute(f"DROP TRIGGER {trigger}")
    db.execute(change)
    for _, text in triggers:
        db.execute(text)
    db.commit()
    db.close()


def count(store: Path) -> int:
    """Matches finished so far, also while the store is being made."""
    with suppress(StoreError), Store(store) as opened:
        return len(opened.endings())
    return 0


def wait_for(reached: object, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while not reached():  # type: ignore[operator]
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What `treewise lab` prints, which must not fail."""
    capsys.readouterr()
    status = main(["lab", *arguments])
    said = capsys.readouterr()
    assert status == 0, said.err
    return said.out
