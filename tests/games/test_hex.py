"""Hex: OpenSpiel's rules, brute force on small boards, the swap, winning actions, notation."""

import random

import pytest

import treewise
from openspiel import play_along


def joined(stones: set[tuple[int, int]], size: int, player: int) -> bool:
    """Whether the stones join top and bottom (player 0), or left and right (player 1)."""
    todo = [cell for cell in stones if cell[player] == 0]
    reached = set(todo)
    while todo:
        row, column = todo.pop()
        if (row, column)[player] == size - 1:
            return True
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)):
            cell = (row + down, column + right)
            if cell in stones and cell not in reached:
                reached.add(cell)
                todo.append(cell)
    return False


def count(size: int, depth: int, stones: tuple[frozenset[tuple[int, int]], ...], player: int) -> int:
    if depth == 0:
        return 1
    if joined(set(stones[1 - player]), size, 1 - player):
        return 0
    total = 0
    for cell in {(r, c) for r in range(size) for c in range(size)} - stones[0] - stones[1]:
        child = list(stones)
        child[player] = stones[player] | {cell}
        total += count(size, depth - 1, tuple(child), 1 - player)
    return total


def value(state: treewise.State, known: dict[int, float]) -> float:
    """For the player to move: 1 or -1."""
    if state.is_terminal():
        return -1
    key = state.hash()
    if key not in known:
        known[key] = -1
        for action in state.legal_actions():
            child = state.clone()
            child.apply(action)
            known[key] = max(known[key], -value(child, known))
    return known[key]


def test_perft_equals_brute_force() -> None:
    for size, depth in ((2, 4), (3, 5)):
        state = treewise.load_game(f"hex(size={size})").initial_state()
        expected = [count(size, d + 1, (frozenset(), frozenset()), 0) for d in range(depth)]
        assert [treewise.perft(state, d + 1) for d in range(depth)] == expected
    state = treewise.load_game("hex(size=3)").initial_state()
    assert [treewise.perft(state, d) for d in range(1, 10)] == [
        9,
        72,
        504,
        3024,
        15120,
        54720,
        146880,
        207360,
        120960,
    ]


@pytest.mark.parametrize("size", [2, 3])
def test_the_first_player_wins_small_boards(size: int) -> None:
    assert value(treewise.load_game(f"hex(size={size})").initial_state(), {}) == 1


def test_the_second_player_wins_small_boards_with_swap() -> None:
    assert value(treewise.load_game("hex(size=3, swap=True)").initial_state(), {}) == -1


@pytest.mark.parametrize(
    ("size", "matches"), [(2, 50), (3, 100), (8, 20), (9, 20), (11, 20), (12, 10), (13, 10), (19, 5)]
)
def test_against_openspiel(size: int, matches: int) -> None:
    play_along(f"hex(size={size})", f"hex(board_size={size})", lambda ours, theirs, action: action, matches)


def test_swap_against_openspiel() -> None:
    play_along(
        "hex(size=3, swap=True)",
        "hex(board_size=3,swap=True)",
        lambda ours, theirs, action: action,
        matches=200,
    )


def test_swap_mirrors_the_stone() -> None:
    state = treewise.load_game("hex(size=4, swap=True)").initial_state()
    assert 16 not in state.legal_actions()
    state.apply(1)
    assert state.action_name(16) == "swap"
    state.apply(16)
    assert state.current_player() == 0
    assert str(state) == "   a b c d\n 1 . . . .\n  2 o . . .\n   3 . . . .\n    4 . . . .\n"
    assert 1 in state.legal_actions()
    assert 16 not in state.legal_actions()


@pytest.mark.parametrize("size", [5, 11])
def test_winning_actions_and_returns_equal_brute_force(size: int) -> None:
    game, rng, found = treewise.load_game(f"hex(size={size})"), random.Random(2), 0
    for _ in range(30):
        state, stones = game.initial_state(), (set(), set())
        while not state.is_terminal():
            player = state.current_player()
            if len(state.history()) > size * size // 2:
                wins = [a for a in state.legal_actions() if joined(stones[player] | {divmod(a, size)}, size, player)]
                assert sorted(state.winning_actions()) == wins
                found += len(wins)
            action = rng.choice(state.legal_actions())
            stones[player].add(divmod(action, size))
            state.apply(action)
            assert state.is_terminal() == joined(stones[player], size, player)
            assert state.returns()[player] == float(state.is_terminal())
    assert found > 30


def test_positions_from_text() -> None:
    game = treewise.load_game("hex(size=3)")
    state = game.parse_state("xo./xo./...", 0)
    assert [state.action_name(a) for a in state.winning_actions()] == ["a3"]
    assert game.parse_state("xo./xo./x..", 1).returns() == [1.0, -1.0]
    assert game.parse_state("..x/.x./xoo", 1).is_terminal()
    assert not game.parse_state("x../.x./oox", 1).is_terminal(), "cells of that diagonal do not touch"
    swapped = treewise.load_game("hex(size=3, swap=True)")
    assert swapped.parse_state(".../o../...", 0).legal_actions() == [0, 1, 2, 4, 5, 6, 7, 8]
    assert 9 in swapped.parse_state(".x./.../...", 1).legal_actions()


@pytest.mark.parametrize(
    ("text", "board", "player"),
    [
        ("hex(size=3)", "", 0),
        ("hex(size=3)", ".../.../..", 0),
        ("hex(size=3)", ".../.../..z", 0),
        ("hex(size=3)", "x../.../...", 0),
        ("hex(size=3)", "o../.../...", 0),
        ("hex(size=3)", ".../.../...", 1),
        ("hex(size=3, swap=True)", ".../.../...", 1),
        ("hex(size=3, swap=True)", "oo./.../...", 0),
    ],
)
def test_broken_boards_are_refused(text: str, board: str, player: int) -> None:
    with pytest.raises(ValueError, match="board"):
        treewise.load_game(text).parse_state(board, player)
