"""First play: what to believe of a child that no simulation has visited yet."""

from __future__ import annotations

from dataclasses import dataclass

from treewise.part import Part, parameter

__all__ = ["Constant", "Infinite", "Parent", "Unexplored"]


@dataclass(frozen=True)
class Infinite(Part):
    """Every child is tried once, in random order, before any is tried twice.

    >>> Infinite().text()
    'infinite'
    """

    family = "first_play"
    name = "infinite"
    citation = "Kocsis & Szepesvári 2006"


@dataclass(frozen=True)
class Constant(Part):
    """A fixed urgency on the scale [0, 1]; values above 1 delay second visits, low ones let good children repeat.

    The exploration constant must be tuned with it.

    >>> Constant(value=1.1).text()
    'constant(value=1.1)'
    """

    family = "first_play"
    name = "constant"
    citation = "Gelly & Wang 2006"

    value: float = parameter(1.0, "urgency of unvisited children", low=-10, high=10000)


@dataclass(frozen=True)
class Parent(Part):
    """The node's own mean less a reduction, as in AlphaZero's descendants.

    >>> Parent(reduction=0.2).text()
    'parent(reduction=0.2)'
    """

    family = "first_play"
    name = "parent"
    citation = "Silver et al. 2018 and successors"

    reduction: float = parameter(0.0, "what an unvisited child is believed to be worse by", low=-1, high=1)


@dataclass(frozen=True)
class Unexplored(Part):
    """Unexplored action urgency: average + c sqrt(ln N) u, where u is the share of actions still unvisited.

    Good actions are visited again before all others were tried once, and the more so the fewer are left. Up to a node's
    second visit every unvisited action comes first. `c` should be that of the selection rule.

    >>> Unexplored(c=0.7).text()
    'unexplored(c=0.7)'
    """

    family = "first_play"
    name = "unexplored"
    citation = "Finnsson 2012"

    c: float = parameter(0.4, "exploration constant", low=0, high=1e6)
    average: float = parameter(0.5, "what an unvisited action is believed to be worth", low=-10, high=10)
