"""Loop: what an edge of the tree stands for where the rules draw dice within a step.

Every simulation draws dice of its own, whichever loop it is: no search foresees what the match will draw.
"""

from __future__ import annotations

from dataclasses import dataclass

from treewise.part import Part

__all__ = ["Closed", "Open"]


@dataclass(frozen=True)
class Open(Part):
    """A node stands for a sequence of actions; every simulation plays them again, with other draws.

    Values are means over what the dice may give. Where a draw leads to other actions than those that the node was made
    with, the simulation leaves the tree. Without dice every search is such a search.

    >>> Open().text()
    'open'
    """

    family = "loop"
    name = "open"
    citation = "Perez Liebana, Dieskau, Hünermund, Mostaghim & Lucas 2015"


@dataclass(frozen=True)
class Closed(Part):
    """Every edge keeps the state that its action led to when it was first tried; later simulations go on from there.

    Cheaper, since the way down is not played again, but each action is judged by one draw of the dice. The states count
    against `memory_mb`. The tree is not kept between the actions of a match, which has drawn something else, and
    threads cannot share it.

    >>> Closed().text()
    'closed'
    """

    family = "loop"
    name = "closed"
    citation = "Perez-Liebana et al. 2016"
