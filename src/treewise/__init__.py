"""Treewise: a Monte-Carlo tree search engine and laboratory."""

from treewise.game import (
    CHANCE,
    SIMULTANEOUS,
    TERMINAL,
    Game,
    State,
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
    "game_names",
    "game_text",
    "load_game",
    "perft",
]
