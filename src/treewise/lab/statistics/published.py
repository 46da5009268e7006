"""Our figure beside a published one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from treewise.lab.extra import extra
from treewise.lab.outcome import Reference
from treewise.lab.statistics.rate import Estimate, Z

__all__ = ["Agreement", "agreement"]


_CLOSE = 0.05
"""The half width of the difference's interval down to which two figures can be said to agree."""


@dataclass(frozen=True)
class Agreement:
    """How far our rate is from a published one, as a share with its 95 % half width, and what that means."""

    difference: float
    half_width: float
    p: float
    word: Literal["agrees", "cannot tell", "higher", "lower", "opposite sign"]


def agreement(ours: Estimate, reference: Reference, level: float = 0.05) -> Agreement | None:
    """The test of two proportions, with standard errors from the intervals' halves towards each other.

    None without matches.

    `agrees` means that no difference is significant where its interval has a half width of five points at most, and
    `cannot tell` that none is where it is wider: an agreement does not prove that both are equal. `opposite sign` means
    that both figures are significantly away from 1/2, on different sides.

    >>> agreement(Estimate(0.62, 0.60, 0.64, ""), Reference(65.9, 1.3)).word
    'lower'
    >>> agreement(Estimate(0.47, 0.45, 0.49, ""), Reference(53.6, 0.8)).word
    'opposite sign'
    """
    if ours.value != ours.value:
        return None
    published, width = reference.rate / 100, reference.half_width / 100
    difference = ours.value - published
    error = math.hypot(ours.half(difference), width) / Z
    p = float(2 * extra("scipy.stats").norm.sf(abs(difference) / error)) if error > 0 else float(difference == 0)
    if p >= level:
        return Agreement(difference, Z * error, p, "agrees" if Z * error <= _CLOSE else "cannot tell")
    if (ours.high < 0.5 < published - width) or (published + width < 0.5 < ours.low):
        return Agreement(difference, Z * error, p, "opposite sign")
    return Agreement(difference, Z * error, p, "higher" if difference > 0 else "lower")
