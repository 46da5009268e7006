"""What kind of game it is, from the random matches of the start clock."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import StatisticsError, correlation
from typing import Any

from treewise.gdl.probe import Probe

__all__ = ["kind_of_game"]

_SHOWN = ("length_mean", "length_sd", "branching_mean", "simultaneous_share", "constant_sum", "goal_range")


def kind_of_game(found: Probe) -> dict[str, Any]:
    """What a player wants to know, in a form for the log. The correlations are those of a match's length with the goal
    of each role; none where one of both is always the same.

    >>> kind_of_game(Probe([0, 1], lengths=[5, 7, 9], goals=[(100, 0), (100, 0), (0, 0)]))["length_goal_correlation"]
    [-0.866, None]
    """
    summary = found.summary()
    correlations = [_correlation(found.lengths, goals) for goals in zip(*found.goals, strict=True)]
    return {key: summary[key] for key in _SHOWN} | {"length_goal_correlation": correlations}


def _correlation(lengths: Sequence[int], goals: Sequence[int]) -> float | None:
    try:
        return round(correlation(lengths, goals), 3)
    except StatisticsError:
        return None
