"""Selection: which child a simulation follows. A rule scores all children of a node; the greatest is taken.

A rule written in Python is any object with `score(children)` that returns one number for each child; `children` has
the arrays `visits`, `values` (sums on the scale [0, 1]), `priors` and `squares`, and the numbers `parent_visits` and
`first_play`. Set `columns = ("prior",)` or `("squares",)` on it to get those.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Protocol

from treewise._core import Children
from treewise.part import Part, parameter

__all__ = ["PUCT", "UCB1", "Children", "SelectionRule", "UCB1Tuned"]


class SelectionRule(Protocol):
    """What a selection written in Python must have."""

    def score(self, children: Children, /) -> Iterable[float]:
        """One number for each child; the greatest is followed."""


@dataclass(frozen=True)
class UCB1(Part):
    """The upper confidence bound of UCT: mean + c · sqrt(ln N / n), with values on the scale [0, 1].

    `c` has this one meaning everywhere in Treewise: √2 is UCB1 as published; 0.7 is a good general choice.

    `bounds` says what 0 and 1 stand for. `game`: the least and the greatest utility there is. `node`: the least and the
    greatest result that the node's own children have had, so that a game need not know its range, nor use all of it;
    `tree` and `global`: that any node of the tree has had, and any tree of the session, one action of a match after the
    other. `none`: utilities as they are, which `c` must suit. Where only one result was seen, it stays as it is, too.

    `epsilon` and `offset` give the form of the GVGAI framework's sample controller, x + c · sqrt(ln(N + offset) /
    (n + epsilon)) with x the normalised sum of results / (n + epsilon), and its noise: (score + epsilon) · (1 +
    epsilon · (u - ½)), u drawn from [0, 1).

    >>> UCB1(c=0.7).text()
    'ucb1(c=0.7)'
    >>> UCB1(bounds="node").text()
    "ucb1(bounds='node')"
    """

    family = "selection"
    name = "ucb1"
    citation = "Auer, Cesa-Bianchi & Fischer 2002; Kocsis & Szepesvári 2006"

    c: float = parameter(sqrt(2), "exploration constant", low=0)
    bounds: str = parameter("game", "what values are normalised by", choices=("game", "node", "tree", "global", "none"))
    epsilon: float = parameter(0.0, "size of the noise, and what is added to children's visits", low=0, high=0.1)
    offset: float = parameter(0.0, "what is added to the node's visits in the logarithm", low=0, high=1e6)

    @property
    def normalises(self) -> bool:
        """Whether scores are on another scale than the values of the tree.

        >>> UCB1().normalises, UCB1(bounds="tree").normalises
        (False, True)
        """
        return self.bounds != "game"


@dataclass(frozen=True)
class UCB1Tuned(Part):
    """UCB1 whose exploration follows the children's variance: mean + c · sqrt(ln N / n · min(¼, V)).

    V is the sample variance plus sqrt(2 ln N / n). Needs the sums of squares: eight bytes more an edge.

    >>> UCB1Tuned().text()
    'ucb1_tuned'
    """

    family = "selection"
    name = "ucb1_tuned"
    citation = "Auer, Cesa-Bianchi & Fischer 2002"

    c: float = parameter(1.0, "multiplier of the exploration term", low=0)


@dataclass(frozen=True)
class PUCT(Part):
    """Prior-weighted exploration: Q + P · sqrt(N) / (1 + n) · (c + ln((N + base + 1) / base)).

    N is the sum of the children's visits (before the first, 1), at the root as everywhere. Priors come from the
    evaluator; without one they are equal. An unvisited child has the first-play value as its Q, so `first_play.Parent`
    is the usual companion.

    >>> PUCT(c=2.5).text()
    'puct(c=2.5)'
    """

    family = "selection"
    name = "puct"
    citation = "Rosin 2011; Silver et al. 2018; Schrittwieser et al. 2020"

    c: float = parameter(1.25, "exploration constant", low=0)
    base: float = parameter(19652.0, "visits over which exploration grows", low=1)
