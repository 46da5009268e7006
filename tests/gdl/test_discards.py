"""Simulations that come to no result: a role is left without a legal move, or the match does not end."""

from collections.abc import Iterator

import pytest

import treewise
from treewise import Search, cadia, decision, limit, parallel, playout, proof
from treewise.gdl import ProverMachine, parse_sheet
from treewise.gdl.grounder import ground
from treewise.gdl.machine import Machine
from treewise.gdl.net_machine import NetMachine

HANGS = """(role a) (role b) (init (at 1)) (legal b wait)
(<= (legal a hang) (true (at 1))) (<= (legal a yield) (true (at 1)))
(<= (next (at 2)) (does a hang)) (<= (next (at 3)) (does a yield))
(<= terminal (true (at 3))) (goal a 40) (goal b 60)"""

LOOPS = (
    HANGS
    + """(<= (legal a left) (true (at 2))) (<= (legal a right) (true (at 2)))
(<= (next (at 2)) (true (at 2)))"""
)

SOMETIMES = """(role a) (role b) (init (at 1)) (legal b wait)
(<= (legal a safe) (true (at 1))) (<= (legal a risky) (true (at 1)))
(<= (next (at 2)) (does a safe)) (<= (next (at 3)) (does a risky))
(<= (legal a stay) (true (at 3))) (<= (legal a fall) (true (at 3)))
(<= (next (at 4)) (does a stay)) (<= (next (at 5)) (does a fall))
(<= terminal (true (at 2))) (<= terminal (true (at 4)))
(<= (goal a 70) (true (at 2))) (<= (goal b 30) (true (at 2)))
(<= (goal a 90) (true (at 4))) (<= (goal b 10) (true (at 4)))"""


def machines(text: str) -> Iterator[Machine]:
    sheet = parse_sheet(text)
    yield ProverMachine(sheet, max_length=40)
    yield NetMachine(sheet, ground(sheet), max_length=40)


def run(machine: Machine, search: Search) -> tuple[str, dict[str, float], int]:
    state = machine.game.initial_state()
    result = search.run(state, seed=1)
    assert isinstance(result.action, int)
    values = {child.name: round(child.value, 9) for child in result.children if child.value is not None}
    return state.action_name(result.action), values, result.stats.discarded


@pytest.mark.parametrize("text", [HANGS, LOOPS])
def test_no_result_is_not_taken_for_a_draw(text: str) -> None:
    for machine in machines(text):
        action, values, discarded = run(machine, cadia(simulations=200))
        assert action == "yield", "40 to 60 is bad, but a result"
        assert values["hang"] <= values["yield"] == 40
        assert 50 < discarded < 150


def test_what_is_discarded_leaves_other_results_as_they_are() -> None:
    """Half of the playouts after the risky action have no result. Where they have one, it is the best."""
    for machine in machines(SOMETIMES):
        search = Search(playout=playout.Uniform(), decision=decision.Robust(), limit=limit.Simulations(400))
        action, values, discarded = run(machine, search)
        assert action == "risky"
        assert discarded > 0
        assert values["safe"] == 70
        assert 75 < values["risky"] <= 90, "70 to 90 stands in for what is unknown, not 0"


def test_a_proof_does_not_take_it_for_a_loss() -> None:
    for machine in machines(HANGS):
        result = Search(proof=proof.Solver(), limit=limit.Simulations(50)).run(machine.game.initial_state(), seed=1)
        assert result.proof is None
        assert {child.name: child.proven for child in result.children}["hang"] is None


def test_in_leaf_parallel_searches_too() -> None:
    for machine in machines(SOMETIMES):
        search = Search(playout=playout.Uniform(), parallel=parallel.Leaf(threads=2), limit=limit.Simulations(200))
        assert 0 < run(machine, search)[2] < 200


def test_who_says_what_a_cut_is_worth_is_heard() -> None:
    for machine in machines(LOOPS):
        action, values, discarded = run(machine, Search(cut_value=80, limit=limit.Simulations(100)))
        assert (action, discarded) == ("hang", 0)
        assert values == {"hang": 80, "yield": 40}


def test_the_table_tells() -> None:
    for machine in machines(HANGS):
        assert "without a result" in str(cadia(simulations=20).run(machine.game.initial_state(), seed=1)).replace(
            "\n", " "
        )
    assert "without a result" not in str(treewise.uct(simulations=20).run(treewise.load_game("pig").initial_state()))
