"""Python's garbage collector sees what the engine holds: circles through it are collected."""

import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from python_game import Nim

import treewise
from treewise import Search, _core, compiled, information, limit, playout


def breakthrough() -> treewise.State:
    return treewise.load_game("breakthrough").initial_state()


class Part:
    """Refers to the session that it is a part of."""

    session: Any = None


class Scores(Part):
    def score(self, children: Any) -> list[float]:
        return [0.0] * len(children)


class Chooses(Part):
    def choose(self, state: Any, actions: list[int], rng: Any) -> int:
        return actions[0]


class Evaluates(Part):
    def evaluate(self, states: list[Any]) -> list[list[float]]:
        return [[0.0, 0.0] for _ in states]


class Adds(Part):
    def result(self, record: Any) -> list[float]:
        values: list[float] = record.values
        return values


PARTS: dict[str, Callable[[Any], Search]] = {
    "selection": lambda part: Search(selection=part, limit=limit.Simulations(20)),
    "playout": lambda part: Search(playout=part, limit=limit.Simulations(20)),
    "inner": lambda part: Search(playout=playout.Decisive(inner=part), limit=limit.Simulations(20)),
    "evaluator": lambda part: Search(evaluator=part, limit=limit.Simulations(20)),
    "bonus": lambda part: Search(bonus=[part], limit=limit.Simulations(20)),
}
CLASSES = {"selection": Scores, "playout": Chooses, "inner": Chooses, "evaluator": Evaluates, "bonus": Adds}


def alive_after(make: Callable[[], object]) -> bool:
    gone = weakref.ref(make())
    gc.collect()
    return gone() is not None


@pytest.mark.parametrize("family", PARTS)
def test_a_part_that_refers_to_its_session(family: str) -> None:
    def make() -> object:
        part = CLASSES[family]()
        part.session = PARTS[family](part).session()
        part.session.run(breakthrough())
        return part

    assert not alive_after(make)


def test_a_part_of_a_session_that_is_used_is_kept() -> None:
    part = Evaluates()
    session = part.session = PARTS["evaluator"](part).session()
    gone = weakref.ref(part)
    del part
    session.run(breakthrough())
    gc.collect()
    assert gone() is not None
    assert session.run(breakthrough()).stats.simulations == 20


class Tied(Nim):
    """A game of which all states refer to one object."""

    tie: Any = None

    def clone(self) -> Any:
        copied = Tied(list(self.heaps))
        copied.player, copied.tie = self.player, self.tie
        return copied


class Tie:
    held: Any = None


@pytest.mark.parametrize("worlds", [False, True])
def test_a_game_that_refers_to_its_session(worlds: bool) -> None:
    def make() -> object:
        state = Tied()
        state.tie = Tie()
        search = Search(limit=limit.Simulations(30), information=information.Open() if worlds else None)
        state.tie.held = search.session()
        state.tie.held.run(state)
        return state.tie

    assert not alive_after(make)


@pytest.mark.parametrize("copies", range(3))
def test_a_game_that_refers_to_its_states(copies: int) -> None:
    def make() -> object:
        state = Tied()
        state.tie = Tie()
        states = [treewise.as_state(state)]
        states += [states[0].clone() for _ in range(copies)]
        state.tie.held = [*states, *(each.game for each in states)]
        return state.tie

    assert not alive_after(make)


def test_states_that_are_used_keep_their_game() -> None:
    state = Tied()
    state.tie = Tie()
    wrapped = treewise.as_state(state)
    state.tie.held = [wrapped, wrapped.clone(), wrapped.game]
    gone = weakref.ref(state.tie)
    kept = wrapped.clone()
    del state, wrapped
    gc.collect()
    assert gone() is not None
    assert kept.game.initial_state().legal_actions() == kept.legal_actions()


def one_step() -> Any:
    """A compiled game that nobody else refers to."""

    @compiled.game(num_players=1, max_actions=1)
    class OneStep:
        over: np.int8

        def current_player(s: Any) -> Any:
            return 0

        def legal_actions(s: Any, out: Any) -> Any:
            out[0] = 0
            return 1

        def apply(s: Any, action: Any) -> None:
            s.over = 1

        def is_terminal(s: Any) -> Any:
            return s.over == 1

        def returns(s: Any, out: Any) -> None:
            out[0] = 0

    return OneStep


def test_a_compiled_game_that_refers_to_its_session() -> None:
    def make() -> object:
        game, tie = one_step(), Tie()
        tie.held = session = Search(limit=limit.Simulations(30)).session()
        session.run(game.initial_state())
        game.tie = tie
        return tie

    assert not alive_after(make)


def test_probes() -> None:
    def make() -> object:
        part = Chooses()
        game = treewise.load_game("tic_tac_toe")
        record = ("python", {"family": "playout", "object": part})
        part.session = _core.PlayoutProbe(game, record)
        return part

    assert not alive_after(make)
