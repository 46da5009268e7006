"""First play: what to believe of a child that no simulation has visited yet."""

from __future__ import annotations

from dataclasses import dataclass

from treewise.part import Part, parameter

__all__ = ["Constant", "Infinite", "Parent"]


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
