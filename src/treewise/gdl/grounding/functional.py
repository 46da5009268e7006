"""What the facts of a rulesheet determine: if each number has one successor, two variables count as one."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from treewise.gdl.language.dependencies import Predicate, predicate
from treewise.gdl.terms import Argument, Distinct, Literal, Rule, Variable, positive, variables

UNKNOWN = 10
"""Taken for the number of values of an argument that rules, not facts, give."""
Determined = tuple[frozenset[int], int]
"""Arguments, and another that they determine."""


@dataclass(frozen=True, slots=True)
class Functional:
    """The arguments that determine others, of predicates that are given by facts alone.

    >>> from treewise.gdl import parse_sheet
    >>> sheet = parse_sheet("(succ 1 2) (succ 2 3) (succ 3 4) (<= (p ?x ?y ?z) (succ ?x ?y) (succ ?y ?z) (q ?w))")
    >>> body = sheet.rules[3].body
    >>> known = Functional.of(sheet.rules)
    >>> known.width({Variable(name) for name in "xyz"}, body), known.width({Variable(name) for name in "xw"}, body)
    (1, 2)
    """

    known: dict[Predicate, tuple[Determined, ...]]
    values: dict[tuple[Predicate, int], int]
    """How many values an argument has."""

    @classmethod
    def of(cls, rules: Iterable[Rule]) -> Functional:
        """Reads the facts among the rules."""
        facts: dict[Predicate, list[tuple[Argument, ...]] | None] = defaultdict(list)
        for rule in rules:
            own = facts[predicate(rule.head)]
            if rule.body:
                facts[predicate(rule.head)] = None
            elif own is not None:
                own.append(rule.head.args)
        known = {name: tuple(_determined(rows, name[1])) for name, rows in facts.items() if rows}
        values = {(name, p): len({row[p] for row in facts[name] or ()}) for name in known for p in range(name[1])}
        return cls(known, values)

    def width(self, wanted: Collection[Variable], body: Iterable[Literal | Distinct]) -> int:
        """How many variables are left to choose if the body's static literals determine the others."""
        return len(self._basis(wanted, body))

    def combinations(self, wanted: Collection[Variable], body: Collection[Literal | Distinct]) -> int:
        """About how many values some variables have together."""
        return math.prod(self.size(variable, body) for variable in self._basis(wanted, body))

    def size(self, variable: Variable, body: Iterable[Literal | Distinct]) -> int:
        """About how many values a variable has."""
        sizes = [
            self.values.get((predicate(literal.atom), place), UNKNOWN)
            for literal in positive(body)
            for place, argument in enumerate(literal.atom.args)
            if argument == variable
        ]
        return min(sizes, default=UNKNOWN)

    def _basis(self, wanted: Collection[Variable], body: Iterable[Literal | Distinct]) -> list[Variable]:
        """Variables that determine all wanted ones."""
        ways: list[tuple[set[Variable], set[Variable]]] = []
        for literal in positive(body):
            own = [set(variables(argument)) for argument in literal.atom.args]
            for given, result in self.known.get(predicate(literal.atom), ()):
                ways.append(({v for place in given for v in own[place]}, own[result]))
        chosen = sorted(wanted, key=str)
        for variable in reversed(list(chosen)):
            others = [v for v in chosen if v != variable]
            if variable in _closure(others, ways):
                chosen = others
        return chosen


def _closure(start: Iterable[Variable], ways: Collection[tuple[set[Variable], set[Variable]]]) -> set[Variable]:
    found = set(start)
    size = -1
    while size != len(found):
        size = len(found)
        for given, result in ways:
            if given <= found:
                found |= result
    return found


def _determined(rows: list[tuple[Argument, ...]], arity: int) -> Iterator[Determined]:
    for result in range(arity):
        others = [place for place in range(arity) if place != result]
        for given in (*((place,) for place in others), tuple(others)):
            values: dict[tuple[Argument, ...], Argument] = {}
            if all(values.setdefault(tuple(row[p] for p in given), row[result]) == row[result] for row in rows):
                yield frozenset(given), result
