"""From a rulesheet to its ground program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from treewise.gdl.ground import GroundProgram
from treewise.gdl.grounding.assemble import assemble
from treewise.gdl.grounding.demand import guard_wide
from treewise.gdl.grounding.fold import fold
from treewise.gdl.grounding.limits import Budget, Limits
from treewise.gdl.grounding.linear import unroll
from treewise.gdl.grounding.merge import merge
from treewise.gdl.grounding.projection import project
from treewise.gdl.grounding.prune import prune
from treewise.gdl.grounding.specialise import specialise
from treewise.gdl.grounding.still import still
from treewise.gdl.syntax import GDLError
from treewise.gdl.terms import Rule, Sheet

REWRITES: tuple[Callable[[Sequence[Rule]], list[Rule]], ...] = (specialise, unroll, guard_wide, project)
"""What is done to the rules before they are ground, in order; each step leaves the same game."""
Simplifier = Callable[[GroundProgram], GroundProgram]


def ground(sheet: Sheet, limits: Limits | Budget | None = None) -> GroundProgram:
    """The rules without variables that can ever fire, as few as the rewrites of this package make them.

    >>> from treewise.gdl import parse_sheet
    >>> rules = "(role x) (init (at 1)) (succ 1 2) (<= (legal x (to ?n)) (true (at ?m)) (succ ?m ?n))"
    >>> found = ground(parse_sheet(rules + "(<= (next (at ?n)) (does x (to ?n))) (<= terminal (true (at 2)))"))
    >>> [str(fact) for fact in found.facts], [str(action) for action in found.actions[0]]
    (['(at 1)', '(at 2)'], ['(to 2)'])
    """
    *_, (_, found) = stages(sheet, limits)
    return found


def stages(sheet: Sheet, limits: Limits | Budget | None = None) -> Iterator[tuple[str, GroundProgram]]:
    """The same, step by step: the name of each step and what it left."""
    budget = limits if isinstance(limits, Budget) else Budget(limits)
    rules: Sequence[Rule] = sheet.rules
    for rewrite in REWRITES:
        with budget.spending():
            rules = rewrite(rules)
    found = ground_plainly(replace(sheet, rules=tuple(rules)), budget)
    yield "ground", found
    for name, step in simpler(budget):
        with budget.spending():
            found = step(found)
        yield name, found


def simpler(budget: Budget) -> tuple[tuple[str, Simplifier], ...]:
    """What makes a ground program smaller or faster, in order; each step leaves the same game."""
    merging, keeping = partial(merge, budget=budget), partial(still, budget=budget)
    again = (("fold", fold), ("prune", prune))
    return (*again, ("merge", merging), *again, ("still", keeping))


def ground_plainly(sheet: Sheet, limits: Limits | Budget | None = None) -> GroundProgram:
    """What relaxed reachability gives with no rule rewritten: larger, often by far."""
    if not sheet.roles:
        raise GDLError("the sheet has no role: (role name) says who plays")
    budget = limits if isinstance(limits, Budget) else Budget(limits)
    with budget.spending():
        return assemble(sheet, budget)
