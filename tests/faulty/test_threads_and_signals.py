"""Several threads at once, Ctrl-C, signal handlers, forks and processes."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from python_game import Nim

import treewise
from faults import Boom, kinds, tree_laws
from treewise import Search, evaluator, limit, parallel, playout, proof

# ---- threads


def test_one_search_in_two_threads_at_once() -> None:
    state = treewise.load_game("breakthrough").initial_state()
    search = treewise.uct(simulations=3000)
    expected = [search.run(state, seed=seed).visits for seed in range(4)]
    found: dict[int, Any] = {}
    threads = [
        threading.Thread(target=lambda seed=seed: found.update({seed: search.run(state, seed=seed).visits}))
        for seed in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[seed] for seed in range(4)] == expected


class Gate:
    """An evaluator that waits until it is let on."""

    def __init__(self) -> None:
        self.started, self.go_on = threading.Event(), threading.Event()

    def evaluate(self, states: list[Any]) -> list[list[float]]:
        self.started.set()
        assert self.go_on.wait(30)
        return [[0.0, 0.0] for _ in states]


def test_one_session_in_two_threads_is_refused() -> None:
    state = treewise.load_game("tic_tac_toe").initial_state()
    gate = Gate()
    session = Search(evaluator=gate, limit=limit.Simulations(10)).session()
    results: list[treewise.Result] = []
    thread = threading.Thread(target=lambda: results.append(session.run(state)))
    thread.start()
    try:
        assert gate.started.wait(30)
        with pytest.raises(RuntimeError, match="searching already"):
            session.run(state)
        with pytest.raises(RuntimeError, match="searching already"):
            session.advance(0)
        with pytest.raises(RuntimeError, match="searching already"):
            session._core.clear()  # type: ignore[union-attr]
    finally:
        gate.go_on.set()
        thread.join()
    assert results[0].stats.simulations == 10
    assert session.run(state).stats.reused


def test_a_session_inside_itself_is_refused() -> None:
    class Recursive:
        def evaluate(self, states: list[Any]) -> Any:
            return session.run(state)

    state = treewise.load_game("tic_tac_toe").initial_state()
    session = Search(evaluator=Recursive(), limit=limit.Simulations(10)).session()
    with pytest.raises(RuntimeError, match="searching already"):
        session.run(state)


def test_a_search_inside_another_is_fine() -> None:
    class Nested:
        def evaluate(self, states: list[Any]) -> Any:
            return [[treewise.uct(simulations=10).run(state).value, 0.0] for state in states]

    state = treewise.load_game("breakthrough").initial_state()
    assert Search(evaluator=Nested(), limit=limit.Simulations(30)).run(state).stats.simulations == 30


@kinds
def test_native_searches_do_not_hold_the_interpreter(kind: parallel.Part) -> None:
    """This thread counts while another searches; were the lock held, it could count to one or two."""
    state = treewise.load_game("breakthrough").initial_state()
    search = Search(limit=limit.Seconds(0.4), parallel=kind)
    thread = threading.Thread(target=search.run, args=(state,))
    ticks = 0
    thread.start()
    while thread.is_alive():
        time.sleep(0.005)
        ticks += 1
    assert ticks > 8


# ---- signals


class Slow(Nim):
    """Nim with heaps that take long to clear."""

    def __init__(self, heaps: Any = (30, 40, 50)) -> None:
        super().__init__(heaps)

    def clone(self) -> Any:
        copied = Slow(list(self.heaps))
        copied.player = self.player
        return copied


@contextmanager
def interrupt_after(seconds: float, number: int = signal.SIGINT) -> Iterator[list[float]]:
    sent: list[float] = []

    def send() -> None:
        sent.append(time.perf_counter())
        os.kill(os.getpid(), number)

    timer = threading.Timer(seconds, send)
    timer.start()
    try:
        yield sent
    finally:
        timer.cancel()
        timer.join()


SUBJECTS: dict[str, Callable[[], Any]] = {
    "native": lambda: treewise.load_game("breakthrough").initial_state(),
    "long_playouts": lambda: treewise.load_game("cannon").initial_state(),
    "python": Slow,
}


@kinds
@pytest.mark.parametrize("subject", SUBJECTS)
def test_ctrl_c_gives_the_partial_result(
    kind: parallel.Part, subject: str, record_property: Callable[[str, object], None]
) -> None:
    state = SUBJECTS[subject]()
    session = Search(limit=limit.Seconds(60), parallel=kind).session(seed=1)
    with interrupt_after(0.15) as sent, pytest.raises(treewise.SearchInterrupted) as caught:
        session.run(state)
    delay = time.perf_counter() - sent[0]
    record_property("delay", delay)
    print(f"stopped after {1000 * delay:.1f} ms")
    assert delay < 1
    assert isinstance(caught.value, KeyboardInterrupt)
    result = caught.value.result
    assert result.stats.stopped == "interrupted"
    assert result.stats.simulations > 0
    assert sum(result.visits.values()) == result.stats.simulations
    tree_laws(session, treewise.as_state(state))


class Uneven:
    """Three steps of six actions, which take long in all threads but the main one."""

    def __init__(self, left: int = 3) -> None:
        self.left = left

    def current_player(self) -> int:
        return 0

    def legal_actions(self) -> range:
        return range(6)

    def apply(self, action: int) -> None:
        self.left -= 1
        if threading.current_thread() is not threading.main_thread():
            time.sleep(0.02)

    def is_terminal(self) -> bool:
        return self.left == 0

    def returns(self) -> list[float]:
        return [0.0]

    def clone(self) -> Any:
        return Uneven(self.left)


def test_ctrl_c_while_only_other_threads_have_work() -> None:
    """The calling thread proves its tree in an instant; the other's takes half a minute."""
    search = Search(proof=proof.Solver(), parallel=parallel.Root(threads=2), limit=limit.Simulations(10**6))
    with interrupt_after(0.4) as sent, pytest.raises(treewise.SearchInterrupted) as caught:
        search.run(Uneven())
    assert time.perf_counter() - sent[0] < 2
    assert caught.value.result.proof == [0.0]


def test_a_proof_of_one_thread_ends_the_others_where_the_limit_is_a_time() -> None:
    """Their trees depend on timing anyway. With a number of simulations each ends by itself, whatever the others do."""
    search = Search(proof=proof.Solver(), limit=limit.Seconds(60))
    alone = search.run(Uneven(), seed=1).stats.simulations
    both = search.replace(parallel=parallel.Root(threads=2)).run(Uneven(), seed=1)
    assert both.proof == [0.0]
    assert both.stats.stopped == "proven"
    assert alone <= both.stats.simulations < 1.5 * alone


@pytest.mark.parametrize(
    "parts",
    [
        {"evaluator": evaluator.Playouts(count=10**6)},
        {"playout": playout.CutOff(depth=1, evaluator=evaluator.Playouts(count=10**6))},
        {"playout": playout.CutOff(depth=1, evaluator=evaluator.Playouts(count=10**6)), "parallel": parallel.Leaf(2)},
        {"evaluator": evaluator.Playouts(count=10**6), "parallel": parallel.Root(2)},
    ],
    ids=["evaluator", "cut_off", "leaf", "root"],
)
def test_ctrl_c_inside_a_long_evaluation(parts: dict[str, Any]) -> None:
    """One of them takes minutes: it is dropped, and what was before it is the result."""
    state = treewise.load_game("go(size=19)").initial_state()
    session = Search(limit=limit.Simulations(10), **parts).session(seed=1)
    with interrupt_after(0.1) as sent, pytest.raises(treewise.SearchInterrupted) as caught:
        session.run(state)
    print(f"stopped after {1000 * (time.perf_counter() - sent[0]):.1f} ms")
    result = caught.value.result
    assert (result.stats.simulations, result.stats.stopped) == (0, "interrupted")
    assert sum(result.visits.values()) == 0
    assert result.action in state.legal_actions()
    tree_laws(session, state)


@kinds
@pytest.mark.parametrize("subject", ["native", "python"])
def test_exceptions_of_signal_handlers_come_through(kind: parallel.Part, subject: str) -> None:
    def handler(number: int, frame: Any) -> None:
        raise Boom("signal")

    state = SUBJECTS[subject]()
    session = Search(limit=limit.Seconds(60), parallel=kind).session(seed=1)
    before = signal.signal(signal.SIGUSR1, handler)
    try:
        with interrupt_after(0.1, signal.SIGUSR1), pytest.raises(Boom, match="signal"):
            session.run(state)
    finally:
        signal.signal(signal.SIGUSR1, before)
    tree_laws(session, treewise.as_state(state))


def test_handled_signals_do_not_stop_a_search() -> None:
    seen: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, frame: seen.append(number))
    try:
        with interrupt_after(0.05, signal.SIGUSR1):
            result = Search(limit=limit.Seconds(0.4)).run(treewise.load_game("breakthrough").initial_state())
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert seen == [signal.SIGUSR1]
    assert result.stats.stopped == "limit"


# ---- processes

PROCESSES = """
import multiprocessing, os, sys
import treewise
from treewise import Search, limit, parallel

KINDS = [parallel.One(), parallel.Root(threads=2), parallel.Tree(threads=2), parallel.Leaf(threads=2)]

def task(given):
    search, state = given
    return dict(search.run(state, seed=3).visits), str(state)

def main():
    state = treewise.load_game("breakthrough").initial_state()
    state.apply(state.legal_actions()[3])
    sessions = [Search(limit=limit.Simulations(300), parallel=kind).session(seed=1) for kind in KINDS]
    for session in sessions:
        session.run(state)
    child = os.fork()
    if child == 0:
        for session in sessions:
            if session.run(state).stats.simulations < 300:
                os._exit(3)
        for kind in KINDS:
            Search(limit=limit.Simulations(300), parallel=kind).run(state)
        sessions.clear()
        sys.exit(0)  # not os._exit: everything is torn down
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, "the forked child failed"
    for session in sessions:
        session.run(state)
    search = treewise.enhanced(simulations=200)
    expected = task((search, state))
    for method in ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            assert pool.map(task, [(search, state)] * 3) == [expected] * 3, method
    print("all well")

if __name__ == "__main__":
    main()
"""


def test_forks_and_processes(tmp_path: Any) -> None:
    script = tmp_path / "processes.py"
    script.write_text(textwrap.dedent(PROCESSES))
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    assert done.stdout.strip() == "all well", done.stderr
