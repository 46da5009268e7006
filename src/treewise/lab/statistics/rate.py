"""The win rate of one cell, draws half: intervals by several methods, and tests against one half."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treewise.lab.extra import extra
from treewise.lab.statistics.sample import Floats, Sample, clustered

__all__ = [
    "Estimate",
    "against_half",
    "binomial_p",
    "holm",
    "mean",
    "normal_interval",
    "rate",
    "score_interval",
    "wilson_interval",
]

Z = 1.959963984540054
"""Two-sided 95 % of the normal distribution."""

ENOUGH_PAIRS = 20
ENOUGH_OTHERS = 10
"""With fewer pairs, or fewer that differ from the commonest one, the t distribution describes their mean poorly."""


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95 % interval and the name of the method.

    >>> Estimate(0.62, 0.60, 0.64, "t over pairs").text()
    '62.0 ± 2.0'
    >>> Estimate(0.98, 0.91, 1.0, "Clopper–Pearson over pairs").text()
    '98.0 (91.0 to 100.0)'
    """

    value: float
    low: float
    high: float
    method: str

    @property
    def error(self) -> float:
        """The standard error that a normal interval of this width would have."""
        return (self.high - self.low) / (2 * Z)

    def half(self, difference: float) -> float:
        """How far the interval reaches down, if the value is that much above another, or up if it is below.

        Intervals need not be symmetric: this is the half that lies between both. Of two equal values, the longer one.
        """
        down, up = self.value - self.low, self.high - self.value
        return down if difference > 0 else up if difference < 0 else max(down, up)

    def text(self) -> str:
        """In per cent, with `±` where the interval is symmetric."""
        value, low, high = 100 * self.value, 100 * self.low, 100 * self.high
        if math.isnan(value):
            return "–"
        if abs((high - value) - (value - low)) < 0.1:
            return f"{value:.1f} ± {(high - low) / 2:.1f}"
        return f"{value:.1f} ({low:.1f} to {high:.1f})"


def varied(pair_means: Floats) -> bool:
    """Whether there are enough pairs, and enough different ones, for a t distribution."""
    _, counts = np.unique(pair_means, return_counts=True)
    return int(counts.sum()) >= ENOUGH_PAIRS and int(counts.sum() - counts.max()) >= ENOUGH_OTHERS


def rate(sample: Sample) -> Estimate:
    """The mean score with the interval that this report believes in.

    A t interval over pairs, which is right whatever the matches of a pair have to do with each other. With few pairs,
    or when nearly all are alike, Clopper and Pearson's interval with the pair as the unit, which is wider than needed.

    >>> rate(Sample.of([1, 0, 1, 1] * 50)).text()
    '75.0 ± 5.0'
    """
    if len(sample) == 0:
        return Estimate(math.nan, 0.0, 1.0, "no matches")
    if not varied(sample.pair_means):
        pairs = len(sample.pair_means)
        low, high = proportion_bounds(sample.mean * pairs, pairs, "beta")
        return Estimate(sample.mean, low, high, "Clopper–Pearson over pairs")
    estimate = mean(sample)
    return Estimate(sample.mean, max(0.0, estimate.low), min(1.0, estimate.high), estimate.method)


def mean(sample: Sample) -> Estimate:
    """The mean of any numbers with its t interval over pairs; without bounds if there are not two different pairs.

    >>> estimate = mean(Sample.of([3, 5, 4, 5, 6, 4]))
    >>> round(estimate.value, 2), round(estimate.low, 2), round(estimate.high, 2)
    (4.5, 3.26, 5.74)
    """
    if len(sample.pair_means) < 2 or np.ptp(sample.pair_means) == 0:
        return Estimate(sample.mean, -math.inf, math.inf, "t over pairs")
    fit = clustered(sample.values, np.ones(len(sample)), sample.pairs)
    low, high = fit.conf_int()[0]
    return Estimate(sample.mean, float(low), float(high), "t over pairs")


def wilson_interval(sample: Sample) -> Estimate:
    """Wilson's interval with matches as the unit: too wide with draws, wrong where pairs depend on their seed.

    >>> wilson_interval(Sample.of([1] * 60 + [0] * 40)).text()
    '60.0 (50.2 to 69.1)'
    """
    return _of_matches(sample, "wilson", "Wilson over matches")


def normal_interval(sample: Sample) -> Estimate:
    """The textbook interval p ± 1.96 √(p(1 − p)/n), which most papers print; takes matches as the unit.

    >>> normal_interval(Sample.of([1] * 60 + [0] * 40)).text()
    '60.0 ± 9.6'
    """
    return _of_matches(sample, "normal", "normal over matches")


def _of_matches(sample: Sample, method: str, name: str) -> Estimate:
    if len(sample) == 0:
        return Estimate(math.nan, 0.0, 1.0, name)
    low, high = proportion_bounds(float(sample.values.sum()), len(sample), method)
    return Estimate(sample.mean, low, high, name)


def score_interval(sample: Sample) -> Estimate:
    """The normal interval from the sample variance of the scores: narrower with draws; takes matches as the unit.

    >>> score_interval(Sample.of([1] * 30 + [0.5] * 60 + [0] * 10)).text()
    '60.0 ± 5.9'
    """
    name = "variance of scores"
    if len(sample) < 2:
        return Estimate(sample.mean, 0.0, 1.0, name)
    low, high = extra("statsmodels.stats.weightstats").DescrStatsW(sample.values).zconfint_mean()
    return Estimate(sample.mean, max(0.0, float(low)), min(1.0, float(high)), name)


def proportion_bounds(count: float, total: int, method: str, level: float = 0.05) -> tuple[float, float]:
    """The interval of a proportion by one of statsmodels' methods; `count` may be a sum of shares."""
    low, high = extra("statsmodels.stats.proportion").proportion_confint(count, total, level, method=method)
    return max(0.0, float(low)), min(1.0, float(high))


def against_half(sample: Sample) -> tuple[float, str]:
    """The two-sided p value of "both sides are equally strong", and the name of the test.

    The t-test over pairs; with few pairs, or when nearly all are alike, the test that belongs to Clopper and Pearson's
    interval with the pair as the unit: p is below 5 % where the interval of `rate` leaves one half out.

    >>> against_half(Sample.of([1.0] * 12))
    (0.03125, 'Clopper–Pearson over pairs')
    """
    means = sample.pair_means
    if not varied(means):
        return _tails(sample.mean * len(means), len(means)) if len(means) else 1.0, "Clopper–Pearson over pairs"
    return mean_p(sample, 0.5), "t-test over pairs"


def _tails(count: float, total: int) -> float:
    """The level at which Clopper and Pearson's interval ends at one half."""
    beta = extra("scipy.stats").beta
    below = beta.cdf(0.5, count, total - count + 1) if count > 0 else 1.0
    above = beta.sf(0.5, count + 1, total - count) if count < total else 1.0
    return min(1.0, 2 * float(min(below, above)))


def mean_p(sample: Sample, expected: float = 0.0) -> float:
    """The two-sided p value of the t-test over pairs; of the sign test where they are all alike, 1 without two pairs.

    >>> mean_p(Sample.of([2.0] * 8)), mean_p(Sample.of([2.0, 2.0]))
    (0.125, 1.0)
    """
    pairs = len(sample.pair_means)
    if pairs < 2 or np.all(sample.values == expected):
        return 1.0
    if np.ptp(sample.pair_means) == 0:
        return _sign_p(0, pairs) if sample.pair_means[0] != expected else 1.0
    return float(clustered(sample.values - expected, np.ones(len(sample)), sample.pairs).pvalues[0])


def binomial_p(sample: Sample) -> float:
    """The exact binomial test of wins against losses, draws left out, with matches as the unit.

    Leaving draws out keeps it exact: between equal sides, a match that is not drawn is won by either with 1/2. It is
    the right test for matches that share no seeds, and shown beside the test over pairs otherwise.

    >>> round(binomial_p(Sample.of([1] * 60 + [0] * 40)), 4)
    0.0569
    """
    wins, _, losses = sample.tally
    return _sign_p(wins, losses)


def _sign_p(above: int, below: int) -> float:
    """The exact two-sided sign test."""
    if above + below == 0:
        return 1.0
    return float(extra("scipy.stats").binomtest(above, above + below, 0.5).pvalue)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's correction: each p value as it counts among all tests of its table.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    if not p_values:
        return []
    adjusted = extra("statsmodels.stats.multitest").multipletests(p_values, method="holm")[1]
    return [float(p) for p in adjusted]
