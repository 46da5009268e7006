"""The normal form: folding, negation, disjunctions, order, and what is refused with its place."""

from __future__ import annotations

import itertools
from unittest import mock

import pytest
from fuzzing import fuzz
from hypothesis import assume, given
from hypothesis import strategies as st
from naive import model

from treewise.gdl import normalise, parse_sheet, validate
from treewise.gdl.language.conditions import keyword
from treewise.gdl.normalise import MOST_BRANCHES, MOST_COPIES
from treewise.gdl.normalise import normalise as normalised
from treewise.gdl.syntax import MOST_NESTED, Form, GDLError, Group, read
from treewise.gdl.terms import Literal, Rule, variables, variables_of


def rules(text: str) -> list[str]:
    return [str(rule) for rule in parse_sheet(text).rules]


# ---- names


def test_case_is_folded_and_the_first_spelling_kept() -> None:
    sheet = parse_sheet("(ROLE White) (<= (Legal WHITE Go) (True (Cell ?X ?x)))")
    assert [str(rule) for rule in sheet.rules] == ["(role white)", "(<= (legal white go) (true (cell ?x ?x)))"]
    assert sheet.spelling["white"] == "White"
    assert sheet.spell(sheet.roles[0]) == "White"


def test_parentheses_around_a_name_mean_nothing() -> None:
    assert rules("(<= (open) (true (p))) (<= terminal open (not (open)))") == [
        "(<= open (true p))",
        "(<= terminal (not open) open)",
    ]


def test_roles_are_ground_and_in_order() -> None:
    sheet = parse_sheet("(role b) (role (team 1)) (role a) (role b) (role ?x) (<= (role ?y) (p ?y)) (role c d)")
    assert list(map(str, sheet.roles)) == ["b", "(team 1)", "a"]


def test_rules_know_their_place() -> None:
    first, second = parse_sheet("(role x)\n  (<= p q)").rules
    assert (first.line, first.column, second.line, second.column) == (1, 1, 2, 3)


# ---- conditions


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("(or a b c)", ["a", "b", "c"]),
        ("(or a (or b (or c d)))", ["a", "b", "c", "d"]),
        ("(or a (and b c))", ["a", "b c"]),
        ("(or a b) (or c d)", ["a c", "a d", "b c", "b d"]),
        ("(not (or a b))", ["(not a) (not b)"]),
        ("(not (and a b))", ["(not a)", "(not b)"]),
        ("(not (not a))", ["a"]),
        ("(not (or a (not (and b c))))", ["(not a) b c"]),
        ("(and)", [""]),
        ("(or)", []),
        ("a a (not a) a", ["(not a) a"]),
        ("(distinct 1 2) a", ["a"]),
        ("(distinct 1 1) a", []),
        ("(not (distinct 1 1)) a", ["a"]),
        ("(not (distinct 1 2)) a", []),
        ("(p ?x) (not (distinct ?x 1))", ["(p 1)"]),
        ("(p ?x ?y) (not (distinct ?x ?y))", ["(p ?y ?y)"]),
        ("(p ?x) (not (distinct ?x (f ?x)))", []),
        ("(p ?x) (distinct ?x (f ?x))", ["(p ?x)"]),
        ("(p ?x ?y) (not (distinct (f ?x 1) (f 2 ?y)))", ["(p 2 1)"]),
        ("(p ?x) (q ?y) (not (distinct ?x ?y)) (distinct ?x ?y)", []),
        ("(distinct ?x ?y) (p ?x) (not (q ?x)) (p ?y)", ["(p ?x) (not (q ?x)) (p ?y) (distinct ?x ?y)"]),
        ("(not (q 1)) (p ?x)", ["(not (q 1)) (p ?x)"]),
        ("(p ?x) (distinct ?x ?z)", ["(p ?x) (distinct ?x ?z)"]),
    ],
)
def test_bodies(body: str, expected: list[str]) -> None:
    assert rules(f"(<= h {body})") == [f"(<= h {text})" if text else "h" for text in expected]


def test_equality_reaches_the_head() -> None:
    assert rules("(<= (h ?x (f ?y)) (p ?x) (not (distinct ?y ?x)))") == ["(<= (h ?x (f ?x)) (p ?x))"]


def test_up_to_sixteen_branches_are_written_out() -> None:
    assert len(rules("(<= h (or 1 2 3 4) (or 1 2 3 4))")) == 16
    assert MOST_BRANCHES == 16


def test_more_branches_get_names() -> None:
    sheet = parse_sheet("(<= (h ?x) (or (p ?x 1) (p ?x 2) (p ?x 3)) (or a b c) (or d e))")
    assert len(sheet.rules) == 9
    head = sheet.rules[-1]
    assert str(head.head) == "(h ?x)"
    assert [len(c.atom.args) for c in head.body if isinstance(c, Literal)] == [1, 0, 0]


def test_a_branch_may_lean_on_what_is_bound_around_it() -> None:
    negations = " ".join(f"(not (p ?x {index}))" for index in range(20))
    sheet = parse_sheet(f"(<= (h ?x) (d ?x) (or {negations}))")
    assert len(sheet.rules) == 21
    assert all(_safe(rule) for rule in sheet.rules)


def test_branches_that_share_a_variable_are_not_torn_apart() -> None:
    facts = "(p 1) (q 2) (q 1) (s 5) "
    either = "(or (p ?x) (s ?z) (s ?y))"
    sheet = parse_sheet(facts + f"(<= h (or (q ?x) (s ?y)) {either} {either} {either})")
    assert all(_safe(rule) for rule in sheet.rules)
    assert "h" in {str(atom) for atom in model(sheet.rules)}


def test_nested_products_are_never_written_out() -> None:
    nested = "(or a (and " + "(or a b) " * 60 + "))"
    assert len(rules(f"(<= h {nested})")) < 200
    assert len(rules("(<= h " + "(or a b) " * 60 + ")")) < 200


def test_there_is_an_end_to_copies() -> None:
    with pytest.raises(GDLError, match=f"more than {MOST_COPIES} rules"):
        parse_sheet("(<= (h ?x) " + "(or (p ?x) (not (q ?x))) " * 13 + ")")


# ---- what is refused


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("(p (<= a b))", 5, "`<=` cannot stand here"),
        ("(=> a b)", 2, "a rule is"),
        ("(<= a (FORALL ?x b))", 8, "no quantifiers"),
        ('(p "text")', 4, "no strings"),
        ("(p 'quoted)", 4, "no strings"),
        ("(p '(quoted))", 4, "no strings"),
        ("(:- a b)", 2, "a rule is"),
        ("(<=)", 1, "needs a head"),
        ("(<= ?x a)", 5, "variable where an atom"),
        ("?x", 1, "variable where an atom"),
        ("(<= a ?x)", 7, "variable where an atom"),
        ("(<= a (not ?x))", 12, "variable where an atom"),
        ("(p ?)", 4, "needs a name"),
        ("()", 1, "empty pair"),
        ("(p ())", 4, "empty pair"),
        ("((p) a)", 2, "begins with a name"),
        ("(?x a)", 2, "begins with a name"),
        ("(<= a (not))", 7, "`not` takes 1 argument, not 0"),
        ("(<= a (not b c))", 7, "`not` takes 1 argument, not 2"),
        ("(<= a (distinct ?x))", 7, "`distinct` takes 2 arguments, not 1"),
    ],
)
def test_what_is_not_gdl(text: str, column: int, words: str) -> None:
    with pytest.raises(GDLError, match=words) as caught:
        parse_sheet("(role x)\n" + text)
    assert (caught.value.line, caught.value.column) == (2, column)


def test_errors_can_be_collected() -> None:
    errors: list[GDLError] = []
    sheet = normalised(read("(a) () (<= b (or c d) (not)) e"), errors)
    assert list(map(str, sheet.rules)) == ["a", "e"]
    assert [error.column for error in errors] == [5, 23]


@pytest.mark.parametrize("opening", ["(not ", "(or ", "(and ", "(f "])
def test_the_deepest_conditions(opening: str) -> None:
    depth = MOST_NESTED - 1
    assert len(rules("(<= h " + opening * depth + "a" + ")" * (depth + 1))) == 1
    with pytest.raises(GDLError, match="nest less"):
        parse_sheet("(<= h " + opening * (depth + 1) + "a" + ")" * (depth + 2))


def test_equalities_cannot_blow_terms_up() -> None:
    doubled = " ".join(f"(not (distinct ?v{i} (f ?v{i + 1} ?v{i + 1})))" for i in range(40))
    deep = "(f " * 150 + "?v1" + ")" * 150
    deeper = f"(not (distinct ?v0 {deep})) (not (distinct ?v1 {deep.replace('v1', 'v2')}))"
    for body in (doubled, deeper):
        with pytest.raises(GDLError, match="too large") as caught:
            parse_sheet(f"\n(<= (h ?v0) {body})")
        assert (caught.value.line, caught.value.column) == (2, 1)


TOKENS = st.sampled_from(["(", ")", "<=", "not", "or", "and", "distinct", "true", "p", "?x", "?y", "1", "()", "P", "?"])


@fuzz
@given(st.lists(TOKENS, max_size=40).map(" ".join) | st.text(alphabet="() ?a<=\n;", max_size=60))
def test_any_text_is_a_sheet_or_an_error_with_a_place(text: str) -> None:
    reported = [(f.line, f.column) for f in validate(text) if f.code == "syntax" and "`or` without" not in f.message]
    error = _error(text)
    assert (error is None) == (not reported)
    if error is not None:
        assert (error.line, error.column) in reported
        assert error.line > 0
        assert error.column > 0


def _error(text: str) -> GDLError | None:
    try:
        parse_sheet(text)
    except GDLError as error:
        return error
    return None


# ---- the same meaning, by any naming of disjunctions

CONSTANTS = ("a", "b")
ARGUMENT = st.sampled_from(["?x", "?y", "?z", "a"])
ATOM = st.one_of(
    st.builds("(p {})".format, ARGUMENT), st.builds("(q {} {})".format, ARGUMENT, ARGUMENT), st.just("open")
)
SIMPLE = ATOM | ATOM.map("(not {})".format) | st.builds("(distinct {} {})".format, ARGUMENT, ARGUMENT)
CONDITION = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"(or {' '.join(parts)})"),
        st.lists(inner, max_size=3).map(lambda parts: f"(and {' '.join(parts)})"),
        inner.map("(not {})".format),
    ),
    max_leaves=10,
)
BINDERS = st.sets(st.sampled_from(["(d ?x)", "(d ?y)", "(d ?z)"])).map(sorted)
FACTS = ["(p a)", "(p b)", "open", *(f"(q {x} {y})" for x in CONSTANTS for y in CONSTANTS)]


@fuzz
@given(
    st.sampled_from(["(h ?x)", "(h ?x ?y)", "h"]),
    BINDERS,
    st.lists(CONDITION, min_size=1, max_size=4),
    st.sets(st.sampled_from(FACTS)),
    st.sampled_from([1, 2, 16]),
)
def test_rules_mean_what_their_source_says(
    head: str, binders: list[str], body: list[str], facts: set[str], most: int
) -> None:
    rule = f"(<= {head} {' '.join([*binders, *body])})"
    with mock.patch.object(normalise, "MOST_BRANCHES", most):
        sheet = parse_sheet(" ".join(["(d a)", "(d b)", *sorted(facts), rule]))
    codes = {finding.code for finding in validate(rule)}
    safe = all(map(_safe, sheet.rules))
    assert safe or codes & {"unsafe", "negated-distinct"}
    assume(safe)
    found = {str(atom) for atom in model(sheet.rules) if atom.name == "h"}
    assert found == set(_meaning(rule, facts))


def _safe(rule: Rule) -> bool:
    bound = {v for c in rule.body if isinstance(c, Literal) and c.positive for v in variables_of(c)}
    return bound.issuperset(variables(rule.head)) and all(bound.issuperset(variables_of(c)) for c in rule.body)


def _meaning(rule: str, facts: set[str]) -> list[str]:
    """The heads that follow, with all variables set to all constants."""
    (form,) = read(rule)
    assert isinstance(form, Group)
    held = {*facts, "(d a)", "(d b)"}
    found = []
    for x, y, z in itertools.product(CONSTANTS, repeat=3):
        values = {"?x": x, "?y": y, "?z": z}
        if all(_holds(condition, held, values) for condition in form.items[2:]):
            found.append(_put(form.items[1], values))
    return found


def _put(form: Form, values: dict[str, str]) -> str:
    if isinstance(form, Group):
        return f"({' '.join(_put(item, values) for item in form.items)})"
    return values.get(form.text, form.text)


def _holds(form: Form, held: set[str], values: dict[str, str]) -> bool:
    arguments = form.items[1:] if isinstance(form, Group) else ()
    match keyword(form):
        case "not":
            return not _holds(arguments[0], held, values)
        case "or":
            return any(_holds(argument, held, values) for argument in arguments)
        case "and":
            return all(_holds(argument, held, values) for argument in arguments)
        case "distinct":
            return _put(arguments[0], values) != _put(arguments[1], values)
    return _put(form, values) in held
