"""Openings: whether random first steps leave something to play, tried before anything is played."""

from __future__ import annotations

import random

from treewise.game import Game
from treewise.match import random_opening, seed_dice
from treewise.wording import shortened

__all__ = ["check_opening"]

_MOST = 1_000
_TRIES = 10
"""A hundred times fewer than a match has: what passes here will not fail there."""


def check_opening(game: Game, length: int) -> None:
    """ValueError if so many random steps are out of range, or as good as always end a match of the game.

    >>> from treewise import load_game
    >>> check_opening(load_game("breakthrough"), 300)
    Traceback (most recent call last):
    ValueError: opening = 300: a match has no more than 256 steps, so that nothing would be left: take fewer
    """
    if not 0 <= length <= _MOST:
        raise ValueError(f"'opening' must be from 0 to {_MOST:,} random steps, not {shortened(str(length))}")
    if length >= game.max_length:
        raise ValueError(
            f"opening = {length}: a match has no more than {game.max_length:,} steps, so that nothing would be left: "
            "take fewer"
        )
    if length:
        start = game.initial_state()
        seed_dice(start, 0)
        random_opening(start, length, random.Random(0), _TRIES)
