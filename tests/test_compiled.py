"""Compiled Python: the same games as in C++, equal to their twins, without the GIL."""

import random
import threading
from typing import Any

import numpy as np
import pytest

import treewise
from treewise import compiled
from treewise._core import compiled_record
from treewise.compiled import CompiledGame
from treewise.testing import assert_game

pytest.importorskip("numba")

from compiled_breakthrough import Breakthrough
from compiled_connect_four import ConnectFour

from compiled_faults import Broken
from compiled_rules import Climb, Everything, Marks, Pig

ALL = [Breakthrough, ConnectFour, Pig, Everything, Climb, Marks]


def test_perft() -> None:
    state = Breakthrough.initial_state()
    assert [treewise.perft(state, depth) for depth in range(1, 6)] == [22, 484, 11132, 256036, 6182818]
    state = ConnectFour.initial_state()
    assert [treewise.perft(state, depth) for depth in range(1, 8)] == [
        7,
        49,
        343,
        2401,
        16807,
        117649,
        823536,
    ]


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_keeps_the_contract_and_equals_its_twin_move_by_move(game: CompiledGame) -> None:
    assert_game(game, matches=6, seed=3)


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_the_twin_is_a_game_in_python(game: CompiledGame) -> None:
    twin = treewise.as_state(game.twin.initial_state())
    assert twin.game.capabilities == [name for name in game.capabilities if name != "parse"]
    assert treewise.perft(twin, 2) == treewise.perft(game.initial_state(), 2)


def test_breakthrough_equals_the_game_in_cpp() -> None:
    native = treewise.load_game("breakthrough").initial_state()
    for seed in range(20):
        ours, theirs = Breakthrough.initial_state(), native.clone()
        rng = random.Random(seed)
        while not theirs.is_terminal():
            assert ours.legal_actions() == theirs.legal_actions()
            assert ours.current_player() == theirs.current_player()
            action = rng.choice(ours.legal_actions())
            assert ours.action_name(action) == theirs.action_name(action)
            ours.apply(action)
            theirs.apply(action)
        assert ours.is_terminal()
        assert ours.returns() == theirs.returns()


@pytest.mark.parametrize(("game", "text"), [(Breakthrough, "breakthrough"), (Pig, "pig(goal=30)")])
def test_playouts_equal_those_in_cpp(game: CompiledGame, text: str) -> None:
    """The loop is compiled, too: the same random numbers must lead to the same match."""
    native = treewise.load_game(text).initial_state()
    for seed in range(200):
        ours, theirs = game.initial_state(), native.clone()
        assert ours.playout(seed) == theirs.playout(seed)
        assert (ours.history(), ours.returns()) == (theirs.history(), theirs.returns())


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_playouts_play_legal_actions(game: CompiledGame) -> None:
    for seed in range(20):
        state = game.initial_state()
        state.playout(seed)
        actions, replay = iter(state.history()), game.initial_state()
        while not replay.is_terminal():
            if replay.current_player() == treewise.SIMULTANEOUS:
                replay.apply([next(actions), next(actions)])
            else:
                replay.apply(next(actions))
        assert next(actions, None) is None
        assert compiled_record(replay) == compiled_record(state)


def test_long_playouts_keep_all_their_steps() -> None:
    """The engine takes the trace in pieces of 128 steps."""
    start = Broken.parse_state("endless")
    for length in (0, 1, 127, 128, 129, 1000):
        state = start.clone()
        assert state.playout(1, max_length=length) == length
        assert len(state.history()) == length
    assert start.clone().playout(1) == 2000
    whole, piece = start.clone(), start.clone()
    whole.playout(5, max_length=300)
    piece.playout(5, max_length=200)
    assert whole.history()[:200] == piece.history()


def test_capabilities() -> None:
    assert Breakthrough.capabilities == ["hash"]
    assert Pig.capabilities == ["hash", "chance"]
    everything = ["hash", "simultaneous", "rewards", "hidden", "quality", "policy", "winning", "parse"]
    assert Everything.capabilities == everything
    state = Everything.parse_state("2", 0)
    assert (state.current_player(), state.legal_actions(), state.hash()) == (1, [0, 2], 2)
    assert {state.playout_candidates(seed)[0] for seed in range(20)} == {0, 2}
    with pytest.raises(ValueError, match="number of steps"):
        Everything.parse_state("x")
    state = Everything.initial_state()
    state.apply([1, 0])
    assert state.winning_actions() == [0]
    assert {state.resample(1, seed).observation(0) for seed in range(20)} == {"0", "1"}
    assert Pig.name == "compiled_pig"
    assert Pig.__doc__ is not None
    assert "30 points" in Pig.__doc__
    assert str(Pig.initial_state()).startswith("steps = 0")


def test_score_and_features() -> None:
    assert Climb.capabilities == ["hash", "score", "features"]
    state = Climb.initial_state()
    assert (state.score(), state.features()) == (0.0, [1.0, 0.0, 0.0])
    state.apply(1)
    assert (state.score(), state.features()) == (1.0, [1.0, 0.0, 0.25])
    search = treewise.parse_search("mcts(playout=true_online_sarsa, max_length=4, limit=simulations(count=200))")
    assert search.run(state, seed=1).action == 1


def test_features_go_with_their_number() -> None:
    functions = Climb.twin.rules.functions
    fields = {"__annotations__": {"height": np.int8, "points": np.int8, "steps": np.int8}}
    with pytest.raises(ValueError, match=r"features\(s, out\) and num_features=… go together"):
        compiled.game(num_players=1, max_actions=2)(type("Changed", (), functions | fields))
    with pytest.raises(ValueError, match="num_features is -1"):
        compiled.game(num_players=1, max_actions=2, num_features=-1)

    def endless(s: Any, out: Any) -> None:
        out[1] = np.inf

    changed = type("Changed", (), functions | fields | {"features": endless})
    game = compiled.game(num_players=1, max_actions=2, num_features=3)(changed)
    with pytest.raises(RuntimeError, match="features gave a number that is not finite"):
        game.initial_state().features()


def test_hash_and_clone() -> None:
    """Different ways to the same position give the same hash: padding does not count."""
    a, b = ConnectFour.initial_state(), ConnectFour.initial_state()
    for action in (0, 1, 2, 3):
        a.apply(action)
    for action in (2, 3, 0, 1):
        b.apply(action)
    assert a.hash() == b.hash()
    copied = a.clone()
    copied.apply(6)
    assert copied.hash() != a.hash()
    assert a.hash() == b.hash()
    seen = set()
    for seed in range(300):
        state = ConnectFour.initial_state()
        state.playout(seed, max_length=10)
        seen.add((state.hash(), str(state)))
    assert len({key for key, _ in seen}) == len({board for _, board in seen}) == len(seen)


def test_threads_run_without_the_gil() -> None:
    expected = {seed: _play(seed) for seed in range(8)}
    found: dict[int, Any] = {}

    def work(seed: int) -> None:
        found[seed] = _play(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


def _play(seed: int) -> tuple[int, list[int]]:
    state = Breakthrough.initial_state()
    count = treewise.perft(state, 4)
    for i in range(200):
        state = Breakthrough.initial_state()
        state.playout(1000 * seed + i)
    return count, state.history()
