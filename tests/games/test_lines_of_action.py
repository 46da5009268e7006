"""Lines of Action: counts equal to OpenSpiel's, its rules and ends, positions, notation."""

import random
from typing import Any

import pytest

import treewise
from openspiel import play_along


def translate(ours: Any, theirs: Any, action: int) -> int:
    return theirs.string_to_action(ours.action_name(action))


def test_perft() -> None:
    """OpenSpiel's rules give the same numbers. At depth 5 boards come back for the first time."""
    state = treewise.load_game("lines_of_action").initial_state()
    assert [treewise.perft(state, depth) for depth in (1, 2, 3, 4)] == [36, 1244, 44952, 1563208]


@pytest.mark.long
def test_perft_deeper() -> None:
    for repetition, number in ((True, 55934908), (False, 55963132)):
        state = treewise.load_game(f"lines_of_action(repetition={repetition})").initial_state()
        assert treewise.perft(state, 5) == number


def test_against_openspiel() -> None:
    play_along("lines_of_action", "lines_of_action", translate, matches=80)


def test_the_limit_against_openspiel() -> None:
    play_along(
        "lines_of_action(max_length=40)",
        "lines_of_action(max_game_length=40)",
        translate,
        matches=100,
        seed=2,
    )


def test_a_repeated_board_is_a_draw() -> None:
    game, draws = treewise.load_game("lines_of_action"), 0
    for seed in range(100):
        finished = game.initial_state()
        finished.playout(seed)
        state, boards = game.initial_state(), []
        for action in finished.history():
            assert str(state) not in boards
            boards.append(str(state))
            state.apply(action)
        assert (str(state) in boards) == (state.returns() == [0.0, 0.0])
        draws += str(state) in boards
    assert draws > 5


def test_without_repetition_boards_may_come_back() -> None:
    game = treewise.load_game("lines_of_action(repetition=False, max_length=8)")
    state = game.initial_state()
    hashes = [state.hash()]
    for name in ("b8-b6", "a7-c7", "b6-b8", "c7-a7") * 2:
        state.apply({state.action_name(action): action for action in state.legal_actions()}[name])
        hashes.append(state.hash())
    assert str(state) == str(game.initial_state())
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]
    assert len(set(hashes)) == len(hashes), "the steps left until the limit matter"


def play(board: str, name: str) -> list[float]:
    state = treewise.load_game("lines_of_action").parse_state(board, 0)
    assert not state.is_terminal()
    state.apply({state.action_name(action): action for action in state.legal_actions()}[name])
    assert state.is_terminal()
    return state.returns()


def test_the_mover_wins_if_both_are_connected() -> None:
    assert play(".......o/......../......../...x..../...o..../......../......../...x....", "d1xd4") == [
        1.0,
        -1.0,
    ]


def test_a_capture_may_connect_the_other_player() -> None:
    assert play("...x...o/......../......../......../...o..../......../......../...x....", "d1xd4") == [
        -1.0,
        1.0,
    ]


def test_a_player_who_cannot_move_loses() -> None:
    board = "ox....xo/xx....xx/.....x../......../......../......../.x....x./........"
    game = treewise.load_game("lines_of_action")
    assert game.parse_state(board, 1).returns() == [1.0, -1.0]
    assert not game.parse_state(board, 0).is_terminal()


def test_jumps() -> None:
    """Over own pieces, not over others; as far as there are pieces on the line."""
    state = treewise.load_game("lines_of_action").parse_state(
        "......../......../......../x.x.x.../......../......../......../o.o.....", 0
    )
    names = {state.action_name(action) for action in state.legal_actions()}
    assert "a5-d5" in names, "over c5"
    assert "e5-b5" in names, "back over c5"
    assert "c5-f5" in names
    state = treewise.load_game("lines_of_action").parse_state(
        "......../......../......../xo..x.../......../......../......../o.o.....", 0
    )
    names = {state.action_name(action) for action in state.legal_actions()}
    assert "a5-d5" not in names
    assert "e5xb5" in names


def test_winning_actions_are_those_that_win() -> None:
    game, rng, found = treewise.load_game("lines_of_action"), random.Random(6), 0
    for _ in range(12):
        state = game.initial_state()
        while not state.is_terminal():
            mover, wins = state.current_player(), []
            for action in state.legal_actions():
                child = state.clone()
                child.apply(action)
                if child.is_terminal() and child.returns()[mover] == 1:
                    wins.append(action)
            assert sorted(state.winning_actions()) == sorted(wins), str(state)
            found += len(wins)
            state.apply(rng.choice(state.legal_actions()))
    assert found > 10


@pytest.mark.parametrize(
    "board",
    [
        "",
        "........",
        "......../" * 7 + "........",
        "......../" * 7 + "xx......",
        "xxxxxxxx/xxxxx.../" + "......../" * 5 + "o......o",
        "z" * 8 + "/........" * 7,
    ],
)
def test_broken_boards_are_refused(board: str) -> None:
    with pytest.raises(ValueError, match="board"):
        treewise.load_game("lines_of_action").parse_state(board, 0)
