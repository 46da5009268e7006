"""Differences between two cells, and between returns."""

from __future__ import annotations

import math

import pytest

from made_outcomes import played
from treewise.lab.statistics import Sample, difference, welch
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
    assert welch([1.0, 1.0], [2.0, 2.0]).p == 0.0
    assert welch([], [2.0, 2.0]).p == 1.0
    assert welch([1.0], [2.0, 2.0]).high == math.inf


def test_difference_is_the_test_of_two_means_of_pairs() -> None:
    first = Sample.of([1.0, 0.0] * 15 + [0.0, 0.0] * 15)  # means 0.5 and 0
    second = Sample.of([1.0, 1.0] * 20 + [0.0, 1.0] * 20)  # means 1 and 0.5
    found = difference(first, second)
    assert found.value == pytest.approx(0.5)
    # Both variances with n, as the covariance has them, times G / (G - 1) and (N - 1) / (N - 2), G = 70, N = 140.
    error = math.sqrt((0.0625 / 30 + 0.0625 / 40) * 70 / 69 * 139 / 138)
    assert found.half_width == pytest.approx(1.994945 * error, rel=1e-5)  # t of 69 degrees


def test_same_seeds_are_compared_pair_by_pair() -> None:
    first = Sample.of(([1.0, 1.0] * 5 + [0.0, 0.0] * 5) * 5)
    better = Sample.of([*first.values[:-4], 1.0, 1.0, 1.0, 1.0])  # two pairs turned, all others alike
    apart, together = difference(first, better), difference(first, better, same_seeds=True)
    assert together.value == apart.value
    assert together.half_width < 0.4 * apart.half_width
    assert difference(first, first, same_seeds=True).p == 1.0


def test_too_few_pairs_are_not_tested() -> None:
    found = difference(Sample.of([1.0] * 10), Sample.of([0.0] * 100))
    assert (found.value, found.p, found.method) == (-1.0, 1.0, "too few pairs")


def test_constant_samples() -> None:
    assert difference(Sample.of([1.0] * 40), Sample.of([1.0] * 40)).p == 1.0
    assert difference(Sample.of([0.0] * 40), Sample.of([1.0] * 40)).p == 0.0


def test_returns_of_one_match_are_compared_as_differences() -> None:
    matches = played([1.0, 0.0, 1.0, 1.0, 1.0, 1.0])  # returns +1 and -1: differences 2, -2, 2, 2, 2, 2
    found = paired_returns(Sample.return_differences(matches))
    assert found.value == pytest.approx(8 / 6)
    assert found.half_width == pytest.approx(4.302653 * math.sqrt(4 / 3 / 3))  # pairs 0, 2, 2: variance 4/3
