"""Which predicates read which: recursion, negation in it, and what changes with the state.

A predicate is a name with its number of arguments; the same name with another number is another predicate.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from treewise.gdl.language.connected import connected
from treewise.gdl.terms import Rule, Term, literals

Predicate = tuple[str, int]
TRUE: Predicate = ("true", 1)
DOES: Predicate = ("does", 2)


def predicate(atom: Term) -> Predicate:
    """The predicate of an atom.

    >>> predicate(Term("terminal"))
    ('terminal', 0)
    """
    return atom.name, len(atom.args)


@dataclass(frozen=True, slots=True)
class Edge:
    """The rules of `head` read `body`, perhaps under a negation."""

    head: Predicate
    body: Predicate
    positive: bool = True


class Dependencies:
    """The graph of the predicates of some rules.

    >>> from treewise.gdl import parse_sheet
    >>> sheet = parse_sheet("(<= (p ?x) (q ?x) (not (r ?x))) (<= (q ?x) (true ?x)) (<= (r ?x) (s ?x)) (s a)")
    >>> graph = Dependencies.of(sheet.rules)
    >>> sorted(graph.dynamic), sorted(graph.below(("r", 1)))
    ([('does', 2), ('p', 1), ('q', 1), ('true', 1)], [('r', 1), ('s', 1)])
    """

    def __init__(self, edges: Iterable[Edge], predicates: Iterable[Predicate] = ()) -> None:
        self.edges = tuple(dict.fromkeys(edges))
        names = [*predicates, *(name for edge in self.edges for name in (edge.head, edge.body))]
        self.reads: dict[Predicate, list[Edge]] = {name: [] for name in names}
        for edge in self.edges:
            self.reads[edge.head].append(edge)

    @classmethod
    def of(cls, rules: Iterable[Rule]) -> Dependencies:
        """The graph of rules in normal form."""
        rules = tuple(rules)
        edges = (
            Edge(predicate(rule.head), predicate(literal.atom), literal.positive)
            for rule in rules
            for literal in literals(rule.body)
        )
        return cls(edges, (predicate(rule.head) for rule in rules))

    @cached_property
    def components(self) -> tuple[tuple[Predicate, ...], ...]:
        """Predicates that need each other stand together; each component behind all that it reads."""
        names = list(self.reads)
        numbers = {name: number for number, name in enumerate(names)}
        reads = [[numbers[edge.body] for edge in edges] for edges in self.reads.values()]
        return tuple(tuple(names[number] for number in part) for part in connected(reads))

    @cached_property
    def cycles(self) -> dict[Predicate, frozenset[Predicate]]:
        """Of each predicate those that it needs and that need it, itself among them; none if it is not recursive."""
        cycles: dict[Predicate, frozenset[Predicate]] = {}
        for component in self.components:
            name = component[0]
            recursive = len(component) > 1 or any(edge.body == name for edge in self.reads[name])
            cycles.update(dict.fromkeys(component, frozenset(component if recursive else ())))
        return cycles

    def on_a_cycle(self, head: Predicate, body: Predicate) -> bool:
        """Whether a rule of `head` that reads `body` is recursive."""
        return body in self.cycles[head]

    def negations_in_cycles(self) -> dict[frozenset[Predicate], list[Edge]]:
        """The negations inside of each group of predicates that need each other."""
        found: dict[frozenset[Predicate], list[Edge]] = {}
        for edge in self.edges:
            if not edge.positive and self.on_a_cycle(edge.head, edge.body):
                found.setdefault(self.cycles[edge.head], []).append(edge)
        return found

    def path(self, start: Predicate, end: Predicate) -> tuple[Edge, ...]:
        """A shortest chain of edges from one predicate to another; empty if there is none."""
        came: dict[Predicate, Edge | None] = {start: None}
        for name in (queue := [start]):
            for edge in self.reads.get(name, ()):
                if edge.body not in came:
                    came[edge.body] = edge
                    queue.append(edge.body)
        chain: list[Edge] = []
        while (step := came.get(end)) is not None:
            chain.append(step)
            end = step.head
        return tuple(reversed(chain))

    def below(self, *names: Predicate) -> frozenset[Predicate]:
        """All that the predicates read, directly or through others, themselves included."""
        return _reached(names, {name: [edge.body for edge in edges] for name, edges in self.reads.items()})

    def above(self, *names: Predicate) -> frozenset[Predicate]:
        """All that read one of the predicates, directly or through others, themselves included."""
        readers: dict[Predicate, list[Predicate]] = {}
        for edge in self.edges:
            readers.setdefault(edge.body, []).append(edge.head)
        return _reached(names, readers)

    @cached_property
    def dynamic(self) -> frozenset[Predicate]:
        """The predicates that may change with the state or with what is done, `true` and `does` among them."""
        return self.above(TRUE, DOES)


def _reached(names: Iterable[Predicate], next_to: dict[Predicate, list[Predicate]]) -> frozenset[Predicate]:
    found = dict.fromkeys(names)
    for name in (queue := list(found)):
        for other in next_to.get(name, ()):
            if other not in found:
                found[other] = None
                queue.append(other)
    return frozenset(found)
