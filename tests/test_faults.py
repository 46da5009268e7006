"""What goes wrong is refused or comes out as it was raised, and whatever was used works afterwards."""

import copy
import os
import pickle
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import numpy as np
import pytest
from python_game import Nim

import treewise
from treewise import Search, information, limit, parallel, playout, proof, selection
from treewise.part import part_classes

KINDS = [parallel.One(), parallel.Root(threads=2), parallel.Tree(threads=2), parallel.Leaf(threads=2)]
GAMES = treewise.game_names()
kinds = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


class Boom(Exception):
    pass


def positions(name: str) -> Iterator[treewise.State]:
    """A few states of a match that are not over: chance and joint ones included, where the game has them."""
    game = treewise.load_game(name)
    for length in (0, 1, 2, 5, 9):
        state = game.initial_state()
        state.playout(length, max_length=length)
        if not state.is_terminal():
            yield state


# ---- actions


@pytest.mark.parametrize("name", GAMES)
def test_illegal_actions_are_refused_and_change_nothing(name: str) -> None:
    rng = random.Random(name)
    for state in positions(name):
        joint = state.current_player() == treewise.SIMULTANEOUS
        legal = set(state.legal_actions(0) if joint else state.legal_actions())
        wrong = [
            -1,
            -2,
            -(2**31),
            2**31 - 1,
            2**31,
            2**62,
            max(legal) + 2**32,
            *(rng.randrange(5000) for _ in range(20)),
        ]
        before = (str(state), state.history())
        for action in set(wrong) - legal:
            with pytest.raises(ValueError, match=r"illegal action|one action for each player"):
                state.apply([action] * state.game.num_players if joint else action)
            with pytest.raises(ValueError, match="illegal action"):
                state.action_name(action)
        for nonsense in ("1", None, 1.5, [0.5], {}, 2**70):
            with pytest.raises((TypeError, ValueError)):
                state.apply(nonsense)  # type: ignore[call-overload]
        for players in (0, 1, 7):
            with pytest.raises(ValueError, match=r"expected one for each|one player acts"):
                state.apply([0] * players)
        assert (str(state), state.history()) == before


@pytest.mark.parametrize("name", GAMES)
def test_finished_matches_refuse_everything(name: str) -> None:
    state = treewise.load_game(name).initial_state()
    state.playout(3)
    while not state.is_terminal():
        state.playout(4)
    assert state.legal_actions() == []
    with pytest.raises(ValueError, match="the match is over"):
        state.apply(0)
    search = treewise.uct(simulations=5)
    if "hidden" in state.game.capabilities:
        search = search.replace(information=information.Open())
    with pytest.raises(ValueError, match="the match is over"):
        search.run(state)


def test_roots_that_cannot_be_searched() -> None:
    chance = treewise.load_game("pig").initial_state()
    chance.apply(chance.legal_actions()[0])
    assert chance.current_player() == treewise.CHANCE
    with pytest.raises(ValueError, match="chance state: apply an outcome"):
        treewise.uct(simulations=5).run(chance)
    for wrong in (None, 3, "state", treewise.load_game("hex"), Nim):
        with pytest.raises(TypeError):
            treewise.uct(simulations=5).run(wrong)
    with pytest.raises(ValueError, match="memory_mb is too small"):
        Search(memory_mb=0.001).run(treewise.load_game("amazons").initial_state())


@kinds
@pytest.mark.parametrize("name", ["tic_tac_toe", "goofspiel"])
def test_no_simulations_still_give_an_action(kind: parallel.Part, name: str) -> None:
    state = treewise.load_game(name).initial_state()
    if state.current_player() == treewise.CHANCE:
        state.apply(state.legal_actions()[0])
    for rule in (limit.Simulations(0), limit.Seconds(0), limit.Memory(0)):
        result = Search(limit=rule, parallel=kind).run(state)
        assert result.stats.simulations == 0
        assert sum(result.visits.values()) == 0
        assert result.values == {}
        state.clone().apply(result.action)
        assert str(result)


# ---- evaluators and other parts that answer wrongly


class Answers:
    """An evaluator that always gives the same answer."""

    def __init__(self, answer: Any, batch_size: int = 1) -> None:
        self.answer, self.batch_size = answer, batch_size

    def evaluate(self, states: list[Any]) -> Any:
        return self.answer(states) if callable(self.answer) else self.answer


GOOD = [[0.0, 0.0]]


@pytest.mark.parametrize(
    ("answer", "error", "match"),
    [
        ([[float("nan"), 0.0]], ValueError, "Answers.evaluate .* returned NaN"),
        ([[0.0, float("inf")]], ValueError, "infinite"),
        (np.array([[np.nan, 0.0]]), ValueError, "NaN"),
        ([[0.0]], ValueError, "returned 1 numbers, expected 2"),
        ([[0.0, 0.0, 0.0]], ValueError, "returned 3 numbers, expected 2"),
        ([], ValueError, "values for 0 states, expected 1"),
        ([[0.0, 0.0]] * 2, ValueError, "values for 2 states, expected 1"),
        (None, TypeError, "Answers.evaluate must return a list, not NoneType"),
        (0.5, TypeError, "must return a list, not float"),
        ([None], TypeError, "must return a list of numbers"),
        ([0.5], TypeError, "must return a list of numbers"),
        ([["a", "b"]], ValueError, "could not convert"),
        ([[None, 0.0]], TypeError, "must return a list of numbers"),
        ((GOOD, [[0.5] * 8]), ValueError, "returned 8 numbers, expected 9"),
        ((GOOD, [[0.0] * 9]), ValueError, "all zero"),
        ((GOOD, [[-1.0] + [0.5] * 8]), ValueError, "negative"),
        ((GOOD, [[float("nan")] * 9]), ValueError, "NaN"),
        ((GOOD, [{0: float("nan")}]), ValueError, "NaN"),
        ((GOOD, [{}]), ValueError, "all zero"),
        ((GOOD, [{"a": 1.0}]), TypeError, "keys are not actions"),
        ((GOOD, [{0: "x"}]), ValueError, "could not convert"),
        ((GOOD, [{0: None}]), TypeError, "list of numbers"),
        ((GOOD, []), ValueError, "wrong number of states"),
        ((GOOD, 3), TypeError, "must return a list"),
        ((GOOD, [3]), TypeError, "must return a list of numbers"),
    ],
)
@pytest.mark.parametrize("threads", [1, 2])
def test_wrong_answers_of_an_evaluator(answer: Any, error: type[Exception], match: str, threads: int) -> None:
    state = treewise.load_game("tic_tac_toe").initial_state()
    search = Search(
        selection=selection.PUCT(),
        evaluator=Answers(answer),
        limit=limit.Simulations(20),
        parallel=parallel.Tree(threads=threads),
    )
    with pytest.raises(error, match=match):
        search.run(state)
    good = search.replace(evaluator=Answers(lambda states: [[0.0, 0.0]] * len(states)))
    assert good.run(state).stats.simulations == 20


def test_wrong_sizes_of_batches() -> None:
    state = treewise.load_game("tic_tac_toe").initial_state()
    for size in (0, -1, 10**6):
        with pytest.raises(ValueError, match="batch_size must be between 1 and 65536"):
            Search(evaluator=Answers(GOOD, size)).run(state)


class WrongScore:
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def score(self, children: Any) -> Any:
        return self.answer(len(children))


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (lambda n: [0.0] * (n - 1), ValueError),
        (lambda n: [float("nan")] * n, ValueError),
        (lambda n: None, TypeError),
        (lambda n: [None] * n, TypeError),
    ],
)
def test_wrong_scores(answer: Callable[[int], Any], error: type[Exception]) -> None:
    state = treewise.load_game("tic_tac_toe").initial_state()
    for search in (Search(selection=WrongScore(answer)), Search(bonus=[WrongScore(answer)])):
        with pytest.raises(error, match=r"WrongScore\.score"):
            search.replace(limit=limit.Simulations(50)).run(state)


def test_wrong_choices_of_a_playout() -> None:
    class Chooser:
        answer: ClassVar[Any] = 0

        def choose(self, state: Any, actions: list[int], rng: Any) -> Any:
            return self.answer

    state = treewise.load_game("tic_tac_toe").initial_state()
    for answer, match in (
        (99, "not among the actions"),
        (None, "must return an action"),
        ("1", "must return an action"),
    ):
        Chooser.answer = answer
        with pytest.raises(ValueError, match=match):
            Search(playout=Chooser(), limit=limit.Simulations(5)).run(state)


# ---- exceptions


class Fuse:
    """Raises one exception at the n-th call of one method."""

    def __init__(self, method: str, calls: int) -> None:
        self.method, self.left = method, calls
        self.error = Boom(method)
        self.lock = threading.Lock()

    def burn(self, method: str) -> None:
        if method != self.method:
            return
        with self.lock:
            self.left -= 1
            if self.left == 0:
                raise self.error


class Bomb(Nim):
    """Nim with a fuse."""

    fuse: ClassVar[Fuse] = Fuse("", 0)

    def current_player(self) -> int:
        self.fuse.burn("current_player")
        return int(super().current_player())

    def legal_actions(self) -> list[int]:
        self.fuse.burn("legal_actions")
        return list(super().legal_actions())

    def apply(self, action: int) -> None:
        self.fuse.burn("apply")
        super().apply(action)

    def is_terminal(self) -> bool:
        self.fuse.burn("is_terminal")
        return bool(super().is_terminal())

    def returns(self) -> list[float]:
        self.fuse.burn("returns")
        return list(super().returns())

    def clone(self) -> Any:
        self.fuse.burn("clone")
        copied = type(self)(list(self.heaps))
        copied.player = self.player
        return copied


@kinds
@pytest.mark.parametrize("method", ["current_player", "legal_actions", "apply", "is_terminal", "returns", "clone"])
@pytest.mark.parametrize("calls", [1, 4, 60])
def test_exceptions_of_a_python_game_come_out(method: str, calls: int, kind: parallel.Part) -> None:
    search = Search(limit=limit.Simulations(100), parallel=kind)
    session = search.session(seed=1)
    Bomb.fuse = fuse = Fuse(method, calls)
    with pytest.raises(Boom) as caught:
        session.run(Bomb())
    assert caught.value is fuse.error
    for again in (session, search.session(seed=1)):
        result = again.run(Bomb())
        assert sum(result.visits.values()) == result.stats.simulations >= 100


class FusePart:
    """Every family at once."""

    batch_size = 4

    def __init__(self, fuse: Fuse) -> None:
        self.fuse = fuse

    def score(self, children: Any) -> Any:
        self.fuse.burn("score")
        return np.where(children.visits > 0, -children.visits.astype(float), 1.0)

    def choose(self, state: Any, actions: list[int], rng: Any) -> int:
        self.fuse.burn("choose")
        return rng.choice(actions)

    def learn(self, record: Any) -> None:
        self.fuse.burn("learn")

    def evaluate(self, states: list[Any]) -> Any:
        self.fuse.burn("evaluate")
        return np.zeros((len(states), 2))


class FuseBonus:
    def __init__(self, fuse: Fuse) -> None:
        self.fuse = fuse

    def result(self, record: Any) -> Any:
        self.fuse.burn("result")
        return record.values


def tree_laws(session: treewise.Session, state: treewise.State) -> None:
    """A node has the visits of its edge, and at least those of its children; values are sums over visits."""
    tree = treewise.SearchTree.from_core(session._core, state, session.search)  # type: ignore[arg-type]
    visits, child = tree.columns["visits"], tree.columns["child"]
    inner = child < 0xFFFFFFFE
    assert np.array_equal(tree.columns["node_visits"][child[inner]], visits[inner])
    assert visits.min() >= 0
    assert np.all(tree.columns["value"] <= visits + 1e-9)
    assert tree.root.visits == sum(edge.visits for edge in tree.root.edges)


@kinds
@pytest.mark.parametrize(
    ("method", "parts"),
    [
        ("score", lambda fuse: {"selection": FusePart(fuse)}),
        ("choose", lambda fuse: {"playout": FusePart(fuse)}),
        ("learn", lambda fuse: {"playout": FusePart(fuse)}),
        ("choose", lambda fuse: {"playout": playout.MAST(epsilon=1.0, inner=FusePart(fuse))}),
        ("score", lambda fuse: {"bonus": [FusePart(fuse)]}),
        ("result", lambda fuse: {"bonus": [FuseBonus(fuse)]}),
        ("evaluate", lambda fuse: {"evaluator": FusePart(fuse)}),
        ("evaluate", lambda fuse: {"playout": playout.CutOff(depth=2, evaluator=FusePart(fuse))}),
        ("result", lambda fuse: {"evaluator": FusePart(Fuse("", 0)), "bonus": [FuseBonus(fuse)]}),
    ],
    ids=["selection", "playout", "learn", "inner", "score_bonus", "result_bonus", "evaluator", "cut_off", "batch"],
)
def test_exceptions_of_parts_come_out_and_leave_no_visits(
    method: str, parts: Callable[[Fuse], dict[str, Any]], kind: parallel.Part
) -> None:
    state = treewise.load_game("connect_four(rows=4, columns=5)").initial_state()
    fuse = Fuse(method, 23)
    if "evaluator" in parts(fuse) and kind.name == "leaf":
        with pytest.raises(ValueError, match="parallel: leaf"):
            Search(parallel=kind, **parts(fuse))
        return
    search = Search(limit=limit.Simulations(200), parallel=kind, **parts(fuse))
    session = search.session(seed=1)
    with pytest.raises(Boom) as caught:
        session.run(state)
    assert caught.value is fuse.error
    tree_laws(session, state)
    for again in (session, search.session(seed=1)):
        result = again.run(state)
        assert sum(result.visits.values()) == result.stats.simulations >= 200
        tree_laws(again, state)


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
    search = Search(proof=proof.Solver(), parallel=parallel.Root(threads=2), limit=limit.Seconds(60))
    with interrupt_after(0.4) as sent, pytest.raises(treewise.SearchInterrupted) as caught:
        search.run(Uneven())
    assert time.perf_counter() - sent[0] < 2
    assert caught.value.result.proof == [0.0]


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


# ---- copies

COPIES: list[Callable[[Any], Any]] = [
    lambda x: pickle.loads(pickle.dumps(x)),
    lambda x: pickle.loads(pickle.dumps(x, protocol=2)),
    copy.copy,
    copy.deepcopy,
]


@pytest.mark.parametrize("name", GAMES)
def test_games_and_states_are_copied(name: str) -> None:
    for make in COPIES:
        game = treewise.load_game(name)
        assert make(game).parameters == game.parameters
        for state in [*positions(name), *boards(game)]:
            made = make(state)
            assert str(made) == str(state)
            assert made.history() == state.history()
            assert made.start == state.start
            assert made.current_player() == state.current_player()
            if "hash" in game.capabilities:
                assert made.hash() == state.hash()
            before = str(state)
            made.playout(5, max_length=3)
            assert str(state) == before, "they share nothing"


def boards(game: treewise.Game) -> list[treewise.State]:
    board = {"tic_tac_toe": "x../.../...", "go": "/".join(["1........"] + ["........."] * 8)}.get(game.name)
    if board is None:
        return []
    state = game.parse_state(board, 1)
    later = state.clone()
    later.apply(later.legal_actions()[-1])
    return [state, later]


def test_states_of_python_games_are_copied() -> None:
    state = treewise.as_state(Nim())
    state.apply(state.legal_actions()[0])
    for make in COPIES:
        assert make(state).legal_actions() == state.legal_actions()
    assert repr(state.game) == "<Python game Nim>"
    with pytest.raises(ValueError, match="no text form"):
        pickle.dumps(state.game)


def test_drawn_states_are_not_pickled() -> None:
    state = treewise.load_game("phantom_tic_tac_toe").initial_state()
    drawn = state.resample(0, seed=1)
    with pytest.raises(ValueError, match="cannot be pickled"):
        pickle.dumps(drawn)
    assert str(copy.deepcopy(drawn)) == str(drawn)


def test_searches_and_results_are_copied() -> None:
    state = treewise.load_game("goofspiel(cards=4, points_order='descending')").initial_state()
    for make in COPIES:
        for family, parts in part_classes().items():
            for name, cls in parts.items():
                part = cls(limits=(limit.Proven(),)) if family == "limit" and name in ("any", "all") else cls()  # type: ignore[call-arg]
                assert make(part) == part
        search = treewise.enhanced(simulations=100)
        assert make(search) == search
        assert make(search).identity() == search.identity()
        result = treewise.uct(simulations=100).run(state, seed=2)
        made = make(result)
        assert made == result
        assert made.to_json() == result.to_json()
        assert str(made) == str(result)
        with pytest.raises(RuntimeError, match="has no tree"):
            _ = made.tree
        assert result.tree.root.visits == 100, "the original keeps it"


def test_tables_of_joint_actions_say_whose_they_are() -> None:
    """The first player's choice is not marked in the second player's rows."""
    state = treewise.load_game("goofspiel(cards=4, points_order='descending')").initial_state()
    result = treewise.uct(simulations=200).run(state, seed=2)
    assert isinstance(result.action, list)
    text = str(result)
    assert "player" in text.splitlines()[2]
    assert sum("▶" in line for line in text.splitlines()) == 2
    rows = [line.strip("│ ").replace("│", "").split() for line in text.splitlines() if "▶" in line]
    assert [row[1] for row in rows] == ["0", "1"]
