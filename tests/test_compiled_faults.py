"""Compiled Python with mistakes: errors that name them, never a crash."""

import re
from typing import Any

import pytest

import treewise
from treewise import compiled
from treewise._core import compiled_record
from treewise.testing import check_game

pytest.importorskip("numba")

from compiled_connect_four import ConnectFour

from compiled_faults import Beyond, Broken, Wrong, with_functions


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("none", "found no legal action in a state that is not terminal"),
        ("too many", "max_actions is 3"),
        ("negative count", "a negative number of actions"),
        ("negative action", "gave a negative action"),
        ("outside", "raised an exception .an index out of range"),
        ("raises", "raised an exception"),
    ],
)
def test_wrong_rules_are_errors_not_crashes(kind: str, message: str) -> None:
    state = Broken.parse_state(kind)
    for ask in (state.legal_actions, lambda: state.playout(1), lambda: treewise.perft(state, 2)):
        with pytest.raises(RuntimeError, match=f"compiled game 'Broken': .* {message}"):
            ask()


def test_actions_beyond_those_declared_are_errors_not_crashes() -> None:
    for playout in ("mast", "ngram", "uniform"):
        with pytest.raises(RuntimeError, match="one beyond those that were declared"):
            treewise.parse_search(f"mcts(playout={playout})").run(Beyond.initial_state())


def test_other_wrong_answers() -> None:
    for kind in ("player", "chance"):
        with pytest.raises(RuntimeError, match="current_player gave a player out of range"):
            Broken.parse_state(kind).current_player()
    with pytest.raises(RuntimeError, match="returns gave a number that is not finite"):
        Broken.parse_state("nan").returns()
    state = Broken.parse_state("zero")
    state.apply(1)
    assert state.is_terminal(), "whole numbers divided by zero are zero, as in NumPy"
    with pytest.raises(RuntimeError, match="a playout raised an exception"):
        Wrong.parse_state("2").playout(1)
    with pytest.raises(RuntimeError, match="a playout gave a negative action"):
        Wrong.parse_state("3").playout(1)
    with pytest.raises(RuntimeError, match="do not sum to 1"):
        Wrong.parse_state("1").chance_outcomes()
    with pytest.raises(RuntimeError, match="do not sum to 1"):
        Wrong.parse_state("1").playout(1)


def test_texts_that_are_no_text_are_named() -> None:
    state = with_functions(action_name=lambda s, action: "\ud800", draw=lambda s: "\ud800").parse_state("")
    with pytest.raises(ValueError, match=r"^Changed\.action_name\(\): a text with half a surrogate pair"):
        state.action_name(1)
    with pytest.raises(ValueError, match=r"^Changed\.draw\(\): a text with half a surrogate pair"):
        str(state)


def test_the_twin_finds_what_compiled_code_cannot_know() -> None:
    report = check_game(Wrong)
    problem = next(problem for problem in report.problems if problem.kind == "twin_hash")
    assert re.fullmatch(r"hash is \d+ compiled, 8 in Python, after \[\d\]", problem.text), report
    report = check_game(Wrong.parse_state("4"))
    assert "playout_action() chose 4: not legal" in str(report)
    state = Broken.parse_state("outside")
    with pytest.raises(IndexError, match="out of bounds"):
        Broken.twin.state(compiled_record(state)).legal_actions()


def not_compilable(s: Any) -> Any:
    return s.missing


def returns_nothing(s: Any, out: Any) -> Any:
    out[0] = 1


def raises_only(s: Any, out: Any) -> Any:
    raise ValueError


@pytest.mark.parametrize(
    ("functions", "error", "message"),
    [
        ({"is_terminal": not_compilable}, TypeError, r"Changed\.is_terminal cannot be compiled: .*missing"),
        ({"legal_actions": returns_nothing}, TypeError, "must return a whole number on every path"),
        ({"legal_actions": raises_only}, TypeError, "must return a whole number on every path"),
        ({"winning_action": returns_nothing}, ValueError, "did you mean 'winning_actions'?"),
        ({"quality": returns_nothing}, ValueError, "quality must have 1 parameters"),
        ({"resample": lambda s, player, rng: None}, ValueError, "resample and observation go together"),
    ],
)
def test_mistakes_are_named_when_the_game_is_made(
    functions: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match="(?s)" + message):
        with_functions(**functions)


def test_mistakes_of_the_record_are_named() -> None:
    make = compiled.game(num_players=2, max_actions=3)

    class Empty:
        pass

    with pytest.raises(ValueError, match="Empty: missing current_player"):
        make(Empty)
    members = {name: function for name, function in vars(ConnectFour.twin.rules)["functions"].items()}
    with pytest.raises(ValueError, match="Bare has no fields"):
        make(type("Bare", (), members))
    with pytest.raises(ValueError, match=r"Text\.name: a field is a NumPy number type"):
        make(type("Text", (), members | {"__annotations__": {"name": str}}))
    with pytest.raises(ValueError, match="num_players is 9"):
        compiled.game(num_players=9, max_actions=3)
    with pytest.raises(ValueError, match="max_actions is 0"):
        compiled.game(num_players=2, max_actions=0)
