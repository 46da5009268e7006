"""Random steps in games of every kind."""

import random

import treewise
from treewise import SIMULTANEOUS


def choices(state: treewise.State) -> list[list[int]]:
    """The actions of everybody who is to act, or the outcomes of chance."""
    if state.current_player() == SIMULTANEOUS:
        return [state.legal_actions(player) for player in range(state.game.num_players)]
    return [state.legal_actions()]


def step(state: treewise.State, rng: random.Random) -> None:
    """Applies one action, or one for each player where they act at once."""
    chosen = [rng.choice(actions) for actions in choices(state)]
    state.apply(chosen if state.current_player() == SIMULTANEOUS else chosen[0])
