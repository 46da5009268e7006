"""Connect Four: published perft counts, OpenSpiel's rules, winning actions, positions."""

import random

import pytest

import treewise
from openspiel import play_along


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("connect_four", [7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572]),
        ("connect_four(rows=3, columns=3, line=3)", [3, 9, 27, 78, 210, 456, 890, 982, 622]),
    ],
)
def test_perft(text: str, counts: list[int]) -> None:
    state = treewise.load_game(text).initial_state()
    assert [treewise.perft(state, depth + 1) for depth in range(len(counts))] == counts


@pytest.mark.parametrize(
    ("rows", "columns", "line"), [(6, 7, 4), (5, 4, 3), (4, 5, 2), (7, 8, 5), (3, 9, 6), (8, 7, 8), (9, 6, 7)]
)
def test_against_openspiel(rows: int, columns: int, line: int) -> None:
    play_along(
        f"connect_four(rows={rows}, columns={columns}, line={line})",
        f"connect_four(rows={rows},columns={columns},x_in_row={line})",
        lambda ours, theirs, action: action % columns,
        matches=60,
    )


@pytest.mark.parametrize("text", ["connect_four", "connect_four(rows=7, columns=8, line=3)"])
def test_winning_actions_are_those_that_win(text: str) -> None:
    game, rng, found = treewise.load_game(text), random.Random(3), 0
    for _ in range(200):
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
    assert found > 100


def test_an_id_is_the_landing_cell() -> None:
    state = treewise.load_game("connect_four").initial_state()
    assert sorted(state.legal_actions()) == list(range(35, 42))
    state.apply(38)
    assert sorted(state.legal_actions()) == [31, 35, 36, 37, 39, 40, 41]
    assert state.action_name(31) == "d"


def test_positions_from_text() -> None:
    game = treewise.load_game("connect_four")
    empty = "......./" * 4
    state = game.parse_state(empty + "ooo..../xxx....", 0)
    assert state.winning_actions() == [38]
    state.apply(38)
    assert state.is_terminal()
    assert state.returns() == [1.0, -1.0]
    assert str(state).splitlines()[5] == " 1 x x x x . . ."
    full = game.parse_state("oxoxoxo/oxoxoxo/xoxoxox/xoxoxox/oxoxoxo/xoxoxox", 0)
    assert full.is_terminal()
    assert full.returns() == [0.0, 0.0]
    upright = game.parse_state("......./......./x....../x.o..../x.o..../x.o....", 1)
    assert upright.is_terminal()


@pytest.mark.parametrize(
    ("board", "player", "complaint"),
    [
        ("", 0, "rows"),
        ("......./" * 5 + "......", 0, "cells"),
        ("......./" * 5 + "...z...", 0, "character"),
        ("......./" * 5 + "...x...", 0, "stones"),
        ("......./" * 4 + "...x.../...o...", 1, "one stone more"),
        ("......./" * 4 + "...x.../.......", 1, "below"),
        ("......./" * 4 + "oooo.../xxxx...", 0, "both"),
        ("......./" * 5 + ".......", 2, "player"),
    ],
)
def test_broken_boards_are_refused(board: str, player: int, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        treewise.load_game("connect_four").parse_state(board, player)


@pytest.mark.parametrize("text", ["rows=9, columns=7", "rows=2, columns=3, line=4"])
def test_boards_that_do_not_fit_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="connect_four"):
        treewise.load_game(f"connect_four({text})")
