"""Whether two samples differ: win rates of two cells, or returns of two sides."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treewise.lab.extra import extra
from treewise.lab.statistics.rate import ENOUGH_PAIRS, mean, mean_p
from treewise.lab.statistics.sample import Sample, clustered

__all__ = ["Difference", "difference", "paired_returns", "welch"]


@dataclass(frozen=True)
class Difference:
    """A difference of means, its 95 % interval, a two-sided p value, and the name of the test."""

    value: float
    low: float
    high: float
    p: float
    method: str

    @property
    def half_width(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2


def difference(first: Sample, second: Sample, same_seeds: bool = False) -> Difference:
    """The mean of `second` less that of `first`, tested with pairs as units.

    With `same_seeds`, pairs of the same place in both schedules are taken as dependent. With fewer than 20 pairs in one
    of them there is no test: p is 1 and the interval has no bounds.

    >>> found = difference(Sample.of([1, 0] * 40), Sample.of([1, 1, 1, 0] * 20))
    >>> found.value, found.p < 0.001
    (0.25, True)
    """
    value = second.mean - first.mean
    if min(len(first.pair_means), len(second.pair_means)) < ENOUGH_PAIRS:
        return Difference(value, -math.inf, math.inf, 1.0, "too few pairs")
    values = np.concatenate([first.values, second.values])
    is_second = np.repeat([0.0, 1.0], [len(first), len(second)])
    shift = 0 if same_seeds else first.pairs.max() + 1
    pairs = np.concatenate([first.pairs, second.pairs + shift])
    fit = clustered(values, np.column_stack([np.ones(len(values)), is_second]), pairs)
    if fit.cov_params()[1, 1] < 1e-20:  # every pair of each sample is alike
        return Difference(value, value, value, float(abs(value) < 1e-12), "t-test over pairs")
    contrast = fit.t_test([0, 1])
    low, high = contrast.conf_int()[0]
    return Difference(value, float(low), float(high), float(contrast.pvalue), "t-test over pairs")


def welch(first: Sequence[float], second: Sequence[float]) -> Difference:
    """Welch's t-test of `second` against `first`, which takes all numbers as independent.

    >>> found = welch([1.0, 2.0, 3.0, 4.0], [3.0, 5.0, 7.0, 9.0])
    >>> found.value, round(found.p, 4)
    (3.5, 0.0665)
    """
    if min(len(first), len(second)) < 2:
        return Difference(_mean(second) - _mean(first), -math.inf, math.inf, 1.0, "too few matches")
    value = _mean(second) - _mean(first)
    if np.ptp(first) == 0 and np.ptp(second) == 0:
        return Difference(value, value, value, float(value == 0), "Welch's t-test")
    with warnings.catch_warnings():  # SciPy warns of one sample without any variance, which this test can deal with
        warnings.simplefilter("ignore", RuntimeWarning)
        result = extra("scipy.stats").ttest_ind(second, first, equal_var=False)
    interval = result.confidence_interval()
    return Difference(value, float(interval.low), float(interval.high), float(result.pvalue), "Welch's t-test")


def paired_returns(differences: Sample) -> Difference:
    """The mean of what A got more than B: both returns are of one match, so their difference is what is tested.

    >>> paired_returns(Sample.of([1.0, 3.0, 2.0, 2.5])).value
    2.125
    """
    estimate = mean(differences)
    return Difference(estimate.value, estimate.low, estimate.high, mean_p(differences), "t-test over pairs")


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if len(values) else math.nan
