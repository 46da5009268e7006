"""Verdicts in words, numbers of matches, and published figures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_outcomes import scores
from treewise.lab.outcome import Reference
from treewise.lab.statistics import (
    Estimate,
    Sample,
    against_half,
    agreement,
    matches_needed,
    verdict,
    visible_difference,
)


def judged(results: list[float]) -> str:
    sample = Sample.of(results)
    return verdict(sample, against_half(sample)[0]).word


def test_the_four_words() -> None:
    assert judged(scores(0.6, 1000)) == "better"
    assert judged(scores(0.4, 1000)) == "worse"
    assert judged(scores(0.5, 1000, seed=1)) == "no difference shown"
    assert judged(scores(0.55, 60, seed=1)) == "too few matches"
    assert judged([1.0] * 10) == "too few matches"
    assert judged([1.0] * 12) == "better"
    assert judged([0.5] * 20) == "too few matches"
    assert judged([]) == "too few matches"


def test_number_of_matches_by_the_formula() -> None:
    # ((1.95996 + 0.84162) s / d)² pairs with s² = 1/8 and d = 0.05: 392.4; the t distribution wants two more.
    sample = Sample.of([1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0] * 8 + [1.0] * 8 + [0.0] * 0)
    pairs = sample.pair_means
    expected = ((1.959964 + 0.841621) / abs(sample.mean - 0.5)) ** 2 * pairs.var(ddof=1)
    assert matches_needed(sample) == pytest.approx(2 * expected + 4, abs=3)
    assert matches_needed(Sample.of([1.0] * 11 + [0.0] * 9)) == pytest.approx(2 * 392.4 + 4, abs=3)
    assert matches_needed(Sample.of([1.0, 0.0])) == pytest.approx(2 * 392.4 + 4, abs=3), "for five points"
    assert verdict(Sample.of([1.0] * 11 + [0.0] * 9), 0.8).text() == "too few matches (about 790 would do)"


def test_visible_difference_is_the_other_side_of_the_same_formula() -> None:
    sample = Sample.of(scores(0.52, 2000, seed=3))
    visible = visible_difference(sample)
    shifted = Sample(sample.values - sample.mean + 0.5 + visible, sample.pairs)
    assert matches_needed(shifted, margin=0.0) == pytest.approx(2000, abs=4)
    assert visible_difference(Sample.of([1.0, 0.0])) == 0.5


def test_draws_make_small_differences_visible() -> None:
    drawish, sharp = (Sample.of(scores(0.5, 800, draws, seed=1)) for draws in (0.7, 0.0))
    assert visible_difference(drawish) < 0.7 * visible_difference(sharp)


@pytest.mark.parametrize(
    ("ours", "published", "word"),
    [
        (Estimate(0.64, 0.62, 0.66, ""), Reference(65.0, 1.4), "equivalent"),
        (Estimate(0.60, 0.58, 0.62, ""), Reference(65.0, 1.4), "lower"),
        (Estimate(0.70, 0.68, 0.72, ""), Reference(65.0, 1.4), "higher"),
        (Estimate(0.47, 0.45, 0.49, ""), Reference(54.0, 1.4), "opposite sign"),
        (Estimate(0.49, 0.47, 0.51, ""), Reference(54.0, 1.4), "lower"),
        (Estimate(0.55, 0.53, 0.57, ""), Reference(46.0, 1.4), "opposite sign"),
    ],
)
def test_published_figures(ours: Estimate, published: Reference, word: str) -> None:
    found = agreement(ours, published)
    assert found is not None
    assert found.word == word
    assert found.difference == pytest.approx(ours.value - published.rate / 100)
    assert found.half_width == pytest.approx((0.02**2 + 0.014**2) ** 0.5)


def test_few_matches_show_nothing() -> None:
    wide = agreement(Estimate(1.0, 0.025, 1.0, ""), Reference(50.3, 1.4))
    assert wide is not None
    assert wide.word == "not shown", "two wins of two: the half towards the published figure is what counts"
    # The standard error is sqrt(0.975² + 0.014²) / 1.96 = 0.4975, so z = 0.497 / 0.4975 = 0.999 and p = 0.318.
    assert wide.p == pytest.approx(0.318, abs=0.001)


def test_equal_figures_are_equivalent_only_where_ours_is_known_well() -> None:
    found = agreement(Estimate(1.0, 0.025, 1.0, ""), Reference(100.0, 0.0))
    assert found is not None
    assert (found.word, found.half_width) == ("not shown", pytest.approx(0.975))


def test_p_value_of_a_published_figure_by_hand() -> None:
    found = agreement(Estimate(0.53, 0.5108, 0.5492, ""), Reference(50.0, 1.92))
    assert found is not None
    # Both errors 0.0098: z = 0.03 / 0.01386 = 2.165.
    assert found.p == pytest.approx(0.0304, abs=5e-4)
    assert agreement(Estimate(float("nan"), 0, 1, ""), Reference(50.0, 1.0)) is None
    exact = agreement(Estimate(0.5, 0.5, 0.5, ""), Reference(50.0, 0.0))
    assert exact is not None
    assert exact.word == "equivalent"


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), max_size=60))
def test_any_scores_get_a_verdict(results: list[float]) -> None:
    sample = Sample.of(results)
    found = verdict(sample, against_half(sample)[0])
    assert found.text().startswith(found.word)
    assert 0 <= visible_difference(sample) <= 0.5
