"""Sheets whose parentheses stand as deep inside each other as may be: 200, in terms and in conditions."""

from __future__ import annotations

import pytest

from treewise.gdl.language.repair import parse_for_play
from treewise.gdl.language.validate import validate
from treewise.gdl.load import machine_of
from treewise.gdl.prover.machine import prover_machine
from treewise.gdl.syntax import MOST_NESTED


def nested(depth: int, inner: str, outer: str = "s") -> str:
    return f"({outer} " * depth + inner + ")" * depth


GAME = "(role a) (init (n 0)) (legal a go) (goal a 1) "
SHEETS = {
    "facts": f"{GAME} (init (m {nested(198, '0')})) (<= terminal (not (true (m {nested(196, '0')}))))",
    "facts that grow": f"{GAME} (<= (next (n {nested(196, '?x')})) (true (n ?x))) (<= terminal (not (true (n 0))))",
    "facts with variables": f"{GAME} (init (m {nested(198, '0')})) (<= terminal (true (m {nested(196, '?x')})))",
    "moves": f"{GAME} (legal a {nested(199, '0')}) (<= (next (n 1)) (does a ?m)) (<= terminal (true (n 1)))",
    "or": f"{GAME} (<= (next (n 1)) (true (n 0))) (<= terminal {nested(197, '(true (n 1))', 'or (true (n 5))')})",
    "and": f"{GAME} (<= (next (n 1)) (true (n 0))) (<= terminal {nested(197, '(true (n 1))', 'and (true (n 1))')})",
    "not": f"{GAME} (<= (next (n 1)) (true (n 0))) (<= terminal {nested(196, '(true (n 1))', 'not')})",
    "distinct": f"{GAME} (<= (next (n 1)) (true (n 0))) (<= terminal (true (n ?x)) (distinct ?x 0) "
    f"(distinct ?x {nested(197, '0')}))",
}


@pytest.mark.parametrize("kind", ["prover", "net"])
@pytest.mark.parametrize("name", SHEETS)
def test_they_are_checked_and_played(name: str, kind: str) -> None:
    if (name, kind) == ("facts that grow", "net"):
        pytest.skip("no sheet without variables has endlessly many facts")
    text = SHEETS[name]
    assert not [finding for finding in validate(text) if finding.severity == "error"]
    machine = machine_of(parse_for_play(text)[0], kind)
    state = machine.game.initial_state()
    if not machine.is_terminal(state):
        longest = max(machine.legal(state, 0), key=lambda action: len(machine.action_text(0, action)))
        assert machine.find_action(0, machine.action_text(0, longest)) == longest
        state = machine.play(state, [longest])
    assert machine.is_terminal(state)
    assert machine.facts(state)


def test_one_more_is_an_error_with_its_place() -> None:
    (finding,) = validate(f"(role a)\n{nested(MOST_NESTED + 1, '0')}")
    assert (finding.line, finding.column) == (2, 3 * MOST_NESTED + 1)
    assert finding.message.startswith("more than 200 parentheses inside each other: nest less")


def test_facts_may_grow_deeper_than_functions_may_call_each_other() -> None:
    machine = prover_machine("(role a) (init (n 0)) (legal a go) (<= (next (n (s (s (s (s ?x)))))) (true (n ?x)))")
    state = machine.game.initial_state()
    for _ in range(600):
        state = machine.play(state, machine.legal(state, 0))
    assert machine.facts(state) == [f"(n {nested(2400, '0')})"]
