"""From rulesheets to ground programs."""

import numpy as np
import pytest

from treewise.gdl import GDLError, parse_sheet
from treewise.gdl.grounder import ground
from treewise.gdl.grounding.limits import Limits, TooLarge

pytestmark = pytest.mark.filterwarnings("ignore:the sheet has a goal of 300")

WALK = """
(role Walker) (role other) (init (at 1)) (init (lamp (colour 1 red)))
(succ 1 2) (succ 2 3)
(<= (legal walker (to ?n)) (true (at ?m)) (succ ?m ?n))
(<= (legal walker stay) (true (at ?m)))
(<= (legal other noop) (role other))
(<= (legal stranger noop) (role other))
(<= (next (at ?n)) (does walker (to ?n)))
(<= (next (at ?n)) (does walker stay) (true (at ?n)))
(<= (next (seen ?n)) (true (at ?n)) (not (true (seen ?n))))
(<= terminal (true (at 3)))
(<= (goal walker 100) terminal) (<= (goal ?r 0) (role ?r) (not terminal)) (<= (goal other 300) terminal)
"""


def test_names_and_order() -> None:
    found = ground(parse_sheet(WALK))
    assert [str(role) for role in found.roles] == ["walker", "other"]
    assert [str(f) for f in found.facts] == sorted(
        [*(f"({w} {n})" for w in ("at", "seen") for n in "123"), "(lamp (colour 1 red))"]
    )
    assert [[str(a) for a in own] for own in found.actions] == [["(to 2)", "(to 3)", "stay"], ["noop"]]
    assert [str(found.facts[i]) for i in found.initial] == ["(at 1)", "(lamp (colour 1 red))"]
    assert [[value for value, _ in own] for own in found.goals] == [[0, 100], [0, 100]]


def test_facts_that_never_return_have_no_next() -> None:
    found = ground(parse_sheet(WALK))
    lamp = [str(f) for f in found.facts].index("(lamp (colour 1 red))")
    assert found.next[lamp] == 0


def test_same_every_time() -> None:
    one, two = ground(parse_sheet(WALK)), ground(parse_sheet(WALK))
    for name in ("true", "next", "heads", "starts", "body"):
        assert np.array_equal(getattr(one, name), getattr(two, name))


def test_unsafe_rule_has_a_place() -> None:
    with pytest.raises(GDLError, match=r"line 2, column 2: nothing in the body binds \?y"):
        ground(parse_sheet("(role x)\n (<= (next (p ?y)) (true (q ?x)))"))


def test_nobody_plays() -> None:
    with pytest.raises(GDLError, match="no role"):
        ground(parse_sheet("(init a)"))


def test_goal_that_is_no_number() -> None:
    with pytest.raises(GDLError, match="whole number"):
        ground(parse_sheet("(role x) (<= (goal x much) (role x))"))


@pytest.mark.parametrize("head", ["(true a)", "(does x a)"])
def test_given_predicates_have_no_rules(head: str) -> None:
    with pytest.raises(GDLError, match="given by the match"):
        ground(parse_sheet(f"(role x) {head}"))


def test_rules_over_the_limit() -> None:
    numbers = " ".join(f"(init (n {i}))" for i in range(40))
    sheet = parse_sheet(f"(role x) {numbers} (<= (next (pair ?a ?b)) (true (n ?a)) (true (n ?b)))")
    with pytest.raises(TooLarge, match="more than 500 rules"):
        ground(sheet, Limits(rules=500))


def test_endless_grounding_is_stopped() -> None:
    sheet = parse_sheet("(role x) (p a) (<= (p (f ?x)) (p ?x))")
    with pytest.raises(TooLarge):
        ground(sheet, Limits(seconds=0.5, megabytes=300))
