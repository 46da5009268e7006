"""MAST takes the best of a set of actions by their ids where a game has one; the same as from a list."""

import random

import pytest

import treewise
from random_play import step
from treewise import _core, playout

SAME_DRAWS = [
    "gomoku",
    "gomoku(size=19)",
    "gomoku(size=3, line=3)",
    "hex(size=2, swap=True)",
    "hex(size=8, swap=True)",
    "hex",
    "hex(size=13)",
    "hex(size=19, swap=True)",
    "othello",
    "othello(size=4)",
    "othello(size=6)",
    "pentalath",
    "pentalath(side=3, swap=True)",
    "tic_tac_toe",
]


def learned(game: treewise.Game, epsilon: float, ids: int, rng: random.Random) -> _core.PlayoutProbe:
    """A probe that has seen some results of some actions, many of them the same."""
    probe = _core.PlayoutProbe(game, playout.MAST(epsilon=epsilon).core())
    for _ in range(ids):
        result = rng.choice([0.0, 0.5, 1.0])
        probe.learn([(rng.randrange(2), rng.randrange(ids))], [result, 1 - result])
    return probe


def states(game: treewise.Game, rng: random.Random) -> list[treewise.State]:
    state, found = game.initial_state(), list[treewise.State]()
    while not state.is_terminal():
        found.append(state.clone())
        step(state, rng)
    return found


@pytest.mark.parametrize("text", SAME_DRAWS)
@pytest.mark.parametrize("epsilon", [0, 0.4])
def test_the_draw_is_the_one_from_a_list(text: str, epsilon: float) -> None:
    rng = random.Random(5)
    game = treewise.load_game(text)
    along = states(game, rng)
    probe = learned(game, epsilon, max(action for state in along for action in state.legal_actions()) + 1, rng)
    for seed, state in enumerate(along * 3):
        assert probe.draw(state, seed=seed) == probe.choose(state, seed=seed)[0]


@pytest.mark.parametrize("text", ["go", "go(size=5)", "go(size=3, suicide=True, superko='simple')", "go(size=19)"])
def test_where_a_set_holds_too_much_only_what_may_be_played_is(text: str) -> None:
    """Of all that playouts play, one of the best: unseen actions and those that only won."""
    rng = random.Random(6)
    game = treewise.load_game(text)
    along = states(game, rng)[:250]
    ids = max(action for state in along for action in state.legal_actions()) + 1
    worth = {(player, action): rng.choice([0.0, 0.5, 1.0]) for player in range(2) for action in range(ids)}
    probe = _core.PlayoutProbe(game, playout.MAST(epsilon=0).core())
    for (player, action), result in worth.items():
        probe.learn([(player, action)], [result, 1 - result] if player == 0 else [1 - result, result])
    for seed, state in enumerate(along):
        candidates = probe.choose(state)[1]
        best = max(worth[state.current_player(), action] for action in candidates)
        drawn = probe.draw(state, seed=seed)
        assert drawn in candidates
        assert worth[state.current_player(), drawn] == best
