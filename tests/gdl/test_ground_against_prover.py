"""Ground programs against the reference reasoner, which grounds nothing."""

import random
from pathlib import Path

import pytest
from small_sheets import ALL, small

from treewise.gdl import Prover, Sheet, parse_sheet
from treewise.gdl.ground import GroundProgram
from treewise.gdl.grounder import ground
from treewise.gdl.grounding.evaluate import Evaluator
from treewise.gdl.grounding.listing import listing
from treewise.gdl.load import load_sheet, sheet_names
from treewise.gdl.terms import Term


def assert_agree(sheet: Sheet, program: GroundProgram, steps: int, matches: int = 1) -> None:
    prover, run = Prover(sheet), Evaluator(program)
    assert run.initial == prover.initial
    for seed in range(matches):
        _assert_same_match(prover, run, steps, random.Random(seed))


def _assert_same_match(prover: Prover, run: Evaluator, steps: int, chance: random.Random) -> None:
    state = prover.initial
    for _ in range(steps):
        legal = [prover.legal(state, role) for role in prover.roles]
        assert run.legal(state) == legal
        assert run.is_terminal(state) == prover.terminal(state)
        assert run.goals(state) == [sorted(int(v.name) for v in prover.goal(state, role)) for role in prover.roles]
        if prover.terminal(state) or not all(legal):
            return
        joint = [chance.choice(own) for own in legal]
        following = prover.next(state, dict(zip(prover.roles, joint, strict=True)))
        assert run.play(state, joint) == following
        assert _percepts(run, state, joint) == [
            prover.sees(state, dict(zip(prover.roles, joint, strict=True)), role) for role in prover.roles
        ]
        state = following


def _percepts(run: Evaluator, state: frozenset[Term], joint: list[Term]) -> list[list[Term]]:
    holds = run.model(state, joint)
    return [[percept for percept, atom in own if holds[atom]] for own in run.program.sees]


@pytest.mark.parametrize("name", ALL)
def test_own_small_sheets(name: str) -> None:
    assert_agree(parse_sheet(ALL[name]), small(name), steps=10, matches=3)


@pytest.mark.parametrize("name", sheet_names())
def test_shipped_sheets(name: str) -> None:
    sheet = load_sheet(name)
    assert_agree(sheet, ground(sheet), steps=10)


@pytest.mark.parametrize("name", ALL)
def test_the_listing_is_the_same_game(name: str) -> None:
    program = small(name)
    sheet = parse_sheet("\n".join(listing(program)))
    again = ground(sheet)
    assert_agree(sheet, again, steps=4)
    assert (again.facts, again.actions) == (program.facts, program.actions)
    assert len(again.body) <= len(program.body)


@pytest.mark.long
def test_sheets_of_others(shared_gdl: Path) -> None:
    for path in sorted(shared_gdl.glob("games/*/*.kif")):
        sheet = load_sheet(path)
        assert_agree(sheet, ground(sheet), steps=12)
