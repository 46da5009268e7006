"""Proof: keeping exact results of solved parts of the tree."""

from __future__ import annotations

from dataclasses import dataclass

from treewise.part import Part, parameter

__all__ = ["Solver"]


@dataclass(frozen=True)
class Solver(Part):
    """MCTS-Solver: exact wins, losses and draws of terminal states climb the tree as far as they settle it.

    For any number of players: a node is settled when its player has an action with the greatest result there is, or
    when all its actions are settled; a chance node when all outcomes are. The search stops when the root is settled. Of
    actions that are equally good for the one who chooses, the first counts, in the random order of the edges: with
    three players or more, what the others get may depend on the seed.

    >>> Solver().text()
    'solver'
    """

    family = "proof"
    name = "solver"
    citation = "Winands, Björnsson & Saito 2008; Cazenave & Saffidine 2010 for draws"

    one_ply: bool = parameter(True, "look for winning actions in every new node, where the game lists them")
