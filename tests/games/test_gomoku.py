"""Gomoku: known counts, OpenSpiel's rules, overlines, winning actions, positions."""

import random

import pytest

import treewise
from openspiel import play_along

EMPTY = "." * 15


def board(rows: dict[int, str]) -> str:
    """A 15x15 board from some of its rows, counted from the top."""
    return "/".join(rows.get(row, "").ljust(15, ".") for row in range(15))


def test_perft() -> None:
    """Three in a row on 3x3 is tic-tac-toe."""
    state = treewise.load_game("gomoku(size=3, line=3)").initial_state()
    counts = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert [treewise.perft(state, depth + 1) for depth in range(9)] == counts
    state = treewise.load_game("gomoku").initial_state()
    assert [treewise.perft(state, depth) for depth in (1, 2, 3)] == [225, 225 * 224, 225 * 224 * 223]


@pytest.mark.parametrize(
    ("size", "line", "matches"),
    [(15, 5, 25), (19, 5, 10), (9, 4, 60), (6, 6, 60), (5, 3, 100), (16, 6, 6), (8, 7, 20), (10, 8, 10)],
)
def test_against_openspiel(size: int, line: int, matches: int) -> None:
    play_along(
        f"gomoku(size={size}, line={line})",
        f"gomoku(size={size},connect={line})",
        lambda ours, theirs, action: action,
        matches,
    )


@pytest.mark.parametrize(("exact", "over"), [(False, True), (True, False)])
@pytest.mark.parametrize("direction", [(0, 1), (1, 0), (1, 1), (1, -1)])
def test_overlines(exact: bool, over: bool, direction: tuple[int, int]) -> None:
    """Six in a row, made by the stone that fills the gap of three and two."""
    state = treewise.load_game(f"gomoku(exact={exact})").initial_state()
    cells = [(4 + k * direction[0]) * 15 + 8 + k * direction[1] for k in (0, 1, 2, 4, 5, 3)]
    for cell, other in zip(cells, (0, 2, 30, 32, 60, 62), strict=True):
        assert not state.is_terminal()
        if cell == cells[-1]:
            assert (cell in state.winning_actions()) == over
        state.apply(cell)
        if not state.is_terminal():
            state.apply(other)
    assert state.is_terminal() == over


def test_exact_fives_win() -> None:
    game = treewise.load_game("gomoku(exact=True)")
    state = game.parse_state(board({0: "xxxx", 1: "oooo", 7: "xxxx.x", 8: "o.o.oo", 9: "o"}), 0)
    assert state.winning_actions() == [4]
    assert game.parse_state(board({0: "xxxxx", 1: "oooo"}), 1).returns() == [1.0, -1.0]
    assert not game.parse_state(board({0: "xxxxxx", 1: "oooo", 2: "..o"}), 1).is_terminal()


@pytest.mark.parametrize("text", ["gomoku(size=7, line=4)", "gomoku(size=7, line=4, exact=True)", "gomoku(size=9)"])
def test_winning_actions_are_those_that_win(text: str) -> None:
    game, rng, found = treewise.load_game(text), random.Random(4), 0
    for _ in range(60):
        state = game.initial_state()
        while not state.is_terminal():
            mover, wins = state.current_player(), []
            for action in state.legal_actions():
                child = state.clone()
                child.apply(action)
                if child.is_terminal() and child.returns()[mover] == 1:
                    wins.append(action)
            assert sorted(state.winning_actions()) == wins, str(state)
            found += len(wins)
            state.apply(rng.choice(state.legal_actions()))
    assert found > 60


def test_a_full_board_is_a_draw() -> None:
    state = treewise.load_game("gomoku(size=4, line=4)").parse_state("xoxo/xoxo/oxox/oxox", 0)
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]


def test_notation() -> None:
    state = treewise.load_game("gomoku").initial_state()
    assert state.action_name(0) == "a15"
    assert state.action_name(112) == "h8"
    state.apply(112)
    assert str(state).splitlines()[7] == " 8 " + ". " * 7 + "x" + " ." * 7


@pytest.mark.parametrize(
    "text",
    [
        "",
        EMPTY,
        board({0: "x"}),
        board({0: "o"}),
        board({0: "xxo"}),
        board({0: "z"}),
        board({0: "xxxxx", 1: "ooooo"}),
        board({}) + "/" + EMPTY,
    ],
)
def test_broken_boards_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="board"):
        treewise.load_game("gomoku").parse_state(text, 0)


def test_a_line_must_fit() -> None:
    with pytest.raises(ValueError, match="fit"):
        treewise.load_game("gomoku(size=4)")
