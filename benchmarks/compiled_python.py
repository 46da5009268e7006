"""Breakthrough written in Python, compiled and plain (examples/), against the game in C++: UCT on one thread."""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median
from typing import Any

from timing import Options, Row, Spread, in_turns, rate, ratio

import treewise

SUBJECT = "games written in Python"
EXAMPLES = Path(__file__).parents[1] / "examples"


def measure(options: Options) -> list[Row]:
    sys.path.insert(0, str(EXAMPLES))
    try:
        import compiled_breakthrough
        import python_breakthrough
    finally:
        sys.path.remove(str(EXAMPLES))
    native = treewise.load_game("breakthrough").initial_state()
    compiled = compiled_breakthrough.Breakthrough.initial_state()
    search(compiled, 10, 0)  # compiles
    count = options.count(100_000, 200)
    least = options.seconds(0.3)
    ours, theirs, plain = in_turns(
        options.repeats,
        lambda repeat: rate(lambda i: search(native, count, repeat + i), least),
        lambda repeat: rate(lambda i: search(compiled, count, repeat + i), least),
        lambda repeat: rate(lambda i: search(python_breakthrough.Breakthrough(), options.count(200, 5), repeat), least),
    )
    share = ratio(theirs, ours)
    percent = Spread(100 * share.median, 100 * share.low, 100 * share.high)
    parts = {"compiled Python/s": median(theirs), "C++/s": median(ours), "simulations": count}
    return [
        Row(SUBJECT, "breakthrough, compiled Python against C++, UCT", "%", percent, target=25, parts=parts),
        Row(SUBJECT, "breakthrough, plain Python, UCT", "/s", Spread.of(plain)),
    ]


def search(state: Any, simulations: int, seed: int) -> int:
    return treewise.uct(c=1.0, simulations=simulations).run(state, seed=seed).stats.simulations
