"""Whether two samples differ: win rates of two cells, or returns of two sides."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treewise.lab.extra import extra
from treewise.lab.statistics.rate import ENOUGH_PAIRS, Estimate, Z, mean, mean_p, proportion_bounds, rate, varied
from treewise.lab.statistics.sample import Floats, Sample, clustered

__all__ = ["Difference", "difference", "difference_of_differences", "paired_returns", "rate_difference", "welch"]


_TOO_FEW = "too few numbers"


@dataclass(frozen=True)
class Difference:
    """A difference of means, its 95 % interval, a two-sided p value, and the name of the test."""

    value: float
    low: float
    high: float
    p: float
    method: str

    @property
    def tested(self) -> bool:
        """Whether there were enough numbers for a test."""
        return self.method != _TOO_FEW

    @property
    def half_width(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2


def difference(first: Sample, second: Sample, same_seeds: bool = False) -> Difference:
    """The mean of `second` less that of `first`, of any numbers, tested with pairs as units.

    Welch's t-test over the means of pairs. With `same_seeds`, what each pair has more is tested, or, where matches are
    missing in one of the samples, least squares with pairs as clusters. With fewer than 20 pairs in one of them there
    is no test: p is 1 and the interval has no bounds.

    >>> found = difference(Sample.of([1, 0] * 40), Sample.of([1, 1, 1, 0] * 20))
    >>> found.value, found.p < 0.001
    (0.25, True)
    """
    value = second.mean - first.mean
    if min(len(first.pair_means), len(second.pair_means)) < ENOUGH_PAIRS:
        return Difference(value, -math.inf, math.inf, 1.0, _TOO_FEW)
    if same_seeds and np.array_equal(first.pairs, second.pairs):
        return paired_returns(Sample(second.values - first.values, first.pairs))
    if same_seeds and (np.ptp(first.pair_means) > 0 or np.ptp(second.pair_means) > 0):  # matches are missing in one
        values = np.concatenate([first.values, second.values])
        is_second = np.repeat([0.0, 1.0], [len(first), len(second)])
        pairs = np.concatenate([first.pairs, second.pairs])
        contrast = clustered(values, np.column_stack([np.ones(len(values)), is_second]), pairs).t_test([0, 1])
        low, high = contrast.conf_int()[0]
        return Difference(value, float(low), float(high), float(contrast.pvalue), "t-test over pairs")
    found = welch(first.pair_means, second.pair_means)
    shift = value - found.value  # of an incomplete pair, which counts in a mean over matches for one match only
    return Difference(value, found.low + shift, found.high + shift, found.p, f"{found.method} over pairs")


def rate_difference(first: Sample, second: Sample, same_seeds: bool = False) -> Difference:
    """The win rate of `second` less that of `first`, as `difference` has it where there are enough different pairs.

    Otherwise it takes what is known of numbers from 0 to 1. With the same seeds, what pairs gained and what they lost
    are two means with Clopper and Pearson's bounds. Else the intervals of both rates are put together.

    >>> same = rate_difference(Sample.of([1, 0] * 40), Sample.of([1, 0] * 40), same_seeds=True)
    >>> same.value, round(same.half_width, 2), same.p
    (0.0, 0.1, 1.0)
    """
    value = second.mean - first.mean
    if not len(first) or not len(second):
        return Difference(value, -math.inf, math.inf, 1.0, _TOO_FEW)
    if same_seeds and np.array_equal(first.pairs, second.pairs):
        gains = second.pair_means - first.pair_means
        return difference(first, second, same_seeds) if varied(gains) else _gained_and_lost(gains)
    if varied(first.pair_means) and varied(second.pair_means):
        return difference(first, second, same_seeds)
    return _of_intervals(rate(first), rate(second))


def difference_of_differences(first: Difference, second: Difference) -> Difference:
    """How much more `second` is than `first`, both from samples that are independent of each other.

    A difference that is significant beside one that is not need not differ from it: that takes this test. Intervals are
    put together as those of two rates are (Zou and Donner 2008). Of two rates beside the same figure the figure cancels
    out: their `rate_difference` is it, which also takes what shared seeds have in common.

    >>> plain, tuned = Difference(0.05, 0.01, 0.09, 0.01, "t"), Difference(0.02, -0.02, 0.06, 0.3, "t")
    >>> found = difference_of_differences(plain, tuned)
    >>> round(found.value, 3), round(found.half_width, 3), round(found.p, 2)
    (-0.03, 0.057, 0.3)
    """
    estimates = (Estimate(each.value, each.low, each.high, each.method) for each in (first, second))
    if not first.tested or not second.tested or math.isinf(first.half_width) or math.isinf(second.half_width):
        return Difference(second.value - first.value, -math.inf, math.inf, 1.0, _TOO_FEW)
    return _of_intervals(*estimates)


def _gained_and_lost(gains: Floats) -> Difference:
    """The mean of numbers from -1 to 1, from bounds of the means of what is above and what is below 0."""

    def bounds(level: float) -> tuple[float, float]:
        sums = (np.maximum(gains, 0).sum(), np.maximum(-gains, 0).sum())
        up, down = (proportion_bounds(float(total), len(gains), "beta", level / 2) for total in sums)
        return up[0] - down[1], up[1] - down[0]

    def away(level: float) -> float:
        low, high = bounds(level)
        return low if value > 0 else -high

    value, least, most = float(gains.mean()), 1e-12, 1.0
    if value == 0 or away(most) <= 0:
        p = 1.0
    else:  # the level at which the interval ends at 0
        p = least if away(least) > 0 else float(extra("scipy.optimize").brentq(away, least, most))
    return Difference(value, *bounds(0.05), p, "Clopper–Pearson over pairs")


def _of_intervals(first: Estimate, second: Estimate) -> Difference:
    """Two figures by their intervals, which need not be symmetric (Zou and Donner 2008)."""
    value = second.value - first.value
    low = value - math.hypot(second.value - second.low, first.high - first.value)
    high = value + math.hypot(second.high - second.value, first.value - first.low)
    error = math.hypot(second.half(value), first.half(-value)) / Z
    return Difference(value, low, high, float(2 * extra("scipy.stats").norm.sf(abs(value) / error)), "both intervals")


def welch(first: Sequence[float] | Floats, second: Sequence[float] | Floats) -> Difference:
    """Welch's t-test of `second` against `first`, which takes all numbers as independent.

    Where each of them is constant, which it does not know what to make of, the permutation test: of all ways to deal
    the numbers out, only the one seen and its mirror image keep the two values apart. That one has no interval.

    >>> found = welch([1.0, 2.0, 3.0, 4.0], [3.0, 5.0, 7.0, 9.0])
    >>> found.value, round(found.p, 4)
    (3.5, 0.0665)
    >>> found = welch([0.0, 0.0], [20.0, 20.0])
    >>> round(found.p, 3), found.high, found.method
    (0.333, inf, 'permutation test')
    """
    value = _mean(second) - _mean(first)
    if min(len(first), len(second)) < 2:
        return Difference(value, -math.inf, math.inf, 1.0, _TOO_FEW)
    if np.ptp(first) == 0 and np.ptp(second) == 0:
        p = 2 / math.comb(len(first) + len(second), len(first)) if value else 1.0
        return Difference(value, -math.inf, math.inf, p, "permutation test")
    with warnings.catch_warnings():  # SciPy warns of one sample without any variance, which this test can deal with
        warnings.simplefilter("ignore", RuntimeWarning)
        result = extra("scipy.stats").ttest_ind(second, first, equal_var=False)
    interval = result.confidence_interval()
    return Difference(value, float(interval.low), float(interval.high), float(result.pvalue), "Welch's t-test")


def paired_returns(differences: Sample) -> Difference:
    """The mean of what A got more than B: both returns are of one match, so their difference is what is tested.

    Where all pairs differ by as much, there is a sign test and no interval.

    >>> paired_returns(Sample.of([1.0, 3.0, 2.0, 2.5])).value
    2.125
    """
    estimate = mean(differences)
    return Difference(estimate.value, estimate.low, estimate.high, mean_p(differences), "t-test over pairs")


def _mean(values: Sequence[float] | Floats) -> float:
    return float(np.mean(values)) if len(values) else math.nan
