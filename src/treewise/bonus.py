"""Bonuses *add*: to the scores of a node's children, or to a simulation's result before it is backed up.

A bonus is written in Python: any object with `score(children)`, which returns what to add to each child's score, or
`result(record)`, which returns the players' results on the scale [0, 1] to back up instead of `record.values`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from treewise._core import Children, Record

__all__ = ["Bonus", "Children", "Record", "ResultBonus", "ScoreBonus"]


class ScoreBonus(Protocol):
    """What a bonus on selection scores must have."""

    def score(self, children: Children, /) -> Iterable[float]:
        """One number for each child, added to its score."""


class ResultBonus(Protocol):
    """What a bonus on results must have."""

    def result(self, record: Record, /) -> Iterable[float]:
        """Each player's result on the scale [0, 1]: `record.values`, changed."""


Bonus = ScoreBonus | ResultBonus
