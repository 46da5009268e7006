"""Openings: what leaves nothing to play is told before anything is played, or else in one short line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from small_experiments import count, experiment, play_here

from treewise import load_game
from treewise.lab.opening import check_opening
from treewise.lab.run import MatchError


@pytest.mark.parametrize(("game", "most"), [("tic_tac_toe", 7), ("pig", 30), ("goofspiel", 5), ("vgdl('aliens')", 50)])
def test_openings_that_leave_something_to_play(game: str, most: int) -> None:
    for length in (0, 1, most):
        check_opening(load_game(game), length)


@pytest.mark.parametrize(
    ("game", "length", "message"),
    [
        ("breakthrough", 200, "opening: the match is over after 200 random steps, in each of 10 tries: take fewer"),
        ("tic_tac_toe", 9, "opening = 9: a match has no more than 9 steps, so that nothing would be left: take fewer"),
        ("pig", 1001, "'opening' must be from 0 to 1,000 random steps, not 1001"),
        ("pig", 10**100, f"'opening' must be from 0 to 1,000 random steps, not 1{'0' * 38}…"),
        ("pig", -1, "'opening' must be from 0 to 1,000 random steps, not -1"),
    ],
)
def test_openings_that_do_not(game: str, length: int, message: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011
        check_opening(load_game(game), length)
    assert str(error.value) == message


def test_a_match_whose_opening_is_too_long_says_so_in_one_short_line(tmp_path: Path) -> None:
    asked, store = replace(experiment(tmp_path), opening=9), tmp_path / "a.sqlite"
    with pytest.raises(MatchError) as error:
        play_here(asked, store)
    expected = "tic_tac_toe: opening: the match is over after 9 random steps, in each of 1,000 tries: take fewer"
    assert str(error.value) == expected
    assert count(store) == 0
