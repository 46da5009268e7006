"""Terms: variables, substitution, unification."""

from __future__ import annotations

import pytest
from fuzzing import fuzz
from hypothesis import given
from hypothesis import strategies as st

from treewise.gdl import parse_sheet
from treewise.gdl.syntax import GDLError
from treewise.gdl.terms import (
    MOST_NODES,
    Argument,
    Distinct,
    Literal,
    Rule,
    Sheet,
    Term,
    Variable,
    instance,
    limited,
    substitute,
    unify,
    variables,
    variables_of,
)

X, Y, Z = Variable("x"), Variable("y"), Variable("z")
A, B = Term("a"), Term("b")


def f(*arguments: Argument) -> Term:
    return Term("f", arguments)


def test_texts() -> None:
    rule = Rule(f(X), (Literal(f(X, A)), Literal(A, positive=False), Distinct(X, B)))
    assert str(rule) == "(<= (f ?x) (f ?x a) (not a) (distinct ?x b))"
    assert str(Rule(f(A))) == "(f a)"


def test_a_sheet_spells_as_its_source() -> None:
    sheet = parse_sheet("(role White) (<= (legal white (MOVE ?X)) (P ?x)) (p 1)")
    assert sheet.spell(sheet.rules[1].head) == "(legal White (MOVE ?x))"
    assert Sheet((), ()).spell(f(A, X)) == "(f a ?x)"


def test_variables_are_listed_with_repeats() -> None:
    assert list(variables(f(X, f(A, Y), X))) == [X, Y, X]
    assert list(variables_of(Distinct(X, f(Y)))) == [X, Y]
    assert list(variables_of(Literal(f(Z)))) == [Z]


def test_substitution_replaces_once() -> None:
    assert substitute(f(X, Y), {X: Y, Y: A}) == f(Y, A)
    assert instance(f(X), {X: B}) == f(B)


@pytest.mark.parametrize(
    ("left", "right", "values"),
    [
        (X, A, {X: A}),
        (f(X, X), f(A, Y), {X: A, Y: A}),
        (f(X, Y), f(Y, A), {X: A, Y: A}),
        (f(X, f(X)), f(f(Y), f(f(A))), {X: f(A), Y: A}),
        (X, X, {}),
    ],
)
def test_unify(left: Argument, right: Argument, values: dict[Variable, Argument]) -> None:
    found: dict[Variable, Argument] = {}
    assert unify(left, right, found)
    assert found == values


@pytest.mark.parametrize(
    ("left", "right"), [(A, B), (f(X), f(X, X)), (X, f(X)), (f(X, Y), f(f(Y), f(X))), (f(X, X), f(A, B)), (A, f(A))]
)
def test_what_cannot_be_equal(left: Argument, right: Argument) -> None:
    assert not unify(left, right, {})


TERMS = st.recursive(
    st.sampled_from([X, Y, Z, A, B]), lambda inner: st.lists(inner, min_size=1, max_size=3).map(lambda xs: f(*xs))
)


@fuzz
@given(TERMS, TERMS)
def test_unified_terms_are_equal_and_values_are_final(left: Argument, right: Argument) -> None:
    values: dict[Variable, Argument] = {}
    if unify(left, right, values):
        assert substitute(left, values) == substitute(right, values)
        assert not any(v in values for value in values.values() for v in variables(value))
    else:
        assert left != right


@fuzz
@given(TERMS, TERMS)
def test_unification_is_symmetric(left: Argument, right: Argument) -> None:
    assert unify(left, right, {}) == unify(right, left, {})


def test_terms_cannot_grow_without_bound() -> None:
    chain = [Variable(f"v{index}") for index in range(40)]
    doubled = [f(v, v) for v in chain[1:]]
    with pytest.raises(GDLError, match="too large"):
        unify(f(*chain[:-1]), f(*doubled), {})
    wide = f(*[A] * (MOST_NODES - 1))
    assert limited(wide) is wide
    with pytest.raises(GDLError, match="too large"):
        limited(f(*[A] * MOST_NODES))
