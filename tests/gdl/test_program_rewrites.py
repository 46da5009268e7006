"""Rewrites of ground programs: the same game, fewer rules."""

from collections.abc import Callable

import numpy as np
import pytest
from playthroughs import assert_same_game
from random_programs import random_program
from small_sheets import ALL, plain

from treewise.gdl import parse_sheet
from treewise.gdl.ground import GroundProgram
from treewise.gdl.grounder import ground_plainly, simpler
from treewise.gdl.grounding.evaluate import Evaluator
from treewise.gdl.grounding.fold import fold
from treewise.gdl.grounding.limits import Budget
from treewise.gdl.grounding.merge import merge
from treewise.gdl.grounding.prune import prune

Rewrite = Callable[[GroundProgram], GroundProgram]


def simplify(program: GroundProgram) -> GroundProgram:
    for _, step in simpler(Budget()):
        program = step(program)
    return program


REWRITES: list[Rewrite] = [fold, merge, prune, simplify]


@pytest.mark.parametrize("rewrite", REWRITES)
@pytest.mark.parametrize("name", ALL)
def test_same_game(name: str, rewrite: Rewrite) -> None:
    assert_same_game(plain(name), rewrite(plain(name)), matches=3, steps=9)


@pytest.mark.parametrize("rewrite", REWRITES)
def test_same_game_by_chance(rewrite: Rewrite) -> None:
    for seed in range(60):
        program = random_program(seed)
        assert_same_game(program, rewrite(program), matches=3, steps=4, seed=seed)


def test_programs_by_chance_say_something() -> None:
    ends, lengths = set(), set()
    for seed in range(60):
        run = Evaluator(random_program(seed))
        ends.add(run.is_terminal(run.initial))
        lengths.update(len(own) for own in run.legal(run.initial))
    assert ends == {True, False}
    assert len(lengths) > 2


def made(rules: str) -> GroundProgram:
    return ground_plainly(parse_sheet(rules))


def bodies(program: GroundProgram) -> list[int]:
    return sorted(np.diff(program.starts).tolist())


def test_constant_facts_are_worked_in() -> None:
    found = fold(made("(role x) (init on) (<= (next on) (true on)) (init c) (<= (legal x go) (true on) (true c))"))
    assert [str(fact) for fact in found.facts] == ["c", "on"]
    assert found.true[1] == 0, "no rule asks for what always holds"
    assert 1 in bodies(found)


def test_facts_that_do_not_return_are_no_constants() -> None:
    found = fold(made("(role x) (init c) (<= (legal x go) (true c)) (legal x wait)"))
    assert found.next.tolist() == [0]
    assert found.true[0] != 0


def test_facts_that_hold_each_other_are_constants() -> None:
    rules = "(role x) (init a) (init b) (<= (next a) (true b)) (<= (next b) (true a)) (<= terminal (not (true a)))"
    found = fold(made(rules))
    assert found.true.tolist() == [0, 0]
    assert found.terminal == 0


def test_impossible_actions_are_gone() -> None:
    found = fold(made("(role x) (init a) (<= (next a) (true a)) (<= (legal x go) (not (true a))) (legal x wait)"))
    assert [str(action) for action in found.actions[0]] == ["wait"]


def test_equal_rules_inside_recursion() -> None:
    rules = "(role x) (init a) (init b) (<= p (true a)) (<= p q (true b)) (<= q (true a)) (<= q p (true b))"
    found = merge(made(rules + "(<= terminal p q)"))
    assert_same_game(made(rules + "(<= terminal p q)"), found)


def test_chains_of_negations() -> None:
    rules = "(role x) (init a) (<= p (not (true a))) (<= q (not p)) (<= terminal q) (<= (goal x 1) p) (legal x go)"
    found = prune(merge(made(rules)))
    assert found.terminal == found.true[0]
    assert bodies(found) == [0, 1]
