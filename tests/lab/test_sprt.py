"""The sequential test: likelihood ratios by other means, order of arrival, error rates."""

from __future__ import annotations

import math
import random
from collections import Counter

import numpy as np
import pytest
from scipy.optimize import minimize

from made_outcomes import played, scores
from treewise.lab.statistics import Hypotheses, SequentialTest, sprt

VALUES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])


def constrained_likelihood(counts: np.ndarray, mean: float) -> float:
    """The greatest log likelihood of counts on VALUES with this mean, by a general optimizer."""
    limits = [
        {"type": "eq", "fun": lambda p: p.sum() - 1},
        {"type": "eq", "fun": lambda p: p @ VALUES - mean},
    ]
    found = minimize(
        lambda p: -counts @ np.log(p), counts / counts.sum(), bounds=[(1e-9, 1)] * 5, constraints=limits, tol=1e-12
    )
    assert found.success
    return float(-found.fun)


@pytest.mark.parametrize("counts", [[10, 20, 40, 25, 15], [3, 30, 200, 35, 2], [40, 5, 10, 5, 40]])
def test_llr_is_a_ratio_of_greatest_likelihoods(counts: list[int]) -> None:
    hypotheses = Hypotheses(0.5, 0.53)
    observed = np.array(counts, dtype=float)
    expected = constrained_likelihood(observed, 0.53) - constrained_likelihood(observed, 0.5)
    found = hypotheses.llr(Counter(dict(zip(VALUES.tolist(), counts, strict=True))))
    assert found == pytest.approx(expected, abs=1e-4)


def test_llr_of_two_outcomes_is_walds() -> None:
    # Pairs that are won or lost as a whole: n_win ln(p1/p0) + n_loss ln((1-p1)/(1-p0)).
    found = Hypotheses(0.5, 0.6).llr(Counter({1.0: 70, 0.0: 30}))
    assert found == pytest.approx(70 * math.log(1.2) + 30 * math.log(0.8), abs=0.01)


def test_llr_is_nearly_normal_for_small_differences() -> None:
    # N (s1 - s0) (2 m - s0 - s1) / (2 v), the usual approximation.
    counts = Counter({0.0: 100, 0.25: 300, 0.5: 700, 0.75: 320, 1.0: 110})
    n = sum(counts.values())
    mean = sum(value * count for value, count in counts.items()) / n
    variance = sum(count * (value - mean) ** 2 for value, count in counts.items()) / n
    h = Hypotheses.of_elo(0, 5)
    expected = n * (h.p1 - h.p0) * (2 * mean - h.p0 - h.p1) / (2 * variance)
    assert h.llr(counts) == pytest.approx(expected, rel=0.02)


def test_bounds_are_walds() -> None:
    low, high = Hypotheses(0.5, 0.55, alpha=0.05, beta=0.1).bounds
    assert (low, high) == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))


def test_decision_does_not_depend_on_order_or_on_what_is_beyond_a_gap() -> None:
    results = scores(0.62, 600, seed=4)
    expected = sprt(played(results), Hypotheses(0.5, 0.6))
    assert expected.decision == "p1"
    assert expected.matches < 600
    order = list(range(600))
    random.Random(1).shuffle(order)
    shuffled = SequentialTest(Hypotheses(0.5, 0.6))
    for index in order:
        shuffled.add(index, results[index])
    assert (shuffled.decision, shuffled.llr, shuffled.matches) == (expected.decision, expected.llr, expected.matches)
    gap = sprt(played(results[:20] + results[21:], [*range(20), *range(21, 600)]), Hypotheses(0.5, 0.6))
    assert (gap.decision, gap.matches) == ("go on", 20)


@pytest.mark.parametrize(("true", "wrong"), [(0.45, "p1"), (0.55, "p0")])
def test_error_rates(true: float, wrong: str) -> None:
    hypotheses = Hypotheses(0.45, 0.55, alpha=0.1, beta=0.1)
    decisions = []
    for seed in range(150):
        test = SequentialTest(hypotheses)
        for index, score in enumerate(scores(true, 1500, 0.3, seed)):
            test.add(index, score)
            if test.decision != "go on":
                break
        decisions.append(test.decision)
    assert "go on" not in decisions
    assert decisions.count(wrong) / len(decisions) <= 0.15  # 0.1 and two standard errors


@pytest.mark.parametrize(
    ("p0", "p1", "rate", "word"),
    [
        (0.5, 0.6, 0.7, "better"),
        (0.5, 0.6, 0.4, "not better"),
        (0.4, 0.5, 0.3, "worse"),
        (0.4, 0.5, 0.6, "not worse"),
        (0.45, 0.55, 0.4, "worse"),
        (0.55, 0.65, 0.45, "not better"),
    ],
)
def test_decisions_in_words(p0: float, p1: float, rate: float, word: str) -> None:
    found = sprt(played(scores(rate, 800, seed=1)), Hypotheses(p0, p1)).verdict
    assert found is not None
    assert found.word == word
    assert sprt([], Hypotheses(p0, p1)).verdict is None


@pytest.mark.parametrize("results", [[], [1.0], [1.0, 1.0], [0.5] * 40, [1.0] * 400, [0.75, 0.25] * 10])
def test_edge_cases(results: list[float]) -> None:
    test = sprt(played(results), Hypotheses(0.5, 0.55))
    assert math.isfinite(test.llr)
    if results == [1.0] * 400:
        assert test.decision == "p1"


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="0 < p0 < p1 < 1"):
        Hypotheses(0.6, 0.5)
    with pytest.raises(ValueError, match="alpha and beta"):
        Hypotheses(0.5, 0.6, alpha=0.7)
