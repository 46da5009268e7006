"""Rates by CPU time, repeats taken in turns, medians and spreads."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from math import exp, log
from random import Random
from statistics import median
from typing import Any

Clock = Callable[[], float]


@dataclass(frozen=True)
class Spread:
    """A figure from several repeats: their median, the least and the greatest."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        return cls(median(values), min(values), max(values))


@dataclass(frozen=True)
class Row:
    """One line of the results: a figure, what it was made from, and what it should reach."""

    subject: str
    name: str
    unit: str  # "x" for ratios, "%", "/s", "bytes", "MB"
    figure: Spread
    target: float | None = None
    at_most: bool = False  # the target is an upper bound
    judged_by: str = "median"  # or an end of the spread: "low", "high"
    parts: dict[str, float] = field(default_factory=dict)  # medians of what was compared
    note: str = ""

    @property
    def reached(self) -> bool | None:
        if self.target is None:
            return None
        figure: float = getattr(self.figure, self.judged_by)
        return figure <= self.target if self.at_most else figure >= self.target

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "reached": self.reached}

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> Row:
        known = {key: value for key, value in record.items() if key != "reached"}
        return cls(**{**known, "figure": Spread(**known["figure"])})


@dataclass(frozen=True)
class Options:
    """How long to measure. `quick` only shows that everything runs."""

    repeats: int = 5
    quick: bool = False

    def count(self, full: int, quick: int) -> int:
        return quick if self.quick else full

    def seconds(self, full: float) -> float:
        return 0.0 if self.quick else full


def rate(work: Callable[[int], float], least_seconds: float, clock: Clock = time.process_time) -> float:
    """Units of work a second. `work(i)` does some and says how much; it is called until enough time has passed."""
    done, calls, start = 0.0, 0, clock()
    while True:
        done += work(calls)
        calls += 1
        passed = clock() - start
        if passed >= least_seconds and passed > 0:
            return done / passed


def in_turns(repeats: int, *measurements: Callable[[int], float], shuffled: Random | None = None) -> list[list[float]]:
    """One list of figures for each measurement, taken in turns, so that a slow minute of the machine hits all.

    `shuffled`: in another order each time, so that none always comes after the same one.
    """
    figures: list[list[float]] = [[] for _ in measurements]
    turns = list(zip(figures, measurements, strict=True))
    for repeat in range(repeats):
        if shuffled:
            shuffled.shuffle(turns)
        for taken, measure in turns:
            taken.append(measure(repeat))
    return figures


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> Spread:
    """The spread of the ratios of figures that were taken side by side."""
    return Spread.of([a / b for a, b in zip(ours, theirs, strict=True)])


def geometric_mean(spreads: Sequence[Spread]) -> Spread:
    def mean(values: Sequence[float]) -> float:
        return exp(sum(map(log, values)) / len(values))

    return Spread(mean([s.median for s in spreads]), mean([s.low for s in spreads]), mean([s.high for s in spreads]))
