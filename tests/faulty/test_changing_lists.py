"""Answers and arguments that change while they are read: by what an item does to become a number."""

from collections.abc import Callable
from typing import Any

import pytest

import treewise
from treewise import CHANCE, Search, _core, as_state, limit


class Clearing:
    """A number that empties the list, or the dict, which it comes from."""

    def __init__(self, number: float, target: Any) -> None:
        self.number, self.target = number, target

    def __index__(self) -> int:
        self.target.clear()
        return int(self.number)

    def __float__(self) -> float:
        self.target.clear()
        return float(self.number)


def clearing(numbers: list[float]) -> list[Any]:
    """A list that the first of its items empties."""
    items: list[Any] = []
    items += [Clearing(numbers[0], items), *(Clearing(number, items) for number in numbers[1:])]
    return items


class Game:
    """One step of many actions; every answer is a list that shrinks."""

    def __init__(self, over: bool = False, chance: bool = False) -> None:
        self.over, self.chance = over, chance

    def current_player(self) -> int:
        return CHANCE if self.chance else 0

    def legal_actions(self) -> list[Any]:
        return clearing(list(range(50)))

    def apply(self, action: int) -> None:
        self.over, self.chance = not self.chance, False

    def is_terminal(self) -> bool:
        return self.over

    def returns(self) -> list[Any]:
        return clearing([0.5, -0.5])

    def clone(self) -> Any:
        return type(self)(self.over, self.chance)


class Rich(Game):
    def chance_outcomes(self) -> list[Any]:
        pairs: list[Any] = []
        for outcome in range(8):
            pair: list[Any] = []
            pair += [Clearing(outcome, pair), Clearing(0.125, pairs)]
            pairs.append(pair)
        return pairs

    def rewards(self) -> list[Any]:
        return clearing([1, 2])

    def features(self) -> list[Any]:
        return clearing([1, 2, 3, 4])

    def winning_actions(self) -> list[Any]:
        return clearing([7, 8, 9])

    def playout_candidates(self, seed: int) -> list[Any]:
        return clearing([7, 8, 9])

    def scene(self) -> Any:
        shape: list[Any] = clearing([3, 3, 2])
        items: list[Any] = []
        items += [[Clearing(4, items), 1], [5, Clearing(1, items)]]
        return shape, clearing([0, 1]), clearing([1, 0]), clearing([0, 1]), items


ANSWERS: dict[str, tuple[Callable[[treewise.State], Any], Any]] = {
    "legal_actions": (lambda state: state.legal_actions(), list(range(50))),
    "returns": (lambda state: state.returns(), [0.5, -0.5]),
    "rewards": (lambda state: state.rewards(), [1, 2]),
    "features": (lambda state: state.features(), [1, 2, 3, 4]),
    "winning_actions": (lambda state: state.winning_actions(), [7, 8, 9]),
    "playout_candidates": (lambda state: state.playout_candidates(), [7, 8, 9]),
    "scene": (lambda state: state.scene(), ((3, 3, 2), (0, 1), [1, 0], [0, 1], [(4, 1), (5, 1)])),
}


@pytest.mark.parametrize("method", ANSWERS)
def test_answers_of_a_game_are_read_as_they_were_given(method: str) -> None:
    ask, expected = ANSWERS[method]
    assert ask(as_state(Rich())) == expected


def test_outcomes_of_chance_are_read_as_they_were_given() -> None:
    state = as_state(Rich(chance=True))
    assert state.legal_actions() == list(range(8))
    assert state.chance_outcomes() == [(outcome, 0.125) for outcome in range(8)]
    state.playout(1)
    assert state.is_terminal()


def test_such_a_game_is_searched() -> None:
    result = treewise.uct(simulations=100).run(Game())
    assert set(result.visits) == set(range(50))


class Selects:
    def score(self, children: Any) -> list[Any]:
        return clearing([1.0] * len(children))


class Adds:
    def result(self, record: Any) -> list[Any]:
        return clearing([0.25, 0.75])


class Evaluates:
    """Values alone, with a list of priors, or with priors by action."""

    def __init__(self, priors: str) -> None:
        self.priors = priors

    def evaluate(self, states: list[Any]) -> Any:
        values = [clearing([0.5, -0.5]) for _ in states]
        if self.priors == "list":
            return values, [clearing([1.0 + action for action in state.legal_actions()]) for state in states]
        if self.priors == "dict":
            return values, [self.by_action(state) for state in states]
        return values

    def by_action(self, state: Any) -> dict[int, Any]:
        priors: dict[int, Any] = {}
        priors.update({action: Clearing(1.0 + action, priors) for action in state.legal_actions()})
        return priors


PARTS: dict[str, dict[str, Any]] = {
    "selection": {"selection": Selects()},
    "bonus": {"bonus": [Adds()]},
    "values": {"evaluator": Evaluates("none")},
    "priors": {"evaluator": Evaluates("list")},
    "priors_by_action": {"evaluator": Evaluates("dict")},
}


@pytest.mark.parametrize("part", PARTS)
def test_answers_of_parts_are_read_as_they_were_given(part: str) -> None:
    state = treewise.load_game("tic_tac_toe").initial_state()
    parts = {"selection": treewise.selection.PUCT(), **PARTS[part]} if "priors" in part else PARTS[part]
    result = Search(limit=limit.Simulations(50), **parts).run(state)
    assert result.stats.simulations == 50
    if "priors" in part:
        assert [round(45 * child.prior) for child in sorted(result.children, key=lambda c: c.action)] == [*range(1, 10)]


def test_actions_of_callers_are_read_as_they_were_given() -> None:
    state = treewise.load_game("goofspiel").initial_state()
    while state.current_player() != treewise.SIMULTANEOUS:
        state.apply(state.legal_actions()[0])
    state.apply(clearing([state.legal_actions(player)[0] for player in range(2)]))
    assert len(state.history()) >= 2


def test_lists_that_the_core_is_given() -> None:
    session = treewise.uct(simulations=20).session()
    session.run(treewise.load_game("tic_tac_toe").initial_state())
    assert session._core is not None
    assert session._core.advance(clearing([0] * 100)) in (False, True)
    wrapped = _core.wrap_state(Game(), None, clearing(list(range(100))), [clearing([0, 5])])
    assert wrapped.history() == list(range(100))
    assert wrapped.seeds() == [(0, 5)]
    record = treewise.selection.UCB1().core()
    bounds = clearing([0.0, 1.0])
    scores, _ = _core.score(record, clearing([1] * 50), clearing([0.5] * 50), 60.0, 1.0, utilities=bounds)
    assert len(set(scores)) == 1
