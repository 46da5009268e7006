"""A rulesheet prepared for evaluation: facts in tables with indexes, rules by predicate, components in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from treewise.gdl.language.dependencies import DOES, TRUE, Dependencies, Predicate, predicate
from treewise.gdl.language.stratify import stratified
from treewise.gdl.prover.levels import Component, Level, components
from treewise.gdl.prover.values import Values
from treewise.gdl.syntax import GDLError
from treewise.gdl.terms import Argument, Rule, Sheet, Term, is_ground, literals, positive

ROOTS: tuple[Predicate, ...] = (
    ("role", 1),
    ("init", 1),
    ("legal", 2),
    ("next", 1),
    ("terminal", 0),
    ("goal", 2),
    ("sees", 2),
)


def pick(row: Sequence[int], columns: Sequence[int]) -> Any:
    """Some columns of a row: one by itself, several as a tuple, none as an empty tuple."""
    return row[columns[0]] if len(columns) == 1 else tuple([row[column] for column in columns])


class Relation:
    """Rows of numbers, and how many of them to expect for a key."""

    def __init__(self, rows: Iterable[tuple[int, ...]]) -> None:
        self.rows = list(dict.fromkeys(rows))
        self._matches: dict[tuple[int, ...], float] = {}

    def matches(self, bound: tuple[int, ...]) -> float:
        """Rows that share a key in the bound columns, on average."""
        found = self._matches.get(bound)
        if found is None:
            keys = len({pick(row, bound) for row in self.rows})
            found = self._matches[bound] = len(self.rows) / max(1, keys)
        return found

    def index(self, key: tuple[int, ...], value: tuple[int, ...]) -> dict[Any, list[Any]]:
        """The values of each key, each once."""
        made: dict[Any, dict[Any, None]] = {}
        for row in self.rows:
            made.setdefault(pick(row, key), {})[pick(row, value)] = None
        return {found: list(rows) for found, rows in made.items()}


class Program:
    """Facts apart from rules. A predicate that does not change is moved from the rules to the facts once it has been
    evaluated."""

    def __init__(self, sheet: Sheet) -> None:
        self.values = Values()
        self.facts: dict[Predicate, Relation] = {}
        self.rules: dict[Predicate, list[Rule]] = {}
        used = _alive(_stratified(_needed(_alive(sheet.rules))))  # taking predicates apart leaves some without rules
        for rule in used:
            self.rules.setdefault(predicate(rule.head), []).append(rule)
        for name in [name for name, rules in self.rules.items() if all(map(_is_fact, rules))]:
            rows = [tuple(map(self.values.of, rule.head.args)) for rule in self.rules.pop(name)]
            self.facts[name] = Relation(rows)
        self.components = [found for found in components(used) if found.predicates[0] in self.rules]
        self.component: dict[Predicate, Component] = {
            name: component for component in self.components for name in component.predicates
        }
        self.state: dict[int, Relation] = {}
        """The facts of the initial state by functor: a first guess at what later states hold."""
        self.large: dict[Predicate, float] = {}
        """Recursive predicates with at least so many answers: too many to evaluate as a whole."""
        self.terms = tuple(dict.fromkeys(number for rule in sheet.rules for number in self._ground_terms(rule)))
        """The terms that the sheet names: what a variable that nothing binds may stand for."""

    def _ground_terms(self, rule: Rule) -> Iterator[int]:
        waiting: list[Argument] = [
            arg for atom in (rule.head, *(a.atom for a in literals(rule.body))) for arg in atom.args
        ]
        while waiting:
            term = waiting.pop()
            if isinstance(term, Term):
                if is_ground(term):
                    yield self.values.of(term)
                waiting += term.args

    def level(self, name: Predicate) -> Level:
        """What the predicate's truth changes with."""
        return self.component[name].level if name in self.component else Level.STATIC

    def settle(self, name: Predicate, rows: Iterable[tuple[int, ...]]) -> None:
        """Replaces a predicate's rules by what they derive."""
        self.facts[name] = Relation(rows)
        del self.rules[name]
        del self.component[name]


def _is_fact(rule: Rule) -> bool:
    return not rule.body and is_ground(rule.head)


def _alive(rules: Sequence[Rule]) -> Sequence[Rule]:
    """The rules but for those that ask for something that no fact and no rule gives."""
    while True:
        known = {TRUE, DOES, *(predicate(rule.head) for rule in rules)}
        alive = [rule for rule in rules if all(predicate(each.atom) in known for each in positive(rule.body))]
        if len(alive) == len(rules):
            return rules
        rules = alive


def _needed(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rules that an answer may depend on."""
    needed = Dependencies.of(rules).below(*ROOTS)
    return tuple(rule for rule in rules if predicate(rule.head) in needed)


def _stratified(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """The rules in a form in which no predicate depends on its own absence; a `GDLError` if there is none."""
    kept, dropped = stratified(rules)
    if dropped:
        place = dropped[0].line, dropped[0].column
        rule = next((rule for rule in rules if (rule.line, rule.column) == place), dropped[0])
        raise GDLError(f"`{rule.head.name}` depends on its own absence: {rule}", *place)
    return kept
