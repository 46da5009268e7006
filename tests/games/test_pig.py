"""Pig: OpenSpiel's rules, the horizon, several players, large totals, positions from text."""

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


def test_positions_from_text() -> None:
    game = treewise.load_game("pig(players=3)")
    state = game.parse_state("12 30 5/8", 1)
    assert str(state) == "scores 12 30 5, turn total 8, player 1 to choose\n"
    state.apply(HOLD)
    assert str(state) == "scores 12 38 5, turn total 0, player 2 to choose\n"
    rolls = game.parse_state("12 30 5/8/rolls", 1)
    assert rolls.current_player() == CHANCE
    rolls.apply(3)
    assert str(rolls) == "scores 12 30 5, turn total 12, player 1 to choose\n"
    assert game.parse_state("0 0 0/0").hash() == game.initial_state().hash()
    assert game.parse_state("12 100 5/0", 1).returns() == [-0.5, 1.0, -0.5]


def test_the_horizon_counts_from_a_position_on() -> None:
    state = treewise.load_game("pig(horizon=10)").parse_state("40 50/6", 1)
    assert state.playout(1, max_length=1000) <= 10
    assert state.is_terminal()


BROKEN = {
    "": "a score for each of 2 players",
    "1 2": "a score for each of 2 players",
    "1/0": "a score for each of 2 players",
    "1 2 3/0": "a score for each of 2 players",
    "1 2/3/4": "a score for each of 2 players",
    "1 2/3/rolls/": "a score for each of 2 players",
    "1 2/": "the turn's total",
    "1 2/3 4": "the turn's total",
    "-1 2/0": "a score must be a number from 0",
    "1 x/0": "a score must be a number from 0",
    "1 2/1e3": "the turn's total must be a number from 0",
    "1 99999999999/0": "a score must be a number from 0 to 100000000",
    "1 2\0/0": "a score must be a number",
    "1 é/0": "a score must be a number",
    "100 100/0": "who has 100 points has won",
    "100 3/5": "who has 100 points has won",
    "100 3/0/rolls": "who has 100 points has won",
}


@pytest.mark.parametrize(("board", "message"), BROKEN.items())
def test_broken_boards_are_refused(board: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"board: .*{message}"):
        treewise.load_game("pig").parse_state(board, 0)
    with pytest.raises(ValueError, match="player to move"):
        treewise.load_game("pig").parse_state("0 0/0", 2)


def test_the_largest_points() -> None:
    state = treewise.load_game("pig(goal=10000, horizon=20)").parse_state("0 0/100000000", 0)
    state.apply(HOLD)
    assert state.returns() == [1.0, -1.0]
