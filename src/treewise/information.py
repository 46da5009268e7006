"""Information: what a search may see of a game that hides things from its players."""

from __future__ import annotations

from dataclasses import dataclass

from treewise.part import Part, parameter

__all__ = ["Determinization", "Open"]


@dataclass(frozen=True)
class Determinization(Part):
    """Searches several worlds drawn from what the player to move has seen, and adds up their roots.

    Simple and often strong; its known flaw is strategy fusion: in each world it acts as if it knew that world. With
    `parallel.Root` every thread has the same number of worlds: 20 worlds on three threads become 21.

    >>> Determinization(worlds=50).text()
    'determinization(worlds=50)'
    """

    family = "information"
    name = "determinization"
    needs = ("hidden",)
    citation = "Ginsberg 2001; Browne et al. 2012, section 4.8.1"

    worlds: int = parameter(20, "number of worlds", low=1, high=10_000)


@dataclass(frozen=True)
class Open(Part):
    """The state as it is, hidden things included: for analysis, or as a cheating opponent.

    >>> Open().text()
    'open'
    """

    family = "information"
    name = "open"

    worlds: int = parameter(0, "no world is drawn", low=0, high=0)
