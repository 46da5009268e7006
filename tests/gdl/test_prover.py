"""The reference prover: each point of the semantics on a sheet of its own, and random sheets against the definition."""

import random
import sys

import pytest
from naive import model
from random_sheets import random_sheet

from treewise.gdl import GDLError, Prover, parse_sheet
from treewise.gdl.terms import Term


def prover(text: str, **options: int) -> Prover:
    return Prover(parse_sheet(text), **options)


def legal(text: str, role: str = "x") -> list[str]:
    """The legal actions of the initial state."""
    made = prover(text)
    return [str(action) for action in made.legal(made.initial, Term(role))]


def test_states_have_no_inertia() -> None:
    made = prover("(role x) (init a) (init b) (legal x go) (<= (next a) (true a) (does x go))")
    assert made.next(made.initial, {Term("x"): Term("go")}) == {Term("a")}
    assert made.next(made.initial, {Term("x"): Term("stay")}) == frozenset()


def test_actions_are_seen_only_after_the_step() -> None:
    made = prover("(role x) (role y) (init a) (<= (next (did ?r ?m)) (does ?r ?m)) (<= (legal x go) (not (does x go)))")
    after = made.next(made.initial, {Term("x"): Term("go"), Term("y"): Term("stay")})
    assert sorted(map(str, after)) == ["(did x go)", "(did y stay)"]
    assert made.legal(made.initial, Term("x")) == [Term("go")]
    assert made.legal(made.initial, Term("z")) == []


def test_a_name_defined_nowhere_is_false() -> None:
    assert legal("(role x) (<= (legal x lose) nothing) (<= (legal x win) (not nothing))") == ["win"]


def test_parentheses_around_a_proposition_mean_nothing() -> None:
    sheet = "(role x) (init a) (<= (open) (true a)) (<= (legal x go) open) (<= (legal x no) (not (open)))"
    assert legal(sheet) == ["go"]


def test_support_must_not_be_circular() -> None:
    sheet = "(role x) (<= p q) (<= q p) (<= (legal x circle) p) (<= (legal x go) (not q))"
    assert legal(sheet) == ["go"]


def test_distinct_before_its_variables_are_bound() -> None:
    sheet = "(role x) (d a) (d b) (<= (legal x (do ?m ?n)) (distinct ?m ?n) (d ?m) (d ?n))"
    assert legal(sheet) == ["(do a b)", "(do b a)"]


def test_terms_that_occur_nowhere_else_are_distinct() -> None:
    sheet = "(role x) (d a) (d b) (<= (legal x (do ?m ?n)) (d ?m) (d ?n) (distinct (f ?m) (f ?n)))"
    assert legal(sheet) == ["(do a b)", "(do b a)"]


def test_not_distinct_is_equal() -> None:
    sheet = "(role x) (d a) (d b) (<= (legal x (do ?m ?n)) (d ?m) (d ?n) (not (distinct ?m ?n)))"
    assert legal(sheet) == ["(do a a)", "(do b b)"]


def test_variables_twice_in_one_atom() -> None:
    facts = "(role x) (line 1 1 2 1) (line 1 1 1 2) (line 2 1 2 2) (line 1 2 2 2)"
    sheet = f"{facts} (<= (legal x (h ?a ?b)) (line ?a ?r ?b ?r)) (<= (both ?a ?a) (line ?a ?a ?b ?c))"
    assert legal(f"{sheet} (<= (legal x (s ?p)) (both ?p ?p))") == ["(h 1 2)", "(s 1)"]


def test_a_variable_stands_for_a_whole_term() -> None:
    sheet = """(role x) (init (offer (sell 1 (coins 2)))) (init (offer pass))
    (<= (legal x ?m) (true (offer ?m)))
    (<= (price ?p) (legal x (sell ?what (coins ?p))))
    (<= (legal x (haggle ?p)) (true (offer ?m)) (price ?p) (distinct ?m pass))"""
    assert legal(sheet) == ["(haggle 2)", "(sell 1 (coins 2))", "pass"]


def test_left_and_right_recursion_give_the_closure() -> None:
    edges = "(role x) (e a b) (e b c) (e c d) (e d b)"
    left = "(<= (r ?p ?q) (e ?p ?q)) (<= (r ?p ?q) (r ?p ?m) (e ?m ?q))"
    right = "(<= (r ?p ?q) (e ?p ?q)) (<= (r ?p ?q) (e ?p ?m) (r ?m ?q))"
    both = "(<= (r ?p ?q) (e ?p ?q)) (<= (r ?p ?q) (r ?p ?m) (r ?m ?q))"
    wanted = sorted(f"(to {p} {q})" for p in "abcd" for q in "bcd")
    for rules in (left, right, both):
        assert legal(f"{edges} {rules} (<= (legal x (to ?p ?q)) (r ?p ?q))") == wanted
        # The same where the edges are facts of the state and the call gives one end.
        moving = edges.replace("(e ", "(init (e ").replace("a b)", "a b))").replace("b c)", "b c))")
        moving = moving.replace("c d)", "c d))").replace("d b)", "d b))")
        state_rules = rules.replace("(e ?p ?q)", "(true (e ?p ?q))").replace("(e ?m ?q)", "(true (e ?m ?q))")
        state_rules = state_rules.replace("(e ?p ?m)", "(true (e ?p ?m))")
        assert legal(f"{moving} {state_rules} (<= (legal x (to ?q)) (r d ?q))") == ["(to b)", "(to c)", "(to d)"]


def test_mutual_recursion_with_accumulators() -> None:
    numbers = " ".join(f"(succ {n} {n + 1})" for n in range(30))
    cells = " ".join(f"(init (cell {n} {'w' if n % 3 else 'b'}))" for n in range(20))
    loop = """(<= (count ?w) (loop 0 0 ?w))
    (<= (loop ?n ?sofar ?w) (one ?n ?sofar ?more) (succ ?n ?m) (loop ?m ?more ?w))
    (<= (loop 20 ?w ?w) (any ?w)) (<= (any ?n) (succ ?n ?m))
    (<= (one ?n ?w ?v) (true (cell ?n w)) (succ ?w ?v))
    (<= (one ?n ?w ?w) (true (cell ?n b)) (any ?w))"""
    assert legal(f"(role x) {numbers} {cells} {loop} (<= (legal x (count ?n)) (count ?n))") == ["(count 13)"]


def test_recursion_through_function_symbols() -> None:
    sheet = "(role x) (r 0 0) (q 0) (<= (r ?b (f ?b)) (r ?a ?b) (q ?a)) (<= (legal x ?t) (r ?s ?t))"
    assert legal(sheet) == ["(f (f 0))", "(f 0)", "0"]


def test_long_recursion_needs_no_stack() -> None:
    numbers = " ".join(f"(succ {n} {n + 1})" for n in range(5000))
    sheet = f"(role x) (init (at 0)) {numbers} (<= (far ?n) (true (at ?n))) (<= (far ?n) (far ?m) (succ ?m ?n))"
    assert legal(
        f"{sheet} (<= (back 0) (true (at 0))) (<= (back ?n) (succ ?m ?n) (back ?m))"
        "(<= (legal x go) (far 5000)) (<= (legal x come) (back 5000))"
    ) == ["come", "go"]


def test_long_chains_of_predicates_need_no_stack() -> None:
    count = 1100
    chain = " ".join(f"(<= (p{n + 1} ?m) (p{n} ?m) (true (m ?m)))" for n in range(count))
    sheet = f"(role x) (init (m a)) (<= (p0 ?m) (true (m ?m))) {chain} (<= (legal x ?m) (p{count} ?m))"
    before = sys.getrecursionlimit()
    try:
        assert legal(sheet) == ["a"]
    finally:
        sys.setrecursionlimit(before)


def test_many_conditions_in_one_body() -> None:
    many = " ".join(f"(d ?v{n})" for n in range(30))
    wide = " ".join(f"(true (c{n} ?w{n}))" for n in range(25))
    inits = " ".join(f"(init (c{n} {n}))" for n in range(25))
    sheet = f"(role x) (d a) {inits} (<= (legal x (f ?v0 ?v29)) {many}) (<= (legal x (g ?w0 ?w24)) {wide})"
    assert legal(f"{sheet} (<= (legal x h) {wide})") == ["(f a a)", "(g 0 24)", "h"]


GROWS = "(role x) (init a) (n 0) (<= (n (s ?n)) (n ?n))"


@pytest.mark.parametrize(
    "sheet",
    [
        f"{GROWS} (<= (legal x ?n) (n ?n))",
        "(role x) (init a) (n 0 0) (<= (n (s ?n ?n) ?m) (n ?n ?m) (true a)) (<= (legal x ?n) (n ?n 0))",
        "(role x) (init a) (<= (n ?n) (n (s ?n))) (<= (n 1) (true a)) (<= (legal x go) (n 0))",
    ],
)
def test_infinite_models_end_in_an_error(sheet: str) -> None:
    made = prover(sheet, most_derivations=2000)
    with pytest.raises(GDLError, match="more than 2,000 derivations in one recursion"):
        made.legal(made.initial, Term("x"))


def test_what_is_not_asked_for_may_be_infinite() -> None:
    assert legal(f"{GROWS} (<= (legal x go) (n (s 0))) (<= (legal x no) (n end))") == ["go"]


def test_a_predicate_may_not_depend_on_its_absence() -> None:
    with pytest.raises(GDLError, match=r"line 1, column 10: `p` depends on its own absence"):
        prover("(role x) (<= (p ?a) (q ?a) (not (p ?a))) (q 1) (<= (legal x ?a) (p ?a))")


def test_the_other_goal_may_depend_on_the_absence_of_one() -> None:
    sheet = """(role x) (role y) (init (won x)) (<= (goal ?r 100) (true (won ?r)))
    (<= (goal ?r 0) (role ?r) (not (goal ?r 100)))"""
    made = prover(sheet)
    assert [[str(value) for value in made.goal(made.initial, role)] for role in made.roles] == [["100"], ["0"]]


def test_a_predicate_taken_apart_may_have_parts_without_rules() -> None:
    assert legal("(role x) (init a) (<= (p 1) (not (p 2))) (<= (p 2) (p 3)) (<= (legal x go) (p 1))") == ["go"]


def test_unsafe_rules_are_used_as_far_as_possible() -> None:
    assert legal("(role x) (role y) (on x) (<= (legal ?p ?p) (on x))", "y") == ["y"]
    facts = "(role x) (init a) (d 1) (d 2)"
    differ = "(<= (differ ?a ?b) (distinct ?a ?b)) (<= (legal x (t ?a ?b)) (differ ?a ?b) (d ?a) (d ?b))"
    assert legal(f"{facts} {differ}") == ["(t 1 2)", "(t 2 1)"]
    assert "2" in legal(f"{facts} (<= (legal x ?anything) (true a))"), "a variable that nothing binds is any term"
    many = " ".join(f"(d {n})" for n in range(300))
    with pytest.warns(UserWarning, match="a variable has no value"):
        assert legal(f"(role x) {many} (init a) (<= (legal x ?anything) (true a)) (legal x go)") == ["go"]


def test_sees_depends_on_the_joint_action() -> None:
    made = prover("(role x) (role y) (init a) (<= (sees x (it ?m)) (does y ?m)) (legal x go) (legal y (n 1))")
    joint = {Term("x"): Term("go"), Term("y"): Term("n", (Term("1"),))}
    assert [str(seen) for seen in made.sees(made.initial, joint, Term("x"))] == ["(it (n 1))"]
    assert made.sees(made.initial, joint, Term("y")) == []


@pytest.mark.parametrize("seed", range(80))
def test_random_sheets_have_the_standard_model(seed: int) -> None:
    sheet = parse_sheet(random_sheet(random.Random(seed)))
    made = Prover(sheet)
    given = {Term("true", (fact,)) for fact in made.initial}
    wanted = {atom.args[1] for atom in model(sheet.rules, given) if atom.name == "legal"}
    assert set(made.legal(made.initial, Term("x"))) == wanted
