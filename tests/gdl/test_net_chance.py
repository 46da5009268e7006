"""The role `random` on the fast machine: the same game as the prover's."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Sequence

import pytest
from same_game import assert_agree

from treewise import uct
from treewise.game import CHANCE, SIMULTANEOUS, State
from treewise.gdl import machine_of, parse_for_play
from treewise.gdl.machine import Machine

# One coin a step; the player, and in the second game two of them at once, guess before it falls.
COIN = """(role random) (role guesser) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (side heads) (side tails)
(<= (legal random (throw ?s)) (side ?s) (not (true (step 2)))) (<= (legal random wait) (true (step 2)))
(<= (legal guesser (guess ?s)) (side ?s) (not (true (step 1)))) (<= (legal guesser wait) (true (step 1)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= (next won) (true won))
(<= (next won) (does random (throw ?s)) (does guesser (guess ?s)))
(<= terminal (true (step 3))) (<= (goal guesser 100) (true won)) (<= (goal guesser 0) (not (true won)))
(goal random 50)"""
TWO = (
    COIN.replace("(role random)", "(role a) (role random)")
    + """
(<= (legal a (guess ?s)) (side ?s)) (<= (goal a 100) (true won)) (<= (goal a 0) (not (true won)))"""
)


def machines(text: str) -> tuple[Machine, Machine]:
    sheet, _ = parse_for_play(text)
    return machine_of(sheet, "prover"), machine_of(sheet, "net")


@pytest.mark.parametrize("text", [COIN, TWO])
def test_same_as_the_prover(text: str) -> None:
    prover, net = machines(text)
    assert prover.roles == net.roles
    assert assert_agree(prover, net, matches=20) > 40


@pytest.mark.parametrize("text", [COIN, TWO])
def test_states_walk_as_the_provers(text: str) -> None:
    prover, net = machines(text)
    for seed in range(8):
        pair = [machine.game.initial_state() for machine in (prover, net)]
        for step in range(40):
            one, two = pair
            assert one.current_player() == two.current_player()
            if one.is_terminal():
                assert one.returns() == two.returns()
                break
            if one.current_player() == SIMULTANEOUS:
                for state in pair:
                    state.apply([named(state, state.legal_actions(player), seed >> player) for player in range(2)])
                continue
            if one.current_player() == CHANCE:
                assert [chance for _, chance in two.chance_outcomes()] == [0.5, 0.5]
            for state in pair:
                state.apply(named(state, state.legal_actions(), seed >> step % 3))


def named(state: State, actions: Sequence[int], which: int) -> int:
    """One of some actions, by its text."""
    return sorted(actions, key=state.action_name)[which % len(actions)]


def test_playouts_draw_evenly() -> None:
    _, net = machines(COIN)
    found: Counter[float] = Counter()
    for seed in range(2000):
        state = net.game.initial_state()
        assert state.playout(seed=seed) == 4, "a guess and a throw, a throw, and one step without a choice"
        found[state.returns()[0]] += 1
    assert 900 < found[0.0] < 1100, "half of all first throws are guessed"


def test_a_search_finds_the_value() -> None:
    _, net = machines(COIN)
    result = uct(simulations=4000).run(net.game.initial_state(), seed=1)
    assert result.value == pytest.approx(50, abs=5)


def test_chance_waits_in_a_copy() -> None:
    _, net = machines(COIN)
    state = net.game.initial_state()
    state.apply(state.legal_actions()[0])
    assert state.current_player() == CHANCE
    copy = state.clone()
    assert copy.current_player() == CHANCE
    assert copy.legal_actions() == state.legal_actions()
    with pytest.raises(ValueError, match="text of a rulesheet"):
        pickle.dumps(state)
