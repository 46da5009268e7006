"""Treewise: a Monte-Carlo tree search engine and laboratory.

>>> import treewise
>>> state = treewise.load_game("breakthrough").initial_state()
>>> result = treewise.parse_search("uct(simulations=500)").run(state, seed=7)
>>> result.stats.simulations
500
"""

import treewise.starting  # noqa: F401, I001  before all others
from importlib import import_module
from typing import TYPE_CHECKING, Any

from treewise import (
    backup,
    bonus,
    decision,
    evaluator,
    expansion,
    first_play,
    information,
    limit,
    loop,
    parallel,
    playout,
    proof,
    selection,
)
from treewise.comparison import Comparison, ComparisonInterrupted, compare
from treewise.compositions import cadia, enhanced, explorer, gvgai_sample, parse_search, td_mcts, uct
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
from treewise.match import MatchRecord, play_match
from treewise.result import Child, Result, Stats
from treewise.search import Search, SearchInterrupted, Session, Stop
from treewise.tree import SearchTree
from treewise.version import __version__

if TYPE_CHECKING:
    from treewise import testing
else:  # a type checker that saw this would believe in any name

    def __getattr__(name: str) -> Any:
        """Imports `treewise.testing` when it is first asked for: a search needs none of it."""
        if name == "testing":
            return import_module("treewise.testing")
        raise AttributeError(f"module 'treewise' has no attribute '{name}'")


__all__ = [
    "CHANCE",
    "SIMULTANEOUS",
    "TERMINAL",
    "Child",
    "Comparison",
    "ComparisonInterrupted",
    "Game",
    "MatchRecord",
    "Result",
    "Search",
    "SearchInterrupted",
    "SearchTree",
    "Session",
    "State",
    "Stats",
    "Stop",
    "__version__",
    "as_state",
    "backup",
    "bonus",
    "cadia",
    "compare",
    "decision",
    "enhanced",
    "evaluator",
    "expansion",
    "explorer",
    "first_play",
    "game_names",
    "game_text",
    "gvgai_sample",
    "information",
    "limit",
    "load_game",
    "loop",
    "parallel",
    "parse_search",
    "perft",
    "play_match",
    "playout",
    "proof",
    "selection",
    "td_mcts",
    "testing",
    "uct",
]
