"""Which predicates of a rulesheet read which others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from treewise.gdl.language.connected import connected
from treewise.gdl.terms import Distinct, Literal, Rule, Term, Variable, variables

Predicate = tuple[str, int]
"""A name and the number of its arguments."""


def predicate(atom: Term) -> Predicate:
    """The predicate of an atom."""
    return atom.name, len(atom.args)


def variables_of(condition: Literal | Distinct) -> set[Variable]:
    """The variables of a part of a body."""
    if isinstance(condition, Literal):
        return set(variables(condition.atom))
    return {*variables(condition.left), *variables(condition.right)}


def positive(body: Iterable[Literal | Distinct]) -> list[Literal]:
    """The literals of a body that bind variables."""
    return [condition for condition in body if isinstance(condition, Literal) and condition.positive]


def dynamic_predicates(rules: Iterable[Rule]) -> set[Predicate]:
    """The predicates that depend on the state or on what is done.

    >>> from treewise.gdl import parse_sheet
    >>> sheet = parse_sheet("(succ 1 2) (<= (p ?x) (q ?x)) (<= (q ?x) (true (at ?x))) (<= (r ?x) (succ ?x ?y))")
    >>> sorted(dynamic_predicates(sheet.rules) - {("true", 1), ("does", 2)})
    [('p', 1), ('q', 1)]
    """
    readers: dict[Predicate, set[Predicate]] = defaultdict(set)
    for rule in rules:
        for condition in rule.body:
            if isinstance(condition, Literal):
                readers[predicate(condition.atom)].add(predicate(rule.head))
    found: set[Predicate] = {("true", 1), ("does", 2)}
    todo = list(found)
    while todo:
        fresh = readers[todo.pop()] - found
        found |= fresh
        todo += fresh
    return found


def mutual(rules: Iterable[Rule]) -> dict[Predicate, frozenset[Predicate]]:
    """Of each predicate that has rules, those that it depends on and that depend on it; itself only if it recurs.

    >>> from treewise.gdl import parse_sheet
    >>> found = mutual(parse_sheet("(<= (p ?x) (q ?x)) (<= (q ?x) (e ?x)) (<= (q ?x) (q ?x))").rules)
    >>> {name: len(others) for (name, _), others in found.items()}
    {'p': 0, 'q': 1}
    """
    reads: dict[Predicate, set[Predicate]] = {}
    for rule in rules:
        own = reads.setdefault(predicate(rule.head), set())
        own |= {predicate(c.atom) for c in rule.body if isinstance(c, Literal)}
    numbers = {name: number for number, name in enumerate(reads)}
    names = list(reads)
    found: dict[Predicate, frozenset[Predicate]] = {}
    for part in connected([[numbers[other] for other in reads[name] if other in numbers] for name in names]):
        members = frozenset(names[number] for number in part)
        for name in members:
            found[name] = members if len(part) > 1 or name in reads[name] else frozenset()
    return {name: found[name] for name in names}
