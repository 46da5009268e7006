"""Our figure beside a published one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from treewise.lab.extra import extra
from treewise.lab.outcome import Reference
from treewise.lab.statistics.rate import Estimate, Z

__all__ = ["Agreement", "agreement"]


@dataclass(frozen=True)
class Agreement:
    """How far our rate is from a published one, as a share with its 95 % half width, and what that means."""

    difference: float
    half_width: float
    p: float
    word: Literal["agrees", "higher", "lower", "opposite sign"]


def agreement(ours: Estimate, reference: Reference, level: float = 0.05) -> Agreement | None:
    """The test of two proportions, with both standard errors taken from the intervals; None without matches.

    `opposite sign` means that both figures are significantly away from 1/2, on different sides.

    >>> agreement(Estimate(0.62, 0.60, 0.64, ""), Reference(65.9, 1.3)).word
    'lower'
    >>> agreement(Estimate(0.47, 0.45, 0.49, ""), Reference(53.6, 0.8)).word
    'opposite sign'
    """
    if ours.value != ours.value:
        return None
    published, width = reference.rate / 100, reference.half_width / 100
    difference = ours.value - published
    error = (ours.error**2 + (width / Z) ** 2) ** 0.5
    p = float(2 * extra("scipy.stats").norm.sf(abs(difference) / error)) if error > 0 else float(difference == 0)
    if p >= level:
        return Agreement(difference, Z * error, p, "agrees")
    if (ours.high < 0.5 < published - width) or (published + width < 0.5 < ours.low):
        return Agreement(difference, Z * error, p, "opposite sign")
    return Agreement(difference, Z * error, p, "higher" if difference > 0 else "lower")
