"""Actions, roots and answers of parts that are wrong: refused with a clear word, and nothing is harmed."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest
from python_game import Nim

import treewise
from faults import GAMES, kinds, positions
from treewise import Search, information, limit, parallel, selection

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
        ([[1e308, 0.0]], ValueError, r"returned the value 1e\+308, but returns of tic_tac_toe lie between -1 and 1"),
        ([[0.0, -1.01]], ValueError, "the value -1.01, but"),
        (
            ([0.5, -0.5], [0.25, -0.25]),
            TypeError,
            r"a tuple of two, which is read as \(values, priors\), but its first",
        ),
        ((np.zeros(2), np.zeros(2)), TypeError, "return values alone as a list, or as an array"),
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


def test_values_a_little_beyond_the_range_are_its_ends() -> None:
    """Rounding, as of a network that computes in half precision."""
    state = treewise.load_game("tic_tac_toe").initial_state()
    search = Search(evaluator=Answers(lambda states: [[1.0005, -1.0005]] * len(states)), limit=limit.Simulations(8))
    assert search.run(state).value == 1.0


@pytest.mark.parametrize("number", [1e308, -2e6])
def test_results_of_a_bonus_have_a_bound(number: float) -> None:
    class Huge:
        def result(self, record: Any) -> list[float]:
            return [number, 0.5]

    with pytest.raises(ValueError, match=r"Huge\.result returned .* results are on the scale \[0, 1\]"):
        Search(bonus=[Huge()], limit=limit.Simulations(5)).run(treewise.load_game("tic_tac_toe").initial_state())


def test_json_has_no_numbers_that_are_none() -> None:
    result = treewise.uct(simulations=5).run(treewise.load_game("tic_tac_toe").initial_state())
    with pytest.raises(ValueError, match="not JSON compliant"):
        replace(result, value=float("inf")).to_json()


def test_wrong_sizes_of_batches() -> None:
    state = treewise.load_game("tic_tac_toe").initial_state()
    for size in (0, -1, 10**6):
        with pytest.raises(ValueError, match="batch_size must be a whole number from 1 to 65536"):
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
