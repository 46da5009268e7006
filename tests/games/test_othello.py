"""Othello: published perft counts, OpenSpiel's rules, an independent rule book for small boards, passes."""

import random

import pytest

import treewise
from openspiel import play_along

COUNTS = [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288]
"""Leaves of the tree of Othello, passes counted as steps, as many programs publish them."""


def test_perft() -> None:
    state = treewise.load_game("othello").initial_state()
    assert [treewise.perft(state, depth + 1) for depth in range(len(COUNTS))] == COUNTS


@pytest.mark.long
def test_perft_deep() -> None:
    state = treewise.load_game("othello").initial_state()
    # The tables also count the matches that ended before: 228 after nine steps, 356 more after ten.
    assert treewise.perft(state, 10) == 24571284 - 228
    assert treewise.perft(state, 11) == 212258800 - 584


def test_against_openspiel() -> None:
    play_along("othello", "othello", lambda ours, theirs, action: action, matches=200)


def turned(board: list[str], size: int, action: int, own: str) -> list[int]:
    """The discs that a disc of `own` at an empty square turns, walked square by square."""
    out: list[int] = []
    row, column = divmod(action, size)
    for down, right in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]:
        run, r, c = [], row + down, column + right
        while 0 <= r < size and 0 <= c < size and board[r * size + c] not in (".", own):
            run.append(r * size + c)
            r, c = r + down, c + right
        if 0 <= r < size and 0 <= c < size and board[r * size + c] == own:
            out += run
    return out


@pytest.mark.parametrize("size", [4, 6, 8])
def test_any_position_against_the_book(size: int) -> None:
    """Random boards, most of which no match reaches: full rows, discs at every edge."""
    game = treewise.load_game(f"othello(size={size})")
    rng = random.Random(size)
    for _ in range(300):
        empty = rng.choice([0.1, 0.3, 0.6])
        board = rng.choices(".12", [empty, *[(1 - empty) / 2] * 2], k=size * size)
        board[0] = "1"
        player = rng.randrange(2)
        text = "/".join("".join(board[i : i + size]) for i in range(0, size * size, size))
        state = game.parse_state(text, player)
        legal = [[a for a in range(size * size) if board[a] == "." and turned(board, size, a, own)] for own in "12"]
        assert state.is_terminal() == (not legal[0] and not legal[1])
        if state.is_terminal():
            lead = board.count("1") - board.count("2")
            assert state.returns() == [(lead > 0) - (lead < 0), (lead < 0) - (lead > 0)]
            continue
        assert state.legal_actions() == (legal[player] or [size * size])
        for action in legal[player]:
            after = list(board)
            for square in [action, *turned(board, size, action, "12"[player])]:
                after[square] = "12"[player]
            child = state.clone()
            child.apply(action)
            assert "".join(row[1:].replace(" ", "") for row in str(child).splitlines()[1:]) == "".join(after)


def test_pass() -> None:
    state = treewise.load_game("othello(size=4)").parse_state("12../..../..../....", 1)
    assert [state.action_name(a) for a in state.legal_actions()] == ["pass"]
    state.apply(16)
    assert [state.action_name(a) for a in state.legal_actions()] == ["c1"]
    state.apply(2)
    assert state.is_terminal()
    assert state.returns() == [1.0, -1.0]


def test_first_actions_have_their_usual_names() -> None:
    state = treewise.load_game("othello").initial_state()
    assert sorted(map(state.action_name, state.legal_actions())) == ["c4", "d3", "e6", "f5"]


def test_playouts_end() -> None:
    for size in (4, 6, 8):
        game = treewise.load_game(f"othello(size={size})")
        for seed in range(200):
            state = game.initial_state()
            assert state.playout(seed) <= game.max_length
            assert state.is_terminal()


@pytest.mark.parametrize("board", ["", "/".join(["........"] * 8), "/".join(["3......."] * 8), "12../21.."])
def test_broken_boards_are_refused(board: str) -> None:
    with pytest.raises(ValueError, match="board"):
        treewise.load_game("othello").parse_state(board, 0)


def test_odd_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="even"):
        treewise.load_game("othello(size=5)")
