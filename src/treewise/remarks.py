"""What a finished search should tell its user besides its figures: that it was not a good search, and what to try."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treewise.selection import UCB1, UCB1Tuned
from treewise.wording import approximately

if TYPE_CHECKING:
    from treewise.game import Game
    from treewise.result import Child
    from treewise.search import Search

__all__ = ["few", "remarks"]

_EVEN = 1.5
"""Visits are nearly even where no child has more than so many times its share."""
_ENOUGH = 20
"""Visits a child after which they should not be."""
_NARROW = 0.05
"""The part of a game's range within which values tell actions apart no more."""


def remarks(search: Search, game: Game, children: list[Child], proven: bool = False) -> tuple[str, ...]:
    """One line each. `proven`: the root's result is exact.

    >>> import treewise
    >>> state = treewise.load_game("vgdl('zelda')").initial_state()
    >>> print(*treewise.uct(simulations=500).run(state).remarks)
    the visits are nearly even, since the values differ by 561,000 only, in a range of 22,000,000: try bounds='node' in
    ucb1, or the search explorer()
    """
    return tuple(filter(None, [None if proven else _few_simulations(children), _flat_visits(search, game, children)]))


def few(simulations: float, actions: int) -> str:
    """What to say of a search that makes so many simulations at a state with so many actions.

    >>> few(145, 82)
    ''
    >>> few(20, 82)
    '20 simulations for 82 actions, so that most are never tried: give it more time, or a quicker playout'
    """
    if simulations >= actions:
        return ""
    never = "most" if 2 * simulations < actions else "some"
    made = "1 simulation" if simulations == 1 else f"{approximately(simulations)} simulations"
    return f"{made} for {actions:,} actions, so that {never} are never tried: give it more time, or a quicker playout"


def _few_simulations(children: list[Child]) -> str:
    """Counts visits, which a kept tree has from before."""
    own = [child for child in children if child.player == children[0].player]
    return few(sum(child.visits for child in own), len(own))


def _flat_visits(search: Search, game: Game, children: list[Child]) -> str | None:
    """A game whose results fill a small part of its range: every child looks the same, and is visited the same."""
    rule = search.selection
    if not isinstance(rule, UCB1 | UCB1Tuned) or (isinstance(rule, UCB1) and rule.normalises):
        return None
    if not {"rewards", "score"} & set(game.capabilities):
        return None
    own = [child for child in children if child.player == children[0].player]
    values = [child.value for child in own if child.value is not None]
    visits = [child.visits for child in own]
    if len(values) < 2 or sum(visits) < _ENOUGH * len(own) or max(visits) > _EVEN * sum(visits) / len(own):
        return None
    spread, width = max(values) - min(values), game.max_utility - game.min_utility
    if not 0 < spread < _NARROW * width:
        return None
    rule_hint = "bounds='node' in ucb1" + (", or the search explorer()" if "scene" in game.capabilities else "")
    return (
        f"the visits are nearly even, since the values differ by {approximately(spread)} only, in a range of "
        f"{approximately(width)}: try {rule_hint}"
    )
