"""Wide predicates restricted to what is asked of them.

`add_one(?n ?m)` over all numbers would be ground for every number of the sheet, though its callers hold only a few. A
guard that reads one literal of each caller keeps the others out. (A magic set of which only possibility matters: guards
are for the grounder, the finished program does without them.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from treewise.gdl.asp import GUARD
from treewise.gdl.dependency import Predicate, dynamic_predicates, mutual, positive, predicate, variables_of
from treewise.gdl.functional import Functional
from treewise.gdl.specialise import KEYWORDS
from treewise.gdl.terms import Literal, Rule, Term, Variable, variables

WIDE = 1000
"""Combinations of values from which a guard is worth its own rules."""

Call = tuple[Rule, Term]


def guard_wide(rules: Iterable[Rule]) -> list[Rule]:
    """The rules, with guards for what would be ground far beyond what its callers ask.

    >>> from treewise.gdl import parse_sheet
    >>> numbers = " ".join(f"(number {n})" for n in range(40))
    >>> sheet = parse_sheet(numbers + "(<= (next (c ?m ?n)) (true (c ?m ?n)) (keep ?m ?n))"
    ...     "(<= (keep ?m ?n) (number ?m) (number ?n) (true on))")
    >>> for rule in guard_wide(sheet.rules)[40:]:
    ...     print(rule)
    (<= (next (c ?m ?n)) (true (c ?m ?n)) (keep ?m ?n))
    (<= (keep ?m ?n) (guard keep ?m ?n) (number ?m) (number ?n) (true on))
    (<= (guard keep ?m ?n) (true (c ?m ?n)))
    """
    rules = list(rules)
    dynamic, recursive, facts = dynamic_predicates(rules), mutual(rules), Functional.of(rules)
    calls: dict[Predicate, list[Call]] = defaultdict(list)
    for rule in rules:
        for condition in rule.body:
            if isinstance(condition, Literal):
                calls[predicate(condition.atom)].append((rule, condition.atom))
    for name, others in recursive.items():
        if name in dynamic and name[0] not in KEYWORDS and not others and name in calls:
            wide = _wide_places([rule for rule in rules if predicate(rule.head) == name], dynamic, facts)
            rules = _guarded(rules, name, calls[name], wide, dynamic)
    return rules


def _wide_places(own: Sequence[Rule], dynamic: set[Predicate], facts: Functional) -> dict[int, int]:
    """The arguments that, in some rule, nothing of the state binds; with the number of their values."""
    found: dict[int, int] = defaultdict(int)
    for rule in own:
        literals = positive(rule.body)
        firm = {v for literal in literals if predicate(literal.atom) in dynamic for v in variables_of(literal)}
        for place, argument in enumerate(rule.head.args):
            if isinstance(argument, Variable) and argument not in firm:
                found[place] = max(found[place], facts.size(argument, literals))
    return found


def _guarded(
    rules: list[Rule], name: Predicate, calls: Sequence[Call], wide: dict[int, int], dynamic: set[Predicate]
) -> list[Rule]:
    binders = [_binder(rule, atom, wide, dynamic) for rule, atom in calls]
    if not all(binders):
        return rules
    places = sorted(
        set.intersection(*(_covered(atom, b, wide) for (_, atom), b in zip(calls, binders, strict=True) if b))
    )
    combinations = 1
    for place in places:
        combinations *= wide[place]
    if combinations < WIDE:
        return rules

    def guard(atom: Term) -> Term:
        return Term(GUARD + name[0], tuple(atom.args[place] for place in places))

    found = [
        Rule(rule.head, (Literal(guard(rule.head)), *rule.body), rule.line, rule.column)
        if predicate(rule.head) == name
        else rule
        for rule in rules
    ]
    made = (Rule(guard(atom), (b,)) for (_, atom), b in zip(calls, binders, strict=True) if b)
    return found + list(dict.fromkeys(made))


def _binder(rule: Rule, atom: Term, wide: Iterable[int], dynamic: set[Predicate]) -> Literal | None:
    """The literal of a caller that binds the most of a call's wide arguments."""
    own = [c for c in positive(rule.body) if c.atom != atom and predicate(c.atom) in dynamic]
    return max(own, key=lambda literal: len(_covered(atom, literal, wide)), default=None)


def _covered(atom: Term, literal: Literal, wide: Iterable[int]) -> set[int]:
    return {place for place in wide if set(variables(atom.args[place])) <= variables_of(literal)}
