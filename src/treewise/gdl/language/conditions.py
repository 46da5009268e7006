"""The body of a rule as a tree: all of, some of, and leaves; negation pushed down to the leaves.

What a leaf holds is for the reader of the tree to choose: forms with their places for the checks, literals for the
normal form.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from treewise.gdl.syntax import Form, GDLError, Group, Symbol

T = TypeVar("T")
S = TypeVar("S")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class One(Generic[T]):
    """A leaf."""

    leaf: T


@dataclass(frozen=True, slots=True)
class All(Generic[T]):
    """Holds where all parts do."""

    parts: tuple[Condition[T], ...]


@dataclass(frozen=True, slots=True)
class Some(Generic[T]):
    """Holds where at least one part does."""

    parts: tuple[Condition[T], ...]


Condition: TypeAlias = One[T] | All[T] | Some[T]


@dataclass(frozen=True, slots=True)
class Leaf:
    """An atom, or a `distinct`, as it is written; `positive` counts the negations around it."""

    form: Form
    positive: bool

    @property
    def distinct(self) -> bool:
        """Whether it compares two terms; otherwise it is an atom."""
        return keyword(self.form) == "distinct" and isinstance(self.form, Group)


def keyword(form: Form) -> str:
    """The name that a form begins with, in lower case; empty if it begins with none."""
    if isinstance(form, Group):
        form = form.items[0] if form.items else form
    return form.text.lower() if isinstance(form, Symbol) else ""


def body(forms: Iterable[Form]) -> All[Leaf]:
    """The tree of a rule's conditions.

    >>> from treewise.gdl.syntax import read
    >>> tree = body(read("(p ?x) (not (or (q ?x) r))"))
    >>> [(str(leaf.form), leaf.positive) for leaf in leaves(tree)]
    [('(p ?x)', True), ('(q ?x)', False), ('r', False)]
    """
    return All(tuple(_condition(form, True) for form in forms))


def _condition(form: Form, positive: bool) -> Condition[Leaf]:
    word = keyword(form) if isinstance(form, Group) else ""
    if not isinstance(form, Group) or word not in ("not", "or", "and", "distinct"):
        return One(Leaf(form, positive))
    arguments = form.items[1:]
    wanted = {"not": 1, "distinct": 2}.get(word)
    if wanted is not None and len(arguments) != wanted:
        plural = "s" * (wanted > 1)
        raise GDLError(f"`{word}` takes {wanted} argument{plural}, not {len(arguments)}", form.line, form.column)
    if word == "distinct":
        return One(Leaf(form, positive))
    if word == "not":
        return _condition(arguments[0], not positive)
    parts = tuple(_condition(argument, positive) for argument in arguments)
    return Some(parts) if (word == "or") == positive else All(parts)


def leaves(condition: Condition[T]) -> Iterator[T]:
    """What the tree is made of, from left to right."""
    if isinstance(condition, One):
        yield condition.leaf
    else:
        for part in condition.parts:
            yield from leaves(part)


def mapped(condition: Condition[T], change: Callable[[T], S]) -> Condition[S]:
    """The same tree with other leaves."""
    if isinstance(condition, One):
        return One(change(condition.leaf))
    parts = tuple(mapped(part, change) for part in condition.parts)
    return All(parts) if isinstance(condition, All) else Some(parts)


def flat(condition: Condition[T]) -> tuple[Condition[T], ...]:
    """The parts of the condition as one conjunction: no part is an `All`, and no `Some` has just one branch."""
    if isinstance(condition, All):
        return tuple(inner for part in condition.parts for inner in flat(part))
    if isinstance(condition, Some) and len(condition.parts) == 1:
        return flat(condition.parts[0])
    return (condition,)


def branches(condition: Condition[T]) -> int:
    """How many conjunctions the tree multiplies out to."""
    if isinstance(condition, One):
        return 1
    return (math.prod if isinstance(condition, All) else sum)(map(branches, condition.parts))


def products(condition: Condition[T]) -> Iterator[tuple[T, ...]]:
    """The conjunctions that the tree multiplies out to."""
    if isinstance(condition, One):
        yield (condition.leaf,)
    elif isinstance(condition, Some):
        for part in condition.parts:
            yield from products(part)
    else:
        for combination in itertools.product(*(tuple(products(part)) for part in condition.parts)):
            yield tuple(itertools.chain.from_iterable(combination))


def given_by(condition: Condition[T], of: Callable[[T], frozenset[V]]) -> frozenset[V]:
    """What the leaves give for certain: together in a conjunction, what all branches give in a disjunction."""
    if isinstance(condition, One):
        return of(condition.leaf)
    found = [given_by(part, of) for part in condition.parts]
    if isinstance(condition, All):
        return frozenset[V]().union(*found)
    return found[0].intersection(*found[1:]) if found else frozenset()


def in_context(
    condition: Condition[T], of: Callable[[T], frozenset[V]], given: frozenset[V] = frozenset()
) -> Iterator[tuple[T, frozenset[V]]]:
    """Every leaf with what is given wherever it is asked: by `given` and by the conjunctions around it."""
    if isinstance(condition, One):
        yield condition.leaf, given
        return
    if isinstance(condition, All):
        given |= given_by(condition, of)
    for part in condition.parts:
        yield from in_context(part, of, given)
