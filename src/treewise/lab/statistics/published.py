"""Our figure beside a published one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from treewise.lab.extra import extra
from treewise.lab.outcome import Reference
from treewise.lab.statistics.difference import Difference
from treewise.lab.statistics.equivalence import Equivalence, equivalence
from treewise.lab.statistics.rate import Estimate, Z

__all__ = ["Agreement", "agreement"]


@dataclass(frozen=True)
class Agreement:
    """How far our rate is from a published one, as a share with its 95 % half width, and what that means.

    `equivalence` is also tested where a difference is significant: it may be shown to be a small one.
    """

    difference: float
    half_width: float
    p: float
    word: Literal["equivalent", "not shown", "higher", "lower", "opposite sign"]
    equivalence: Equivalence


def agreement(ours: Estimate, reference: Reference, level: float = 0.05) -> Agreement | None:
    """The test of two proportions, with standard errors from the intervals' halves towards each other.

    None without matches.

    `equivalent` means that no difference is significant and equality within five points is shown, `not shown` that
    neither is. `opposite sign` means that both figures are significantly away from 1/2, on different sides.

    >>> agreement(Estimate(0.62, 0.60, 0.64, ""), Reference(65.9, 1.3)).word
    'lower'
    >>> agreement(Estimate(0.47, 0.45, 0.49, ""), Reference(53.6, 0.8)).word
    'opposite sign'
    >>> [agreement(Estimate(0.63, 0.63 - half, 0.63 + half, ""), Reference(62.8, 1.3)).word for half in (0.02, 0.06)]
    ['equivalent', 'not shown']
    """
    if ours.value != ours.value:
        return None
    published, width = reference.rate / 100, reference.half_width / 100
    difference = ours.value - published
    error = math.hypot(ours.half(difference), width) / Z
    p = float(2 * extra("scipy.stats").norm.sf(abs(difference) / error)) if error > 0 else float(difference == 0)
    low, high = (math.hypot(half, width) for half in (ours.value - ours.low, ours.high - ours.value))
    tested = equivalence(Difference(difference, difference - low, difference + high, p, "both intervals"), level=level)
    if p >= level:
        return Agreement(difference, Z * error, p, "equivalent" if tested.shown else "not shown", tested)
    if (ours.high < 0.5 < published - width) or (published + width < 0.5 < ours.low):
        return Agreement(difference, Z * error, p, "opposite sign", tested)
    return Agreement(difference, Z * error, p, "higher" if difference > 0 else "lower", tested)
