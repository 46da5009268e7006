"""Intervals hold the true rate as often as they say, whatever the matches of a pair have to do with each other."""

from __future__ import annotations

import numpy as np
import pytest

from treewise.lab.statistics import Sample, against_half, difference, rate, wilson_interval

RUNS, PAIRS = 800, 150


def draw(rng: np.random.Generator, kind: str, true: float) -> Sample:
    """Pairs whose matches are independent, decided by the seat, decided by the seed, or mostly drawn."""
    if kind == "seat":
        sharp = rng.random(PAIRS) < 0.7  # whoever moves first wins both matches
        free = rng.random((PAIRS, 2)) < (true - 0.35) / 0.3
        matches = np.where(sharp[:, None], [1.0, 0.0], free)
    elif kind == "seed":
        matches = np.repeat(rng.random((PAIRS, 1)) < true, 2, axis=1).astype(float)
    else:
        matches = (rng.random((PAIRS, 2)) < true).astype(float)
        if kind == "draws":
            matches = np.where(rng.random((PAIRS, 2)) < 0.6, 0.5, matches)
    return Sample.of(list(np.ravel(matches)))


@pytest.mark.parametrize(
    ("kind", "true"), [("free", 0.5), ("free", 0.6), ("seat", 0.55), ("seed", 0.55), ("draws", 0.5)]
)
def test_rate_interval_covers(kind: str, true: float) -> None:
    rng = np.random.default_rng(1)
    intervals = [rate(draw(rng, kind, true)) for _ in range(RUNS)]
    covered = np.mean([estimate.low <= true <= estimate.high for estimate in intervals])
    assert 0.93 <= covered <= 0.97  # 0.95 and 2.6 standard errors


def test_matches_as_units_cover_badly_where_pairs_share_their_fate() -> None:
    rng = np.random.default_rng(1)
    intervals = [wilson_interval(draw(rng, "seed", 0.55)) for _ in range(RUNS)]
    assert np.mean([estimate.low <= 0.55 <= estimate.high for estimate in intervals]) < 0.88
    rng = np.random.default_rng(1)
    widths = [
        (wilson_interval(sample).error, rate(sample).error) for sample in (draw(rng, "seat", 0.5) for _ in range(50))
    ]
    assert np.mean([wilson for wilson, _ in widths]) > 1.5 * np.mean([pairs for _, pairs in widths])


@pytest.mark.parametrize("kind", ["free", "seat", "seed", "draws"])
def test_equal_sides_are_rarely_called_different(kind: str) -> None:
    rng = np.random.default_rng(2)
    rejected = np.mean([against_half(draw(rng, kind, 0.5))[0] < 0.05 for _ in range(RUNS)])
    assert 0.03 <= rejected <= 0.07


@pytest.mark.parametrize("same_seeds", [False, True])
def test_equal_cells_are_rarely_called_different(same_seeds: bool) -> None:
    rng = np.random.default_rng(3)
    rejected = 0
    for _ in range(RUNS):
        first, second = draw(rng, "seed", 0.6), draw(rng, "seed", 0.6)
        if same_seeds:  # half of the pairs come out alike in both runs
            alike = np.repeat(rng.random(PAIRS) < 0.5, 2)
            second = Sample(np.where(alike, first.values, second.values), second.pairs)
        found = difference(first, second, same_seeds)
        assert found.low <= found.value <= found.high
        rejected += found.p < 0.05
    assert 0.03 <= rejected / RUNS <= 0.07
