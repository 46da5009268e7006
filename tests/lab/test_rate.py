"""Win rates: intervals and tests against numbers worked out by hand and in the literature."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from treewise.lab.statistics import (
    Sample,
    against_half,
    binomial_p,
    holm,
    normal_interval,
    rate,
    score_interval,
    wilson_interval,
)
from treewise.lab.statistics.rate import mean, mean_p


def results(wins: int, draws: int, losses: int) -> Sample:
    return Sample.of([1.0] * wins + [0.5] * draws + [0.0] * losses)


@pytest.mark.parametrize(
    ("rate_of_paper", "matches", "half_width"), [(0.748, 5000, 1.2), (0.501, 5000, 1.4), (0.236, 500, 3.7)]
)
def test_normal_interval_is_the_one_papers_print(rate_of_paper: float, matches: int, half_width: float) -> None:
    wins = round(rate_of_paper * matches)
    estimate = normal_interval(results(wins, 0, matches - wins))
    assert round(50 * (estimate.high - estimate.low), 1) == half_width


def test_variance_of_scores_explains_the_narrow_intervals_of_a_drawish_game() -> None:
    # The paper has 53.8 ± 0.8 for checkers after 5,000 matches, which p(1 - p) cannot give: 1.4.
    sample = results(1040, 3300, 660)
    assert sample.mean == pytest.approx(0.538)
    assert normal_interval(sample).text() == "53.8 ± 1.4"
    assert score_interval(sample).text() == "53.8 ± 0.8"
    variance = (1040 * 0.462**2 + 3300 * 0.038**2 + 660 * 0.538**2) / 4999
    assert score_interval(sample).error == pytest.approx(math.sqrt(variance / 5000), rel=1e-6)


def test_wilson_interval_by_hand() -> None:
    # 5 of 10: 0.5 ± z / (1 + z²/n) * sqrt(0.025 + z²/400).
    found = wilson_interval(results(5, 0, 5))
    assert (found.low, found.high) == pytest.approx((0.236593, 0.763407), abs=1e-6)
    assert wilson_interval(results(4, 2, 4)) == found  # a draw is half a win


def test_interval_over_pairs_by_hand() -> None:
    # 40 pairs: 10 won twice, 20 shared, 10 split as a win and a draw. Means 1, 0.5, 0.75.
    sample = Sample.of([1.0, 1.0] * 10 + [1.0, 0.0] * 20 + [1.0, 0.5] * 10)
    centre = (10 + 10 + 7.5) / 40
    variance = (10 * (1 - centre) ** 2 + 20 * (0.5 - centre) ** 2 + 10 * (0.75 - centre) ** 2) / 39
    half = 2.022691 * math.sqrt(variance / 40)  # t of 39 degrees, 97.5 %
    estimate = rate(sample)
    assert estimate.method == "t over pairs"
    assert (estimate.value, estimate.low, estimate.high) == pytest.approx((centre, centre - half, centre + half))


def test_incomplete_pair_counts_as_one_match() -> None:
    whole = Sample.of([1.0, 0.0, 1.0, 1.0] * 20)
    more = Sample.of([*whole.values, 1.0, 1.0], [*range(80), 82, 90])
    assert more.mean == pytest.approx(62 / 82)
    assert len(more.pair_means) == 42
    # Cluster-robust: (G / (G - 1)) * sum of squared sums of residuals / n².
    residuals = [sum(value - more.mean for value in more.values[more.pairs == pair]) for pair in set(more.pairs)]
    error = math.sqrt(42 / 41 * sum(r * r for r in residuals)) / 82
    assert (rate(more).high - rate(more).low) / 2 == pytest.approx(2.019541 * error, rel=1e-5)


def test_few_pairs_get_exact_bounds_and_their_test() -> None:
    five = rate(results(10, 0, 0))
    assert five.method == "Clopper–Pearson over pairs"
    assert (five.low, five.high) == pytest.approx((0.025 ** (1 / 5), 1.0))  # 5 of 5
    assert against_half(results(10, 0, 0)) == (pytest.approx(2 / 2**5), "Clopper–Pearson over pairs")
    # Even pairs count as they do in the interval: 31 of 56.
    p = against_half(Sample.of([1.0, 0.0] * 50 + [1.0, 1.0] * 6))[0]
    assert p == pytest.approx(2 * stats.binom.sf(30, 56, 0.5))


def test_more_pairs_ahead_than_behind_is_not_a_rate_above_one_half() -> None:
    """Fifteen pairs a little ahead, four lost: the rate is below one half, and nothing is shown."""
    assert against_half(Sample.of([0.75, 0.5] * 15 + [0.0, 0.0] * 4))[0] > 0.5


def test_t_test_over_pairs_by_hand() -> None:
    sample = Sample.of([1.0, 1.0] * 22 + [0.0, 0.0] * 11)
    t = (2 / 3 - 0.5) / math.sqrt(22 * 11 / 33 / 32 / 33)
    assert t == pytest.approx(2.0, abs=1e-12)
    p, name = against_half(sample)
    assert name == "t-test over pairs"
    assert p == pytest.approx(0.05405, abs=2e-5)  # two-sided, 32 degrees: 2.037 has 0.05, 1.694 has 0.10


def test_exact_binomial_test() -> None:
    assert binomial_p(results(60, 0, 40)) == pytest.approx(0.0569, abs=5e-5)  # the textbook's 60 heads in 100
    assert binomial_p(results(60, 500, 40)) == binomial_p(results(60, 0, 40))
    assert binomial_p(results(5, 0, 0)) == pytest.approx(2 / 32)
    assert binomial_p(results(0, 7, 0)) == 1.0


def test_holm_by_hand() -> None:
    # Sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1, and never less than the one before.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert holm([0.6, 0.7]) == [1.0, 1.0]


def test_mean_of_any_numbers() -> None:
    sample = Sample.of([3.0, 5.0, 10.0, 12.0, 8.0, 10.0])  # pairs 4, 11, 9
    half = 4.302653 * math.sqrt(13 / 3)  # t of 2 degrees; the variance of 4, 11, 9 is 13
    assert (mean(sample).low, mean(sample).high) == pytest.approx((8 - half, 8 + half))
    assert mean_p(sample, 8.0) == pytest.approx(1.0)
    assert mean(Sample.of([1.0, 2.0])).high == math.inf
    four = Sample.of([2.0] * 8)  # all alike: how much others would differ is not known
    assert (mean(four).low, mean(four).high, mean_p(four)) == (-math.inf, math.inf, 2 / 2**4)


def test_no_matches() -> None:
    nothing = Sample.of([])
    for method in (rate, wilson_interval, normal_interval, score_interval):
        estimate = method(nothing)
        assert (estimate.low, estimate.high, estimate.text()) == (0.0, 1.0, "–")
    assert against_half(nothing)[0] == binomial_p(nothing) == 1.0


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 0.25]), max_size=120))
def test_any_scores_give_sound_numbers(scores: list[float]) -> None:
    sample = Sample.of(scores)
    for method in (rate, wilson_interval, normal_interval, score_interval):
        estimate = method(sample)
        assert 0 <= estimate.low <= estimate.high <= 1
        assert not scores or estimate.low - 1e-12 <= estimate.value <= estimate.high + 1e-12
    for p in (against_half(sample)[0], binomial_p(sample), mean_p(sample, 0.5)):
        assert 0 <= p <= 1
    p, interval = against_half(sample)[0], rate(sample)
    if abs(p - 0.05) > 1e-6:
        assert (p < 0.05) == (interval.low > 0.5 or interval.high < 0.5)
    turned = Sample.of([1 - score for score in scores])
    assert against_half(turned)[0] == pytest.approx(against_half(sample)[0])
    assert rate(turned).low == pytest.approx(1 - rate(sample).high, abs=1e-9)


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("count", [1, 2, 50, 1001])
def test_equal_scores(score: float, count: int) -> None:
    sample = Sample.of([score] * count)
    estimate = rate(sample)
    assert estimate.low < estimate.high  # never more certain than the number of pairs allows
    certain = 1.0 if score == 0.5 else 2 / 2.0 ** len(np.unique(sample.pairs))
    assert against_half(sample)[0] == pytest.approx(min(1.0, certain))
