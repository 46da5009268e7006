"""Wide predicates restricted to what is asked of them.

`add_one(?n ?m)` over all numbers would be ground for every number of the sheet, though its callers hold only a few. A
guard that reads one literal of each caller keeps the others out. (A magic set of which only possibility matters: guards
are for the grounder, the finished program does without them.) Arguments that no literal of a caller holds together get
a guard each, and what is asked of a caller is passed on to those that it calls.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from treewise.gdl.grounding.functional import UNKNOWN, Functional
from treewise.gdl.grounding.numbers import GUARD
from treewise.gdl.language.dependencies import Dependencies, Predicate, predicate
from treewise.gdl.terms import (
    KEYWORDS,
    Argument,
    Distinct,
    Literal,
    Rule,
    Term,
    Variable,
    literals,
    positive,
    variables,
    variables_of,
)

WIDE = 1000
"""Combinations of values from which guards are worth their own rules."""

Place = tuple[Predicate, int]
Call = tuple[int, Term]
"""The number of a rule, and the atom that it asks for."""


def guard_wide(rules: Iterable[Rule]) -> list[Rule]:
    """The rules, with guards for what would be ground far beyond what its callers ask.

    >>> from treewise.gdl import parse_sheet
    >>> numbers = " ".join(f"(number {n})" for n in range(40))
    >>> sheet = parse_sheet(numbers + "(<= (next (c ?m ?n)) (true (c ?m ?n)) (keep ?m ?n))"
    ...     "(<= (keep ?m ?n) (number ?m) (number ?n) (true on))")
    >>> for rule in guard_wide(sheet.rules)[40:]:
    ...     print(rule)
    (<= (next (c ?m ?n)) (true (c ?m ?n)) (keep ?m ?n))
    (<= (keep ?m ?n) (guard keep 0 1 ?m ?n) (number ?m) (number ?n) (true on))
    (<= (guard keep 0 1 ?m ?n) (true (c ?m ?n)))
    """
    rules = list(rules)
    graph = Dependencies.of(rules)
    demand = _Demand(rules, graph, _wide_places(rules, graph, Functional.of(rules)))
    for component in reversed(graph.components):  # callers before what they call
        for name in component:
            if name in graph.dynamic and name[0] not in KEYWORDS:
                demand.restrict(name)
    return demand.rules + demand.guards


def _wide_places(rules: Sequence[Rule], graph: Dependencies, facts: Functional) -> dict[Place, int]:
    """The arguments that, in some rule, nothing of the state binds; with the number of their values, about."""
    wide: dict[Place, int] = {}
    dynamic = [rule for rule in rules if predicate(rule.head) in graph.dynamic]
    grows = True
    while grows:
        grows = False
        for rule in dynamic:
            for place, argument in enumerate(rule.head.args):
                key = (predicate(rule.head), place)
                if key in wide or not isinstance(argument, Variable):
                    continue
                size = _loose_size(argument, rule, graph, facts, wide)
                if size:
                    wide[key] = size
                    grows = True
    return wide


def _loose_size(
    variable: Variable, rule: Rule, graph: Dependencies, facts: Functional, wide: dict[Place, int]
) -> int | None:
    """How many values a variable may have where nothing firm binds it; none if something does."""
    static: list[Literal] = []
    sizes: list[int] = []
    for literal in positive(rule.body):
        name = predicate(literal.atom)
        if name not in graph.dynamic:
            static.append(literal)
            continue
        for place, argument in enumerate(literal.atom.args):
            if variable in variables(argument):
                if (name, place) not in wide:
                    return None
                sizes.append(wide[name, place])
    if any(variable in variables_of(literal) for literal in static):
        sizes.append(facts.size(variable, static))
    return min(sizes, default=UNKNOWN)


@dataclass(slots=True)
class _Demand:
    rules: list[Rule]
    graph: Dependencies
    wide: dict[Place, int]
    guards: list[Rule] = field(default_factory=list)
    calls: dict[Predicate, list[Call]] = field(default_factory=lambda: defaultdict(list))
    own: dict[Predicate, list[int]] = field(default_factory=lambda: defaultdict(list))
    binds: set[tuple[int, Predicate]] = field(default_factory=set)
    """Rules, and predicates in them that bind what others are asked: these must not wait for those."""

    def __post_init__(self) -> None:
        for number, rule in enumerate(self.rules):
            self.own[predicate(rule.head)].append(number)
            for literal in literals(rule.body):
                self.calls[predicate(literal.atom)].append((number, literal.atom))

    def restrict(self, name: Predicate) -> None:
        """Guards a predicate, if that is worth it."""
        places = {place for place in range(name[1]) if (name, place) in self.wide}
        parts = self._parts(name, places)
        if math.prod(self.wide[name, place] for part in parts for place in part) < WIDE:
            return
        found: dict[Rule, int] = {}
        for part in parts:
            for number, atom in self.calls[name]:
                rule = self._rule(name, part, number, atom)
                if rule is not None:
                    found[rule] = number
        for rule, number in found.items():
            self.binds |= {(number, predicate(literal.atom)) for literal in literals(rule.body)}
        for number in self.own[name]:
            rule = self.rules[number]
            asked = tuple(Literal(_guard(rule.head, part)) for part in parts)
            self.rules[number] = Rule(rule.head, (*asked, *rule.body), rule.line, rule.column)
        self.guards += found

    def _parts(self, name: Predicate, places: set[int]) -> list[tuple[int, ...]]:
        """The places that every call binds, those together that one literal binds in all of them."""
        keys: dict[int, list[int]] = {place: [] for place in places}
        for number, atom in self.calls[name]:
            binders = self._binders(name, number, atom, set(keys))
            keys = {place: [*keys[place], binder] for place, binder in binders.items()}
        parts: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for place in sorted(keys):
            parts[tuple(keys[place])].append(place)
        return [tuple(part) for part in parts.values()] if self.calls[name] else []

    def _binders(self, name: Predicate, number: int, atom: Term, places: set[int]) -> dict[int, int]:
        """Of each place of a call, the literal that binds it, by its number; -1: it is as in the head."""
        rule = self.rules[number]
        found: dict[int, int] = {}
        if predicate(rule.head) == name:
            same = {place for place in places if rule.head.args[place] == atom.args[place]}
            found = dict.fromkeys(same, -1)
        options = list(self._options(name, rule, number, atom))
        left = places - found.keys()
        while left:
            best, covered = -1, set[int]()
            for option, literal in options:
                own = {place for place in left if _binds(literal, atom.args[place])}
                if len(own) > len(covered):
                    best, covered = option, own
            if not covered:
                break
            found |= dict.fromkeys(covered, best)
            left -= covered
        return found

    def _options(self, name: Predicate, rule: Rule, number: int, atom: Term) -> Iterator[tuple[int, Literal]]:
        firm_only = (number, name) in self.binds
        for option, literal in enumerate(rule.body):
            if isinstance(literal, Distinct) or not literal.positive or literal.atom == atom:
                continue
            other = predicate(literal.atom)
            if (
                other[0] in ("true", "does")
                or other[0].startswith(GUARD)
                or (other in self.graph.dynamic and other not in {name, *self.graph.cycles[name]} and not firm_only)
            ):
                yield option, literal

    def _rule(self, name: Predicate, part: tuple[int, ...], number: int, atom: Term) -> Rule | None:
        """What a call asks of some places; none where it asks what was asked already."""
        rule = self.rules[number]
        binders = self._binders(name, number, atom, set(part))
        options = sorted({binder for binder in binders.values() if binder >= 0})
        body = [rule.body[option] for option in options]
        if not body and all(binders.get(place) == -1 for place in part):
            return None
        if any(binders.get(place) == -1 for place in part):
            body.append(Literal(_guard(rule.head, part)))
        return Rule(_guard(atom, part), tuple(body))


def _binds(literal: Literal, argument: Argument) -> bool:
    return set(variables(argument)) <= set(variables_of(literal))


def _guard(atom: Term, part: Sequence[int]) -> Term:
    where = " ".join(map(str, part))
    return Term(f"{GUARD}{atom.name} {where}", tuple(atom.args[place] for place in part))
