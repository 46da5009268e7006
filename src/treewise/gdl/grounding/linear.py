"""Loops run forwards.

A predicate that counts, say, stones from a first cell to a last one recurs with other arguments for the rest of the
board and hands the result up unchanged. Bottom-up it would be computed for every beginning. If all callers begin at
constants, it is a walk from there: which arguments are reached, and what the exits answer.
(Factoring of right-linear recursion: Naughton, Ramakrishnan, Sagiv, Ullman 1989.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from treewise.gdl.grounding.specialise import MOST_COPIES
from treewise.gdl.language.dependencies import Dependencies, Predicate, predicate
from treewise.gdl.normalise import in_order
from treewise.gdl.terms import (
    KEYWORDS,
    Argument,
    Literal,
    Rule,
    Term,
    Variable,
    literals,
    positive,
    variables,
    variables_of,
)


def unroll(rules: Iterable[Rule]) -> list[Rule]:
    """The rules with loops that begin at constants run forwards.

    >>> from treewise.gdl import parse_sheet
    >>> sheet = parse_sheet("(<= terminal (walk a z)) (<= (walk ?x ?e) (end ?x ?e))"
    ...     "(<= (walk ?x ?e) (true (way ?x ?y)) (walk ?y ?e))")
    >>> for rule in unroll(sheet.rules):
    ...     print(rule)
    (<= terminal (walk answer 1 z))
    (walk reached 1 a)
    (<= (walk answer 1 ?e) (end ?x ?e) (walk reached 1 ?x))
    (<= (walk reached 1 ?y) (true (way ?x ?y)) (walk reached 1 ?x))
    """
    rules = list(rules)
    graph = Dependencies.of(rules)
    for name, cycle in graph.cycles.items():
        if cycle == {name} and name in graph.dynamic and name[0] not in KEYWORDS:
            loop = _Loop.of(name, rules)
            if loop is not None:
                rules = loop.unrolled(rules)
    return rules


@dataclass(slots=True)
class _Loop:
    name: Predicate
    bound: list[int]
    """The places of the arguments that change from call to call."""
    own: list[Rule]
    starts: dict[tuple[Argument, ...], int]

    @classmethod
    def of(cls, name: Predicate, rules: Sequence[Rule]) -> _Loop | None:
        """The loop that a predicate is; none if it is something else."""
        own = [rule for rule in rules if predicate(rule.head) == name]
        if not all(_is_linear(rule) for rule in own):
            return None
        recursive = [rule for rule in own if _calls(rule, name)]
        bound = [p for p in range(name[1]) if not all(_is_handed_up(rule, p) for rule in recursive)]
        starts: dict[tuple[Argument, ...], int] = {}
        for rule in rules:
            for atom in _calls(rule, name) if predicate(rule.head) != name else ():
                starts.setdefault(tuple(atom.args[p] for p in bound), len(starts) + 1)
        if any(next(variables(value), None) for start in starts for value in start):
            return None
        loop = cls(name, bound, own, starts)
        return loop if bound and 0 < len(starts) <= MOST_COPIES and loop._is_safe() else None

    def _is_safe(self) -> bool:
        """Whether the rules bind, without the recursive call, what that call is made with."""
        for rule in (made for made in self._steps(1) if made.body):
            known = {v for literal in positive(rule.body) for v in variables_of(literal)}
            if not known.issuperset(variables(rule.head)):
                return False
        return True

    def unrolled(self, rules: Sequence[Rule]) -> list[Rule]:
        found = []
        for rule in rules:
            if predicate(rule.head) != self.name:
                body = tuple(
                    Literal(self._answer(c.atom), c.positive)
                    if isinstance(c, Literal) and predicate(c.atom) == self.name
                    else c
                    for c in rule.body
                )
                found.append(Rule(rule.head, body, rule.line, rule.column))
        for start, number in self.starts.items():
            found.append(Rule(Term(f"{self.name[0]} reached {number}", start)))
            found += self._steps(number)
        return found

    def _answer(self, atom: Term, number: int = 0) -> Term:
        number = number or self.starts[tuple(atom.args[p] for p in self.bound)]
        rest = tuple(argument for place, argument in enumerate(atom.args) if place not in self.bound)
        return Term(f"{atom.name} answer {number}", rest)

    def _reached(self, atom: Term, number: int) -> Term:
        return Term(f"{atom.name} reached {number}", tuple(atom.args[p] for p in self.bound))

    def _steps(self, number: int) -> list[Rule]:
        """The loop's rules, run forwards."""
        found = []
        for rule in self.own:
            calls = _calls(rule, self.name)
            head = self._reached(calls[0], number) if calls else self._answer(rule.head, number)
            body = [c for c in rule.body if not isinstance(c, Literal) or c.atom not in calls]
            body.append(Literal(self._reached(rule.head, number)))
            found.append(Rule(head, tuple(in_order(body)), rule.line, rule.column))
        return found


def _calls(rule: Rule, name: Predicate) -> list[Term]:
    return [literal.atom for literal in literals(rule.body) if predicate(literal.atom) == name]


def _is_linear(rule: Rule) -> bool:
    calls = _calls(rule, predicate(rule.head))
    return len(calls) <= 1 and all(Literal(atom) in rule.body for atom in calls)


def _is_handed_up(rule: Rule, place: int) -> bool:
    """Whether an argument of the recursive call is the head's and used nowhere else."""
    value = rule.head.args[place]
    (call,) = _calls(rule, predicate(rule.head))
    if not isinstance(value, Variable) or call.args[place] != value:
        return False
    others = [v for condition in rule.body if condition != Literal(call) for v in variables_of(condition)]
    return value not in others and [*variables(rule.head), *variables(call)].count(value) == 2
