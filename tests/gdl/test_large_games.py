"""Rulesheets that need more than grounding all there is: built within the limits, and as the prover plays them."""

from __future__ import annotations

from pathlib import Path

import pytest
from same_game import assert_agree

from treewise.gdl import load_machine, parse_sheet
from treewise.gdl.grounder import ground, ground_plainly
from treewise.gdl.grounding.still import still

LARGE = Path(__file__).parents[3] / "shared" / "data" / "gdl" / "large"
BUILT = {
    "chess": 60,
    "LOCUST_S.3359299013": 60,
    "FRANCE.3361209275": 200,
    "ARGENTINA.3361209022": 200,
    "amazonsTorus": 12,
    "FARMERS_S.3357493442": 12,
    "beatMania_v1": 100,
}
"""And steps of a match to compare."""


@pytest.mark.long
@pytest.mark.parametrize("name", BUILT)
def test_large_sheets_get_the_fast_machine(name: str) -> None:
    file = LARGE / f"{name}.kif"
    if not file.exists():
        pytest.skip(f"{name}: the large rulesheets are not here")
    net = load_machine(file, "net")
    assert assert_agree(load_machine(file, "prover"), net, matches=2, steps=BUILT[name]) > 10


# ---- in small what they need


def test_what_is_only_denied_is_ground_where_it_is_asked_for() -> None:
    numbers = " ".join(f"(succ {n} {n + 1})" for n in range(300))
    rules = f"""(role x) (init (at 1)) (init free) {numbers} (<= (legal x (to ?n)) (true (at ?m)) (succ ?m ?n))
        (<= (far ?a ?b ?c) (succ ?a ?x) (succ ?b ?y) (succ ?c ?z) (true free) (true (at ?a)))
        (<= (next (at ?n)) (does x (to ?n)) (not (far ?n 5 5))) (<= (next free) (true (at 7)))"""
    found = ground_plainly(parse_sheet(rules))
    assert len(found.heads) < 3000, "27 million triples are far"


GUARDED = """(role x) (role y) (init (king 1)) (init (rook 3)) (cell 1) (cell 2) (cell 3) (cell 4)
(<= (legal x (go ?c)) (cell ?c) (true (king ?k)) (distinct ?c ?k) (not (hit ?k ?c)))
(<= (legal y (slide ?c)) (cell ?c))
(<= (hit ?k ?c) (true (rook ?k)) (cell ?c))
(<= (hit ?k ?c) (true (rook ?r)) (cell ?k) (cell ?c) (distinct ?r ?c) (free ?r ?k))
(<= (free ?r ?k) (cell ?r) (cell ?k) (not (true (king ?r))))
(<= (next (king ?c)) (does x (go ?c))) (<= (next (rook ?c)) (does y (slide ?c)))
(<= terminal (true (king ?k)) (true (rook ?k))) (<= (goal ?p 50) (role ?p))"""


def test_looks_through_facts_leave_the_same_game() -> None:
    from random_games import random_game  # the circuit's own tests, with looks in their programs
    from same_game import assert_right

    sheet = parse_sheet(GUARDED)
    program = still(ground(sheet), large=0, share=1)
    assert program.looks
    assert_right(program, matches=10, steps=20)
    for seed in range(60):
        assert_right(still(random_game(seed), large=0, share=1), seed)
