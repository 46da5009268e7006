"""Elo and Bradley–Terry against formulas and an independent iteration."""

from __future__ import annotations

import math

import numpy as np
import pytest

from made_outcomes import scores
from treewise.lab.statistics import Estimate, Sample, bradley_terry, elo, elo_interval, rate
from treewise.lab.statistics.ratings import Encountered, expected_rate

ELO = 400 / math.log(10)


def test_elo_of_known_rates() -> None:
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(0.75) == pytest.approx(190.85, abs=0.01)
    assert elo(0.0) == -math.inf
    assert [expected_rate(elo(p)) for p in (0.1, 0.5, 0.9)] == pytest.approx([0.1, 0.5, 0.9])
    assert elo_interval(Estimate(1.0, 0.9, 1.0, "")) == (math.inf, pytest.approx(elo(0.9)), math.inf)


def test_two_entrants_get_their_elo_difference() -> None:
    sample = Sample.of(scores(0.6, 1000, seed=1))
    first, second = bradley_terry([("a", "b", sample)]).entries
    assert (first.name, second.name, first.matches) == ("a", "b", 1000)
    assert first.elo - second.elo == pytest.approx(elo(sample.mean), abs=1e-6)
    assert first.elo == pytest.approx(-second.elo)
    # Delta method: the error of log odds is that of the rate over p (1 - p); each entrant has half the difference.
    error = rate(sample).error / (sample.mean * (1 - sample.mean)) * ELO / 2
    assert (first.high - first.low) / 2 == pytest.approx(1.96 * error, rel=0.01)


def zermelo(names: list[str], encounters: list[Encountered]) -> dict[str, float]:
    """Zermelo's iteration (1929) for the strengths, in Elo with mean 0."""
    strength = dict.fromkeys(names, 1.0)
    for _ in range(2000):
        for name in names:
            won, expected = 0.0, 0.0
            for a, b, sample in encounters:
                if name in (a, b):
                    own = sample.values.sum() if name == a else (1 - sample.values).sum()
                    won, expected = won + own, expected + len(sample) / (strength[a] + strength[b])
            strength[name] = won / expected
    points = {name: ELO * math.log(value) for name, value in strength.items()}
    centre = sum(points.values()) / len(points)
    return {name: value - centre for name, value in points.items()}


def test_round_robin_agrees_with_zermelo() -> None:
    true = {"a": 120.0, "b": 40.0, "c": 0.0, "d": -160.0}
    pairs = [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("d", "b"), ("c", "d")]
    encounters = [
        (a, b, Sample.of(scores(expected_rate(true[a] - true[b]), 300 + 10 * i, 0.2, seed=i)))
        for i, (a, b) in enumerate(pairs)
    ]
    ratings = bradley_terry(encounters)
    expected = zermelo(sorted(true), encounters)
    assert {rating.name: rating.elo for rating in ratings.entries} == pytest.approx(expected, abs=0.01)
    assert [rating.name for rating in ratings.entries] == ["a", "b", "c", "d"]
    assert ratings.assumption == ""
    for rating in ratings.entries:
        assert rating.low < true[rating.name] < rating.high


def test_intervals_count_pairs() -> None:
    twice = Sample.of([value for value in scores(0.6, 3000, seed=3) for _ in (0, 1)])  # both matches alike
    once = Sample.of(scores(0.6, 6000, seed=3))
    wide, narrow = (bradley_terry([("a", "b", sample)]).entries[0] for sample in (twice, once))
    assert (wide.high - wide.low) / (narrow.high - narrow.low) == pytest.approx(math.sqrt(2), rel=0.05)


def test_entrants_that_never_met_are_named() -> None:
    sample = Sample.of([1.0, 0.0])
    with pytest.raises(ValueError, match=r"\{a, b\} and \{c, d\} never met; play matches between them"):
        bradley_terry([("a", "b", sample), ("c", "d", sample)])
    with pytest.raises(ValueError, match="at least two entrants"):
        bradley_terry([("a", "b", Sample.of([]))])


def test_who_won_everything_gets_a_finite_rating_and_a_remark() -> None:
    ratings = bradley_terry([("a", "b", Sample.of([1.0] * 50)), ("b", "c", Sample.of([1.0, 0.0] * 30))])
    assert "one drawn match added" in ratings.assumption
    assert ratings.entries[0].name == "a"
    assert all(math.isfinite(bound) for rating in ratings.entries for bound in (rating.low, rating.elo, rating.high))
    # One drawn match among 51: 50.5 to 0.5, between a and b alone.
    a, b = bradley_terry([("a", "b", Sample.of([1.0] * 50))]).entries
    assert a.elo - b.elo == pytest.approx(elo(50.5 / 51), abs=1e-3)


def test_order_of_encounters_does_not_matter() -> None:
    encounters = [("a", "b", Sample.of(scores(0.5, 80, seed=1))), ("b", "c", Sample.of(scores(0.4, 80, seed=2)))]
    turned = [(b, a, Sample(1 - sample.values, sample.pairs)) for a, b, sample in reversed(encounters)]
    for one, other in zip(bradley_terry(encounters).entries, bradley_terry(turned).entries, strict=True):
        assert one.name == other.name
        assert np.allclose([one.elo, one.low, one.high], [other.elo, other.low, other.high])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("pairs", [1, 20, 50, 60, 120, 220])
@pytest.mark.parametrize("scores_of_a_pair", [[1.0, 0.0], [0.5, 0.5]])
@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_even_pairs_do_not_make_ratings_certain(count: int, scores_of_a_pair: list[float], pairs: int) -> None:
    """Where every pair is even, pairs do not vary, and what they would vary by is taken from single matches."""
    names = "abcde"[:count]
    sample = Sample.of(scores_of_a_pair * pairs)
    met = [(a, b, sample) for place, a in enumerate(names) for b in names[place + 1 :]]
    error = math.sqrt(4 / (2 * pairs * count) * (1 - 1 / count))  # information of p (1 - p) = 1/4 a match
    for entry in bradley_terry(met).entries:
        assert entry.elo == pytest.approx(0, abs=1e-6)
        assert (entry.high - entry.low) / 2 == pytest.approx(1.95996 * ELO * error, rel=1e-5)


def test_an_entrant_with_few_matches_is_known_less_well_than_the_others() -> None:
    many = Sample.of([1, 0, 1, 1, 0, 0] * 70)
    met = [("a", "b", many), ("b", "c", many), ("a", "c", many), ("d", "a", Sample.of([1, 0]))]
    widths = {entry.name: entry.high - entry.low for entry in bradley_terry(met).entries}
    assert widths["d"] > 2.5 * max(widths["a"], widths["b"], widths["c"])
