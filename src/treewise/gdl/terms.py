"""Terms, and rules made of them: the form in which every part of the package handles a rulesheet.

Names are folded to lower case (`Sheet.spelling` keeps the first spelling seen). A constant is a term without arguments,
and an atom is a term whose name is a predicate: `true`, `does` and the other keywords are ordinary predicates here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable; the name has no question mark."""

    name: str

    def __str__(self) -> str:
        return f"?{self.name}"


@dataclass(frozen=True, slots=True)
class Term:
    """A name with arguments: `(cell 1 ?y b)`, or without: `noop`."""

    name: str
    args: tuple[Variable | Term, ...] = ()

    def __str__(self) -> str:
        return f"({self.name} {' '.join(map(str, self.args))})" if self.args else self.name


Argument = Variable | Term


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom that a body asks for, or asks to be absent."""

    atom: Term
    positive: bool = True

    def __str__(self) -> str:
        return str(self.atom) if self.positive else f"(not {self.atom})"


@dataclass(frozen=True, slots=True)
class Distinct:
    """Two terms that must differ."""

    left: Argument
    right: Argument

    def __str__(self) -> str:
        return f"(distinct {self.left} {self.right})"


@dataclass(frozen=True, slots=True)
class Rule:
    """`head` holds where all of `body` does. A fact is a rule without a body."""

    head: Term
    body: tuple[Literal | Distinct, ...] = ()
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"(<= {self.head} {' '.join(map(str, self.body))})" if self.body else str(self.head)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A rulesheet in normal form: no disjunctions, negation only of atoms, every body in an order that can be evaluated
    from left to right (negated atoms and `distinct` behind what binds their variables)."""

    rules: tuple[Rule, ...]
    roles: tuple[Term, ...]
    spelling: Mapping[str, str] = field(default_factory=dict)

    def spell(self, term: Argument) -> str:
        """The text of a term, its names spelt as in the source."""
        if isinstance(term, Variable):
            return str(term)
        name = self.spelling.get(term.name, term.name)
        return f"({' '.join([name, *map(self.spell, term.args)])})" if term.args else name


def variables(term: Argument) -> Iterator[Variable]:
    """The variables of a term, from left to right, repeats included.

    >>> [str(v) for v in variables(Term("cell", (Variable("x"), Term("f", (Variable("y"),)))))]
    ['?x', '?y']
    """
    if isinstance(term, Variable):
        yield term
    else:
        for argument in term.args:
            yield from variables(argument)


def is_ground(term: Argument) -> bool:
    """Whether a term has no variables."""
    return not any(True for _ in variables(term))


def substitute(term: Argument, values: Mapping[Variable, Argument]) -> Argument:
    """The term with its variables replaced, once."""
    if isinstance(term, Variable):
        return values.get(term, term)
    if not term.args:
        return term
    return Term(term.name, tuple(substitute(argument, values) for argument in term.args))


def unify(left: Argument, right: Argument, values: dict[Variable, Argument]) -> bool:
    """Extends `values` so that both terms become equal; false if that cannot be.

    >>> values = {}
    >>> unify(Term("f", (Variable("x"), Term("a"))), Term("f", (Term("b"), Variable("y"))), values), len(values)
    (True, 2)
    """
    left, right = _resolve(left, values), _resolve(right, values)
    if left == right:
        return True
    if isinstance(left, Variable):
        return _bind(left, right, values)
    if isinstance(right, Variable):
        return _bind(right, left, values)
    if left.name != right.name or len(left.args) != len(right.args):
        return False
    return all(unify(a, b, values) for a, b in zip(left.args, right.args, strict=True))


def _resolve(term: Argument, values: Mapping[Variable, Argument]) -> Argument:
    """The term with all known values put in."""
    if isinstance(term, Variable):
        return _resolve(values[term], values) if term in values else term
    return Term(term.name, tuple(_resolve(argument, values) for argument in term.args)) if term.args else term


def _bind(variable: Variable, term: Argument, values: dict[Variable, Argument]) -> bool:
    if variable in variables(term):
        return False  # it would contain itself
    values[variable] = term
    for known, value in values.items():
        values[known] = substitute(value, {variable: term})
    return True
