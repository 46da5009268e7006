"""Treewise: a Monte-Carlo tree search engine and laboratory.

>>> import treewise
>>> state = treewise.load_game("breakthrough").initial_state()
>>> result = treewise.parse_search("uct(simulations=500)").run(state, seed=7)
>>> result.stats.simulations
500
"""

from treewise import (
    backup,
    bonus,
    decision,
    evaluator,
    expansion,
    first_play,
    information,
    limit,
    parallel,
    playout,
    proof,
    selection,
)
from treewise.game import (
    CHANCE,
    SIMULTANEOUS,
    TERMINAL,
    Game,
    State,
    as_state,
    game_names,
    game_text,
    load_game,
    perft,
)
from treewise.result import Child, Result, Stats
from treewise.search import Search, SearchInterrupted, Session, enhanced, parse_search, uct
from treewise.tree import SearchTree

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "SIMULTANEOUS",
    "TERMINAL",
    "Child",
    "Game",
    "Result",
    "Search",
    "SearchInterrupted",
    "SearchTree",
    "Session",
    "State",
    "Stats",
    "as_state",
    "backup",
    "bonus",
    "decision",
    "enhanced",
    "evaluator",
    "expansion",
    "first_play",
    "game_names",
    "game_text",
    "information",
    "limit",
    "load_game",
    "parallel",
    "parse_search",
    "perft",
    "playout",
    "proof",
    "selection",
    "uct",
]
