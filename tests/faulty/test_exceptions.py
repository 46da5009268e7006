"""What games and parts raise comes out as it was raised, and whatever was used works afterwards."""

import threading
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest
from python_game import Nim

import treewise
from faults import Boom, kinds, tree_laws
from treewise import Search, limit, parallel, playout

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


class AllFail:
    """A playout that fails in every thread, until it is told not to."""

    fails = True

    def choose(self, state: treewise.State, actions: list[int], rng: Any) -> int:
        if self.fails:
            raise Boom("choose")
        return actions[0]


def test_no_error_of_an_earlier_run_is_left() -> None:
    policy = AllFail()
    session = Search(playout=policy, parallel=parallel.Leaf(3), limit=limit.Simulations(6)).session(seed=1)
    state = treewise.load_game("tic_tac_toe").initial_state()
    with pytest.raises(Boom):
        session.run(state)
    policy.fails = False
    assert session.run(state).stats.simulations == 6
