"""Checks of single rules and of the graph that they form: safety, stratification, recursion."""

from __future__ import annotations

from collections.abc import Iterator

from treewise.gdl.language.checks.source import Source, SourceRule, arguments, folded, predicate, shown, variables
from treewise.gdl.language.conditions import Leaf, given_by, in_context
from treewise.gdl.language.dependencies import Predicate
from treewise.gdl.language.finding import Finding, found
from treewise.gdl.syntax import Form, Symbol

_MOST_CYCLES = 10
"""Of one group of predicates, that are compared by their lengths."""
_LONGEST_SHOWN = 500


def safety(source: Source) -> Iterator[Finding]:
    """Variables of heads, negations and `distinct` that nothing binds."""
    for rule in source.open_rules:
        told: set[str] = set()
        for where, unbound in _unbound(rule):
            new = [variable for variable in unbound if folded(variable) not in told]
            if new:
                told.update(map(folded, new))
                yield found("unsafe", _unsafe(rule, where, new), new[0])


def _unbound(rule: SourceRule) -> Iterator[tuple[str, list[Symbol]]]:
    certain = given_by(rule.body, _binds)
    yield "the head", [variable for variable in variables(rule.head) if folded(variable) not in certain]
    for leaf, bound in in_context(rule.body, _binds):
        if leaf.distinct or not leaf.positive:
            where = f"this `{'distinct' if leaf.distinct else 'not'}`"
            yield where, [variable for variable in variables(leaf.form) if folded(variable) not in bound]


def _binds(leaf: Leaf) -> frozenset[str]:
    """The variables that a condition binds. A negated `distinct` is an equality; it has an error of its own."""
    return frozenset(map(folded, variables(leaf.form))) if leaf.positive != leaf.distinct else frozenset()


def _unsafe(rule: SourceRule, where: str, unbound: list[Symbol]) -> str:
    names = ", ".join({folded(variable): str(variable) for variable in unbound}.values())
    if not rule.is_rule:
        return f"a fact has no variables, this has {names}: write a fact for each value, or a rule with conditions"
    elsewhere = {folded(v) for atom, positive in rule.atoms() if positive for v in variables(atom)}
    advice = f"add a condition that says what {unbound[0]} can be, as (role {unbound[0]}) does for a role"
    if not elsewhere.isdisjoint(map(folded, unbound)):
        advice = "every branch of an `or` must bind the variables that are used outside of it"
    return f"no positive condition binds {names} of {where}: {advice}"


def stratification(source: Source) -> Iterator[Finding]:
    """Cycles with a negation, the shortest of each group of predicates that need each other."""
    for negations in source.graph.negations_in_cycles().values():
        cycles = [(edge, *source.graph.path(edge.body, edge.head)) for edge in negations[:_MOST_CYCLES]]
        cycle = min(cycles, key=len)
        names = [cycle[0].head[0], *("not " * (not edge.positive) + edge.body[0] for edge in cycle)]
        advice = "break the cycle, for instance by asking for the state (`true`) instead"
        message = f"a negation inside a cycle has no meaning: {_short(' <- '.join(names))}; {advice}"
        yield found("unstratified", message, source.edges[cycle[0]])


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 2] + " …"


def recursion(source: Source) -> Iterator[Finding]:
    """Arguments of recursive conditions that come neither from the head nor from outside of the cycle."""
    for rule in source.open_rules:
        head = predicate(rule.head)
        allowed = frozenset(map(folded, arguments(rule.head)))

        def recursive(leaf: Leaf, head: Predicate = head) -> bool:
            return not leaf.distinct and source.graph.on_a_cycle(head, predicate(leaf.form))

        def outside(leaf: Leaf, head: Predicate = head) -> frozenset[str]:
            if leaf.distinct or not leaf.positive or recursive(leaf, head):
                return frozenset()
            return frozenset(map(folded, arguments(leaf.form)))

        for leaf, given in in_context(rule.body, outside, allowed):
            if leaf.positive and recursive(leaf):
                yield from _free_arguments(leaf.form, given)


def _free_arguments(atom: Form, given: frozenset[str]) -> Iterator[Finding]:
    for argument in arguments(atom):
        if any(variables(argument)) and folded(argument) not in given:
            yield found(
                "recursion",
                f"{argument} in the recursive condition on {shown(atom)} must be an argument of the head or "
                "of a positive condition outside of the recursion: add such a condition",
                argument,
            )
