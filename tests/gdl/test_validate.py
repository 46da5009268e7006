"""Every check, on small sheets of our own: where it speaks, where it is silent, and what it says."""

from __future__ import annotations

import re

import pytest

from treewise.gdl.language.validate import CHECKS, Finding, validate

GOOD = """
(role white) (role black)
(init (control white)) (init (left 2))
(succ 1 2) (succ 0 1)
(<= (legal ?p take) (true (control ?p)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (left ?m)) (true (left ?n)) (succ ?m ?n))
(<= (next (control ?q)) (role ?q) (true (control ?p)) (distinct ?p ?q))
(<= terminal (true (left 0)))
(<= (goal ?p 100) (true (control ?p)))
(<= (goal ?p 0) (role ?p) (not (true (control ?p))))
"""


def test_a_good_sheet_has_no_findings() -> None:
    assert validate(GOOD) == []


def with_good(text: str) -> list[Finding]:
    """The findings on a line of its own, behind a good sheet."""
    return [finding for finding in validate(GOOD + text) if finding.line >= GOOD.count("\n") + 1]


SAMPLES = [
    # code, text, column, words of the message
    ("syntax", "(p (<= a))", 5, "cannot stand here"),
    ("syntax", "(<= terminal (or))", 14, "never holds"),
    ("unsafe", "(<= (legal ?p x) terminal)", 12, "?p of the head: add a condition"),
    ("unsafe", "(<= (legal ?p x) (not (role ?p)))", 12, "?p of the head"),
    ("unsafe", "(<= terminal (not (true (left ?n))))", 31, "?n of this `not`"),
    ("unsafe", "(<= terminal (distinct ?a 1))", 24, "?a of this `distinct`"),
    ("unsafe", "(legal ?p x)", 8, "a fact has no variables"),
    ("unsafe", "(<= (legal ?p x) (or (role ?p) terminal))", 12, "every branch of an `or`"),
    ("unsafe", "(<= (legal ?p x) (or (not (role ?p)) (role ?p)))", 12, "every branch"),
    ("unsafe", "(<= terminal (or (role ?p) (not (true (control ?p)))))", 48, "this `not`"),
    ("unstratified", "(<= terminal (not open)) (<= open shut) (<= shut (not open))", 55, "shut <- not open <- shut"),
    ("unstratified", "(<= (goal ?p 50) (role ?p) (not (goal ?p 100)))", 33, "goal <- not goal"),
    ("recursion", "(<= (succ (s ?a) (s ?b)) (succ ?a ?b))", 32, "?a in the recursive condition on `succ` with 2"),
    ("recursion", "(<= (succ ?a ?b) (succ ?b ?c) (succ ?a 1))", 27, "?c in the recursive"),
    ("recursion", "(<= (succ ?a ?b) (succ ?a (f ?b)) (role ?b))", 27, "(f ?b) in the recursive"),
    ("keyword-place", "(<= (true (left 1)) terminal)", 5, "`true` cannot be a head"),
    ("keyword-place", "(does white take)", 1, "`does` cannot be a head"),
    ("keyword-place", "(<= (not terminal) (true (left 1)))", 5, "`not` cannot be a head"),
    ("keyword-place", "(<= terminal (next (left 0)))", 14, "`next` cannot be a condition"),
    ("keyword-place", "(<= terminal (init (left 0)))", 14, "ask for `true` instead"),
    ("keyword-place", "(<= terminal (sees white a))", 14, "`sees` cannot be a condition"),
    ("keyword-place", "(<= terminal or)", 14, "`or` needs conditions"),
    ("keyword-arity", "(legal white)", 1, "write (legal role move)"),
    ("keyword-arity", "(<= terminal (true left 0))", 14, "write (true fact)"),
    ("keyword-arity", "(terminal white)", 1, "write terminal"),
    ("role-fact", "(<= (role red) (role white))", 5, "must be a fact"),
    ("role-fact", "(role ?x)", 1, "must be a fact"),
    ("reads-does", "(<= terminal (does white take))", 14, "(terminal <- does)"),
    ("reads-does", "(<= (legal ?p a) (busy ?p)) (<= (busy ?p) (does ?p take))", 18, "(legal <- busy <- does)"),
    ("init-reads-state", "(<= (init (left ?n)) (true (left ?n)))", 22, "(init <- true)"),
    ("init-reads-state", "(<= (init (left 3)) terminal)", 21, "init <- terminal"),
    ("base-reads-state", "(<= (base (left ?n)) (true (left ?n)))", 22, "`base` must not depend on `true`"),
    ("base-reads-state", "(<= (input ?p go) (can ?p)) (<= (can ?p) (does ?p take))", 19, "input <- can <- does"),
    ("negated-distinct", "(<= terminal (true (left ?n)) (not (distinct ?n 0)))", 36, "no negated `distinct`"),
    ("negated-distinct", "(<= terminal (true (left ?n)) (not (or (distinct ?n 0))))", 40, "no negated `distinct`"),
    ("goal-value", "(goal white many)", 13, "not a whole number"),
    ("goal-value", "(goal white (f 1))", 13, "not a whole number"),
    ("case", "(<= terminal (true (Left 0)))", 21, "Left and left (line 3)"),
    ("case", "(<= terminal (true (left ?n)) (true (control ?N)))", 46, "?N and ?n"),
    ("parentheses", "(<= (open) (true (left 0))) (<= terminal open)", 5, "(open) is read as open"),
    ("parentheses", "(<= terminal (true (left (0))))", 26, "(0) is read as 0"),
    ("arity", "(<= terminal (succ 1)) (succ 1)", 14, "`succ` has 1 arguments here, 2 in line 4"),
    ("arity", "(<= terminal (true (left 1 2))) (init (left 1 2))", 20, "the function `left` has 2"),
    ("empty-body", "(<= (legal white x))", 1, "write (legal white x)"),
    ("undefined", "(<= terminal nothing)", 14, "`nothing` is defined nowhere"),
    ("undefined", "(<= terminal (scuc 1 2))", 14, "did you mean `succ`?"),
    ("undefined", "(<= terminal (succ 1))", 14, "it exists with 2 arguments"),
    ("undefined", "(<= terminal (nto (true (left 0))))", 14, "did you mean `not`?"),
    ("unused", "(nothing 1)", 1, "`nothing` with 1 argument is needed by nothing"),
    ("unused", "(leagl white x)", 1, "did you mean `legal`?"),
    ("unused", "(<= dead deader) (<= deader dead)", 5, "`dead` is needed by nothing"),
    ("predicate-function", "(<= terminal (succ 0 (succ 1 2)))", 22, "`succ` is a function here"),
    ("nested-or", "(<= terminal (or (true (left 0)) (or (true (left 1)) (true (left 2)))))", 34, "one `or`"),
    ("negated-group", "(<= terminal (not (or (true (left 0)) (true (left 1)))))", 14, "`not` around `or`"),
    ("negated-group", "(<= terminal (not (not (true (left 0)))))", 14, "`not` around `not`"),
    ("keyword-term", "(<= terminal (true (left goal)))", 26, "`goal` inside a term"),
    ("keyword-term", "(<= terminal (true (control (or 1 2))))", 29, "`or` inside a term"),
    ("odd-character", "(<= terminal (true (control we|rd)))", 29, "'|'"),
    ("odd-character", "(<= terminal (true (control größe)))", 29, "'ö'"),
    ("unknown-role", "(legal withe x)", 8, "withe is no role"),
    ("unknown-role", "(<= terminal (goal red 100))", 20, "add (role red)"),
    ("unknown-fact", "(<= terminal (true (lift 0)))", 20, "(lift 0) is no fact"),
    ("unknown-fact", "(<= terminal (true (left 0 1)))", 20, "never holds"),
    ("unknown-move", "(<= (next (left 1)) (does white tale))", 33, "tale is no move"),
    ("goal-range", "(goal white 101)", 13, "outside 0 to 100"),
    ("goal-range", "(goal white -1)", 13, "outside 0 to 100"),
]


@pytest.mark.parametrize(("code", "text", "column", "words"), SAMPLES)
def test_the_check_speaks(code: str, text: str, column: int, words: str) -> None:
    found = [finding for finding in with_good(text) if finding.code == code]
    assert found, with_good(text)
    assert found[0].column == column
    assert words in found[0].message
    assert found[0].severity == CHECKS[code][0]


@pytest.mark.parametrize("name", ["role", "legal", "goal", "terminal"])
def test_what_is_missing(name: str) -> None:
    text = "\n".join(line for line in GOOD.split("\n") if not re.match(rf"\((<= )?\(?{name}\b", line))
    codes = {finding.code: finding for finding in validate(text)}
    assert f"no-{name}" in codes
    assert (codes[f"no-{name}"].line, codes[f"no-{name}"].severity) == (0, "error")
    assert name in codes[f"no-{name}"].message
    assert len([code for code in codes if code.startswith("no-")]) == 1


def test_every_check_has_a_sample() -> None:
    missing = {f"no-{name}" for name in ("role", "legal", "goal", "terminal")}
    playing = {"repaired", "dropped"}
    assert {code for code, *_ in SAMPLES} == CHECKS.keys() - missing - playing


@pytest.mark.parametrize(
    "text",
    [
        "(<= (legal ?p x) (or (role ?p) (and (true (control ?p)) (not terminal))))",
        "(<= terminal (distinct ?m ?n) (true (left ?m)) (true (left ?n)))",
        "(<= terminal (or (and (true (left ?n)) (not (succ ?n 1))) (true (left 0))))",
        "(<= (later ?a ?b) (succ ?a ?b)) (<= (later ?a ?c) (succ ?a ?b) (later ?b ?c)) (<= terminal (later 0 2))",
        "(r 0 0) (q 0) (<= (r ?v (f ?v)) (r ?u ?v) (q ?u)) (<= terminal (r 0 (f 0)))",
        "(<= (goal ?p ?n) (role ?p) (true (left ?n)))",
        "(<= terminal (not (legal white take))) (<= terminal (goal white 100))",
        "(sees white (see nothing)) (<= (sees ?r (did ?m)) (role ?r) (does white ?m))",
        "(base (left 0)) (<= (input ?p take) (role ?p))",
        "(ROLE green)",
        "(<= (next (seen ?f)) (true ?f))",
    ],
)
def test_the_checks_are_silent(text: str) -> None:
    assert with_good(text) == []


def test_a_variable_fact_may_be_anything() -> None:
    assert "unknown-fact" in {f.code for f in validate("(<= terminal (true (far 1)))")}
    assert "unknown-fact" not in {f.code for f in validate("(<= terminal (true (far 1))) (<= (next ?f) (true ?f))")}


def test_findings_are_told_once_and_in_order() -> None:
    text = "(<= terminal (Odd 1)) (<= terminal (Odd 1)) (<= (legal ?p (f ?p)) (distinct ?p ?p))"
    found = with_good(text)
    assert [(f.code, f.column) for f in found] == [("undefined", 14), ("unsafe", 56)]
    assert "`Odd` with 1 argument" in found[0].message


def test_broken_parentheses_are_the_only_finding() -> None:
    (finding,) = validate("(role x) (<= terminal")
    assert str(finding) == ("1:10: error: this '(' is never closed: add the ')' that is missing [syntax]")


def test_every_broken_form_is_reported() -> None:
    places = [(f.line, f.column) for f in validate("()\n(p ?)\n(<= p (not))") if f.code == "syntax"]
    assert places == [(1, 1), (2, 4), (3, 7)]


def test_an_empty_sheet_misses_everything() -> None:
    assert {f.code for f in validate("")} == {"no-role", "no-legal", "no-goal", "no-terminal"}


def test_infix_rules_are_told_to_be_such() -> None:
    (finding,) = validate("role(white)\nlegal(white, mark(X)) :- true(cell(X, b)) & ~p(X)")
    assert (finding.line, finding.code) == (2, "syntax")
    assert "infix GDL" in finding.message


def test_places_in_a_sheet_of_one_line_say_what_stands_there() -> None:
    facts = " ".join(f"(succ {i} {i + 1})" for i in range(200))
    sheet = f"(role me) {facts} (legal me go) (<= (goal me 100) (true (Won ?x))) (init (won me)) (succ 7) {facts}"
    findings = {finding.code: finding for finding in validate(sheet)}
    assert "Won ?x))) (init (won me)) (succ 7)" in findings["case"].message
    for code, there in (("case", "won"), ("arity", "(succ 7)")):
        finding = findings[code]
        assert sheet[finding.column - 1 :].startswith(there)
        assert there in finding.message.partition(", near …")[2]
    assert f"(column {sheet.index('Won') + 1})" in findings["case"].message
    assert f"in column {sheet.index('(succ') + 1}," in findings["arity"].message
    (broken,) = validate(sheet + " (legal me (stop)")
    assert broken.message.endswith(", near …" + (sheet + " (legal me (stop)")[-58:])
    assert "near" not in "".join(finding.message for finding in validate(sheet.replace(") (", ")\n(")))
