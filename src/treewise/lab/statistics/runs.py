"""Entrants that play alone: means over runs with standard errors, Welch's test with a mark, and published figures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from treewise.lab.extra import extra
from treewise.lab.outcome import Figure
from treewise.lab.statistics.difference import Difference, welch

__all__ = ["Beside", "Marked", "Runs", "beside", "marked", "normalised"]

_ENOUGH = 20
"""With fewer runs nothing is shown to be equal, and those that are all alike do not say how much they would vary."""
_PRINTED = 0.05
"""Half a unit of the last digit that tables print: what their figures may be off by rounding."""


@dataclass(frozen=True)
class Runs:
    """One number a run, with the runs' places in the schedule. Runs are independent of each other.

    >>> runs = Runs((0, 1, 2, 3), (20.0, 40.0, 40.0, 60.0))
    >>> runs.mean, round(runs.error, 3)
    (40.0, 8.165)
    """

    indices: tuple[int, ...]
    values: tuple[float, ...]

    def __len__(self) -> int:
        return len(self.values)

    @property
    def mean(self) -> float:
        """NaN without runs."""
        return float(np.mean(self.values)) if self.values else math.nan

    @property
    def error(self) -> float:
        """The standard error of the mean, s/√n; NaN with fewer than two runs."""
        return float(np.std(self.values, ddof=1)) / math.sqrt(len(self)) if len(self) > 1 else math.nan

    @property
    def alike(self) -> bool:
        """Whether all runs are the same."""
        return len(set(self.values)) < 2


@dataclass(frozen=True)
class Marked:
    """What an entrant has more than the base, its test, and the mark that papers print for it."""

    difference: Difference
    mark: Literal["=", "+", "++", "-", "--", ""]
    """Equal; better or worse, doubled where p < 5 %; empty with fewer than two runs."""

    @property
    def p(self) -> float:
        """Two-sided, not corrected for other tests."""
        return self.difference.p


def marked(base: Runs, other: Runs, level: float = 0.05) -> Marked:
    """Welch's t-test of two samples of runs, which takes all of them as independent.

    >>> marked(Runs((0, 1, 2), (0.0, 0.0, 20.0)), Runs((0, 1, 2), (80.0, 100.0, 100.0))).mark
    '++'
    >>> found = marked(Runs((0, 1), (0.0, 0.0)), Runs((0, 1), (20.0, 20.0)))
    >>> found.mark, round(found.p, 3)
    ('+', 0.333)
    """
    found = welch(base.values, other.values)
    if min(len(base), len(other)) < 2:
        return Marked(found, "")
    if math.isclose(base.mean, other.mean, rel_tol=0, abs_tol=1e-9):
        return Marked(found, "=")
    sign: Literal["+", "-"] = "+" if found.value > 0 else "-"
    doubled: dict[str, Literal["++", "--"]] = {"+": "++", "-": "--"}
    return Marked(found, doubled[sign] if found.p < level else sign)


@dataclass(frozen=True)
class Beside:
    """How far our mean is from a published one, with its 95 % half width, and what that means."""

    difference: float
    half_width: float
    p: float
    word: Literal["equivalent", "not shown", "higher", "lower"]
    equivalent: bool = False
    """Whether equality within the margin is shown; also tested where a difference is significant."""


def beside(ours: Runs, figure: Figure, margin: float, level: float = 0.05) -> Beside | None:
    """Our mean beside a published one, with the standard errors of both; None without runs or without their error.

    `equivalent` means that no difference is significant and equality within the `margin` is shown, by two one-sided
    tests, from 20 runs on; `not shown`, that neither is. The t distribution counts our runs. An error that is known to
    be too large says that two figures differ, where it can, and never that they are equal.

    >>> runs = Runs(tuple(range(40)), (20.0, 50.0) * 20)
    >>> beside(runs, Figure(35.6, 1.9), margin=5.0).word, beside(runs, Figure(35.6, 1.9), margin=7.5).word
    ('not shown', 'equivalent')
    """
    if not ours.values or figure.error is None:
        return None
    difference = ours.mean - figure.value
    if len(ours) < 2 or (ours.alike and len(ours) < _ENOUGH):
        return Beside(difference, math.inf, 1.0, "not shown")
    error = math.sqrt(ours.error**2 + figure.error**2 + _PRINTED**2)
    t = extra("scipy.stats").t(len(ours) - 1)
    p, half_width = float(2 * t.sf(abs(difference) / error)), float(t.ppf(1 - level / 2) * error)
    within = abs(difference) < margin and float(t.sf((margin - abs(difference)) / error)) < level
    equivalent = within and len(ours) >= _ENOUGH and not figure.too_large
    if p < level:
        return Beside(difference, half_width, p, "higher" if difference > 0 else "lower", equivalent)
    return Beside(difference, half_width, p, "equivalent" if equivalent else "not shown", equivalent)


def normalised(samples: Sequence[Runs]) -> list[Runs]:
    """The samples on one scale, from 0 for the least number in any of them to 1 for the greatest.

    >>> [runs.values for runs in normalised([Runs((0, 1), (10.0, 20.0)), Runs((0, 1), (15.0, 30.0))])]
    [(0.0, 0.5), (0.25, 1.0)]
    """
    numbers = [value for runs in samples for value in runs.values]
    if not numbers:
        return list(samples)
    low, width = min(numbers), max(numbers) - min(numbers)
    return [
        Runs(runs.indices, tuple((value - low) / width if width else 0.5 for value in runs.values)) for runs in samples
    ]
