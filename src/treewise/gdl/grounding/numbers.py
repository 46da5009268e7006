"""Rules in numbers, as the engine's grounder reads them, and terms back again.

Which facts and actions can ever occur is relaxed reachability: every action that may be legal may be made, every fact
that may come next may be true. Three rules say so; the grounder then meets every rule that can ever fire.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from treewise.gdl.ground import GroundProgram, Ids
from treewise.gdl.language.dependencies import Predicate, predicate
from treewise.gdl.normalise import parse_sheet
from treewise.gdl.syntax import GDLError
from treewise.gdl.terms import Argument, Distinct, Literal, Rule, Term, Variable, variables

GUARD = "guard "
"""Begins the name of predicates that only bind variables: what reads them asks for the same elsewhere."""
SHOWN = (("true", 1), ("next", 1), ("init", 1), ("does", 2), ("legal", 2), ("goal", 2), ("sees", 2), ("terminal", 0))
"""What a reader of the ground program needs to know by name."""
_GIVEN = (("true", 1), ("does", 2))
_FREE, _GUARDS, _READ = 1, 2, 4  # flags of predicates
_HOLDS, _ABSENT, _DIFFERENT = range(3)  # kinds of literals
_OCCUR = "(<= (occurs ?f) (init ?f)) (<= (occurs ?f) (next ?f)) (<= (occurs ?r ?m) (legal ?r ?m) (role ?r))"


@dataclass(slots=True)
class Numbers:
    """A number for each name of a function or constant, and one for each predicate."""

    names: dict[str, int] = field(default_factory=dict)
    predicates: dict[Predicate, int] = field(default_factory=dict)

    def predicate(self, name: Predicate) -> int:
        """The number of a predicate; those of different arity are different."""
        return self.predicates.setdefault(name, len(self.predicates))

    def flags(self) -> list[int]:
        """What the grounder has to know of each predicate."""
        return [
            (_FREE if key in _GIVEN else 0)
            | (_GUARDS if key[0].startswith(GUARD) else 0)
            | (_READ if key in SHOWN else 0)
            for key in self.predicates
        ]

    def rules(self, rules: Iterable[Rule]) -> list[int]:
        """All rules, and those that say which facts and actions occur.

        >>> from treewise.gdl import parse_sheet
        >>> Numbers().rules(parse_sheet("(<= (true ?x) (p ?x (f ?y)))").rules)[:12]
        Traceback (most recent call last):
            ...
        treewise.gdl.syntax.GDLError: line 1, column 1: `true` is given by the match and cannot be a rule's head
        >>> Numbers().rules(parse_sheet("(<= (next ?x) (p ?x (f ?y)))").rules)[:12]
        [2, 0, 1, 1, -1, 0, 8, 2, -1, 0, 1, -2]
        """
        found: list[int] = []
        for name in SHOWN:
            self.predicate(name)
        for rule in rules:
            if rule.head.name in ("true", "does", "distinct"):
                what = f"`{rule.head.name}` is given by the match and cannot be a rule's head"
                raise GDLError(what, rule.line, rule.column)
            check_safe(rule)
            found += self._rule(rule)
        for rule in parse_sheet(_OCCUR).rules:
            found += self._rule(Rule(Term("true" if len(rule.head.args) == 1 else "does", rule.head.args), rule.body))
        return found

    def _rule(self, rule: Rule) -> Iterator[int]:
        values: dict[Variable, int] = {}
        yield 1 + len(rule.body)
        yield from self._atom(_HOLDS, rule.head, values)
        for condition in rule.body:
            if isinstance(condition, Distinct):
                yield from (_DIFFERENT, 0, 2)
                yield from self._term(condition.left, values)
                yield from self._term(condition.right, values)
            else:
                yield from self._atom(_HOLDS if condition.positive else _ABSENT, condition.atom, values)

    def _atom(self, kind: int, atom: Term, values: dict[Variable, int]) -> Iterator[int]:
        yield from (kind, self.predicate(predicate(atom)), len(atom.args))
        for argument in atom.args:
            yield from self._term(argument, values)

    def _term(self, term: Argument, values: dict[Variable, int]) -> Iterator[int]:
        if isinstance(term, Variable):
            yield -1 - values.setdefault(term, len(values))
            return
        yield from (self.names.setdefault(term.name, len(self.names)), len(term.args))
        for argument in term.args:
            yield from self._term(argument, values)

    def terms(self, data: bytes) -> list[Term]:
        """The grounder's terms by their numbers from 1; each stands behind those in it."""
        names = list(self.names)
        found = [Term("")]
        for name, arguments in _groups(data):
            found.append(Term(names[name], tuple(found[argument] for argument in arguments)))
        return found

    def shown(self, data: bytes, terms: list[Term]) -> Iterator[tuple[str, tuple[Term, ...], int]]:
        """Predicate, arguments and atom of what is read by name and may hold."""
        names = [name for name, _ in self.predicates]
        numbers = np.frombuffer(data, np.int32).tolist()
        at = 0
        while at < len(numbers):
            atom, name, count = numbers[at : at + 3]
            at += 3 + count
            if atom:
                yield names[name], tuple(terms[argument] for argument in numbers[at - count : at]), atom


def _groups(data: bytes) -> Iterator[tuple[int, list[int]]]:
    """Numbers that stand as a first one, how many others follow, and these."""
    numbers = np.frombuffer(data, np.int32).tolist()
    at = 0
    while at < len(numbers):
        count = numbers[at + 1]
        yield numbers[at], numbers[at + 2 : at + 2 + count]
        at += 2 + count


def ids(data: bytes) -> Ids:
    """Numbers of the engine."""
    return np.frombuffer(data, np.int32)


def in_bytes(program: GroundProgram) -> tuple[bytes, bytes, bytes]:
    """Heads, starts and body of a program's rules for the engine."""
    heads, starts, body = (part.astype(np.int32).tobytes() for part in (program.heads, program.starts, program.body))
    return heads, starts, body


def check_safe(rule: Rule) -> None:
    """Refuses a rule with a variable that no positive literal of its body binds."""
    bound = {v for c in rule.body if isinstance(c, Literal) and c.positive for v in variables(c.atom)}
    used: list[Argument] = [rule.head]
    for condition in rule.body:
        used += [condition.left, condition.right] if isinstance(condition, Distinct) else [condition.atom]
    for variable in (v for term in used for v in variables(term)):
        if variable not in bound:
            raise GDLError(f"nothing in the body binds {variable}: {rule}", rule.line, rule.column)
