"""What holds in every built-in game beyond the contract: names, lengths, winning actions, playout candidates."""

import random

import pytest

import treewise
from random_play import choices, step
from treewise import CHANCE, SIMULTANEOUS
from variants import VARIANTS

GAMES = [*treewise.game_names(), *VARIANTS]


def wins(state: treewise.State, action: int) -> bool:
    after = state.clone()
    after.apply(action)
    return after.is_terminal() and after.returns()[state.current_player()] == state.game.max_utility


def check_winning_actions(state: treewise.State, rng: random.Random) -> None:
    actions, winning = state.legal_actions(), set(state.winning_actions())
    assert winning <= set(actions)
    tried = winning | set(rng.sample(actions, min(40, len(actions))))
    assert {action for action in tried if wins(state, action)} == winning


@pytest.mark.parametrize("text", GAMES)
def test_laws_along_random_matches(text: str) -> None:
    game, rng = treewise.load_game(text), random.Random(1)
    for _ in range(2):
        state, steps = game.initial_state(), 0
        while not state.is_terminal():
            for actions in choices(state):
                assert len({state.action_name(action) for action in actions}) == len(actions), "a name means one action"
            may_choose = state.current_player() not in (CHANCE, SIMULTANEOUS)
            if may_choose and "winning" in game.capabilities and rng.random() < 0.1:
                check_winning_actions(state, rng)
            if may_choose and "policy" in game.capabilities:
                assert set(state.playout_candidates(steps)) <= set(state.legal_actions())
            step(state, rng)
            steps += 1
        assert steps <= game.max_length
        assert game.num_players == 1 or sum(state.returns()) == pytest.approx(0)


@pytest.mark.parametrize("text", GAMES)
def test_playouts_end_within_the_longest_match(text: str) -> None:
    game = treewise.load_game(text)
    for policy in (False, True) if "policy" in game.capabilities else (False,):
        state = game.initial_state()
        assert state.playout(1, policy=policy, max_length=game.max_length + 1) <= game.max_length
        assert state.is_terminal()


SHUFFLED = [
    "cannon(horizon=100)",
    "cannon(mate_rule=True, horizon=100)",
    "checkers(no_progress=3)",
    "chinese_checkers(horizon=100)",
    "go(size=3)",
    "go(size=3, superko='simple', suicide=True)",
    "hex(size=3, swap=True)",
    "lines_of_action(repetition=False, max_length=100)",
    "othello(size=4)",
    "pentalath(side=3, horizon=100)",
    "phantom_tic_tac_toe",
]


@pytest.mark.parametrize("text", SHUFFLED)
def test_players_who_put_off_the_end_cannot_do_so_for_ever(text: str) -> None:
    """They prefer boards that have been before, and never end the match if they can help it."""
    game, rng = treewise.load_game(text), random.Random(2)
    state, seen, steps = game.initial_state(), set[str](), 0
    while not state.is_terminal():
        after = []
        for action in rng.sample(state.legal_actions(), len(state.legal_actions()))[:10]:
            after.append(state.clone())
            after[-1].apply(action)
        state = max(after, key=lambda s: (not s.is_terminal(), str(s) in seen))
        seen.add(str(state))
        steps += 1
    assert steps <= game.max_length
