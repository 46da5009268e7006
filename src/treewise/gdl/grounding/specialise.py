"""Predicates made for the constants that they are called with.

A predicate over any three cells of which only two triples are ever asked for becomes two predicates over none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from treewise.gdl.language.dependencies import Dependencies, Predicate, predicate
from treewise.gdl.normalise import put_in
from treewise.gdl.terms import KEYWORDS, Argument, Distinct, Literal, Rule, Term, Variable, literals, unify, variables

MOST_COPIES = 8


def specialise(rules: Iterable[Rule]) -> list[Rule]:
    """The rules with arguments that all callers give as constants worked into the predicates' names.

    >>> from treewise.gdl import parse_sheet
    >>> sheet = parse_sheet("(<= terminal (full a ?x)) (<= (full ?c ?n) (true (cell ?c ?n)) (true (open ?c)))")
    >>> for rule in specialise(sheet.rules):
    ...     print(rule)
    (<= terminal (full with a ?x))
    (<= (full with a ?n) (true (cell a ?n)) (true (open a)))
    """
    rules = list(rules)
    most = 2 * len(rules) + 100  # copies of copies could grow without end
    while len(rules) < most and (name := _candidate(rules)) is not None:
        rules = _apply(rules, *name)
    return rules


def _candidate(rules: Sequence[Rule]) -> tuple[Predicate, list[int]] | None:
    """A predicate, and the arguments that are constants in all calls from outside and unchanged in its own."""
    dynamic = Dependencies.of(rules).dynamic
    calls: dict[Predicate, list[tuple[Rule, Term]]] = defaultdict(list)
    for rule in rules:
        for literal in literals(rule.body):
            calls[predicate(literal.atom)].append((rule, literal.atom))
    for name, found in calls.items():
        if name[0] in KEYWORDS or name not in dynamic:
            continue
        places = [place for place in range(name[1]) if all(_is_fixed(rule, atom, place) for rule, atom in found)]
        outside = {tuple(atom.args[p] for p in places) for rule, atom in found if predicate(rule.head) != name}
        if places and 0 < len(outside) <= MOST_COPIES:
            return name, places
    return None


def _is_fixed(rule: Rule, atom: Term, place: int) -> bool:
    argument = atom.args[place]
    if predicate(rule.head) == predicate(atom):
        return rule.head.args[place] == argument and isinstance(argument, Variable)
    return next(variables(argument), None) is None


def _apply(rules: Sequence[Rule], name: Predicate, places: Sequence[int]) -> list[Rule]:
    """One copy of the predicate's rules for each combination of constants."""
    called = _Copies(name, places)
    found = [
        Rule(rule.head, tuple(map(called.renamed, rule.body)), rule.line, rule.column)
        for rule in rules
        if predicate(rule.head) != name
    ]
    for values in called.seen:
        found += [copy for rule in rules if predicate(rule.head) == name and (copy := called.copy(rule, values))]
    return found


@dataclass(slots=True)
class _Copies:
    name: Predicate
    places: Sequence[int]
    seen: dict[tuple[Argument, ...], None] = field(default_factory=dict)

    def atom(self, atom: Term) -> Term:
        values = tuple(atom.args[place] for place in self.places)
        self.seen[values] = None
        rest = tuple(argument for place, argument in enumerate(atom.args) if place not in self.places)
        return Term(f"{atom.name} with {' '.join(map(str, values))}", rest)

    def renamed(self, condition: Literal | Distinct) -> Literal | Distinct:
        if isinstance(condition, Distinct) or predicate(condition.atom) != self.name:
            return condition
        return Literal(self.atom(condition.atom), condition.positive)

    def copy(self, rule: Rule, values: tuple[Argument, ...]) -> Rule | None:
        """The rule for these constants; none if its head has others."""
        found: dict[Variable, Argument] = {}
        if not all(unify(rule.head.args[p], value, found) for p, value in zip(self.places, values, strict=True)):
            return None
        filled = put_in(rule, found)
        if filled is None:
            return None
        return Rule(self.atom(filled.head), tuple(map(self.renamed, filled.body)), rule.line, rule.column)
