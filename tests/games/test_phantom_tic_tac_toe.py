"""Phantom tic-tac-toe: OpenSpiel's rules, and resampling against all states that fit."""

import random
from collections import Counter, defaultdict
from functools import cache

import pytest

import treewise
from openspiel import play_along

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
GAME = treewise.load_game("phantom_tic_tac_toe")


def test_against_openspiel() -> None:
    play_along("phantom_tic_tac_toe", "phantom_ttt", lambda ours, theirs, action: action, matches=300)


def test_a_failed_try_reveals_the_stone_to_the_player_who_tried() -> None:
    state = GAME.initial_state()
    state.apply(4)
    state.apply(4)
    assert state.current_player() == 1
    assert 4 not in state.legal_actions()
    assert str(state).splitlines()[1] == " 2 . X ."
    assert state.observation(0).splitlines()[1] == " 2 . x ."
    assert state.observation(1).splitlines() == [
        " 3 . . .",
        " 2 . x .",
        " 1 . . .",
        "   a b c",
        "stones of the other player: 1",
        "your turn",
    ]
    state.apply(0)
    assert state.current_player() == 0
    assert 0 in state.legal_actions()
    assert "o" not in state.observation(0).split("\n", 3)[0]


# ---- resampling: the rules once more, in Python, to enumerate what a player may think possible

Board = str
"""Nine cells in reading order: '.', or a stone, as a capital if the other player has found it."""
Log = tuple[tuple[int, bool], ...]
"""The tries of the observer, each with whether a stone was placed."""


def moves(board: Board, player: int) -> list[tuple[int, bool, Board]]:
    """(cell, placed, board afterwards) of all tries."""
    own, hidden, found = ("x", "o", "O") if player == 0 else ("o", "x", "X")
    out = []
    for cell, content in enumerate(board):
        if content == ".":
            out.append((cell, True, board[:cell] + own + board[cell + 1 :]))
        elif content == hidden:
            out.append((cell, False, board[:cell] + found + board[cell + 1 :]))
    return out


def is_over(board: Board) -> bool:
    lines = {tuple(board[cell].lower() for cell in line) for line in LINES}
    return "." not in board or ("x",) * 3 in lines or ("o",) * 3 in lines


@cache
def possible(observer: int, stones: int) -> dict[tuple[Log, int], set[Board]]:
    """All running states with at most `stones` stones, by what the observer has done and whose turn it is."""
    start = ("." * 9, (), 0)
    seen = {start}
    queue = [start]
    for board, log, player in queue:
        for cell, placed, after in moves(board, player):
            if is_over(after) or (placed and 9 - after.count(".") > stones):
                continue
            longer = (*log, (cell, placed)) if player == observer else log
            state = (after, longer, player ^ placed)
            if state not in seen:
                seen.add(state)
                queue.append(state)
    sets = defaultdict(set)
    for board, log, player in seen:
        sets[log, player].add(board)
    return sets


def as_board(state: treewise.State) -> Board:
    return "".join(line[3::2] for line in str(state).splitlines()[:3])


def as_state(board: Board, player: int) -> treewise.State:
    return GAME.parse_state("/".join(board[i : i + 3] for i in (0, 3, 6)), player)


@pytest.mark.parametrize("observer", [0, 1])
def test_resampling_draws_what_fits_and_all_of_it(observer: int) -> None:
    sets = possible(observer, 4)
    rng = random.Random(observer)
    for log, player in rng.sample(sorted(sets), 100):
        fitting = sets[log, player]
        state = as_state(rng.choice(sorted(fitting)), player)
        draws = [as_board(state.resample(observer, seed)) for seed in range(9 * len(fitting))]
        assert set(draws) <= fitting, f"{log}: impossible states drawn"
        if len(fitting) <= 40:
            # A state is missed with a chance of exp(-9).
            assert len(fitting - set(draws)) <= 1, f"{log}: states that fit are never drawn"


def test_all_states_that_fit_are_equally_likely() -> None:
    """x has placed a3 and b2 and bumped into c1: two of o's stones, one known, lie with x to move."""
    log: Log = ((0, True), (4, True), (8, False))
    fitting = possible(0, 4)[log, 0]
    assert len(fitting) == 6 * 4, "the other stone on six cells, and four ways for o to know x's stones"
    state = as_state(sorted(fitting)[0], 0)
    draws = Counter(as_board(state.resample(0, seed)) for seed in range(24_000))
    assert set(draws) == fitting
    expected = 1000
    # The 99.99 % point of chi-squared with 23 degrees of freedom is 55.
    assert sum((n - expected) ** 2 / expected for n in draws.values()) < 55


def test_a_line_of_the_other_player_is_impossible() -> None:
    """x knows a1 and b1 of o, who has three stones and no line: the third is not on c1."""
    state = GAME.parse_state("xxo/.x./OO.", 0)
    draws = {as_board(state.resample(0, seed)).lower() for seed in range(100)}
    assert {board.index("o") for board in draws} == {2, 3, 5}
    assert all(board[8] == "." for board in draws)


def test_a_finished_match_is_open() -> None:
    state = GAME.parse_state("xxx/oo./...", 1)
    assert state.is_terminal()
    assert str(state.resample(1, 3)) == str(state)
    assert state.observation(1).endswith("you lost\n")
    assert state.observation(0).endswith("you won\n")


def test_the_longest_match() -> None:
    """Nine stones, and each of the first eight found: 17 steps."""
    state = GAME.initial_state()
    x, o = [0, 1, 5, 6, 8], [2, 3, 4, 7]
    for turn in range(9):
        own, other = (x, o) if turn % 2 == 0 else (o, x)
        if turn > 0:
            state.apply(other[(turn - 1) // 2])
        state.apply(own[turn // 2])
    assert state.is_terminal()
    assert len(state.history()) == 17 == GAME.max_length


@pytest.mark.parametrize(
    ("board", "player"),
    [
        ("", 0),
        ("....../...", 0),
        ("1../.../...", 1),
        ("x../.../...", 0),
        ("xo./.../...", 1),
        ("xxx/ooo/...", 0),
        ("xxx/oo./..o", 0),
        (".../.../...", 2),
    ],
)
def test_broken_boards_are_refused(board: str, player: int) -> None:
    with pytest.raises(ValueError, match=r"board|player"):
        GAME.parse_state(board, player)
