"""Checkers: perft, positions with captures, OpenSpiel's rules, draws, playout statistics, notation."""

import random
from itertools import pairwise
from typing import Any

import pyspiel
import pytest

import treewise
from playout_statistics import Figures, assert_alike, measure

GAME = treewise.load_game("checkers")
START_COUNTS = [7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680]

# (board, player, perft, jumps of the longest capture)
POSITIONS = [
    (".3....../......../.2.2..../......../.2.1..../..1...../.......1/1.....1.", 0, [1, 2, 2], 2),
    ("...2...2/2.2...../...2.1.2/..2...1./...4..../1.....1./......../1.......", 1, [1, 4, 13], 2),
    (".3....../......../.3....../......../.....4.2/......../.4....../......4.", 1, [11, 66, 678], 0),
    ("......../......2./.2.2...2/1...2.../.......1/1.2...1./.1....../..1...1.", 0, [2, 5, 22], 3),
    ("......../3......./......../2......./.2....../....2.../.4...2../....4...", 1, [9, 18, 142], 0),
    (".......2/2......./.1.....1/......../...3..../..1...../.1...1../1.1.1...", 1, [1, 7, 17], 3),
    (".2.....3/2...2.2./.2....../......../.1....../......1./...1..../1.1.1...", 0, [1, 3, 21], 2),
    (".......3/3.1...../.....3../....1.../......../4......./......../........", 0, [9, 18, 168], 0),
    ("...2.2../2.2.2.2./.2.2..../..1...1./......../1.1...../......../1.1...4.", 1, [2, 2, 18], 2),
    ("......../....1.3./.....1../..1...../......../..1...../...4...1/......1.", 1, [1, 4, 7], 4),
]
# A king takes four men in a ring, either way round, and ends where it began.
RING = "......../..2.2.../......../..2.2.../...3..../......../......../........"


def names(state: treewise.State) -> list[str]:
    return sorted(map(state.action_name, state.legal_actions()))


def test_perft() -> None:
    state = GAME.initial_state()
    assert [treewise.perft(state, depth + 1) for depth in range(9)] == START_COUNTS


@pytest.mark.long
def test_deep_perft() -> None:
    state = GAME.initial_state()
    assert [treewise.perft(state, depth) for depth in (10, 11, 12)] == [18391564, 85242128, 388623673]


@pytest.mark.parametrize(("board", "player", "counts", "longest"), POSITIONS)
def test_positions(board: str, player: int, counts: list[int], longest: int) -> None:
    state = GAME.parse_state(board, player)
    assert [treewise.perft(state, depth + 1) for depth in range(3)] == counts
    assert max(name.count("x") for name in names(state)) == longest


@pytest.mark.parametrize(("board", "player", "counts", "longest"), POSITIONS)
def test_positions_on_the_light_squares(board: str, player: int, counts: list[int], longest: int) -> None:
    """The mirror image, as the published positions are written, is the same position."""
    mirrored = "/".join(row[::-1] for row in board.split("/"))
    state = GAME.parse_state(mirrored, player)
    assert str(state) == str(GAME.parse_state(board, player))
    assert treewise.perft(state, 3) == counts[2]


def test_ring_capture_has_two_routes() -> None:
    state = GAME.parse_state(RING, 0)
    assert names(state) == ["d4xb6xd8xf6xd4", "d4xf6xd8xb6xd4"]
    assert sorted(state.winning_actions()) == sorted(state.legal_actions())
    state.apply(state.legal_actions()[0])
    assert state.returns() == [1.0, -1.0]
    assert state.quality() == 1 / 12


def test_a_man_that_is_crowned_stops() -> None:
    """b6xd8 crowns; a king on d8 could go on over e7."""
    board = "......../..2.2.../.1....../......../......../......../......../......1."
    state = GAME.parse_state(board, 0)
    assert names(state) == ["b6xd8"]
    king = GAME.parse_state(board.replace(".1......", ".3......"), 0)
    assert names(king) == ["b6xd8xf6"]
    state.apply(state.legal_actions()[0])
    assert str(state).splitlines()[0] == " 8 . . . 3 . . . ."
    assert not state.is_terminal()


def test_a_player_without_moves_or_pieces_loses() -> None:
    top = "......../" * 5
    blocked = GAME.parse_state(top + "2......./.1....../..1.....", 1)
    assert blocked.is_terminal()
    assert blocked.returns() == [1.0, -1.0]
    assert not GAME.parse_state(top + "2......./.1....../......1.", 1).is_terminal()
    gone = GAME.parse_state(top + "......../......../1.......", 0)
    assert gone.returns() == [1.0, -1.0]


TWO_KINGS = ".3....../......../......../......../......../......../......../......4."


def test_one_king_against_one_king_is_a_draw() -> None:
    state = GAME.parse_state(TWO_KINGS, 0)
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]


def test_no_progress_is_a_draw() -> None:
    game = treewise.load_game("checkers(no_progress=7, lone_kings_draw=False)")
    state = game.parse_state(TWO_KINGS, 0)
    for turn in range(7):
        assert not state.is_terminal()
        step = ["b8a7", "g1h2", "a7b8", "h2g1"][turn % 4]
        state.apply(next(action for action in state.legal_actions() if state.action_name(action) == step))
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]


def test_steps_of_men_are_progress() -> None:
    game = treewise.load_game("checkers(no_progress=2)")
    start = game.parse_state(".3.....4/......../......../......../......../......../.1....../......4.", 0)
    for steps, over in [(["b8a7", "g1h2"], True), (["b8a7", "g1f2"], True), (["b2c3", "g1h2"], False)]:
        state = start.clone()
        for step in steps:
            state.apply(next(action for action in state.legal_actions() if state.action_name(action) == step))
        assert state.is_terminal() == over
        assert state.hash() != start.hash()


def jumps(name: str) -> list[str]:
    """The single jumps of a capture, in OpenSpiel's notation: 'a1xc3xe5' is ['a1c3', 'c3e5']."""
    squares = name.split("x")
    return [a + b for a, b in pairwise(squares)] if len(squares) > 1 else [name]


def by_name(state: Any) -> dict[str, int]:
    return {state.action_to_string(action): action for action in state.legal_actions()}


def test_against_openspiel() -> None:
    """OpenSpiel plays each jump of a capture as a ply of its own and draws after 40 plies without capture.
    Every jump of our routes must be a legal ply there and the other way round; only wins are compared."""
    game = treewise.load_game("checkers(no_progress=10000, lone_kings_draw=False)")
    spiel = pyspiel.load_game("checkers")
    rng = random.Random(3)
    wins = chains = 0
    for _ in range(150):
        ours, theirs = game.initial_state(), spiel.new_initial_state()
        while not theirs.is_terminal():
            assert ours.current_player() == theirs.current_player()
            routes = {ours.action_name(action): action for action in ours.legal_actions()}
            assert len(routes) == len(ours.legal_actions())
            chosen = rng.choice(sorted(routes))
            chains += chosen.count("x") > 1
            for step, jump in enumerate(jumps(chosen)):
                done = jumps(chosen)[:step]
                ahead = {jumps(name)[step] for name in routes if jumps(name)[:step] == done}
                assert ahead == set(by_name(theirs)), f"{ours}\n{theirs}"
                theirs.apply_action(by_name(theirs)[jump])
            ours.apply(routes[chosen])
        if ours.is_terminal() or theirs.returns() != [0.0, 0.0]:
            assert ours.returns() == theirs.returns()
            wins += 1
    assert wins > 50
    assert chains > 100


def test_playouts_are_like_the_published_engine() -> None:
    """Pepels et al.'s own engine, 20000 uniform playouts."""
    theirs = Figures(20000, 0.423, 0.142, (67.00, 28.09), (0.437, 0.180), (0.445, 0.180))
    assert_alike(measure("checkers", policy=False, playouts=20000), theirs)
    assert_alike(measure("checkers", policy=True, playouts=5000), theirs)


def test_every_route_is_equally_likely_in_a_playout() -> None:
    """A playout of one step takes each of three captures as often."""
    board = "......../......../......../..2.2.../.1.1..../......../......../........"
    start = GAME.parse_state(board, 0)
    counts = dict.fromkeys(start.legal_actions(), 0)
    assert len(counts) == 3
    for seed in range(3000):
        state = start.clone()
        state.playout(seed, max_length=1)
        counts[state.history()[0]] += 1
    assert all(900 < n < 1100 for n in counts.values()), counts


def test_action_ids_are_in_range_and_name_the_route() -> None:
    state = GAME.parse_state(RING, 0)
    assert all(128 <= action < GAME.num_action_ids for action in state.legal_actions())
    assert len(set(state.legal_actions())) == 2


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ("", "rows"),
        ("......../" * 7 + "........", "no pieces"),
        ("3......./.......3/" + "......../" * 4 + ".3....../.3......", "dark and on light"),
        (".1....../" + "......../" * 6 + "........", "must be a king"),
        ("......../" * 7 + "2.......", "must be a king"),
        ("......../" * 7 + "5.......", "unknown character"),
        (".3.3.3.3/3.3.3.3./.3.3.3.3/3......./" + "......../" * 3 + "4.......", "more than 12"),
    ],
)
def test_broken_boards_are_refused(board: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GAME.parse_state(board, 0)
