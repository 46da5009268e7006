"""Statistics of runs: worked out by hand, against SciPy, and against the paper's own table."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from treewise.lab.document import read_document
from treewise.lab.outcome import Figure, Published
from treewise.lab.papers import papers
from treewise.lab.statistics import Runs, beside, marked, normalised

numbers = st.lists(st.floats(-1000, 1000, allow_nan=False).map(lambda x: round(x, 1)), min_size=2, max_size=30)


def runs(*values: float) -> Runs:
    return Runs(tuple(range(len(values))), values)


def test_mean_and_standard_error_by_hand() -> None:
    found = runs(20, 40, 60, 80)  # deviations 30, 10, 10, 30: s² = 2000 / 3
    assert found.mean == 50
    assert found.error == pytest.approx(math.sqrt(2000 / 3) / 2)
    assert math.isnan(runs(7).error)
    assert math.isnan(runs().mean)


def test_welch_by_hand() -> None:
    """Means 2 and 5, variances 1 and 4, three runs each: t = 3 / √(5/3), by Welch and Satterthwaite 2.94 degrees."""
    found = marked(runs(1, 2, 3), runs(3, 5, 7))
    t, degrees = 3 / math.sqrt(1 / 3 + 4 / 3), (5 / 3) ** 2 / ((1 / 3) ** 2 / 2 + (4 / 3) ** 2 / 2)
    assert degrees == pytest.approx(2.941, abs=0.001)
    assert found.p == pytest.approx(2 * stats.t(degrees).sf(t))
    assert (found.difference.value, found.mark) == (3.0, "+")


@given(numbers, numbers)
def test_marks_are_those_of_scipy(base: list[float], other: list[float]) -> None:
    found = marked(runs(*base), runs(*other))
    difference = float(np.mean(other) - np.mean(base))
    if abs(difference) < 1e-9:
        assert found.mark == "="
    elif len(set(base)) > 1 or len(set(other)) > 1:
        told = [value for sample in (other, base) for value in (np.mean(sample), np.std(sample, ddof=1), len(sample))]
        p = stats.ttest_ind_from_stats(*told, equal_var=False).pvalue
        assert found.p == pytest.approx(p, rel=1e-6, abs=1e-12)
        assert found.mark == ("+" if difference > 0 else "-") * (2 if p < 0.05 else 1)


@pytest.mark.parametrize(
    ("base", "other", "mark"),
    [
        ((50, 50), (50, 50), "="),
        ((0, 100), (100, 0), "="),
        ((0, 0), (100, 100), "+"),  # of the six ways to deal out four runs, two look like this
        ((0,) * 4, (100,) * 4, "++"),  # two of seventy
        ((100,) * 4, (0,) * 4, "--"),
        ((40, 60, 50, 50), (50, 40, 50, 48), "-"),
        ((0,), (100,), ""),
        ((0, 0), (), ""),
    ],
)
def test_marks(base: tuple[float, ...], other: tuple[float, ...], mark: str) -> None:
    assert marked(runs(*base), runs(*other)).mark == mark


def test_samples_without_variance_are_tested_by_permutation() -> None:
    assert marked(runs(0, 0, 0), runs(5, 5, 5)).p == pytest.approx(2 / 20)


def published() -> list[Published]:
    return list(read_document(papers()["td-mcts"] / "table_2.toml").published)


def test_the_marks_of_the_paper_follow_from_its_figures() -> None:
    """Of 100 runs each, by Welch's test from means and standard errors; where rounding leaves no doubt."""
    paper = [each for each in published() if each.source == "paper" and each.game != "Overall"]
    base = {each.game: each for each in paper if each.entrant == "V-MCTS (50)"}
    checked = 0
    for each in paper:
        for ours, theirs in ((each.wins, base[each.game].wins), (each.score, base[each.game].score)):
            assert ours is not None
            assert theirs is not None
            if each.entrant == "V-MCTS (50)" or not (ours.error and theirs.error):
                continue
            t = (ours.value - theirs.value) / math.hypot(ours.error, theirs.error)
            if abs(t) > 2.6 or abs(t) < 1.4:
                sign = "=" if t == 0 else "+" if t > 0 else "-"
                assert ours.mark == (sign if abs(t) < 1.98 else 2 * sign), each
                checked += 1
    assert checked > 25


def test_the_overall_errors_of_the_paper_are_the_means_of_the_games_errors() -> None:
    paper = [each for each in published() if each.source == "paper"]
    for entrant in ("V-MCTS (50)", "TD-MCTS (50)", "TD-MCTS (25)"):
        for measure in ("wins", "score"):
            *games, overall = (getattr(each, measure) for each in paper if each.entrant == entrant)
            assert len(games) == 10
            assert overall.value == pytest.approx(np.mean([each.value for each in games]), abs=0.11)
            assert overall.error == pytest.approx(np.mean([each.error for each in games]), abs=0.06)


def test_beside_a_published_figure_by_hand() -> None:
    ours = runs(*[30.0, 40.0, 50.0] * 8)  # mean 40, s² = 16 * 100 / 23
    error = math.sqrt(1600 / 23 / 24 + 1.5**2 + 0.05**2)
    found = beside(ours, Figure(44.0, 1.5), margin=5.0)
    assert found is not None
    assert found.difference == pytest.approx(-4.0)
    assert found.half_width == pytest.approx(stats.t(23).ppf(0.975) * error)
    assert found.p == pytest.approx(2 * stats.t(23).sf(4 / error))
    assert found.word == "not shown"
    assert not found.equivalent
    assert stats.t(23).sf((8.5 - 4) / error) < 0.05 < stats.t(23).sf((7.5 - 4) / error)
    assert [beside(ours, Figure(44.0, 1.5), margin).word for margin in (7.5, 8.5)] == ["not shown", "equivalent"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("ours", "figure", "margin", "word"),
    [
        ((40.0, 60.0) * 50, Figure(50.0, 1.0), 5.0, "equivalent"),
        ((40.0, 60.0) * 50, Figure(50.0, 5.0), 5.0, "not shown"),
        ((40.0, 60.0) * 50, Figure(40.0, 1.0), 5.0, "higher"),
        ((40.0, 60.0) * 50, Figure(60.0, 1.0), 5.0, "lower"),
        ((0.0,) * 3, Figure(60.0, 1.0), 5.0, "not shown"),  # three runs alike do not say how they vary
        ((100.0,) * 100, Figure(100.0, 0.0), 5.0, "equivalent"),
        ((0.84, 0.80) * 50, Figure(0.8, 0.0), 0.12, "equivalent"),  # which is how 0.82 is printed
        ((40.0,), Figure(60.0, 1.0), 5.0, "not shown"),
        ((39.9, 40.0, 40.1), Figure(40.0, 1.0), 5.0, "not shown"),  # too few to show it
        ((40.0, 60.0) * 50, Figure(50.0, 1.0, too_large=True), 5.0, "not shown"),
        ((40.0, 60.0) * 50, Figure(60.0, 1.0, too_large=True), 5.0, "lower"),
        ((40.0, 60.0) * 50, Figure(49.0, 1.0), 3.0, "not shown"),  # 1 + 1.66 * 1.42 = 3.4
        ((40.0, 60.0) * 50, Figure(49.0, 1.0), 3.5, "equivalent"),
        ((39.9, 40.0, 40.1), Figure(60.0, 1.0), 5.0, "lower"),
    ],
)
def test_words(ours: tuple[float, ...], figure: Figure, margin: float, word: str) -> None:
    found = beside(runs(*ours), figure, margin)
    assert found is not None
    assert found.word == word


def test_nothing_is_said_without_an_error_or_runs() -> None:
    assert beside(runs(1, 2), Figure(3.0), 1.0) is None
    assert beside(runs(), Figure(3.0, 1.0), 1.0) is None


@given(st.lists(numbers, min_size=1, max_size=4))
def test_normalised_from_least_to_greatest(samples: list[list[float]]) -> None:
    found = normalised([runs(*values) for values in samples])
    values = [value for each in found for value in each.values]
    together = [value for each in samples for value in each]
    if len(set(together)) == 1:
        assert set(values) == {0.5}
    else:
        assert (min(values), max(values)) == (0.0, 1.0)
        assert np.argsort(values, kind="stable").tolist() == np.argsort(together, kind="stable").tolist()
