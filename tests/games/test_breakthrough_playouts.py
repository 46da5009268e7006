"""Breakthrough's playout policy and quality, worked out by hand and beside a reference in Python."""

import random
import re
from collections import Counter

import pytest
from breakthrough_reference import expected_candidates, expected_quality

import treewise

# Boards, who is to move, and what the policy weighs.
POLICIES = {
    "a capture on the edge that can be retaken": (
        "......../......../.2....../2......./.1....../......../......../........",
        0,
        {"b4a5": 2, "b4b5": 1, "b4c5": 1},
    ),
    "a capture on the edge that cannot": (
        "......../......../..2...../2......./.1....../......../......../........",
        0,
        {"b4a5": 5, "b4b5": 1, "b4c5": 1},
    ),
    "downwards, before an own piece": (
        "......../......../......../......2./.......1/......2./......../........",
        1,
        {"g5h4": 2, "g5g4": 1, "g5f4": 1, "g3g2": 1, "g3f2": 1, "g3h2": 1},
    ),
    "downwards, before nobody": (
        "......../......../......../......2./.......1/.....1../......../........",
        1,
        {"g5h4": 5, "g5g4": 1, "g5f4": 1},
    ),
    "captures from the home row, before safer ones": (
        "......../......../......../..2...../.1...2../......../.2.2..../1.1....1",
        0,
        {"a1b2": 1, "c1b2": 1, "c1d2": 1},
    ),
    "a step to the far row, before a capture that saves": (
        "2....2../1......./..2.2.../.1.1..../......../......../.2....../1.......",
        0,
        {"a7b8": 1},
    ),
}


@pytest.mark.parametrize(("board", "player", "weights"), POLICIES.values(), ids=POLICIES)
def test_policies_by_hand(board: str, player: int, weights: dict[str, int]) -> None:
    state = treewise.load_game("breakthrough").parse_state(board, player)
    assert expected_candidates(state)[1] == weights
    assert Counter(map(state.action_name, state.playout_candidates())) == weights


@pytest.mark.parametrize(
    ("parameters", "board", "player", "last", "quality"),
    [
        # 16 pieces at first: all of them are left, or two more or one fewer than the other player has.
        ("", "......../......../......../......../......../..2...../11111111/11111111", 0, "b2c3", 1),
        ("", "..2...../.1....../......../..2...../......../......../....2.../........", 1, "e2e1", 2 / 16),
        ("", "..2...../.1....../......../..2...../......../......../....2.../........", 0, "b7c8", -1 / 16),
        # Twelve, and four.
        ("(rows=6, columns=6)", "....../1...../....2./2.2.../1...../......", 0, "a5a6", -1 / 12),
        ("(rows=5, columns=2)", ".2/1./../21/..", 0, "a4b5", 1 / 4),
    ],
)
def test_qualities_by_hand(parameters: str, board: str, player: int, last: str, quality: float) -> None:
    """By how many pieces the winner has more, of those at first; clipped, none is below 0."""
    state = treewise.load_game(f"breakthrough{parameters}").parse_state(board, player)
    state.apply(next(action for action in state.legal_actions() if state.action_name(action) == last))
    assert state.returns()[player] == 1
    assert state.quality(clip=False) == pytest.approx(quality)
    assert state.quality() == pytest.approx(max(quality, 0))
    assert expected_quality(state) == pytest.approx(quality)


@pytest.mark.parametrize(("rows", "columns"), [(8, 8), (6, 6), (5, 2), (7, 5), (5, 12)])
def test_against_the_reference(rows: int, columns: int) -> None:
    game, rng = treewise.load_game(f"breakthrough(rows={rows}, columns={columns})"), random.Random(4)
    seen = set()
    edges = ("a", "abcdefghijkl"[columns - 1])
    for _ in range(100):
        state = game.initial_state()
        while not state.is_terminal():
            player, (stage, weights) = state.current_player(), expected_candidates(state)
            candidates = state.playout_candidates()
            listed = Counter(map(state.action_name, candidates))
            if stage == "wins":
                assert sum(listed.values()) == 1
                assert set(listed) <= set(weights)
            else:
                assert listed == weights
            seen |= {(player, stage, n, re.findall("[a-z]", step)[1] in edges) for step, n in weights.items()}
            state.apply(rng.choice(rng.choice([candidates, state.legal_actions()])))
        assert state.quality(clip=False) == pytest.approx(expected_quality(state))
    kinds = [("wins", 1), ("saves", 1), ("weights", 1), ("weights", 2), ("weights", 5)]
    everywhere = {(player, *each, edge) for player in (0, 1) for each in kinds for edge in (False, True)}
    assert seen == {each for each in everywhere if columns > 2 or each[3]}
