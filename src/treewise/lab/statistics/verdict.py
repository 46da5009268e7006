"""A verdict in words, and how many matches it would take."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from treewise.lab.extra import extra
from treewise.lab.statistics.rate import varied
from treewise.lab.statistics.sample import Sample

__all__ = ["Verdict", "Word", "matches_needed", "verdict", "visible_difference"]

Word = Literal["better", "worse", "not better", "not worse", "no difference shown", "too few matches"]
"""`not better` and `not worse` are those of sequential tests, which ask about one side only."""

POWER = 0.8
MARGIN = 0.05
"""A difference of five points from 1/2 is what an experiment should at least be able to see."""

_INDEPENDENT = math.sqrt(1 / 8)
"""The standard deviation of a pair's mean if both matches were independent and even, without draws."""


@dataclass(frozen=True)
class Verdict:
    """One of these words, and what else the numbers allow to say."""

    word: Word
    remark: str = ""

    def text(self) -> str:
        """Both in one line.

        >>> Verdict("too few matches", "about 780 would do").text()
        'too few matches (about 780 would do)'
        """
        return f"{self.word} ({self.remark})" if self.remark else self.word


def verdict(sample: Sample, p: float, tests: int = 1, level: float = 0.05, margin: float = MARGIN) -> Verdict:
    """What a cell shows, from its p value, corrected for the `tests` of the table it stands in.

    Without significance, `no difference shown` is said only if a difference of `margin` would have been seen with 80 %
    probability in a test of its own; otherwise the matches were too few. The number that would do shows the rate seen,
    in the table; of a rate within the margin, a difference of `margin`.

    >>> from treewise.lab.statistics.rate import against_half
    >>> even = Sample.of([1, 0, 0, 1] * 300)
    >>> verdict(even, p=against_half(even)[0]).word
    'no difference shown'
    """
    if len(sample) == 0:
        return Verdict("too few matches", "none yet")
    if p < level:
        return Verdict("better" if sample.mean > 0.5 else "worse")
    visible = visible_difference(sample)
    if visible <= margin:
        return Verdict("no difference shown", f"{100 * visible:.1f} points would show")
    near = abs(sample.mean - 0.5) <= margin
    needed = matches_needed(sample, level=level if near else level / tests, margin=margin)
    unit = 10 ** max(0, len(str(needed)) - 2)
    what = f"would show {100 * margin:g} points" if near else "would do"
    return Verdict("too few matches", f"about {math.ceil(needed / unit) * unit:,} {what}")


def _pair_deviation(sample: Sample) -> float:
    """The standard deviation of a pair's mean; that of independent matches where the sample cannot tell it."""
    return float(np.std(sample.pair_means, ddof=1)) if varied(sample.pair_means) else _INDEPENDENT


def matches_needed(sample: Sample, power: float = POWER, level: float = 0.05, margin: float = MARGIN) -> int:
    """How many matches would show the rate seen as different from 1/2, or, of a rate nearer than that, a `margin`.

    >>> matches_needed(Sample.of([1, 1, 1, 0, 1, 0, 0, 1, 1, 0])), matches_needed(Sample.of([1, 0, 1, 0]))
    (202, 790)
    """
    effect = max(abs(sample.mean - 0.5), margin) / _pair_deviation(sample)
    pairs = extra("statsmodels.stats.power").TTestPower().solve_power(effect_size=effect, alpha=level, power=power)
    return 2 * math.ceil(float(np.squeeze(pairs)))


def visible_difference(sample: Sample, power: float = POWER, level: float = 0.05) -> float:
    """How far from 1/2 the true rate must be for so many matches to show it with probability `power`.

    >>> round(visible_difference(Sample.of([1, 0, 0, 1, 1, 1, 0, 0] * 100)), 3)
    0.05
    """
    pairs = len(sample.pair_means)
    if pairs < 3:
        return 0.5
    effect = extra("statsmodels.stats.power").TTestPower().solve_power(nobs=pairs, alpha=level, power=power)
    return min(0.5, float(np.squeeze(effect)) * _pair_deviation(sample))
