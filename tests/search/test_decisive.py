"""Decisive and anti-decisive moves: what games know of winning and safe actions, against looking ahead at all."""

import random

import pytest

import treewise
from random_play import step
from treewise import CHANCE, SIMULTANEOUS, _core, playout
from treewise.part import Part
from variants import VARIANTS

GAMES = [
    text
    for text in [*treewise.game_names(), *VARIANTS, "gomoku(size=5, line=4)", "gomoku(size=7, line=4, exact=True)"]
    if treewise.load_game(text).num_players > 1 and "goofspiel" not in text
]
MOST_PAIRS = 6_000  # of an action and a reply; else some of the actions
LAST_STEPS = 6  # of a match, where most threats are


def wins(state: treewise.State, action: int, player: int) -> bool:
    after = state.clone()
    after.apply(action)
    return bool(after.is_terminal() and after.returns()[player] == state.game.max_utility)


def lets_win(state: treewise.State, action: int) -> bool:
    """Whether the next player can win at once after this action."""
    after = state.clone()
    after.apply(action)
    player = after.current_player()
    if after.is_terminal() or player < 0 or player == state.current_player():
        return False
    return any(wins(after, reply, player) for reply in after.legal_actions())


def positions(game: treewise.Game, matches: int) -> list[treewise.State]:
    """States of random matches, mostly of their ends."""
    rng, found = random.Random(3), []
    for number in range(matches):
        state, along = game.initial_state(), list[treewise.State]()
        if "dice" in game.capabilities:
            state.reseed(number)
        while not state.is_terminal():
            if state.current_player() not in (CHANCE, SIMULTANEOUS):
                along.append(state.clone())
            step(state, rng)
        found += along[-LAST_STEPS:] + rng.sample(along, min(3, len(along)))
    return found


@pytest.mark.parametrize("text", GAMES)
def test_it_considers_what_looking_ahead_leaves(text: str) -> None:
    rng, game = random.Random(4), treewise.load_game(text)
    uniform, decisive = (_core.PlayoutProbe(game, part.core()) for part in (playout.Uniform(), playout.Decisive()))
    for state in positions(game, 4):
        legal, mover = state.legal_actions(), state.current_player()
        considered = decisive.choose(state)[1]
        winning = [action for action in legal if wins(state, action, mover)]
        if winning:
            assert sorted(considered) == sorted(winning)
            assert decisive.draw(state) in winning
            continue
        candidates = uniform.choose(state)[1]
        some = rng.sample(candidates, max(1, min(len(candidates), MOST_PAIRS // max(len(legal), 1))))
        unsafe = {action for action in some if lets_win(state, action)}
        if len(considered) < len(candidates):
            assert {action for action in some if action not in considered} == unsafe
            assert {decisive.draw(state, seed=seed) for seed in range(9)} <= set(considered)
        else:
            assert sorted(considered) == sorted(candidates)
            assert not unsafe or unsafe == set(some), "all that is left if nothing is safe"


SAME_DRAWS = [
    "breakthrough",
    "breakthrough(rows=5, columns=3)",
    "connect_four",
    "connect_four(rows=4, columns=5, line=3)",
    "gomoku(size=5, line=4)",
    "gomoku(size=7, line=4, exact=True)",
    "hex(size=2, swap=True)",
    "hex(size=5)",
    "hex(size=6, swap=True)",
    "knightthrough",
    "pentalath(side=3)",
    "pentalath(side=4, swap=True)",
    "tic_tac_toe",
]


@pytest.mark.parametrize("text", SAME_DRAWS)
def test_playouts_are_those_of_looking_ahead(text: str) -> None:
    """Where the game tells what is safe, every draw is the one that would be made from the list."""
    game = treewise.load_game(text)
    decisive = _core.PlayoutProbe(game, playout.Decisive().core())
    for seed in range(6):
        state, rng, steps = game.initial_state(), _core.Rng(seed), 0
        while not state.is_terminal():
            legal, mover = state.legal_actions(), state.current_player()
            listed = [action for action in legal if wins(state, action, mover)]
            listed = listed or [action for action in legal if not lets_win(state, action)] or legal
            state.apply(listed[rng.below(len(listed))])
            steps += 1
        assert decisive.play(game.initial_state(), seed, game.max_length)[:2] == (state.returns(), steps)


@pytest.mark.parametrize("inner", [playout.MAST(), playout.GamePolicy(), playout.NGram()], ids=lambda part: part.name)
def test_the_policy_inside_chooses_among_what_is_safe(inner: Part) -> None:
    """Breakthrough: a piece one step from the goal must be taken, by either of two."""
    game = treewise.load_game("breakthrough")
    state = game.parse_state("/".join(["2.......", *["........"] * 5, ".....2..", "....1.1."]), 0)
    decisive = _core.PlayoutProbe(game, playout.Decisive(inner=inner).core())
    takes = {action for action in state.legal_actions() if not lets_win(state, action)}
    assert len(takes) == 2
    assert {decisive.draw(state, seed=seed) for seed in range(40)} <= takes


def test_in_go_only_a_second_pass_wins_at_once() -> None:
    """White leads by komi: for Black a pass would lose at once; White may pass, and wins if Black has."""
    game = treewise.load_game("go(size=3)")
    state = game.initial_state()
    assert state.winning_actions() == []
    decisive = _core.PlayoutProbe(game, playout.Decisive(inner=playout.LastGoodReply()).core())
    assert 9 not in decisive.choose(state)[1]
    state.apply(9)
    assert state.winning_actions() == [9]
    assert {decisive.draw(state, seed=seed) for seed in range(9)} == {9}


def test_in_go_the_last_step_wins() -> None:
    state = treewise.load_game("go(size=2, komi=1.5, max_length=1)").initial_state()
    assert state.winning_actions() == [0, 1, 2, 3], "one stone has the area, a pass has none"


def test_policies_in_go_do_not_fill_own_eyes() -> None:
    """As uniform playouts do not: both points left are eyes of Black's only chain."""
    state = treewise.load_game("go(size=3)").parse_state(".11/111/11.", 0)
    for part in (playout.Decisive(), playout.MAST(), playout.MAST(epsilon=1), playout.LastGoodReply()):
        assert {_core.PlayoutProbe(state.game, part.core()).draw(state, seed=seed) for seed in range(9)} == {9}, part
