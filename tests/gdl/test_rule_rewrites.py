"""Rewrites of rules before they are ground: the same game, fewer ground rules."""

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest
from playthroughs import assert_same_game
from small_sheets import ALL, COUNTING, plain, small

from treewise.gdl import parse_sheet
from treewise.gdl.grounder import ground_plainly
from treewise.gdl.grounding.demand import guard_wide
from treewise.gdl.grounding.linear import unroll
from treewise.gdl.grounding.projection import project
from treewise.gdl.grounding.specialise import specialise
from treewise.gdl.terms import Rule, Sheet

Rewrite = Callable[[Iterable[Rule]], list[Rule]]


def rewritten(sheet: Sheet, rewrite: Rewrite) -> Sheet:
    return replace(sheet, rules=tuple(rewrite(sheet.rules)))


@pytest.mark.parametrize("rewrite", [specialise, unroll, guard_wide, project])
@pytest.mark.parametrize("name", ALL)
def test_same_game(name: str, rewrite: Rewrite) -> None:
    sheet = parse_sheet(ALL[name])
    assert_same_game(plain(name), ground_plainly(rewritten(sheet, rewrite)), matches=2, steps=9)


@pytest.mark.parametrize("name", ALL)
def test_same_game_after_all_of_them(name: str) -> None:
    assert_same_game(plain(name), small(name), matches=4, steps=9)
    assert len(small(name).body) < 0.9 * len(plain(name).body)


def texts(rules: Iterable[Rule]) -> set[str]:
    return {str(rule) for rule in rules}


# ---- projection


def count(rules: str, rewrite: Rewrite | None = None) -> int:
    sheet = parse_sheet(rules)
    return len(ground_plainly(rewritten(sheet, rewrite) if rewrite else sheet).heads)


def test_independent_variables_are_not_multiplied() -> None:
    facts = " ".join(f"(init ({name} {n}))" for name in "abc" for n in range(12))
    rules = f"(role x) {facts} (<= (next (d ?l)) (true (a ?l)) (true (b ?m)) (true (c ?n)))"
    assert count(rules) > 12**3
    assert count(rules, project) < 150


def test_lines_stay_whole() -> None:
    """Variables that static facts tie together count as one: a line is no product of its cells."""
    board = " ".join(f"(init (cell {x} {y}))" for x in range(6) for y in range(6))
    succ = " ".join(f"(succ {n} {n + 1})" for n in range(5))
    rules = f"""(role x) {board} {succ} (<= terminal (true (cell ?a ?d)) (succ ?a ?b) (succ ?d ?e)
        (true (cell ?b ?e)) (succ ?b ?c) (succ ?e ?f) (true (cell ?c ?f)))"""
    assert count(rules, project) == count(rules)


def test_shared_parts_get_one_name() -> None:
    rules = parse_sheet("""(<= (legal ?p (put ?x)) (true (heap ?p ?n)) (distinct ?n 0) (true (free ?x)))
        (<= (legal ?q (take ?y)) (true (heap ?q ?m)) (distinct ?m 0) (true (free ?y)))""").rules
    found = texts(project(rules))
    assert "(<= (legal ?p (put ?x)) (split 1 ?p) (true (free ?x)))" in found
    assert "(<= (legal ?q (take ?y)) (split 1 ?q) (true (free ?y)))" in found
    assert len(found) == 3


def test_guards_leave_no_trace() -> None:
    """`?x` is bound by no positive literal of its part: a guard binds it, and is true in the ground program."""
    rules = """(role x) (init (c 1 a)) (init (c 2 a)) (init (d 1)) (legal x go)
        (<= (next (c ?x ?k)) (true (c ?x ?k)) (true (d ?y)) (distinct ?x ?y)) (<= (next (d 2)) (true (d 1)))"""
    sheet = parse_sheet(rules)
    assert any("guard" in str(rule) for rule in project(sheet.rules))
    assert_same_game(ground_plainly(sheet), ground_plainly(rewritten(sheet, project)))


# ---- constants


def test_copies_only_where_all_callers_give_constants() -> None:
    rules = parse_sheet("(<= terminal (full a)) (<= (goal x ?n) (full ?n)) (<= (full ?c) (true (cell ?c)))").rules
    assert specialise(rules) == list(rules)


def test_rules_for_other_constants_are_dropped() -> None:
    rules = parse_sheet("""(<= terminal (full a ?x)) (<= (full b ?n) (true (cell b ?n)))
        (<= (full ?c ?n) (true (cell ?c ?n)) (distinct ?c a)) (<= (full ?c ?n) (true (open ?c ?n)) (distinct ?c b))""")
    found = texts(specialise(rules.rules))
    assert found == {"(<= terminal (full with a ?x))", "(<= (full with a ?n) (true (open a ?n)))"}


def test_many_constants_make_no_copies() -> None:
    calls = " ".join(f"(<= terminal (full {n}))" for n in range(20))
    rules = parse_sheet(f"{calls} (<= (full ?c) (true (cell ?c)))").rules
    assert specialise(rules) == list(rules)


def test_copies_of_copies_come_to_an_end() -> None:
    """Twenty predicates of which each calls the next twice: 2^20 copies."""
    arguments = [" ".join(f"?{k}" for k in range(n)) for n in range(22)]
    link = "(<= (p{0} {2}) (p{1} {2} 0) (p{1} {2} 1))"
    links = " ".join(link.format(n, n + 1, arguments[n]) for n in range(1, 20))
    rules = parse_sheet(f"(<= terminal (p1 0)) {links} (<= (p20 {arguments[20]}) (true (a {arguments[20]})))").rules
    assert len(specialise(rules)) < 300


# ---- loops


def test_the_count_runs_forwards() -> None:
    names = {rule.head.name for rule in unroll(parse_sheet(COUNTING).rules)}
    assert "loop" not in names
    assert {"loop reached 1", "loop answer 1"} <= names


@pytest.mark.parametrize(
    "rules",
    [
        "(<= (goal x ?e) (walk ?s ?e) (true (at ?s)))",  # begins anywhere
        "(<= (goal x 1) (walk a ?e)) (<= (walk ?x ?e) (walk ?y ?e) (walk ?x ?y))",  # not linear
        "(<= (goal x 1) (walk a ?e)) (<= (walk ?x ?e) (walk ?y ?e) (true (ends ?e ?x ?y)))",  # the result decides
        "(<= (goal x 1) (walk a ?e)) (<= (walk ?x ?e) (walk ?y ?e) (true (at ?x)))",  # the call binds the place
    ],
)
def test_what_is_no_loop_stays(rules: str) -> None:
    found = parse_sheet(
        f"{rules} (<= (walk ?x ?e) (true (end ?x ?e))) (<= (walk ?x ?e) (true (way ?x ?y)) (walk ?y ?e))"
    )
    assert unroll(found.rules) == list(found.rules)


# ---- wide predicates


def test_wide_predicates_are_ground_where_asked() -> None:
    numbers = " ".join(f"(number {n})" for n in range(1200))
    rules = f"""(role x) (init off) (init (at 1)) {numbers}
        (<= (keep ?k) (number ?k) (true off)) (<= (next (at ?k)) (true (at ?k)) (keep ?k))"""
    *_, asked = guard_wide(parse_sheet(rules).rules)
    assert str(asked) == "(<= (guard keep 0 ?k) (true (at ?k)))"
    assert count(rules, guard_wide) == count(rules)


def test_what_callers_are_asked_is_passed_on() -> None:
    numbers = " ".join(f"(succ {n} {n + 1})" for n in range(1200))
    rules = parse_sheet(f"""{numbers} (<= (next (at ?k)) (true (at ?k)) (not (far ?k))) (<= (far ?k) (walk ?k ?e))
        (<= (walk ?k ?e) (succ ?k ?e) (true on)) (<= (walk ?k ?e) (walk ?k ?x) (succ ?x ?e) (true on))""").rules
    made = {str(rule) for rule in guard_wide(rules) if rule.head.name.startswith("guard")}
    assert made == {"(<= (guard far 0 ?k) (true (at ?k)))", "(<= (guard walk 0 ?k) (guard far 0 ?k))"}


def test_two_calls_of_one_rule_do_not_wait_for_each_other() -> None:
    numbers = " ".join(f"(number {n})" for n in range(50))
    rules = f"""(role x) (init (at 1)) {numbers} (<= (near ?a ?b) (number ?a) (number ?b) (true (at 1)))
        (<= (next (at ?b)) (near ?a ?b) (near ?b ?a))"""
    assert count(rules, guard_wide) == count(rules) > 0


def test_callers_that_bind_nothing_need_all() -> None:
    numbers = " ".join(f"(number {n})" for n in range(1200))
    rules = parse_sheet(f"{numbers} (<= (keep ?k) (number ?k) (true off)) (<= (next (at ?k)) (keep ?k))").rules
    assert guard_wide(rules) == list(rules)
