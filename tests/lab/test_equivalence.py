"""Equivalence within a margin, and differences of differences."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from made_outcomes import cell, experiment, played
from treewise.lab.outcome import CellOutcome, Reference
from treewise.lab.report import compare
from treewise.lab.statistics import (
    Difference,
    Estimate,
    Sample,
    agreement,
    difference_of_differences,
    equivalence,
    rate_difference,
)


def difference(value: float, low: float, high: float) -> Difference:
    return Difference(value, low, high, 0.5, "t-test over pairs")


@pytest.mark.parametrize(
    ("value", "half", "shown"),
    [
        (0.0, 0.0595, True),  # 1.645 / 1.96 of it is 0.0499
        (0.0, 0.0597, False),
        (0.03, 0.0238, True),
        (0.03, 0.0239, False),
        (-0.03, 0.0238, True),
        (-0.03, 0.0239, False),
        (0.06, 0.001, False),
        (0.05, 0.0, False),
        (0.04, 0.0, True),
        (0.0, math.inf, False),
    ],
)
def test_the_interval_of_90_percent_lies_within_the_margin(value: float, half: float, shown: bool) -> None:
    found = equivalence(difference(value, value - half, value + half))
    assert found.shown == shown
    assert found.word == ("shown" if shown else "not shown")
    assert (found.p < 0.05) == shown


def test_the_p_value_by_hand() -> None:
    found = equivalence(difference(0.01, -0.03, 0.05))
    error = 0.04 / stats.norm.ppf(0.975)
    assert found.p == pytest.approx(stats.norm.sf((0.05 - 0.01) / error))


def test_each_side_counts_with_its_own_half() -> None:
    assert equivalence(difference(0.0, -0.05, 0.01)).shown
    assert not equivalence(difference(0.0, -0.07, 0.01)).shown
    assert not equivalence(difference(0.0, -0.01, 0.07)).shown


def test_it_is_wrong_in_one_of_twenty_at_the_margin() -> None:
    """Of two samples whose true rates are five points apart, and of equal ones it has the power that it should."""
    rng = np.random.default_rng(5)

    def share(rate: float, pairs: int) -> float:
        def sample(true: float) -> Sample:
            return Sample.of([float(each) for each in rng.random(2 * pairs) < true])

        return float(np.mean([equivalence(rate_difference(sample(0.5), sample(rate))).shown for _ in range(400)]))

    assert share(0.55, 2500) < 0.08
    assert share(0.5, 2500) > 0.9
    assert share(0.5, 100) < 0.05, "few matches show nothing"


def test_a_significant_difference_may_be_shown_to_be_small() -> None:
    found = agreement(Estimate(0.53, 0.52, 0.54, ""), Reference(51.0, 1.0))
    assert found is not None
    assert (found.word, found.equivalence.word) == ("higher", "shown")


def test_two_runs_are_compared_for_it() -> None:
    same = experiment(CellOutcome(cell(matches=4000), played([1.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0] * 500)))
    few = experiment(CellOutcome(cell(matches=40), played([1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0] * 5)))
    for second, word in ((same, "shown"), (few, "not shown")):
        made = compare(same, second)
        (table,) = [each for each in made.sections[1].blocks if getattr(each, "title", "") == "Win rates of A"]
        place = [column.title for column in table.columns].index("Equal within ± 5")  # type: ignore[union-attr]
        assert table.rows[0][place] == word  # type: ignore[union-attr]


def test_a_difference_of_differences_by_hand() -> None:
    first, second = difference(0.05, 0.01, 0.09), difference(0.02, -0.01, 0.05)
    found = difference_of_differences(first, second)
    assert found.value == pytest.approx(-0.03)
    assert (found.low, found.high) == (pytest.approx(-0.08), pytest.approx(0.02))
    assert found.p == pytest.approx(2 * stats.norm.sf(0.03 / (0.05 / stats.norm.ppf(0.975))))


def test_what_was_not_tested_makes_no_difference() -> None:
    none = Difference(0.0, -math.inf, math.inf, 1.0, "too few numbers")
    assert not equivalence(none).shown
    assert not difference_of_differences(none, difference(0.02, -0.01, 0.05)).tested
