"""Plays random matches side by side with OpenSpiel's rules of the same game."""

import random
from collections.abc import Callable
from typing import Any

import pyspiel

import treewise

Translate = Callable[[Any, Any, int], int]
"""(our state, OpenSpiel's state, our action) -> OpenSpiel's action."""


def play_along(game_text: str, spiel_text: str, translate: Translate, matches: int, seed: int = 1) -> None:
    """Asserts equal movers, legal actions and returns in every state of random matches."""
    game, spiel = treewise.load_game(game_text), pyspiel.load_game(spiel_text)
    rng = random.Random(seed)
    for _ in range(matches):
        ours, theirs = game.initial_state(), spiel.new_initial_state()
        while not ours.is_terminal():
            assert not theirs.is_terminal(), f"only OpenSpiel is over:\n{ours}\n{theirs}"
            assert ours.current_player() == theirs.current_player()
            translated = {translate(ours, theirs, action): action for action in ours.legal_actions()}
            assert sorted(translated) == sorted(theirs.legal_actions()), f"legal actions differ:\n{ours}\n{theirs}"
            assert len(translated) == len(ours.legal_actions()), "two of our actions mean the same"
            choice = rng.choice(sorted(translated))
            ours.apply(translated[choice])
            theirs.apply_action(choice)
        assert theirs.is_terminal(), f"only ours is over:\n{ours}\n{theirs}"
        assert ours.returns() == theirs.returns()
