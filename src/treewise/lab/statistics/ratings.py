"""Elo differences and Bradley–Terry ratings."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from treewise.lab.extra import extra
from treewise.lab.statistics.rate import Estimate, varied
from treewise.lab.statistics.sample import Floats, Sample

__all__ = ["Encountered", "Rating", "Ratings", "bradley_terry", "elo", "elo_interval", "expected_rate"]

_ELO = 400 / math.log(10)
"""Points of Elo in one unit of log odds."""

Encountered = tuple[str, str, Sample]
"""Two entrants and the scores of the first."""


def elo(rate: float) -> float:
    """The difference in Elo points that a win rate means.

    >>> round(elo(0.64), 1), elo(0.5), elo(1.0)
    (100.0, 0.0, inf)
    """
    if rate <= 0 or rate >= 1:
        return math.copysign(math.inf, rate - 0.5)
    return _ELO * math.log(rate / (1 - rate)) + 0.0


def expected_rate(points: float) -> float:
    """The win rate that a difference in Elo points means.

    >>> round(expected_rate(100), 2)
    0.64
    """
    return 1 / (1 + math.exp(-points / _ELO))


def elo_interval(rate: Estimate) -> tuple[float, float, float]:
    """Elo difference with the ends of its 95 % interval: the rate's, carried over.

    >>> [round(points) for points in elo_interval(Estimate(0.6, 0.55, 0.65, ""))]
    [70, 35, 108]
    """
    return elo(rate.value), elo(rate.low), elo(rate.high)


@dataclass(frozen=True)
class Rating:
    """An entrant's rating in Elo points; the mean over the entrants is 0."""

    name: str
    elo: float
    low: float
    high: float
    matches: int
    score: float
    """Share of its matches won, draws half."""


@dataclass(frozen=True)
class Ratings:
    """All entrants, the strongest first, and what had to be assumed."""

    entries: tuple[Rating, ...]
    assumption: str = ""


def bradley_terry(encounters: Sequence[Encountered]) -> Ratings:
    """Ratings by maximum likelihood, with 95 % intervals that count in pairs of matches.

    Where an entrant has too few different pairs to say how matches of a pair depend on each other, the intervals take
    all matches as independent.

    If somebody won, or lost, everything against the rest, the likelihood has no maximum: then one drawn match is added
    for every two entrants that met, and `assumption` says so. ValueError if the entrants did not all meet, directly or
    through others.

    >>> even, ahead = Sample.of([1, 0] * 30), Sample.of([1, 1, 0, 1] * 15)
    >>> ratings = bradley_terry([("a", "b", ahead), ("b", "c", even), ("c", "a", Sample.of([0, 0, 1, 0] * 15))])
    >>> [(rating.name, round(rating.elo)) for rating in ratings.entries]
    [('a', 127), ('b', -64), ('c', -64)]
    """
    met = [(a, b, sample) for a, b, sample in encounters if a != b and len(sample)]
    names = sorted({name for a, b, _ in met for name in (a, b)})
    if len(names) < 2:
        raise ValueError("ratings need matches between at least two entrants")
    separate = _check_connected(names, met)
    rows, scores, pairs = _design(names, met, separate)
    assumption = "one drawn match added for every two entrants that met, since some won or lost all" if separate else ""
    fit = _fit(rows, scores, pairs if all(varied(_pair_means(name, met)) for name in names) else None)
    return Ratings(_rated(names, met, fit), assumption)


def _pair_means(name: str, met: Sequence[Encountered]) -> Floats:
    """Of all pairs of an entrant, whomever they were played against."""
    means = [sample.pair_means if a == name else 1 - sample.pair_means for a, b, sample in met if name in (a, b)]
    return np.concatenate(means)


def _check_connected(names: list[str], met: Sequence[Encountered]) -> bool:
    """ValueError if some never met, even through others; True if a group only won or only lost (Ford 1957)."""
    took = np.zeros((len(names), len(names)))
    for a, b, sample in met:
        took[names.index(a), names.index(b)] += sample.values.sum()
        took[names.index(b), names.index(a)] += (1 - sample.values).sum()
    connected_components = extra("scipy.sparse.csgraph").connected_components
    count, group = connected_components(took, connection="weak")
    if count > 1:
        parts = ["{" + ", ".join(n for n, g in zip(names, group, strict=True) if g == k) + "}" for k in range(count)]
        raise ValueError(f"no ratings: {' and '.join(parts)} never met; play matches between them")
    return bool(connected_components(took, connection="strong")[0] > 1)


def _design(names: list[str], met: Sequence[Encountered], virtual: bool) -> tuple[Floats, ...]:
    """One row a match: +1 for the first entrant, -1 for the second; the last entrant is minus the sum of the others."""
    effects = np.vstack([np.eye(len(names) - 1), -np.ones(len(names) - 1)])
    rows, scores, pairs, seen = [], [], [], 0
    for a, b, sample in met:
        values, places = sample.values, sample.pairs + seen
        if virtual:
            values, places = np.append(values, 0.5), np.append(places, places.max() + 1)
        rows.append(np.tile(effects[names.index(a)] - effects[names.index(b)], (len(values), 1)))
        scores.append(values)
        pairs.append(places)
        seen = int(places.max()) + 1
    return np.vstack(rows), np.concatenate(scores), np.concatenate(pairs)


def _fit(rows: Floats, scores: Floats, pairs: Floats | None) -> Any:
    """Logistic regression, with pairs as clusters where they are given."""
    model = extra("statsmodels.genmod.generalized_linear_model").GLM(
        scores, rows, family=extra("statsmodels.genmod.families").Binomial()
    )
    with warnings.catch_warnings():  # of a perfect fit, which even scores are
        warnings.simplefilter("ignore")
        return model.fit() if pairs is None else model.fit(cov_type="cluster", cov_kwds={"groups": pairs})


def _rated(names: list[str], met: Sequence[Encountered], fit: Any) -> tuple[Rating, ...]:
    effects = np.vstack([np.eye(len(names) - 1), -np.ones(len(names) - 1)])
    contrast = fit.t_test(effects)
    points, bounds = _ELO * np.ravel(contrast.effect), _ELO * contrast.conf_int()
    entries = []
    for name, value, (low, high) in zip(names, points, bounds, strict=True):
        own = [sample.values for a, _, sample in met if a == name]
        own += [1 - sample.values for _, b, sample in met if b == name]
        scores = np.concatenate(own)
        entries.append(Rating(name, float(value), float(low), float(high), len(scores), float(scores.mean())))
    return tuple(sorted(entries, key=lambda entry: (-round(entry.elo, 9), entry.name)))
