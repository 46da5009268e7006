"""Which predicates of a rulesheet depend on which: components of mutual recursion, in the order of evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum

from treewise.gdl.terms import Literal, Rule, Term

Predicate = tuple[str, int]
"""A name and how many arguments it has."""


class Level(IntEnum):
    """What the truth of a predicate may change with."""

    STATIC = 0
    STATE = 1
    STEP = 2


_GIVEN = {("true", 1): Level.STATE, ("does", 2): Level.STEP}


def predicate(atom: Term) -> Predicate:
    """The predicate of an atom."""
    return atom.name, len(atom.args)


def literals(rule: Rule) -> Iterator[Literal]:
    """The atoms that a rule's body asks for, or asks to be absent."""
    return (condition for condition in rule.body if isinstance(condition, Literal))


@dataclass(frozen=True, slots=True)
class Component:
    """Predicates that depend on each other; nearly always a single one."""

    predicates: tuple[Predicate, ...]
    recursive: bool
    level: Level
    height: int
    """Components below it on the longest way down."""
    fault: Rule | None = None
    """A rule by which one of the predicates depends on its own absence."""


def components(rules: Mapping[Predicate, list[Rule]], roots: Iterable[Predicate]) -> list[Component]:
    """The components that the roots depend on, lowest first.

    >>> from treewise.gdl import parse_sheet
    >>> rules = {}
    >>> for rule in parse_sheet("(<= p q (true a)) (<= q p) (<= q r) r").rules:
    ...     rules.setdefault(predicate(rule.head), []).append(rule)
    >>> [(c.predicates, c.recursive, c.level.name) for c in components(rules, [("p", 0)])]
    [((('r', 0),), False, 'STATIC'), ((('q', 0), ('p', 0)), True, 'STATE')]
    """
    found: list[Component] = []
    place: dict[Predicate, Component] = {}
    for members in _strongly_connected(rules, roots):
        component = _component(members, rules, place)
        found.append(component)
        place.update(dict.fromkeys(members, component))
    return found


def _component(
    members: list[Predicate], rules: Mapping[Predicate, list[Rule]], below: Mapping[Predicate, Component]
) -> Component:
    inside = set(members)
    level, height, recursive, fault = Level.STATIC, 0, False, None
    for rule in (rule for member in members for rule in rules[member]):
        for literal in literals(rule):
            name = predicate(literal.atom)
            if name in inside:
                recursive = True
                fault = fault if literal.positive else rule
            elif name in below:
                level, height = max(level, below[name].level), max(height, below[name].height + 1)
            level = max(level, _GIVEN.get(name, Level.STATIC))
    return Component(tuple(members), recursive, level, height, fault)


def _strongly_connected(rules: Mapping[Predicate, list[Rule]], roots: Iterable[Predicate]) -> Iterator[list[Predicate]]:
    """Tarjan's algorithm, without recursion; predicates without rules are left out."""
    number: dict[Predicate, int] = {}
    low: dict[Predicate, int] = {}
    waiting: list[Predicate] = []
    done: set[Predicate] = set()

    def below(name: Predicate) -> Iterator[Predicate]:
        number[name] = low[name] = len(number)
        waiting.append(name)
        read = dict.fromkeys(predicate(literal.atom) for rule in rules[name] for literal in literals(rule))
        return (other for other in read if other in rules)

    for root in roots:
        path = [(root, below(root))] if root in rules and root not in number else []
        while path:
            name, others = path[-1]
            for other in others:
                if other not in number:
                    path.append((other, below(other)))
                    break
                if other not in done:
                    low[name] = min(low[name], number[other])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[name])
                if low[name] == number[name]:
                    members = [waiting.pop()]
                    while members[-1] != name:
                        members.append(waiting.pop())
                    done.update(members)
                    yield members
