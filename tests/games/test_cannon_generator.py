"""Cannon beside a second generator in Python: random matches, besieged towns and the playout policy."""

import random
from collections import Counter

import pytest
from cannon_reference import cells, expected_actions, expected_candidates, exposes, hits_and_quiet

import treewise


@pytest.mark.parametrize("mate_rule", [False, True])
@pytest.mark.parametrize("clear_path", [False, True])
def test_against_a_second_generator(mate_rule: bool, clear_path: bool) -> None:
    game = treewise.load_game(f"cannon(mate_rule={mate_rule}, clear_path={clear_path})")
    for seed in range(2 if mate_rule else 6):
        state, rng = game.initial_state(), random.Random(seed)
        for _ in range(2):
            state.apply(rng.choice(state.legal_actions()))
        while not state.is_terminal():
            if rng.random() < (0.3 if mate_rule else 1.0):
                names = [state.action_name(action) for action in state.legal_actions()]
                assert sorted(names) == expected_actions(state, state.current_player(), mate_rule, clear_path)
            state.apply(rng.choice(state.legal_actions()))
        board, player, loser = cells(state), len(state.history()) % 2, state.returns().index(-1.0)
        taken = "t" not in board.values() or "T" not in board.values()
        assert loser == player
        assert taken != mate_rule
        if mate_rule:
            assert all(exposes(board, player, clear_path, a) for a in hits_and_quiet(board, player, clear_path))
        soldiers = [list(board.values()).count(cell) for cell in "12"]
        assert state.quality(clip=False) == (soldiers[1 - loser] - soldiers[loser]) / 15


def besieged(rng: random.Random) -> str:
    """A board with cannons on lines to both towns, most of their paths blocked by somebody."""
    board = {(r, c): "." for r in range(10) for c in range(10)}
    for player, own in enumerate("12"):
        row, column, step = (0, rng.randrange(10), 1) if player == 0 else (9, rng.randrange(10), -1)
        board[row, column] = "Tt"[player]
        dr, dc = rng.choice([(step, -1), (step, 0), (step, 1), (0, -1), (0, 1)])
        start = rng.choice([2, 3])
        for n in range(1, start + 3):
            at = (row + n * dr, column + n * dc)
            if board.get(at) == ".":
                board[at] = own if n >= start or rng.random() < 0.2 else rng.choice("12..")
    for cell in "12" * 5:
        at = (rng.randrange(10), rng.randrange(10))
        if board[at] == ".":
            board[at] = cell
    return "/".join("".join(board[r, c] for c in range(10)) for r in range(10))


@pytest.mark.parametrize("clear_path", [False, True])
def test_besieged_towns(clear_path: bool) -> None:
    """Pins, discovered threats and replies to a threat, which random matches seldom show."""
    game = treewise.load_game(f"cannon(mate_rule=True, corners=True, clear_path={clear_path})")
    rng = random.Random(2)
    for _ in range(300):
        player = rng.randrange(2)
        state = game.parse_state(besieged(rng), player)
        names = [state.action_name(action) for action in state.legal_actions()]
        assert sorted(names) == expected_actions(state, player, True, clear_path)
        assert state.is_terminal() == (not names)
        if state.is_terminal():
            assert state.returns()[player] == -1
            continue
        candidates = Counter(state.action_name(action) for action in state.playout_candidates())
        assert candidates == expected_candidates(state, clear_path)[1]


@pytest.mark.parametrize("mate_rule", [False, True])
def test_policy(mate_rule: bool) -> None:
    """Checks first, then captures (weight 1) and shots (weight 4), then everything."""
    game = treewise.load_game(f"cannon(mate_rule={mate_rule})")
    seen: Counter[str] = Counter()
    for seed in range(4):
        state = game.initial_state()
        rng = random.Random(seed)
        for _ in range(2):
            state.apply(rng.choice(state.legal_actions()))
        while not state.is_terminal():
            if rng.random() < 0.3:
                stage, weights = expected_candidates(state, False)
                candidates = Counter(state.action_name(action) for action in state.playout_candidates())
                assert candidates == weights
                seen[stage] += 1
            state.apply(rng.choice(state.legal_actions() if seed % 2 else state.playout_candidates()))
    assert set(seen) == ({"checks", "hits", "all"} if mate_rule else {"takes", "checks", "hits", "all"})
