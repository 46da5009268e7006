"""Breakthrough against `breakthrough_by_hand.cpp`, one file of C++ that fixes everything an engine leaves open.

Also the uniform playouts of Go, which have a target of their own.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from timing import Options, Row, Spread, in_turns, ratio

import treewise
from treewise import _core

SUBJECT = "against C++ written by hand"
SOURCE = Path(__file__).with_name("breakthrough_by_hand.cpp")
FLAGS = ["-O3", "-march=native", "-ffast-math", "-std=c++20"]


def measure(options: Options) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "by_hand")
        subprocess.run([compiler(), *FLAGS, str(SOURCE), "-o", program], check=True)
        rows = [
            compare("breakthrough, uniform playouts", program, "playouts", options, options.count(1_000_000, 500)),
            compare("breakthrough, UCT", program, "uct", options, options.count(100_000, 500)),
            compare("breakthrough, UCT, long", program, "uct", options, options.count(1_000_000, 1000), target=None),
        ]
    return [*rows, go_playouts(options)]


def compiler() -> str:
    return os.environ.get("CXX", "g++")


def compare(name: str, program: str, kind: str, options: Options, count: int, target: float | None = 75) -> Row:
    ours = our_playouts if kind == "playouts" else our_search
    mine, theirs = in_turns(options.repeats, timed(ours, count), lambda repeat: by_hand(program, kind, count, repeat))
    share = ratio(mine, theirs)
    percent = Spread(100 * share.median, 100 * share.low, 100 * share.high)
    parts = {"treewise/s": median(mine), "by hand/s": median(theirs), "count": count}
    return Row(SUBJECT, name, "%", percent, target=target, parts=parts)


def timed(work: Callable[[str, int, int], float], count: int) -> Callable[[int], float]:
    return lambda repeat: work("breakthrough", count, repeat)


def by_hand(program: str, kind: str, count: int, seed: int) -> float:
    """The program's rate; it measures its own CPU time and prints "count seconds check"."""
    out = subprocess.run([program, kind, str(count), str(seed)], check=True, capture_output=True, text=True).stdout
    done, seconds, _check = out.split()
    return float(done) / float(seconds)


def our_playouts(game: str, count: int, seed: int) -> float:
    seconds, _steps = _core.time_playouts(treewise.load_game(game).initial_state(), count, seed)
    return count / seconds


def our_search(game: str, count: int, seed: int) -> float:
    state = treewise.load_game(game).initial_state()
    start = time.process_time()
    treewise.uct(c=1.0, simulations=count).run(state, seed=seed)
    return count / (time.process_time() - start)


def go_playouts(options: Options) -> Row:
    count = options.count(20_000, 20)
    (rates,) = in_turns(options.repeats, lambda repeat: our_playouts("go(size=9)", count, repeat))
    return Row(SUBJECT, "go 9x9, uniform playouts", "/s", Spread.of(rates), target=40_000)
