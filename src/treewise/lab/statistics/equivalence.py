"""Whether two figures are shown to be equal, but for a margin: which is more than that no difference is seen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from treewise.lab.extra import extra
from treewise.lab.statistics.difference import Difference
from treewise.lab.statistics.rate import Z

__all__ = ["Equivalence", "equivalence"]

MARGIN = 0.05
"""Five points of a win rate."""


@dataclass(frozen=True)
class Equivalence:
    """The p value of a difference as large as the margin, on the side where it is harder to rule out."""

    p: float
    shown: bool

    @property
    def word(self) -> Literal["shown", "not shown"]:
        """One of two."""
        return "shown" if self.shown else "not shown"


def equivalence(found: Difference, margin: float = MARGIN, level: float = 0.05) -> Equivalence:
    """Two one-sided tests (Schuirmann 1987): is the difference above `-margin` and below `margin`?

    Each takes the half of the 95 % interval on its side for 1.96 standard errors; so at 5 % equivalence is shown where
    the 90 % interval lies within the margin. Of a difference that was not tested it never is.

    >>> equivalence(Difference(0.01, -0.02, 0.04, 0.5, "t-test over pairs")).word
    'shown'
    >>> equivalence(Difference(0.01, -0.05, 0.07, 0.7, "t-test over pairs")).word
    'not shown'
    """
    below, above = (found.value - found.low) / Z, (found.high - found.value) / Z
    if not (found.tested and math.isfinite(below) and math.isfinite(above)):
        return Equivalence(1.0, False)
    p = max(_beyond(margin + found.value, below), _beyond(margin - found.value, above))
    return Equivalence(p, p < level)


def _beyond(distance: float, error: float) -> float:
    """How likely a normal deviate is to be that far out."""
    if error == 0:
        return float(distance <= 0)
    return float(extra("scipy.stats").norm.sf(distance / error))
