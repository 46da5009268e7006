"""Pentalath: perft, positions, a slow set of rules, quality, policy and their statistics."""

import random
from math import perm

import pytest

import treewise
from playout_statistics import Figures, assert_alike, measure

GAME = treewise.load_game("pentalath")

# (board, player, empty cells, captures, perft)
POSITIONS = [
    ("1...2/2.2212/122...1/2.111.1./1122121.2/21...2../....1.2/..12../.12.1", 0, 27, 2, [27, 676, 16928]),
    ("...../1.1.12/21.111./2.2....2/11...122./22.11..2/2....12/....1./2.122", 0, 31, 1, [30, 872, 24509]),
    ("2..22/21.112/1222.11/2.111122/.122...../.2.1..11/1112211/.1.2.2/.212.", 1, 20, 2, [20, 379, 6208]),
    (".2211/222.../.11.212/.12222.1/111221212/122.121./1111.1./122121/.2112", 0, 13, 3, [12, 107, 908]),
    ("212../22..2./21.2.22/1.1...1./.2..12112/2..1.111/1..2.1./2...11/1.122", 0, 26, 2, [26, 579, 13904]),
    (".21.1/.11.../..22121/2.2212.1/2221.12.2/.1.11.21/222.111/2.22.1/22.11", 0, 19, 2, [18, 305, 4662]),
    ("1.121/21212./2....22/1112..../1..2...2./1..22..1/....221/....../1112.", 0, 31, 1, [30, 901, 24508]),
    ("1.11./21.2../.1.1.2./2....2.1/.....122./2122.1.2/.22...2/.21.11/1.121", 0, 29, 2, [29, 811, 21924]),
    ("22.21/1.1121/2121121/.12122.2/212.211.1/11112211/21.2221/222111/2221.", 1, 8, 1, [6, 45, 142]),
    (".221./..2111/..2112./2....1../..112.221/.1.1221./2.1..../1.1.2./..212", 1, 29, 1, [28, 756, 19009]),
]


def cells_of(side: int) -> list[tuple[int, int]]:
    return [(q, r) for r in range(1 - side, side) for q in range(1 - side, side) if abs(q + r) < side]


CELLS = cells_of(5)
INDEX = {cell: i for i, cell in enumerate(CELLS)}
AXES = [(1, 0), (0, 1), (1, -1)]
STEPS = AXES + [(-q, -r) for q, r in AXES]
EMPTY = "/".join("." * n for n in (5, 6, 7, 8, 9, 8, 7, 6, 5))


def marks(state: treewise.State) -> str:
    return "".join("".join(line[1:].split()) for line in str(state).splitlines())


def neighbours(cell: int) -> list[int]:
    q, r = CELLS[cell]
    return [INDEX[q + dq, r + dr] for dq, dr in STEPS if (q + dq, r + dr) in INDEX]


def group(board: list[str], cell: int) -> tuple[set[int], bool]:
    """The stones connected with `cell`, and whether an empty cell touches them."""
    seen, todo, free = {cell}, [cell], False
    while todo:
        for other in neighbours(todo.pop()):
            free |= board[other] == "."
            if board[other] == board[cell] and other not in seen:
                seen.add(other)
                todo.append(other)
    return seen, free


def slow_place(board: str, player: int, cell: int) -> str | None:
    """The board after a stone on `cell`, or None if that is illegal."""
    if board[cell] != ".":
        return None
    after = list(board)
    after[cell] = "12"[player]
    for other in neighbours(cell):
        if after[other] == "21"[player]:
            stones, free = group(after, other)
            if not free:
                for stone in stones:
                    after[stone] = "."
    return "".join(after) if group(after, cell)[1] else None


def run(marks: dict[tuple[int, int], str], cell: tuple[int, int], axis: tuple[int, int], wanted: str) -> int:
    """How many cells after `cell` in direction `axis` hold one of `wanted`."""
    (q, r), length = cell, 0
    while marks.get((q := q + axis[0], r := r + axis[1]), "outside") in wanted:
        length += 1
    return length


def slow_quality(board: str, winner: int, side: int) -> float:
    loser, longest = "21"[winner], 0
    places = dict(zip(cells_of(side), board, strict=True))
    for cell, mark in places.items():
        for q, r in AXES if mark == loser else []:
            row = 1 + run(places, cell, (q, r), loser) + run(places, cell, (-q, -r), loser)
            room = 1 + run(places, cell, (q, r), loser + ".") + run(places, cell, (-q, -r), loser + ".")
            longest = max(longest, row if room >= 5 else 0)
    return (5 - longest) / 5


def test_perft() -> None:
    state = GAME.initial_state()
    assert [treewise.perft(state, depth + 1) for depth in range(4)] == [61, 3660, 215940, 12524520]


def test_perft_with_swap() -> None:
    state = treewise.load_game("pentalath(swap=True)").initial_state()
    assert [treewise.perft(state, depth + 1) for depth in range(4)] == [61, 3721, 219600, 12740460]


@pytest.mark.parametrize(("side", "cells"), [(3, 19), (4, 37)])
def test_smaller_boards(side: int, cells: int) -> None:
    """Three stones leave every cell legal."""
    state = treewise.load_game(f"pentalath(side={side})").initial_state()
    assert [treewise.perft(state, depth) for depth in (1, 2, 3)] == [perm(cells, n) for n in (1, 2, 3)]
    state.playout(3)
    assert state.is_terminal()


@pytest.mark.parametrize(("board", "player", "empty", "capturing", "counts"), POSITIONS)
def test_positions(board: str, player: int, empty: int, capturing: int, counts: list[int]) -> None:
    state = GAME.parse_state(board, player)
    assert marks(state) == board.replace("/", "")
    assert marks(state).count(".") == empty
    assert [treewise.perft(state, depth + 1) for depth in range(3)] == counts
    captures = 0
    for action in state.legal_actions():
        after = state.clone()
        after.apply(action)
        captures += marks(after).count(".") >= empty
    assert captures == capturing


def test_against_slow_rules() -> None:
    """Random matches that avoid fives, so that boards fill and stones are captured."""
    rng = random.Random(2)
    captured = suicides = 0
    for _ in range(30):
        state = GAME.initial_state()
        while not state.is_terminal():
            board, player = marks(state), state.current_player()
            after = {cell: slow_place(board, player, cell) for cell in range(61)}
            legal = [cell for cell, new in after.items() if new]
            assert state.legal_actions() == legal
            suicides += len(legal) < board.count(".")
            quiet = [a for a in legal if a not in state.winning_actions()]
            action = rng.choice(quiet or legal)
            state.apply(action)
            assert marks(state) == after[action]
            captured += marks(state).count(".") >= board.count(".")
    assert captured > 20
    assert suicides > 20


# With side 3 all rows of five go through the centre, which the winner has.
@pytest.mark.parametrize(("side", "kinds"), [(3, 1), (4, 5)])
def test_quality_on_smaller_boards(side: int, kinds: int) -> None:
    game = treewise.load_game(f"pentalath(side={side})")
    seen = set()
    for seed in range(200):
        state = game.initial_state()
        state.playout(seed)
        if state.returns() == [0.0, 0.0]:
            continue
        quality = slow_quality(marks(state), int(state.returns()[1] > 0), side)
        assert state.quality() == pytest.approx(quality)
        seen.add(quality)
    assert len(seen) == kinds


def test_winning_actions_and_quality() -> None:
    wins = 0
    for seed in range(200):
        state = GAME.initial_state()
        state.playout(seed)
        board = marks(state)
        if state.returns() == [0.0, 0.0]:
            continue
        winner = int(state.returns()[1] > 0)
        assert state.quality() == pytest.approx(slow_quality(board, winner, side=5))
        history = state.history()
        before = GAME.initial_state()
        for action in history[:-1]:
            assert action not in before.winning_actions()
            before.apply(action)
        for action in before.winning_actions():
            after = before.clone()
            after.apply(action)
            assert after.is_terminal()
        assert history[-1] in before.winning_actions()
        wins += 1
    assert wins > 150


def test_swap() -> None:
    state = treewise.load_game("pentalath(swap=True)").initial_state()
    state.apply(30)
    assert state.action_name(30) == "swap e5"
    state.apply(30)
    assert state.current_player() == 0
    assert marks(state).count("2") == 1
    assert 30 not in state.legal_actions()


def test_capture_before_suicide() -> None:
    """a1 has no empty neighbour, but takes the enemy's group of three; without that it is suicide."""
    captures = GAME.parse_state(".21../221.../111..../......../........./......../......./....../.....", 0)
    names = {captures.action_name(action): action for action in captures.legal_actions()}
    captures.apply(names["a1"])
    assert marks(captures).startswith("1.1....1...")
    suicide = GAME.parse_state(".2.../22..../......./......../........./......../......./....../.....", 0)
    assert "a1" not in map(suicide.action_name, suicide.legal_actions())


def test_policy_doubles_interior_cells() -> None:
    candidates = GAME.initial_state().playout_candidates()
    for cell in range(61):
        assert candidates.count(cell) == (2 if len(neighbours(cell)) == 6 else 1)


def test_no_legal_action_is_a_draw() -> None:
    """Small boards often fill up to cells that are suicide for the player to move."""
    game = treewise.load_game("pentalath(side=3)")
    draws = 0
    for seed in range(3000):
        state = game.initial_state()
        length = state.playout(seed)
        assert state.is_terminal()
        draws += state.returns() == [0.0, 0.0] and length < 1000
    assert draws > 0


def test_horizon() -> None:
    state = treewise.load_game("pentalath(horizon=10)").initial_state()
    assert state.playout(1) <= 10
    assert state.is_terminal()


@pytest.mark.parametrize(
    ("policy", "theirs"),
    [
        (False, Figures(40000, 0.519, 0.002, (45.63, 9.65), (0.410, 0.204), (0.396, 0.200))),
        (True, Figures(40000, 0.521, 0.002, (42.90, 9.90), (0.419, 0.212), (0.404, 0.205))),
    ],
)
def test_playouts_are_like_the_clean_rules(policy: bool, theirs: Figures) -> None:
    """40000 playouts of an independent implementation of rules and policy."""
    assert_alike(measure("pentalath(swap=True)", policy, playouts=20000), theirs)


@pytest.mark.parametrize(
    ("board", "player", "message"),
    [
        ("", 0, "rows"),
        (EMPTY.replace(".", "3", 1), 0, "unknown character"),
        (EMPTY.replace(".....", "11111", 1), 0, "five in a row and is to move"),
        (EMPTY.replace("...../......", "12.../22....", 1), 0, "has no empty neighbour"),
        (EMPTY, 2, "player"),
    ],
)
def test_broken_boards_are_refused(board: str, player: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GAME.parse_state(board, player)
