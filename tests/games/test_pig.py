"""Pig: OpenSpiel's rules, the horizon, several players, large totals."""

import random

import pyspiel
import pytest

import treewise
from treewise import CHANCE

ROLL, HOLD = 0, 1


@pytest.mark.parametrize("players", [2, 3])
def test_against_openspiel(players: int) -> None:
    """OpenSpiel takes away the choice to roll on with enough points; ours leaves it to the player."""
    game = treewise.load_game(f"pig(goal=30, players={players})")
    spiel = pyspiel.load_game(f"pig(winscore=30,players={players})")
    rng = random.Random(1)
    for _ in range(100):
        ours, theirs = game.initial_state(), spiel.new_initial_state()
        while not ours.is_terminal():
            assert ours.current_player() == theirs.current_player()
            assert set(theirs.legal_actions()) <= set(ours.legal_actions())
            if ours.current_player() == CHANCE:
                assert dict(ours.chance_outcomes()) == pytest.approx(dict(theirs.chance_outcomes()))
            action = rng.choice(theirs.legal_actions())
            ours.apply(action)
            theirs.apply_action(action)
        assert theirs.is_terminal()
        assert ours.returns() == pytest.approx(theirs.returns())


def test_a_one_loses_the_turns_points() -> None:
    state = treewise.load_game("pig").initial_state()
    for action in (ROLL, 5, ROLL, 3):
        state.apply(action)
    assert str(state) == "scores 0 0, turn total 10, player 0 to choose\n"
    lost, kept = state.clone(), state.clone()
    lost.apply(ROLL)
    lost.apply(0)
    assert str(lost) == "scores 0 0, turn total 0, player 1 to choose\n"
    kept.apply(HOLD)
    assert str(kept) == "scores 10 0, turn total 0, player 1 to choose\n"


def test_the_horizon_ends_the_match_in_a_draw() -> None:
    state = treewise.load_game("pig(horizon=10)").initial_state()
    for _ in range(10):
        assert not state.is_terminal()
        state.apply(HOLD)
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]


def test_one_of_several_wins() -> None:
    state = treewise.load_game("pig(goal=4, players=3)").initial_state()
    for action in (HOLD, ROLL, 3, HOLD):
        state.apply(action)
    assert state.returns() == [-0.5, 1.0, -0.5]


def test_totals_beyond_16_bits() -> None:
    state = treewise.load_game("pig(goal=10000, sides=100, horizon=100000)").initial_state()
    for _ in range(400):
        state.apply(ROLL)
        state.apply(99)
    state.apply(HOLD)
    assert str(state).startswith("scores 40000 0")
    assert state.returns() == [1.0, -1.0]
