"""What each predicate of a rulesheet changes with, in the order of evaluation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from treewise.gdl.language.dependencies import DOES, TRUE, Dependencies, Predicate
from treewise.gdl.terms import Rule


class Level(IntEnum):
    """What the truth of a predicate may change with."""

    STATIC = 0
    STATE = 1
    STEP = 2


@dataclass(frozen=True, slots=True)
class Component:
    """Predicates that depend on each other; nearly always a single one."""

    predicates: tuple[Predicate, ...]
    recursive: bool
    level: Level
    height: int
    """Components below it on the longest way down."""


def components(rules: Iterable[Rule]) -> list[Component]:
    """The components of rules, lowest first.

    >>> from treewise.gdl import parse_sheet
    >>> for found in components(parse_sheet("(<= p q (true a)) (<= q p) (<= q r) r").rules):
    ...     print([name for name, _ in found.predicates], found.recursive, found.level.name, found.height)
    ['r'] False STATIC 0
    ['true'] False STATE 0
    ['p', 'q'] True STATE 1
    """
    graph = Dependencies.of(rules)
    step, state = graph.above(DOES), graph.above(TRUE)
    place: dict[Predicate, Component] = {}
    for members in graph.components:
        level = Level.STEP if members[0] in step else Level.STATE if members[0] in state else Level.STATIC
        below = [place[edge.body] for name in members for edge in graph.reads[name] if edge.body in place]
        height = max((component.height + 1 for component in below), default=0)
        found = Component(members, bool(graph.cycles[members[0]]), level, height)
        place.update(dict.fromkeys(members, found))
    return list(dict.fromkeys(place.values()))
