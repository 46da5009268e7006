"""Treewise: a Monte-Carlo tree search engine and laboratory."""

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

__all__ = [
    "CHANCE",
    "SIMULTANEOUS",
    "TERMINAL",
    "Game",
    "State",
    "as_state",
    "game_names",
    "game_text",
    "load_game",
    "perft",
]
