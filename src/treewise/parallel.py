"""Parallel: who runs the simulations."""

from __future__ import annotations

from dataclasses import dataclass

from treewise.part import Part, parameter

__all__ = ["Leaf", "One", "Root", "Tree"]


@dataclass(frozen=True)
class One(Part):
    """One thread, the one that calls.

    >>> One().text()
    'one'
    """

    family = "parallel"
    name = "one"


@dataclass(frozen=True)
class Root(Part):
    """A tree of its own for each thread; the roots are added up at the end.

    With a limit in simulations the split is fixed: the same seed and number of threads give the same result. So a
    thread that has proven its tree leaves the others to finish their share; with other limits, all stop then.

    >>> Root(threads=4).text()
    'root(threads=4)'
    """

    family = "parallel"
    name = "root"
    citation = "Chaslot, Winands & van den Herik 2008"

    threads: int = parameter(2, "number of threads", low=1, high=256)


@dataclass(frozen=True)
class Leaf(Part):
    """Several playouts at once from each leaf; every one counts as a simulation.

    >>> Leaf(threads=4).text()
    'leaf(threads=4)'
    """

    family = "parallel"
    name = "leaf"
    citation = "Cazenave & Jouandeau 2007"

    threads: int = parameter(2, "number of threads, and of playouts from a leaf", low=1, high=256)


@dataclass(frozen=True)
class Tree(Part):
    """All threads on one tree, with a lock in each node; a simulation under way counts as `virtual_loss` lost ones.

    >>> Tree(threads=4).text()
    'tree(threads=4)'
    """

    family = "parallel"
    name = "tree"
    citation = "Chaslot, Winands & van den Herik 2008; Enzenberger & Müller 2010"

    threads: int = parameter(2, "number of threads", low=1, high=256)
    virtual_loss: int = parameter(1, "losses that a simulation under way counts for", low=1, high=1000)
