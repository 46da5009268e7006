"""A rulesheet as the checks see it: rules with every atom and term still at its place in the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from treewise.gdl.language.conditions import All, Leaf, body, keyword, leaves
from treewise.gdl.language.dependencies import Dependencies, Edge, Predicate
from treewise.gdl.normalise import well_formed
from treewise.gdl.syntax import Form, GDLError, Group, Symbol


@dataclass(frozen=True, slots=True)
class SourceRule:
    """A rule or a fact as it is written."""

    form: Form
    head: Form
    conditions: tuple[Form, ...]
    body: All[Leaf]
    is_rule: bool

    def atoms(self) -> Iterator[tuple[Form, bool]]:
        """The atoms of the body, and whether they are asked positively."""
        return ((leaf.form, leaf.positive) for leaf in leaves(self.body) if not leaf.distinct)

    def terms(self) -> Iterator[Form]:
        """Every atom and every `distinct` of the rule, the head first."""
        yield self.head
        yield from (leaf.form for leaf in leaves(self.body))


class Source:
    """The rules of a text, without the forms that are no GDL: those are in `errors`."""

    def __init__(self, forms: Iterable[Form]) -> None:
        self.errors: list[GDLError] = []
        self.rules = list(map(_rule, well_formed(forms, self.errors)))

    @cached_property
    def open_rules(self) -> list[SourceRule]:
        """All but facts without variables."""
        return [rule for rule in self.rules if rule.is_rule or any(variables(rule.form))]

    @cached_property
    def inner(self) -> list[Form]:
        """The arguments of all atoms, and what is inside them."""
        return [
            term
            for rule in self.rules
            for atom in rule.terms()
            for argument in arguments(atom)
            for term in (parts(argument) if isinstance(argument, Group) else (argument,))
        ]

    @cached_property
    def functions(self) -> list[Group]:
        """The terms that have arguments."""
        return [term for term in self.inner if isinstance(term, Group) and len(term.items) > 1]

    @cached_property
    def heads(self) -> dict[Predicate, list[Form]]:
        """Of each predicate the heads that define it."""
        return _grouped(rule.head for rule in self.rules)

    @cached_property
    def reads(self) -> dict[Predicate, list[Form]]:
        """Of each predicate the conditions that ask for it."""
        return _grouped(atom for rule in self.rules for atom, _ in rule.atoms())

    @cached_property
    def edges(self) -> dict[Edge, Form]:
        """The edges of the graph, each with a condition that makes it one."""
        found: dict[Edge, Form] = {}
        for rule in self.rules:
            for atom, positive in rule.atoms():
                found.setdefault(Edge(predicate(rule.head), predicate(atom), positive), atom)
        return found

    @cached_property
    def graph(self) -> Dependencies:
        """Which predicates read which."""
        return Dependencies(self.edges, self.heads)

    @cached_property
    def roles(self) -> frozenset[str]:
        """The texts of the roles, in lower case."""
        return frozenset(folded(arguments(head)[0]) for head in self.heads.get(("role", 1), ()))


def _rule(form: Form) -> SourceRule:
    if isinstance(form, Group) and keyword(form) == "<=":
        return SourceRule(form, form.items[1], form.items[2:], body(form.items[2:]), True)
    return SourceRule(form, form, (), All(()), False)


def _grouped(forms: Iterable[Form]) -> dict[Predicate, list[Form]]:
    groups: dict[Predicate, list[Form]] = {}
    for form in forms:
        groups.setdefault(predicate(form), []).append(form)
    return groups


def arguments(form: Form) -> tuple[Form, ...]:
    """The arguments of an atom or term."""
    return form.items[1:] if isinstance(form, Group) else ()


def predicate(form: Form) -> Predicate:
    """Name and number of arguments of an atom or term."""
    return keyword(form), len(arguments(form))


def is_variable(form: Form) -> bool:
    """Whether the form is a variable."""
    return isinstance(form, Symbol) and form.text.startswith("?")


def variables(form: Form) -> Iterator[Symbol]:
    """The variables of an atom or term, at their places."""
    return (inner for inner in parts(form) if isinstance(inner, Symbol) and is_variable(inner))


def parts(form: Form) -> Iterator[Form]:
    """An atom or term and all that is inside it; the names that groups begin with are not listed by themselves."""
    todo = [form]
    while todo:
        form = todo.pop()
        yield form
        if isinstance(form, Group):
            todo.extend(form.items[:0:-1])


def symbols(form: Form) -> Iterator[Symbol]:
    """All names and variables of a form, in order."""
    todo = [form]
    while todo:
        form = todo.pop()
        if isinstance(form, Symbol):
            yield form
        else:
            todo.extend(reversed(form.items))


def folded(form: Form) -> str:
    """The text of a form; equal for forms that mean the same term."""
    if isinstance(form, Group) and len(form.items) == 1:
        form = form.items[0]
    return form.text.lower() if isinstance(form, Symbol) else f"({' '.join(map(folded, form.items))})"


def spelt(form: Form) -> str:
    """The name that an atom or term begins with, as it is written."""
    return str(form.items[0] if isinstance(form, Group) else form)


def shown(form: Form) -> str:
    """The predicate of an atom, for a message."""
    count = len(arguments(form))
    return f"`{spelt(form)}`" if not count else f"`{spelt(form)}` with {count} argument{'s' * (count > 1)}"
