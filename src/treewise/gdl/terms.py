"""Terms, and rules made of them: the form in which every part of the package handles a rulesheet.

Names are folded to lower case (`Sheet.spelling` keeps the first spelling seen). A constant is a term without arguments,
and an atom is a term whose name is a predicate: `true`, `does` and the other keywords are ordinary predicates here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, repeat

from treewise.gdl.syntax import MOST_NESTED, GDLError
from treewise.wording import counted

KEYWORDS = {"role": 1, "init": 1, "true": 1, "does": 2, "next": 1, "legal": 2, "goal": 2, "terminal": 0, "base": 1}
KEYWORDS |= {"input": 2, "sees": 2, "distinct": 2}
"""The predicates that GDL gives a meaning, with their numbers of arguments."""
CONNECTIVES = frozenset({"not", "or", "and"})
# Of a term that stands for a variable; a move of a real game has about ten.
MOST_NODES = 1000


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
        return _written(self, {})


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

    def __repr__(self) -> str:
        return f"<Sheet: {counted(len(self.rules), 'rule')}, roles {', '.join(map(self.spell, self.roles))}>"

    def spell(self, term: Argument) -> str:
        """The text of a term, its names spelt as in the source."""
        return _written(term, self.spelling)


def _written(term: Argument, spelling: Mapping[str, str]) -> str:
    """The text of a term that may nest deeper than functions may call each other: facts grow as a match goes on."""
    parts: list[str] = []
    todo: list[Argument | str] = [term]
    while todo:
        part = todo.pop()
        if isinstance(part, str):
            parts.append(part)
        elif isinstance(part, Variable):
            parts.append(str(part))
        else:
            name = spelling.get(part.name, part.name)
            parts.append(f"({name}" if part.args else name)
            if part.args:
                todo.append(")")
            for argument in reversed(part.args):
                todo += (argument, " ")
    return "".join(parts)


def variables(term: Argument) -> Iterator[Variable]:
    """The variables of a term, from left to right, repeats included.

    >>> [str(v) for v in variables(Term("cell", (Variable("x"), Term("f", (Variable("y"),)))))]
    ['?x', '?y']
    """
    todo = [term]
    while todo:
        term = todo.pop()
        if isinstance(term, Variable):
            yield term
        else:
            todo.extend(reversed(term.args))


def variables_of(condition: Literal | Distinct) -> Iterator[Variable]:
    """The variables of a condition, repeats included."""
    if isinstance(condition, Literal):
        return variables(condition.atom)
    return chain(variables(condition.left), variables(condition.right))


def literals(body: Iterable[Literal | Distinct]) -> list[Literal]:
    """The atoms that a body asks for, or asks to be absent."""
    return [condition for condition in body if isinstance(condition, Literal)]


def positive(body: Iterable[Literal | Distinct]) -> list[Literal]:
    """The literals of a body that bind variables."""
    return [condition for condition in body if isinstance(condition, Literal) and condition.positive]


def is_ground(term: Argument) -> bool:
    """Whether a term has no variables."""
    return not any(True for _ in variables(term))


def substitute(term: Argument, values: Mapping[Variable, Argument]) -> Argument:
    """The term with its variables replaced, once."""
    if isinstance(term, Variable):
        return values.get(term, term)
    if not term.args:
        return term
    return Term(term.name, tuple(map(substitute, term.args, repeat(values))))


def instance(atom: Term, values: Mapping[Variable, Argument]) -> Term:
    """`substitute` for what cannot be a variable itself."""
    return Term(atom.name, tuple(map(substitute, atom.args, repeat(values)))) if atom.args else atom


def condition_with(condition: Literal | Distinct, values: Mapping[Variable, Argument]) -> Literal | Distinct:
    """`substitute` for a part of a body."""
    if isinstance(condition, Distinct):
        return Distinct(substitute(condition.left, values), substitute(condition.right, values))
    return Literal(instance(condition.atom, values), condition.positive)


def unify(left: Argument, right: Argument, values: dict[Variable, Argument]) -> bool:
    """Extends `values` so that both terms become equal; false if that cannot be.

    No value holds a variable that has a value itself.

    >>> values = {}
    >>> unify(Term("f", (Variable("x"), Term("a"))), Term("f", (Term("b"), Variable("y"))), values), len(values)
    (True, 2)
    """
    todo = [(left, right)]
    while todo:
        pair = todo.pop()
        left, right = substitute(pair[0], values), substitute(pair[1], values)
        if left == right:
            continue
        if isinstance(left, Variable) or isinstance(right, Variable):
            if not (_bind(left, right, values) if isinstance(left, Variable) else _bind(right, left, values)):
                return False
        elif left.name != right.name or len(left.args) != len(right.args):
            return False
        else:
            todo.extend(zip(reversed(left.args), reversed(right.args), strict=True))
    return True


def _bind(variable: Argument, term: Argument, values: dict[Variable, Argument]) -> bool:
    assert isinstance(variable, Variable)
    if variable in variables(term):
        return False  # it would contain itself
    for known, value in values.items():
        values[known] = limited(substitute(value, {variable: term}))
    values[variable] = limited(term)
    return True


def limited(term: Argument) -> Argument:
    """The term; an error if it has grown too large, which a few equalities can make it do without bound."""
    nodes, todo = 0, [(term, 1)]
    while todo:
        inner, depth = todo.pop()
        nodes += 1
        if nodes > MOST_NODES or depth > MOST_NESTED:
            raise GDLError("a term grows too large when others are put in for its variables: write smaller terms")
        if isinstance(inner, Term):
            todo.extend((argument, depth + 1) for argument in inner.args)
    return term
