"""What the record of a simulation says: true to the state it ended in, whatever the search."""

import numpy as np
import pytest

import treewise
from bonus_reference import SEARCHES, Recorder
from treewise import Search, bonus, limit, parse_search, playout

SIX = ["amazons", "breakthrough", "cannon", "checkers", "chinese_checkers", "pentalath"]


def replayed(state: treewise.State, record: bonus.Record) -> treewise.State:
    """The state in which a recorded simulation ended, and its length in steps of a match."""
    state, steps, length = state.clone(), list(record.trace), 0
    while steps and not state.is_terminal():
        if state.current_player() == treewise.SIMULTANEOUS:
            state.apply([steps.pop(0)[1] for _ in range(state.game.num_players)])
        else:
            state.apply(steps.pop(0)[1])
        length += 1
    assert length == record.length
    return state


@pytest.mark.parametrize("name", SIX)
@pytest.mark.parametrize("text", SEARCHES.values(), ids=SEARCHES)
def test_records_are_those_of_the_terminal_states(name: str, text: str) -> None:
    state = treewise.load_game(name).initial_state()
    state.playout(9, max_length=20, policy=True)
    assert not state.is_terminal()
    recorder = Recorder()
    parse_search(text).replace(bonus=[recorder], limit=limit.Simulations(150)).run(state, seed=2)
    for record in recorder.records:
        end = replayed(state, record)
        assert record.finished == end.is_terminal()
        returns = end.returns() if record.finished else [0.0, 0.0]
        assert record.winner == (None if returns[0] == returns[1] else int(returns[1] > returns[0]))
        assert record.quality == (None if record.winner is None else end.quality())
    finished = sum(record.finished for record in recorder.records)
    assert finished < 150 if "max_length" in text or "evaluator" in text else finished > 100


@pytest.mark.parametrize("name", SIX)
@pytest.mark.parametrize("policy", [False, True])
def test_qualities_without_a_trace(name: str, policy: bool) -> None:
    """Nobody wants the steps, so playouts take the quick way; one simulation's reward is the quality of its end."""
    state = treewise.load_game("amazons(size=6)" if name == "amazons" else name).initial_state()
    part = playout.GamePolicy() if policy else playout.Uniform()
    search = Search(playout=part, bonus=[bonus.QualityOnly()], limit=limit.Simulations(1))
    ours = [abs(search.run(state, seed=seed).value) for seed in range(250)]
    theirs = []
    for seed in range(250):
        end = state.clone()
        end.playout(seed, policy=policy)
        theirs.append(end.quality() if end.returns()[0] else 0.0)
    assert set(np.round(ours, 9)) & set(np.round(theirs, 9)), "the same few numbers"
    error = np.sqrt((np.var(ours) + np.var(theirs)) / 250)
    assert abs(np.mean(ours) - np.mean(theirs)) < 5 * error
    assert error > 0


def test_simultaneous_steps_count_once() -> None:
    state = treewise.load_game("goofspiel(cards=5)").initial_state()
    while state.current_player() == treewise.CHANCE:
        state.apply(state.legal_actions()[0])
    recorder = Recorder()
    Search(bonus=[bonus.RelativeBonus(), recorder], limit=limit.Simulations(300)).run(state, seed=1)
    for record in recorder.records:
        assert replayed(state, record).is_terminal()


def test_lengths_in_hex_are_true() -> None:
    """Its untraced playouts fill the board: no variance, no bonus. With the bonus they are played step by step."""
    state = treewise.load_game("hex(size=5)").initial_state()
    search = Search(bonus=[bonus.RelativeBonus()], limit=limit.Simulations(400))
    traced = search.replace(bonus=[bonus.RelativeBonus(), Recorder()])
    assert search.run(state, seed=1).values == traced.run(state, seed=1).values
    assert search.run(state, seed=1).values != search.replace(bonus=[Recorder()]).run(state, seed=1).values
