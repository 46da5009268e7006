"""Knightthrough: counts of the GDL description and of brute force, positions, notation."""

import random

import pytest

import treewise

JUMPS = [(2, -1), (2, 1), (1, -2), (1, 2)]
Board = dict[tuple[int, int], int]


def moves(board: Board, player: int, rows: int, columns: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    ahead = -1 if player == 0 else 1
    found = []
    for (row, column), owner in board.items():
        for forward, sideways in JUMPS:
            to = (row + ahead * forward, column + sideways)
            inside = 0 <= to[0] < rows and 0 <= to[1] < columns
            if owner == player and inside and board.get(to) != player:
                found.append(((row, column), to))
    return found


def over(board: Board, rows: int) -> bool:
    reached = any(row == (0 if owner == 0 else rows - 1) for (row, _), owner in board.items())
    return reached or len(set(board.values())) < 2


def start(rows: int, columns: int) -> Board:
    return {(row, column): int(row < 2) for row in (0, 1, rows - 2, rows - 1) for column in range(columns)}


def count(board: Board, player: int, rows: int, columns: int, depth: int) -> int:
    if depth == 0:
        return 1
    if over(board, rows):
        return 0
    total = 0
    for origin, to in moves(board, player, rows, columns):
        child = dict(board)
        child[to] = child.pop(origin)
        total += count(child, 1 - player, rows, columns, depth - 1)
    return total


def test_perft() -> None:
    """Depths 1 and 2 are those of the GDL description run by a GDL reasoner."""
    state = treewise.load_game("knightthrough").initial_state()
    assert [treewise.perft(state, depth) for depth in (1, 2, 3, 4)] == [40, 1600, 63520, 2521306]


@pytest.mark.parametrize(("rows", "columns", "depth"), [(8, 8, 3), (5, 4, 5), (6, 5, 4), (7, 9, 3), (5, 12, 2)])
def test_perft_equals_brute_force(rows: int, columns: int, depth: int) -> None:
    state = treewise.load_game(f"knightthrough(rows={rows}, columns={columns})").initial_state()
    expected = [count(start(rows, columns), 0, rows, columns, d + 1) for d in range(depth)]
    assert [treewise.perft(state, d + 1) for d in range(depth)] == expected


@pytest.mark.parametrize(("rows", "columns"), [(8, 8), (5, 5), (16, 4)])
def test_matches_equal_brute_force(rows: int, columns: int) -> None:
    game, rng = treewise.load_game(f"knightthrough(rows={rows}, columns={columns})"), random.Random(5)

    def name(square: tuple[int, int]) -> str:
        return f"{'abcdefghijkl'[square[1]]}{rows - square[0]}"

    for _ in range(60):
        state, board, player = game.initial_state(), start(rows, columns), 0
        while not over(board, rows):
            assert state.current_player() == player
            by_name = {name(origin) + name(to): (origin, to) for origin, to in moves(board, player, rows, columns)}
            actions = {state.action_name(action): action for action in state.legal_actions()}
            assert sorted(actions) == sorted(by_name)
            wins = []
            for text, action in actions.items():
                child = state.clone()
                child.apply(action)
                if child.is_terminal():
                    wins.append(text)
            assert sorted(map(state.action_name, state.winning_actions())) == sorted(wins)
            choice = rng.choice(sorted(actions))
            state.apply(actions[choice])
            origin, to = by_name[choice]
            board[to] = board.pop(origin)
            player = 1 - player
        assert state.is_terminal()
        assert state.returns() == ([1.0, -1.0] if player == 1 else [-1.0, 1.0])


def test_taking_the_last_piece_wins() -> None:
    board = "......../......../......../..2...../......../.1....../......../........"
    state = treewise.load_game("knightthrough").parse_state(board, 0)
    assert [state.action_name(action) for action in state.winning_actions()] == ["b3c5"]
    state.apply(state.winning_actions()[0])
    assert state.returns() == [1.0, -1.0]


@pytest.mark.parametrize(
    "board",
    [
        "",
        "........",
        "......../" * 7 + "........",
        "x" * 8 + "/........" * 7,
        "11111111/" * 3 + "......../" * 4 + "2.......",
        "1......./" + "......../" * 6 + "2.......",
    ],
)
def test_broken_boards_are_refused(board: str) -> None:
    with pytest.raises(ValueError, match="board"):
        treewise.load_game("knightthrough").parse_state(board, 0)
