"""Bodies split into small joins.

Where some variables of a body stand only in a few of its literals and not in the head, those literals get a predicate
of their own over the other variables they have: a rule over cells and moves becomes one over cells, and one over moves
and the few cells that they are asked about. Applied until nothing splits, this is a tree decomposition of the body.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from treewise.gdl.grounding.functional import Functional
from treewise.gdl.grounding.numbers import GUARD
from treewise.gdl.language.dependencies import Dependencies, Predicate, predicate
from treewise.gdl.normalise import in_order
from treewise.gdl.terms import (
    Argument,
    Distinct,
    Literal,
    Rule,
    Term,
    Variable,
    condition_with,
    positive,
    variables,
    variables_of,
)

Condition = Literal | Distinct

TIGHT = 20_000
"""Static literals that have more values together do not bind each other tightly."""
HEAVY = 3
"""Conditions on the state from which it is worth to split off others, though over as many variables."""


def project(rules: Iterable[Rule]) -> list[Rule]:
    """The rules with their bodies split; what depends on neither the state nor actions stays as it is.

    >>> from treewise.gdl import parse_sheet
    >>> sheet = parse_sheet("(<= (next (c ?x ?p)) (true (c ?x ?p)) (does ?r (move ?y ?z)) (distinct ?x ?y))")
    >>> for rule in project(sheet.rules):
    ...     print(rule)
    (<= (next (c ?x ?p)) (split 3 ?x) (true (c ?x ?p)))
    (<= (split 1 ?0) (does ?1 (move ?0 ?2)))
    (<= (guard 2 ?0) (true (c ?0 ?1)))
    (<= (split 3 ?0) (split 1 ?1) (guard 2 ?0) (distinct ?0 ?1))
    """
    rules = list(rules)
    projection = _Projection(set(Dependencies.of(rules).dynamic), Functional.of(rules))
    found = [projection.split(rule) if predicate(rule.head) in projection.dynamic else rule for rule in rules]
    return found + projection.made


@dataclass(slots=True)
class _Projection:
    dynamic: set[Predicate]
    functional: Functional
    made: list[Rule] = field(default_factory=list)
    known: dict[Rule, str] = field(default_factory=dict)

    def split(self, rule: Rule) -> Rule:
        body = list(rule.body)
        while (group := self._best_group(rule.head, body)) is not None:
            rest = [condition for condition in body if condition not in group]
            kept = {*variables(rule.head), *_variables(rest)}
            shared = [v for v in _in_text_order(group) if v in kept]
            body = [Literal(self._name(shared, [*group, *self._guards(group, rest)], "split ")), *rest]
        return Rule(rule.head, tuple(in_order(body)), rule.line, rule.column)

    def _best_group(self, head: Term, body: Sequence[Condition]) -> list[Condition] | None:
        """The literals over the fewest variables that can be split off."""
        in_head = set(variables(head))
        units = self._units(in_head, body)
        width = self.functional.width(in_head | _variables(body), body)
        best: list[Condition] | None = None
        for variable in _in_text_order(body):
            group = [] if variable in in_head else _group(variable, in_head, units)
            own = self.functional.width(_variables(group), body)
            if not any(self._is_dynamic(condition) for condition in group):
                continue
            if own < width or (own == width and best is None and self._lightens(group, body)):
                width, best = own, group
        return best

    def _lightens(self, group: Sequence[Condition], body: Sequence[Condition]) -> bool:
        """Whether much is left of a body without the group, that is then written once and not for all its values."""
        rest = [condition for condition in body if condition not in group and self._is_dynamic(condition)]
        return len([c for c in rest if isinstance(c, Literal) and not c.atom.name.startswith(GUARD)]) >= HEAVY

    def _is_dynamic(self, condition: Condition) -> bool:
        return isinstance(condition, Literal) and predicate(condition.atom) in self.dynamic

    def _units(self, in_head: set[Variable], body: Sequence[Condition]) -> list[list[Condition]]:
        """The conditions, those that are static and share variables taken together: they bind each other tightly."""
        static = [literal for literal in positive(body) if not self._is_dynamic(literal)]
        units: list[list[Condition]] = []
        for literal in static:
            inner = set(variables_of(literal)) - in_head
            joined = [unit for unit in units if inner & _variables(unit)]
            whole: list[Condition] = [literal, *(c for unit in joined for c in unit)]
            if self.functional.combinations(_variables(whole), whole) > TIGHT:
                joined, whole = [], [literal]
            units = [unit for unit in units if unit not in joined]
            units.append(whole)
        return units + [[condition] for condition in body if condition not in static]

    def _shared(self, rule: Rule) -> Rule:
        """Conditions that do without some variable of the head get a name, for all its values."""
        for variable in dict.fromkeys(variables(rule.head)):
            own = [c for c in rule.body if self._is_dynamic(c) and not _is_guard(c)]
            group = [c for c in rule.body if variable not in variables_of(c) and not _is_guard(c)]
            bound = set(_in_text_order(positive(group)))
            group = [c for c in group if bound.issuperset(variables_of(c))]
            count = sum(c in own for c in group)
            if not 2 <= count < len(own):
                continue
            rest = [c for c in rule.body if c not in group]
            kept = {*variables(rule.head), *_variables(rest)}
            shared = [v for v in _in_text_order(group) if v in kept]
            if set(shared) != _variables(group):
                continue
            body = in_order([Literal(self._name(shared, group, "split ")), *rest])
            return self._shared(Rule(rule.head, tuple(body), rule.line, rule.column))
        return rule

    def _guards(self, group: Sequence[Condition], rest: Sequence[Condition]) -> list[Condition]:
        """What binds the shared variables of a group that it does not bind itself, or only by static literals."""
        firm = _variables(c for c in positive(group) if self._is_dynamic(c))
        wanted = (_variables(group) & _variables(positive(rest))) - firm
        guards: list[Condition] = []
        while wanted:
            literal = max(positive(rest), key=lambda literal: len(wanted.intersection(variables_of(literal))))
            bound = [v for v in _in_text_order([literal]) if v in wanted]
            guards.append(Literal(self._name(bound, [literal], GUARD)))
            wanted -= set(bound)
        return guards

    def _name(self, shared: Sequence[Variable], body: Sequence[Condition], kind: str) -> Term:
        """The atom of a predicate with that body; one predicate for bodies that differ in variables' names only."""
        names: dict[Variable, Argument] = {}
        for variable in (*shared, *_in_text_order(body)):
            names.setdefault(variable, Variable(str(len(names))))
        renamed = tuple(in_order(condition_with(condition, names) for condition in body))
        key = Rule(Term(kind, tuple(names[v] for v in shared)), renamed)
        if key not in self.known:
            self.known[key] = f"{kind}{len(self.known) + 1}"
            rule = Rule(Term(self.known[key], key.head.args), renamed)
            self.dynamic.add(predicate(rule.head))
            self.made.append(self._shared(self.split(rule)))
        return Term(self.known[key], tuple(shared))


def _is_guard(condition: Condition) -> bool:
    return isinstance(condition, Literal) and condition.atom.name.startswith(GUARD)


def _group(variable: Variable, in_head: set[Variable], units: Sequence[list[Condition]]) -> list[Condition]:
    """The literals that a variable joins, with those over the same variables that make more of them local."""
    joined = {v for unit in units if variable in (own := _variables(unit)) for v in own}
    covered = [unit for unit in units if _variables(unit) <= joined]
    local = joined - in_head - {v for unit in units if unit not in covered for v in _variables(unit)}
    return [c for unit in covered if _variables(unit) & local for c in unit]


def _variables(body: Iterable[Condition]) -> set[Variable]:
    return {v for condition in body for v in variables_of(condition)}


def _in_text_order(body: Iterable[Condition]) -> list[Variable]:
    """The variables from left to right, each once."""
    return list(dict.fromkeys(v for condition in body for v in variables_of(condition)))
