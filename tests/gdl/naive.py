"""The meaning of rules in normal form, computed in the plainest way: all that follows, stratum by stratum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treewise.gdl.language.dependencies import Dependencies, predicate
from treewise.gdl.terms import Argument, Distinct, Literal, Rule, Term, Variable, instance, substitute


def model(rules: Sequence[Rule]) -> set[Term]:
    """All atoms that hold. The rules must be safe and stratified."""
    graph = Dependencies.of(rules)
    assert not list(graph.negative_cycles())
    held: set[Term] = set()
    for component in graph.components:
        own = [rule for rule in rules if predicate(rule.head) in component]
        before = -1
        while before < len(held):
            before = len(held)
            held |= {instance(rule.head, values) for rule in own for values in _solutions(rule.body, held, {})}
    return held


def _solutions(
    body: Sequence[Literal | Distinct], held: set[Term], values: dict[Variable, Argument]
) -> Iterator[dict[Variable, Argument]]:
    if not body:
        yield values
        return
    first, rest = body[0], body[1:]
    if isinstance(first, Distinct):
        if substitute(first.left, values) != substitute(first.right, values):
            yield from _solutions(rest, held, values)
    elif not first.positive:
        if instance(first.atom, values) not in held:
            yield from _solutions(rest, held, values)
    else:
        for atom in tuple(held):
            extended = dict(values)
            if _matches(first.atom, atom, extended):
                yield from _solutions(rest, held, extended)


def _matches(pattern: Argument, term: Argument, values: dict[Variable, Argument]) -> bool:
    if isinstance(pattern, Variable):
        return values.setdefault(pattern, term) == term
    if isinstance(term, Variable) or pattern.name != term.name or len(pattern.args) != len(term.args):
        return False
    return all(_matches(a, b, values) for a, b in zip(pattern.args, term.args, strict=True))
