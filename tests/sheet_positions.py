"""Positions of the project's own rulesheets, put together from facts."""

from __future__ import annotations

from functools import cache

from treewise.gdl import Prover, load_sheet, parse_sheet
from treewise.gdl.terms import Term


@cache
def prover(name: str) -> Prover:
    return Prover(load_sheet(name))


def term(text: str) -> Term:
    return parse_sheet(text).rules[0].head


class Position:
    """A state made of facts, with questions and answers as text (in lower case)."""

    def __init__(self, name: str, *facts: str) -> None:
        self.prover = prover(name)
        self.name = name
        self.facts = frozenset(rule.head for fact in facts for rule in parse_sheet(fact).rules)

    def legal(self, role: int, kind: str = "") -> set[str]:
        """What a role may do; only actions whose text begins with `kind`."""
        actions = map(str, self.prover.legal(self.facts, self.prover.roles[role]))
        return {action for action in actions if action.startswith(kind)}

    def play(self, *joint: str) -> Position:
        roles = self.prover.roles
        for role, action in enumerate(joint):
            assert action in self.legal(role), f"{action} is not legal"
        after = Position(self.name)
        after.facts = self.prover.next(self.facts, dict(zip(roles, map(term, joint), strict=True)))
        return after

    def has(self, *facts: str) -> bool:
        return all(rule.head in self.facts for fact in facts for rule in parse_sheet(fact).rules)

    def is_over(self) -> bool:
        return self.prover.terminal(self.facts)

    def goals(self) -> list[int]:
        """Exactly one for each role."""
        values = [self.prover.goal(self.facts, role) for role in self.prover.roles]
        assert all(len(value) == 1 for value in values), f"not one goal each: {values}"
        return [int(str(value[0])) for value in values]


def filled(occupied: str, others: list[str], pattern: str) -> str:
    """The facts given, and `pattern` for each other place that they do not name."""
    named = {tuple(map(str, rule.head.args[:-1])) for rule in parse_sheet(occupied).rules}
    return occupied + " ".join(pattern.format(place) for place in others if tuple(place.split()) not in named)
