"""A run that another thread ends."""

from __future__ import annotations

import threading
import time

import treewise
from treewise.limit import Seconds
from treewise.search import Session, Stop

ENDLESS = treewise.uct().replace(limit=Seconds(1e9))


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
