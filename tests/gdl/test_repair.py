"""Playing sheets that the strict standard forbids: nothing raises, and the rest of the sheet keeps its meaning."""

from __future__ import annotations

import pytest
from fuzzing import fuzz
from hypothesis import given
from hypothesis import strategies as st
from naive import model

from treewise.gdl import GDLError, parse_for_play, parse_sheet, prepare, validate
from treewise.gdl.language.dependencies import Dependencies
from treewise.gdl.language.repair import MOST_INSTANCES
from treewise.gdl.terms import Literal, variables, variables_of

MANY = " ".join(f"(h {index} {index} {index} {index})" for index in range(20))


def atoms(text: str, *names: str) -> set[str]:
    """What holds in the prepared sheet, of some predicates."""
    sheet, _ = parse_for_play(text)
    return {str(atom) for atom in model(sheet.rules) if atom.name in names}


def codes(text: str) -> list[str]:
    return [finding.code for finding in parse_for_play(text)[1]]


def test_a_good_sheet_stays_as_it_is() -> None:
    sheet = parse_sheet("(role x) (<= (legal ?p go) (role ?p) (or (p ?p) (not (q ?p)))) (p x)")
    assert prepare(sheet) == (sheet, [])


def test_roles_range_over_the_roles() -> None:
    text = "(role x) (role y) (on x) (<= (goal ?p 0) (not (on ?p))) (<= (legal ?p ?p) (on x)) (sees ?r 1)"
    assert atoms(text, "goal") == {"(goal y 0)"}
    assert atoms(text, "legal") == {"(legal x x)", "(legal y y)"}
    assert atoms(text, "sees") == {"(sees x 1)", "(sees y 1)"}
    assert codes(text) == ["repaired"] * 3


def test_other_variables_range_over_the_terms_at_their_place() -> None:
    text = """(role x) (other 7) (init (cell 1 2 b)) (init (cell 1 3 b))
    (<= (legal x (mark ?m ?n)) (true (cell ?m ?n b)))
    (<= (next (cell ?m ?n b)) (true (cell ?m ?n b)) (does x (mark ?u ?v)) (far ?m ?n ?u ?v))
    (<= (far ?m ?n ?u ?v) (distinct ?m ?u)) (<= (far ?m ?n ?u ?v) (distinct ?n ?v))"""
    assert atoms(text, "far") == {"(far 1 2 1 3)", "(far 1 3 1 2)"}
    assert codes(text) == ["repaired"] * 8


def test_a_negation_of_what_is_bound_by_nothing_means_none() -> None:
    text = "(role x) (<= empty (not (on ?any))) (<= (free ?p) (role ?p) (not (owns ?p ?thing)))"
    assert atoms(text, "empty", "free") == {"empty", "(free x)"}
    assert atoms(text + "(on 1) (owns x 2) (role y)", "empty", "free") == {"(free y)"}
    assert codes(text) == ["repaired", "repaired"]


def test_an_inequality_of_what_is_bound_by_nothing_holds() -> None:
    assert atoms("(<= p (distinct ?x 1))", "p") == {"p"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(<= (p ?x) (role x))", "nothing in the sheet limits"),
        ("(<= (true 1) (role x))", "cannot be a head"),
        ("(or a b)", "cannot be a head"),
        ("(p 1) (<= (p (s ?x)) (p ?x))", "terms without end"),
        ("(<= p (not p))", "depends on the rule itself"),
        ("(p ())", "left out, an empty pair"),
        (f"(<= (h ?a ?b ?c ?d) (role x)) (<= q (h 1 2 3 4)) {MANY}", "160,000"),
    ],
)
def test_what_cannot_be_played_is_left_out(text: str, words: str) -> None:
    sheet, warnings = parse_for_play("(role x) " + text)
    (warning,) = warnings
    assert words in warning.message
    assert warning.code == "dropped"
    assert warning.line == 1
    assert "(role x)" in {str(atom) for atom in model(sheet.rules)}
    assert MOST_INSTANCES < 160_000


def test_recursion_that_ends_is_kept() -> None:
    text = "(r 0 0) (q 0) (<= (r ?v (f ?v)) (r ?u ?v) (q ?u))"
    assert atoms(text, "r") == {"(r 0 0)", "(r 0 (f 0))", "(r (f 0) (f (f 0)))"}
    assert codes(text) == []


def test_goals_that_read_other_goals_are_kept() -> None:
    text = "(role x) (role y) (<= (goal ?p 100) (won ?p)) (<= (goal ?p 0) (role ?p) (not (goal ?p 100))) (won x)"
    assert atoms(text, "goal") == {"(goal x 100)", "(goal y 0)"}
    assert codes(text) == []


def test_wrong_parentheses_are_an_error() -> None:
    with pytest.raises(GDLError, match="never closed"):
        parse_for_play("(role x")


def test_preparing_twice_changes_nothing() -> None:
    once, _ = parse_for_play("(role x) (<= empty (not (on ?a))) (legal ?p (f ?q)) (<= a (legal x (f 1))) (goal ?p 0)")
    assert prepare(once) == (once, [])


TERM = st.recursive(st.sampled_from(["?x", "?y", "a", "b"]), lambda inner: inner.map("(f {})".format), max_leaves=3)
ATOM = st.one_of(
    st.builds("({} {})".format, st.sampled_from(["p", "q", "true", "next", "role", "or"]), TERM),
    st.builds("({} {} {})".format, st.sampled_from(["legal", "goal", "does", "p", "r"]), TERM, TERM),
)
CONDITION = ATOM | ATOM.map("(not {})".format) | st.builds("(distinct {} {})".format, TERM, TERM)
RULE = ATOM | st.builds(lambda head, body: f"(<= {head} {' '.join(body)})", ATOM, st.lists(CONDITION, max_size=3))


@fuzz
@given(st.lists(RULE, max_size=6).map(" ".join))
def test_any_rules_become_playable(text: str) -> None:
    sheet, warnings = parse_for_play(text)
    assert not Dependencies.of(sheet.rules).negations_in_cycles()
    for rule in sheet.rules:
        bound = {v for c in rule.body if isinstance(c, Literal) and c.positive for v in variables_of(c)}
        assert bound.issuperset(variables(rule.head))
        assert all(bound.issuperset(variables_of(condition)) for condition in rule.body)
    errors = {f.code for f in validate(text)} & {"unsafe", "unstratified", "recursion", "keyword-place", "syntax"}
    assert errors or not warnings
