"""The graph of predicates: components, cycles, what is dynamic; and cycles of negation that are none."""

from __future__ import annotations

import pytest
from fuzzing import fuzz
from hypothesis import given
from hypothesis import strategies as st
from naive import model

from treewise.gdl import parse_sheet
from treewise.gdl.language.dependencies import Dependencies, Edge
from treewise.gdl.language.stratify import stratified


def graph(text: str) -> Dependencies:
    return Dependencies.of(parse_sheet(text).rules)


def test_components_come_behind_what_they_read() -> None:
    found = graph("(<= a b) (<= b c) (<= c b) (<= c d) (<= (c 1) a)").components
    assert [sorted(component) for component in found] == [[("d", 0)], [("b", 0), ("c", 0)], [("a", 0)], [("c", 1)]]


def test_dynamic_is_what_reads_the_state_or_actions() -> None:
    found = graph("(<= a (true x)) (<= b a) (<= c d) (<= (next y) (does p q)) (<= e (true x z))").dynamic
    assert found == {("a", 0), ("b", 0), ("next", 1), ("true", 1), ("does", 2)}


def test_cycles_are_those_of_recursion() -> None:
    cycles = graph("(<= a b) (<= b a) (<= c c) (<= d a)").cycles
    assert cycles[("a", 0)] == {("a", 0), ("b", 0)}
    assert (cycles[("c", 0)], cycles[("d", 0)]) == ({("c", 0)}, set())


def test_negations_in_cycles_stand_together_if_they_need_each_other() -> None:
    found = graph("(<= p q) (<= q (not r)) (<= r s) (<= s p) (<= s (not x)) (<= p (not s)) (<= t (not t))")
    negations = found.negations_in_cycles()
    assert [[(edge.head[0], edge.body[0]) for edge in edges] for edges in negations.values()] == [
        [("q", "r"), ("p", "s")],
        [("t", "t")],
    ]
    assert {name for name, _ in next(iter(negations))} == set("pqrs")


def test_paths_are_shortest_and_may_be_missing() -> None:
    found = graph("(<= a b) (<= b c) (<= a c) (<= c d)")
    assert [edge.body[0] for edge in found.path(("a", 0), ("d", 0))] == ["c", "d"]
    assert found.path(("d", 0), ("a", 0)) == ()
    assert found.path(("none", 7), ("a", 0)) == ()


NODES = st.sampled_from([(name, 0) for name in "abcdef"])


@fuzz
@given(st.lists(st.builds(Edge, NODES, NODES, st.booleans()), max_size=20))
def test_components_by_reachability(edges: list[Edge]) -> None:
    found = Dependencies(edges)
    for component in found.components:
        for name in component:
            assert found.below(name) & found.above(name) == set(component)
    order = [name for component in found.components for name in component]
    assert sorted(order) == sorted(found.reads)
    for edge in edges:
        assert order.index(edge.body) <= order.index(edge.head) or found.on_a_cycle(edge.head, edge.body)
        in_cycle = not edge.positive and edge.body in found.above(edge.head) | {edge.head}
        assert any(edge in negations for negations in found.negations_in_cycles().values()) == (
            in_cycle and edge.head in found.below(edge.body)
        )


def test_a_long_chain_needs_no_stack() -> None:
    edges = [Edge((str(index), 0), (str(index + 1), 0)) for index in range(5000)]
    assert len(Dependencies(edges).components) == 5001


# ---- negation in a cycle of predicates

GOALS = """(role x) (role y) (won x)
(<= (goal ?p 100) (won ?p))
(<= (goal ?p 50) (drawn ?p) (not (goal ?p 100)))
(<= (goal ?p 0) (role ?p) (not (goal ?p 100)) (not (goal ?p 50)))"""


def test_stratified_rules_stay_as_they_are() -> None:
    rules = parse_sheet("(<= p (not q)) (<= q r)").rules
    assert stratified(rules) == (rules, ())


@pytest.mark.parametrize(("facts", "value"), [("", "0"), ("(drawn y)", "50"), ("(drawn x) (drawn y) (won y)", "100")])
def test_goals_that_read_other_goals(facts: str, value: str) -> None:
    rules, dropped = stratified(parse_sheet(GOALS + facts).rules)
    assert dropped == ()
    found = {str(atom) for atom in model(rules) if atom.name == "goal"}
    assert found == {"(goal x 100)", f"(goal y {value})"}


def test_positive_recursion_inside_the_cycle() -> None:
    text = (
        "(s 1 2) (s 2 3) (s 3 4) (p even 1) (<= (p even ?y) (s ?x ?y) (p odd ?x)) (<= (p odd ?y) (s ?x ?y) (p even ?x))"
    )
    text += "(n 1) (n 2) (n 3) (n 4) (<= (p none ?x) (n ?x) (not (p even ?x)))"
    rules, dropped = stratified(parse_sheet(text).rules)
    assert dropped == ()
    assert {str(atom) for atom in model(rules) if str(atom).startswith("(p none")} == {"(p none 2)", "(p none 4)"}


def test_patterns_keep_doubled_variables_apart() -> None:
    text = "(d 1) (d 2) (e 1 1) (e 1 2) (<= (p a ?x ?y) (e ?x ?y)) (<= (p b ?x) (d ?x))"
    text += "(<= (p c ?x ?y) (d ?x) (d ?y) (not (p a ?x ?x)) (not (p a ?y ?x)))"
    rules, dropped = stratified(parse_sheet(text).rules)
    assert dropped == ()
    assert {str(atom) for atom in model(rules) if str(atom).startswith("(p c")} == {"(p c 2 2)"}


def test_a_true_cycle_is_left_out() -> None:
    rules, dropped = stratified(parse_sheet("r (<= p (not q)) (<= q (not p)) (<= t r (not t))").rules)
    assert len(dropped) >= 2
    assert not Dependencies.of(rules).negations_in_cycles()
    assert "r" in map(str, model(rules))


def test_patterns_that_grow_come_to_an_end() -> None:
    rules, dropped = stratified(parse_sheet("(n 1) (<= (p ?x) (n ?x) (not (p (f ?x)))) (<= h (p 1))").rules)
    assert dropped
    assert len(rules) == 2
    assert not Dependencies.of(rules).negations_in_cycles()
