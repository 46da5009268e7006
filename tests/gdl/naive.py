"""The meaning of rules in normal form, computed in the plainest way: all that follows, stratum by stratum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from treewise.gdl.terms import Argument, Distinct, Literal, Rule, Term, Variable, instance, literals, substitute


def model(rules: Sequence[Rule], given: Iterable[Term] = ()) -> set[Term]:
    """All atoms that hold. The rules must be safe and stratified; `given` holds besides."""
    strata = _strata(rules)
    held = set(given)
    for stratum in range(max(strata.values(), default=0) + 1):
        own = [rule for rule in rules if strata[_predicate(rule.head)] == stratum]
        before = -1
        while before < len(held):
            before = len(held)
            held |= {instance(rule.head, values) for rule in own for values in _solutions(rule.body, held, {})}
    return held


def _strata(rules: Sequence[Rule]) -> Counter[tuple[str, int]]:
    """By the definition: not below what is asked for, above what is asked to be absent."""
    strata: Counter[tuple[str, int]] = Counter()
    before = None
    while before != strata:
        before = strata.copy()
        for rule in rules:
            for literal in literals(rule.body):
                head, body = _predicate(rule.head), _predicate(literal.atom)
                strata[head] = max(strata[head], strata[body] + (not literal.positive))
        assert max(strata.values(), default=0) <= len(rules), "a predicate depends on its own absence"
    return strata


def _predicate(atom: Term) -> tuple[str, int]:
    return atom.name, len(atom.args)


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
