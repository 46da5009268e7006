"""What runs without the interpreter's lock works on copies: states may change meanwhile."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from python_game import Nim

import treewise
from treewise import _core
from treewise.game import perft


class Number:
    """A number that says when it is asked for: from then on the work begins."""

    def __init__(self, value: int) -> None:
        self.value, self.asked = value, threading.Event()

    def __index__(self) -> int:
        self.asked.set()
        return self.value


@pytest.mark.parametrize("name", ["breakthrough", "goofspiel", "same_game"])
def test_perft_of_a_state_that_another_thread_plays_on(name: str) -> None:
    depth = {"breakthrough": 4, "goofspiel": 3, "same_game": 3}[name]
    counts: list[int] = []

    def count(state: treewise.State, depth: Number) -> None:
        counts.append(perft(state, depth))

    for _ in range(10):
        state, asked = treewise.load_game(name).initial_state(), Number(depth)
        thread = threading.Thread(target=count, args=(state, asked))
        thread.start()
        assert asked.asked.wait(30)
        seen = [state.clone()]
        while thread.is_alive() and not state.is_terminal():
            state.playout(len(seen), max_length=1)
            seen.append(state.clone())
        thread.join()
        # The thread may have been stopped before it had its copy, but it counts from one state.
        assert any(perft(each, depth) == counts[-1] for each in seen)


class Meddling(Nim):
    """Plays on in the state that is being looked at."""

    def __init__(self, heaps: Any = (1, 2, 2)) -> None:
        super().__init__(heaps)
        self.meddle: Callable[[], object] = lambda: None

    def clone(self) -> Any:
        copied = Meddling(list(self.heaps))
        copied.player, copied.meddle = self.player, self.meddle
        return copied

    def apply(self, action: int) -> None:
        super().apply(action)
        self.meddle()


def meddled() -> treewise.State:
    """A state that the first action of one of its copies changes."""
    game, todo = Meddling(), [True]

    def meddle() -> None:
        if todo:
            todo.clear()
            state.apply(state.legal_actions()[-1])

    game.meddle = meddle
    state = treewise.as_state(game)
    return state


def test_perft_of_a_state_that_its_game_plays_on() -> None:
    assert perft(meddled(), 3) == perft(Nim([1, 2, 2]), 3)


def test_playouts_of_a_state_that_its_game_plays_on() -> None:
    assert _core.time_playouts(meddled(), 50, 1)[1] == _core.time_playouts(treewise.as_state(Nim([1, 2, 2])), 50, 1)[1]


def test_a_probe_is_used_by_one_caller_at_a_time() -> None:
    class Nosy:
        def choose(self, state: Any, actions: list[int], rng: Any) -> int:
            probe.decay()
            return actions[0]

    game = treewise.load_game("tic_tac_toe")
    probe = _core.PlayoutProbe(game, ("python", {"family": "playout", "object": Nosy()}))
    with pytest.raises(RuntimeError, match="at work already"):
        probe.play(game.initial_state())
