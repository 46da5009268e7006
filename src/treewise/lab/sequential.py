"""Stopping a cell early: what the schedule asks of a sequential test, and the one that an experiment file names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple
from typing import Protocol

from treewise.lab.outcome import Sprt

__all__ = ["SequentialTest", "sequential_test"]


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
    from treewise.lab import statistics

    hypotheses = statistics.Hypotheses(*astuple(sprt))
    return lambda: statistics.SequentialTest(hypotheses)
