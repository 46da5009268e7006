"""Backup: how a simulation's result is folded into the statistics of its path."""

from __future__ import annotations

from dataclasses import dataclass

from treewise.part import Part, parameter

__all__ = ["Discounted", "Mean"]


@dataclass(frozen=True)
class Mean(Part):
    """Every edge of the path gets the result itself; its value is the mean.

    >>> Mean().text()
    'mean'
    """

    family = "backup"
    name = "mean"
    citation = "Kocsis & Szepesvári 2006"


@dataclass(frozen=True)
class Discounted(Part):
    """Every level up multiplies the utility by `gamma` and, in games with step rewards, adds the step's own.

    Makes near wins worth more than far ones; `gamma=1` is the mean. With one player there is nobody to hurry from:
    `alone` is the discount there, if it is given.

    `given='whole'` is the backup of TD-MCTS (Algorithm 3): what the steps in the tree have given is not discounted. An
    edge then gets G + gamma^(k + 1) · Q, where G is the sum of rewards from the root to the edge's end, Q the
    discounted sum of what the playout gave, and k the number of levels between the edge and the leaf. Without step
    rewards there is nothing to tell apart.

    >>> Discounted(gamma=0.99).text()
    'discounted(gamma=0.99)'
    >>> Discounted(gamma=0.99, given="whole").text()
    "discounted(gamma=0.99, given='whole')"
    """

    family = "backup"
    name = "discounted"
    citation = "Kocsis & Szepesvári 2006; İlhan & Etaner-Uyar 2017"

    gamma: float = parameter(0.999, "discount of one step", low=1e-6, high=1)
    alone: float | None = parameter(None, "the same in games for one player; None: gamma", 1e-6, 1, optional=True)
    given: str = parameter("discounted", "how rewards in the tree count", choices=("discounted", "whole"))

    def discounts(self, num_players: int) -> bool:
        """Whether results change on their way up in a game for so many players.

        >>> Discounted(alone=1).discounts(2), Discounted(alone=1).discounts(1)
        (True, False)
        """
        return (self.alone if num_players == 1 and self.alone is not None else self.gamma) != 1
