"""In which order the conditions of a body are asked, given what the caller knows.

The condition with the fewest expected answers comes first; tests come as soon as their variables are known. The
expectations are counts of the sheet's own facts and of the initial state, and products of them for what rules derive.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from treewise.gdl.language.dependencies import DOES, TRUE, Predicate, predicate
from treewise.gdl.prover.program import Program
from treewise.gdl.terms import Argument, Distinct, Literal, Rule, Term, Variable, variables, variables_of

Condition = Literal | Distinct
Pattern = str
"""For each argument: `b` the caller gives it, `f` the caller wants it, `-` the caller does not care."""

_UNSAFE = 1e12
_UNKNOWN = 4.0  # facts of a kind that the initial state does not have
_GUESS = 50.0  # answers of a predicate where counting would go in circles or too deep
_DEEPEST_GUESS = 30
_TEST, _CALLED_TEST, _DIFFERENCE = -2.0, -1.0, -3.0
_PASSES = 0.5  # the share of rows that pass a test
_MOST_TRIED = 30  # conditions in a body for which all beginnings are tried


def is_known(term: Argument, bound: set[Variable]) -> bool:
    """Whether all variables of a term have values."""
    return bound.issuperset(variables(term))


def pattern_of(atom: Term, bound: set[Variable]) -> Pattern:
    """How an atom is called once some variables have values."""
    return "".join("b" if is_known(arg, bound) else "f" for arg in atom.args)


@dataclass(frozen=True, slots=True)
class Plan:
    """A rule with its body in order, for one pattern of calls."""

    rule: Rule
    body: tuple[Condition, ...]
    safe: bool
    """Whether the body gives every variable a value before it is needed."""
    complete: bool
    """Whether it gives one to every variable that the caller wants."""
    answers: float
    work: float
    """Rows looked at, as expected."""


class Planner:
    """Makes the plans of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._known: dict[tuple[Predicate, Pattern], float] = {}
        self._depth = 0

    def plans(self, name: Predicate, pattern: Pattern) -> list[Plan]:
        """One plan for each rule of a predicate; facts are asked for by a rule that says what they say."""
        rules = self.program.rules.get(name, [])
        if name in self.program.facts:
            atom = Term(name[0], tuple(Variable(str(place)) for place in range(name[1])))
            rules = [Rule(atom, (Literal(atom),))]
        return [self._plan(rule, pattern) for rule in rules]

    def _plan(self, rule: Rule, pattern: Pattern) -> Plan:
        """The best of the plans that begin with each of the conditions in turn."""
        known = {v for kind, arg in zip(pattern, rule.head.args, strict=True) if kind == "b" for v in variables(arg)}
        wanted = {v for kind, arg in zip(pattern, rule.head.args, strict=True) if kind == "f" for v in variables(arg)}
        best = self._greedy(rule, None, known, wanted)
        for first, condition in enumerate(rule.body):
            if isinstance(condition, Literal) and condition.positive and len(rule.body) <= _MOST_TRIED:
                plan = self._greedy(rule, first, known, wanted)
                if (not plan.safe, plan.work) < (not best.safe, best.work):
                    best = plan
        return best

    def _greedy(self, rule: Rule, first: int | None, known: set[Variable], wanted: set[Variable]) -> Plan:
        bound, waiting, body = set(known), list(rule.body), list[Condition]()
        answers, work, safe = 1.0, 0.0, True
        while waiting:
            if first is not None and not body:
                expected, place = self._expected(rule, waiting[first], bound), first
            else:
                expected, place = self._best(rule, waiting, bound)
            condition = waiting.pop(place)
            safe = safe and expected < _UNSAFE
            answers = min(answers * (expected if expected >= 0 else _PASSES), _UNSAFE)
            if isinstance(condition, Literal) and condition.positive:
                bound.update(variables(condition.atom))
            work += answers
            body.append(condition)
        complete = bound.issuperset(wanted)
        return Plan(rule, tuple(body), safe and complete, complete, answers, work)

    def _best(self, rule: Rule, waiting: list[Condition], bound: set[Variable]) -> tuple[float, int]:
        best = (math.inf, 0)
        for place, condition in enumerate(waiting):
            expected = self._expected(rule, condition, bound)
            if expected < best[0]:
                best = (expected, place)
        return best

    def _expected(self, rule: Rule, condition: Condition, bound: set[Variable]) -> float:
        """How many answers to expect; negative for a test, the cheapest first."""
        known = bound.issuperset(variables_of(condition))
        if isinstance(condition, Distinct):
            return _DIFFERENCE if known else 2 * _UNSAFE
        if not known and not condition.positive:
            return 2 * _UNSAFE
        name = predicate(condition.atom)
        if name not in self.program.rules:
            return _TEST if known else self.stored(condition.atom, bound)
        if self._may_grow(rule, condition.atom):
            return _UNSAFE / 2
        return _CALLED_TEST if known else self.answers(name, pattern_of(condition.atom, bound))

    def _may_grow(self, rule: Rule, atom: Term) -> bool:
        """Whether a recursive call asks for ever larger terms, unless the other conditions come before it."""
        inside = self.program.component[predicate(rule.head)].predicates
        built = (arg for arg in atom.args if isinstance(arg, Term) and any(True for _ in variables(arg)))
        return predicate(atom) in inside and any(arg not in rule.head.args for arg in built)

    def stored(self, atom: Term, bound: set[Variable]) -> float:
        """Expected answers of an atom that is looked up: a fact of the sheet or the state, or an action."""
        name = predicate(atom)
        if name == DOES:
            return 1.0 if is_known(atom.args[0], bound) else 2.0
        if name == TRUE:
            return self._in_state(atom.args[0], bound)
        relation = self.program.facts.get(name)
        return relation.matches(_columns(atom.args, bound)) if relation else 0.0

    def _in_state(self, fact: Argument, bound: set[Variable]) -> float:
        if isinstance(fact, Variable):
            return float(sum(len(relation.rows) for relation in self.program.state.values()))
        relation = self.program.state.get(self.program.values.functor(fact.name, len(fact.args)))
        return relation.matches(_columns(fact.args, bound)) if relation else _UNKNOWN

    def answers(self, name: Predicate, pattern: Pattern) -> float:
        """Expected answers of a predicate that has rules."""
        found = self._known.get((name, pattern))
        if found is not None:
            return found
        if name in self.program.large:
            return float(self.program.large[name] ** (pattern.count("f") / len(pattern)))
        if self._depth == _DEEPEST_GUESS:
            return _GUESS
        self._known[name, pattern] = _GUESS
        self._depth += 1
        plans = self.plans(name, pattern)
        self._depth -= 1
        total = min(sum(plan.answers for plan in plans), _UNSAFE / 2) if all(p.safe for p in plans) else _UNSAFE
        self._known[name, pattern] = total
        return total

    def forget(self) -> None:
        """After predicates became facts: guesses that were made before may be replaced by counts."""
        self._known.clear()


def _columns(args: Iterable[Argument], bound: set[Variable]) -> tuple[int, ...]:
    return tuple(place for place, arg in enumerate(args) if is_known(arg, bound))
