"""Stopping a cell early: what the schedule asks of a sequential test, and the one that an experiment file names."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, Protocol, cast

from treewise.lab.outcome import Sprt

__all__ = ["SequentialTest", "hypotheses", "sequential_test"]


class SequentialTest(Protocol):
    """May decide a cell before all its matches are played; looks at them in the order of the schedule only."""

    @property
    def decision(self) -> str:
        """What was decided, or `go on`."""

    def add(self, index: int, score: float) -> None:
        """Takes the score of the match at this place of the schedule."""


def sequential_test(sprt: Sprt | None) -> Callable[[], SequentialTest] | None:
    """Makes the tests that an experiment asks for, one for each cell; None if it asks for none."""
    if sprt is None:
        return None
    statistics, given = importlib.import_module("treewise.lab.statistics"), hypotheses(sprt)
    return lambda: cast(SequentialTest, statistics.SequentialTest(given))


def hypotheses(sprt: Sprt | None) -> Any:
    """What the tests decide between, as the statistics take it."""
    if sprt is None:
        return None
    return importlib.import_module("treewise.lab.statistics").Hypotheses(sprt.p0, sprt.p1, sprt.alpha, sprt.beta)
