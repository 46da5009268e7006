"""Differences between two cells, and between returns."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from made_outcomes import played
from treewise.lab.statistics import Sample, difference, rate, rate_difference, welch
from treewise.lab.statistics.difference import paired_returns

# A published worked example of unequal variances: t = -2.46 with 25 degrees of freedom, p = 0.021.
FIRST = [27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4]
SECOND = [27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4]


def test_welch_against_a_published_example() -> None:
    found = welch(FIRST, SECOND)
    assert found.value == pytest.approx(2.1667, abs=1e-4)
    assert round(found.p, 3) == 0.021
    assert found.low > 0
    assert (found.low + found.high) / 2 == pytest.approx(found.value)


def test_welch_where_nothing_varies() -> None:
    assert welch([1.0, 1.0], [1.0, 1.0]).p == 1.0
    found = welch([1.0] * 4, [2.0] * 4)  # two of the 70 ways to deal out four and four
    assert (found.low, found.high, found.p) == (-math.inf, math.inf, pytest.approx(2 / 70))
    assert welch([], [2.0, 2.0]).p == 1.0
    assert welch([1.0], [2.0, 2.0]).high == math.inf


def test_difference_is_the_test_of_two_means_of_pairs() -> None:
    first = Sample.of([1.0, 0.0] * 15 + [0.0, 0.0] * 15)  # means 0.5 and 0
    second = Sample.of([1.0, 1.0] * 20 + [0.0, 1.0] * 20)  # means 1 and 0.5
    found = difference(first, second)
    assert found.value == pytest.approx(0.5)
    # Welch's own formulas: variances with n - 1, and the degrees of freedom of Satterthwaite.
    one, other = 0.0625 / 30 * 30 / 29, 0.0625 / 40 * 40 / 39
    degrees = (one + other) ** 2 / (one**2 / 29 + other**2 / 39)
    assert degrees == pytest.approx(62.476, abs=1e-3)
    assert found.half_width == pytest.approx(stats.t(degrees).ppf(0.975) * math.sqrt(one + other))


def test_unequal_samples_hold_their_level() -> None:
    """Twenty pairs beside a thousand: the few decide how well the difference is known."""
    rng = np.random.default_rng(3)
    wrong = 0
    for _ in range(600):
        few, many = (Sample.of(np.repeat(rng.random(pairs) < 0.5, 2)) for pairs in (20, 1000))
        wrong += difference(few, many).p < 0.05
    assert wrong / 600 < 0.07


def test_same_seeds_are_compared_pair_by_pair() -> None:
    first = Sample.of(([1.0, 1.0] * 5 + [0.0, 0.0] * 5) * 5)
    better = Sample.of([*first.values[:-4], 1.0, 1.0, 1.0, 1.0])  # two pairs turned, all others alike
    apart, together = difference(first, better), difference(first, better, same_seeds=True)
    assert together.value == pytest.approx(apart.value)
    assert together.half_width < 0.4 * apart.half_width
    assert difference(first, first, same_seeds=True).p == 1.0


def test_too_few_pairs_are_not_tested() -> None:
    found = difference(Sample.of([1.0] * 10), Sample.of([0.0] * 100))
    assert (found.value, found.p, found.tested) == (-1.0, 1.0, False)


def test_constant_samples() -> None:
    assert difference(Sample.of([1.0] * 40), Sample.of([1.0] * 40)).p == 1.0
    found = difference(Sample.of([0.0] * 40), Sample.of([1.0] * 40))
    assert 0 < found.p < 1e-10
    assert found.half_width == math.inf
    for value in (0.0, 0.3, 70.0):  # identical runs, also of numbers that are not exact
        same = Sample.of([value, value / 3] * 20)
        assert difference(same, same, same_seeds=True).p == 1.0


def test_samples_with_little_variety_are_not_told_apart_by_it() -> None:
    """All matches drawn, or every pair even: the rates are known no better than by Clopper and Pearson's intervals."""
    drawn, even, nearly = Sample.of([0.5] * 100), Sample.of([1, 0] * 20), Sample.of([1, 0] * 15 + [1, 1] * 5)
    both = rate(drawn)
    found = rate_difference(drawn, drawn)
    assert found.high == pytest.approx(math.sqrt(2) * (both.high - both.value))
    assert rate_difference(even, nearly).p > 0.3
    assert rate_difference(even, nearly, same_seeds=True).p > 0.05
    won, lost = Sample.of([1.0] * 40), Sample.of([0.0] * 40)
    for same_seeds in (False, True):
        found = rate_difference(lost, won, same_seeds)
        assert found.p < 0.001
        assert found.low > 0.5


def test_gains_of_the_same_seeds_by_hand() -> None:
    """Of 50 pairs 10 gain one half: the mean of 0.1 lies between what Clopper and Pearson say of 5 and of 0 in 50."""
    first = Sample.of([1, 0] * 50)
    second = Sample.of([1, 1] * 8 + [1, 0] * 42)
    found = rate_difference(first, second, same_seeds=True)
    gained, lost = stats.beta.ppf([0.0125, 0.9875], [4, 5], [47, 46]), 1 - 0.0125 ** (1 / 50)
    assert (found.low, found.high) == pytest.approx((gained[0] - lost, gained[1]))
    assert found.p > 0.05, "0 is inside"
    p = rate_difference(first, Sample.of([1, 1] * 48 + [1, 0] * 2), same_seeds=True)
    assert p.method == "Clopper–Pearson over pairs"
    assert p.low > 0
    assert p.p < 0.05


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=60),
    st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=60),
    st.booleans(),
)
def test_intervals_and_p_values_of_rates_agree(first: list[float], second: list[float], same_seeds: bool) -> None:
    found = rate_difference(Sample.of(first), Sample.of(second), same_seeds)
    assert found.low <= found.value <= found.high
    assert 0 <= found.p <= 1
    if abs(found.p - 0.05) > 1e-6:
        assert (found.p < 0.05) == (found.low > 0 or found.high < 0)


def test_returns_of_one_match_are_compared_as_differences() -> None:
    matches = played([1.0, 0.0, 1.0, 1.0, 1.0, 1.0])  # returns +1 and -1: differences 2, -2, 2, 2, 2, 2
    found = paired_returns(Sample.return_differences(matches))
    assert found.value == pytest.approx(8 / 6)
    assert found.half_width == pytest.approx(4.302653 * math.sqrt(4 / 3 / 3))  # pairs 0, 2, 2: variance 4/3
