"""Expansion: when a leaf becomes a node, and which children it gets."""

from __future__ import annotations

from dataclasses import dataclass

from treewise.part import Part, parameter

__all__ = ["All", "One"]


@dataclass(frozen=True)
class All(Part):
    """All children at once, when the leaf has been evaluated `after` times.

    `after=1` makes the node at the leaf's second visit; larger numbers save memory in games with many actions. Where
    several players act at once, a joint action gets its node at visit number `after`.

    >>> All(after=5).text()
    'all(after=5)'
    """

    family = "expansion"
    name = "all"
    citation = "Browne et al. 2012, section 5.3"

    after: int = parameter(1, "evaluations before a leaf becomes a node", low=0, high=10**9)


@dataclass(frozen=True)
class One(Part):
    """One child more at each visit, taken at once, whatever the first-play rule says.

    Where several players act at once, one more of each player's actions.

    >>> One().text()
    'one'
    """

    family = "expansion"
    name = "one"
    citation = "Coulom 2006"
