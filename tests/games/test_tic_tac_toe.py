"""Tic-tac-toe: perft, OpenSpiel's rules, positions."""

import pytest

import treewise
from openspiel import play_along


def test_perft() -> None:
    state = treewise.load_game("tic_tac_toe").initial_state()
    counts = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert [treewise.perft(state, depth + 1) for depth in range(9)] == counts


def test_against_openspiel() -> None:
    play_along("tic_tac_toe", "tic_tac_toe", lambda ours, theirs, action: action, matches=200)


def test_positions_from_text() -> None:
    game = treewise.load_game("tic_tac_toe")
    assert game.parse_state("xx./oo./...", 0).winning_actions() == [2]
    assert game.parse_state("xxx/oo./...", 1).is_terminal()
    with pytest.raises(ValueError, match="stones"):
        game.parse_state("xx./.../...", 0)


def test_a_draw_is_zero_for_both_and_prints_so() -> None:
    state = treewise.load_game("tic_tac_toe").parse_state("xox/xxo/oxo", 1)
    assert str(state.returns()) == "[0.0, 0.0]"
