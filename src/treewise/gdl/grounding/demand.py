"""Wide predicates restricted to what is asked of them.

`add_one(?n ?m)` over all numbers would be ground for every number of the sheet, though its callers hold only a few. A
guard that reads one literal of each caller keeps the others out. (A magic set of which only possibility matters: guards
are for the grounder, the finished program does without them.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set

from treewise.gdl.grounding.asp import GUARD
from treewise.gdl.grounding.functional import Functional
from treewise.gdl.language.dependencies import Dependencies, Predicate, predicate
from treewise.gdl.terms import KEYWORDS, Literal, Rule, Term, Variable, literals, positive, variables, variables_of

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
    graph, facts = Dependencies.of(rules), Functional.of(rules)
    calls: dict[Predicate, list[Call]] = defaultdict(list)
    for rule in rules:
        for literal in literals(rule.body):
            calls[predicate(literal.atom)].append((rule, literal.atom))
    for name, cycle in graph.cycles.items():
        if name in graph.dynamic and name[0] not in KEYWORDS and not cycle and name in calls:
            wide = _wide_places([rule for rule in rules if predicate(rule.head) == name], graph.dynamic, facts)
            rules = _guarded(rules, name, calls[name], wide, graph.dynamic)
    return rules


def _wide_places(own: Sequence[Rule], dynamic: Set[Predicate], facts: Functional) -> dict[int, int]:
    """The arguments that, in some rule, nothing of the state binds; with the number of their values."""
    found: dict[int, int] = defaultdict(int)
    for rule in own:
        binding = positive(rule.body)
        firm = {v for literal in binding if predicate(literal.atom) in dynamic for v in variables_of(literal)}
        for place, argument in enumerate(rule.head.args):
            if isinstance(argument, Variable) and argument not in firm:
                found[place] = max(found[place], facts.size(argument, binding))
    return found


def _guarded(
    rules: list[Rule], name: Predicate, calls: Sequence[Call], wide: dict[int, int], dynamic: Set[Predicate]
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


def _binder(rule: Rule, atom: Term, wide: Iterable[int], dynamic: Set[Predicate]) -> Literal | None:
    """The literal of a caller that binds the most of a call's wide arguments."""
    own = [c for c in positive(rule.body) if c.atom != atom and predicate(c.atom) in dynamic]
    return max(own, key=lambda literal: len(_covered(atom, literal, wide)), default=None)


def _covered(atom: Term, literal: Literal, wide: Iterable[int]) -> set[int]:
    return {place for place in wide if set(variables(atom.args[place])) <= set(variables_of(literal))}
