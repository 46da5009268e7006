"""A run that another thread ends."""

from __future__ import annotations

import threading
import time

import pytest

import treewise
from bonus_reference import Recorder
from treewise import Search, evaluator, limit, parallel, playout
from treewise.search import Session, Stop

ENDLESS = treewise.uct().replace(limit=limit.Seconds(1e9))


def test_a_stop_ends_a_run_and_leaves_its_result() -> None:
    state = treewise.load_game("breakthrough").initial_state()
    stop = Stop()
    threading.Timer(0.2, stop.set).start()
    result = Session(ENDLESS, seed=1).run(state, stop)
    assert result.stats.simulations > 0
    assert result.stats.stopped == "interrupted"
    assert result.action in state.legal_actions()


def test_in_a_thread_that_is_not_the_main_one() -> None:
    state = treewise.load_game("tic_tac_toe").initial_state()
    stop, found = Stop(), []
    thread = threading.Thread(target=lambda: found.append(Session(ENDLESS).run(state, stop)))
    thread.start()
    time.sleep(0.05)
    assert not found
    stop.set()
    thread.join(10)
    assert found


@pytest.mark.parametrize("kind", [parallel.One(), parallel.Leaf(2), parallel.Tree(2)], ids=lambda kind: kind.name)
def test_simulations_that_take_minutes_are_given_up(kind: parallel.Part) -> None:
    search = Search(
        playout=playout.CutOff(depth=1, evaluator=evaluator.Playouts(count=10**6)),
        limit=limit.Simulations(10),
        parallel=kind,
    )
    stop = Stop()
    threading.Timer(0.1, stop.set).start()
    session = Session(search)
    result = session.run(treewise.load_game("go(size=19)").initial_state(), stop)
    assert (result.stats.simulations, result.stats.stopped) == (0, "interrupted")
    assert result.tree.root.visits == sum(result.visits.values()) == 0


class Steps:
    """One player takes so many steps, and gets 1."""

    num_players = 1

    def __init__(self, left: float) -> None:
        self.left = left

    def current_player(self) -> int:
        return 0

    def legal_actions(self) -> list[int]:
        return [0]

    def apply(self, action: int) -> None:
        self.left -= 1

    def is_terminal(self) -> bool:
        return self.left <= 0

    def returns(self) -> list[float]:
        return [1.0 if self.is_terminal() else 0.0]

    def clone(self) -> Steps:
        return Steps(self.left)


@pytest.mark.parametrize("policy", [playout.Uniform(), playout.MAST()], ids=lambda part: part.name)
def test_a_playout_without_end_is_given_up(policy: playout.Part) -> None:
    stop = Stop()
    threading.Timer(0.1, stop.set).start()
    search = Search(playout=policy, limit=limit.Simulations(1), max_length=10**9)
    result = Session(search).run(Steps(float("inf")), stop)
    assert (result.stats.simulations, result.stats.stopped) == (0, "interrupted")


@pytest.mark.parametrize("policy", [playout.Uniform(), playout.MAST()], ids=lambda part: part.name)
@pytest.mark.parametrize("steps", [4096, 4097, 4098, 8193, 10_000])
def test_long_playouts_are_played_to_their_end(policy: playout.Part, steps: int) -> None:
    for most, length in ((steps, steps), (steps - 2, steps - 1), (4096, min(steps, 4097))):
        recorder = Recorder()
        search = Search(playout=policy, bonus=[recorder], limit=limit.Simulations(1), max_length=most)
        result = search.run(Steps(steps))
        assert [record.length for record in recorder.records] == [length]
        assert result.value == (1.0 if length == steps else 0.0)


def test_the_tree_is_kept_for_the_next_run() -> None:
    state = treewise.load_game("tic_tac_toe").initial_state()
    session = Session(treewise.uct(simulations=100), seed=1)
    stop = Stop()
    assert not stop.is_set()
    first = session.run(state, stop)
    assert (first.stats.simulations, first.stats.stopped) == (100, "limit")
    stop.set()
    second = session.run(state, stop)
    assert second.stats.reused
    assert second.stats.simulations < 100
    assert sum(second.visits.values()) >= 100
