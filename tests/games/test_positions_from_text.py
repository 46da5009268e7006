"""Every game reads positions from text: along random matches, a state's text gives the state again."""

import pickle
import random

import pytest

import treewise
from positions import position
from random_play import choices, step
from variants import VARIANTS

GAMES = [*treewise.game_names(), *VARIANTS]


def is_within_a_turn(state: treewise.State) -> bool:
    """Amazons with three actions a turn: boards show whole turns only."""
    return state.game.parameters.get("plies") == 3 and len(state.history()) % 3 > 0


def compare(state: treewise.State) -> None:
    board, player = position(state)
    again = state.game.parse_state(board, player)
    assert str(again) == str(state)
    if state.game.name == "chinese_checkers" and again.is_terminal():
        return  # a full target is read as won, whoever filled it
    assert again.current_player() == state.current_player()
    if state.game.name == "go":  # a board has no past, which superko and ko look at
        assert set(choices(state)[0]) <= set(choices(again)[0])
    else:
        assert [set(actions) for actions in choices(again)] == [set(actions) for actions in choices(state)]
    if state.game.name != "same_game":  # its points are those from the board on
        assert again.returns() == state.returns()


@pytest.mark.parametrize("text", GAMES)
def test_a_states_text_gives_the_state_again(text: str) -> None:
    game, rng = treewise.load_game(text), random.Random(1)
    for _ in range(3):
        state = game.initial_state()
        while not state.is_terminal() and len(state.history()) < 150:
            if not is_within_a_turn(state):
                compare(state)
            step(state, rng)


WITH_PLAYER = ["amazons", "breakthrough", "connect_four", "gomoku", "hex", "knightthrough", "othello", "tic_tac_toe"]


@pytest.mark.parametrize("name", [*WITH_PLAYER, "pig", "goofspiel", "phantom_tic_tac_toe", "pig(players=3, goal=30)"])
def test_finished_matches_are_read_too(name: str) -> None:
    game, rng = treewise.load_game(name), random.Random(2)
    for _ in range(3):
        state, mover = game.initial_state(), 0
        while not state.is_terminal():
            mover = state.current_player()
            step(state, rng)
        board, player = position(state)
        if player < 0:  # the board does not say; it is the turn of whoever did not move last
            player = 1 - mover
        again = game.parse_state(board, player)
        assert again.is_terminal()
        assert (again.returns(), str(again)) == (state.returns(), str(state))


COMPLETE = [*WITH_PLAYER, "checkers(no_progress=1)", "goofspiel", "phantom_tic_tac_toe"]


@pytest.mark.parametrize("name", COMPLETE)
def test_hashes_agree_where_the_text_says_everything(name: str) -> None:
    """Elsewhere the text leaves out what the hash has: the number of steps, earlier boards, points so far."""
    game, rng = treewise.load_game(name), random.Random(3)
    state, hashes = game.initial_state(), set()
    while not state.is_terminal():
        again = game.parse_state(*position(state))
        assert again.hash() == state.hash() == state.clone().hash()
        hashes.add(state.hash())
        step(state, rng)
    assert len(hashes) == len(state.history()) or "goofspiel" in name


def test_states_from_text_are_pickled() -> None:
    rng = random.Random(5)
    for text in GAMES:
        state = treewise.load_game(text).initial_state()
        state = state.game.parse_state(*position(state))
        for _ in range(3):
            if not state.is_terminal():
                step(state, rng)
        again = pickle.loads(pickle.dumps(state))
        assert (again.hash(), again.history(), again.start) == (state.hash(), state.history(), state.start)
