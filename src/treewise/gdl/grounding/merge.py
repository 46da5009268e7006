"""Atoms that mean the same made one.

An atom whose only rule asks for one literal is that literal; atoms with equal rules are equal. Also within recursion:
the least model gives them the same value.
"""

from __future__ import annotations

from collections.abc import Iterable

from treewise.gdl.ground import GroundProgram
from treewise.gdl.grounding.rulebook import Body, bodies_of, outputs, renamed_outputs, with_bodies
from treewise.gdl.language.connected import connected


def merge(program: GroundProgram) -> GroundProgram:
    """The program with one atom for those that always have the same value, and without rules that others imply.

    >>> from treewise.gdl import parse_sheet
    >>> from treewise.gdl.grounder import ground_plainly
    >>> from treewise.gdl.grounding.rulebook import rules_of
    >>> rules = "(role x) (init a) (init b) (<= p (true a)) (<= q p) (<= r q (true b)) (<= s p (true b)) "
    >>> rules += "(<= terminal r s) (<= (next a) q) (<= (next b) (true b) r)"
    >>> merged = merge(ground_plainly(parse_sheet(rules)))
    >>> sum(1 for head, body in rules_of(merged) if body)
    2
    """
    bodies = bodies_of(program)
    merging = _Merging(bodies)
    reads: list[list[int]] = [[] for _ in range(program.num_atoms + 1)]
    for head, own in bodies.items():
        reads[head] = list({abs(literal) for body in own for literal in body})
    for part in connected(reads):
        for atom in part:
            merging.visit(atom)
    return merging.finish(program)


class _Merging:
    def __init__(self, bodies: dict[int, list[Body]]) -> None:
        self.bodies = bodies
        self.same: dict[int, int] = {}
        """Atoms, and the literals that they are equal to."""
        self.known: dict[frozenset[Body], int] = {}

    def find(self, literal: int) -> int:
        """The literal that stands for one."""
        path = []
        while abs(literal) in self.same:
            path.append(literal)
            other = self.same[abs(literal)]
            literal = other if literal > 0 else -other
        for passed in path:
            self.same[abs(passed)] = literal if passed > 0 else -literal
        return literal

    def visit(self, atom: int) -> None:
        """Simplifies an atom's rules and finds the atom that it equals."""
        if atom not in self.bodies:
            return
        bodies = self._simplified(atom)
        if len(bodies) == 1 and len(bodies[0]) == 1 and abs(bodies[0][0]) != atom:
            self.same[atom] = bodies[0][0]
            return
        self.bodies[atom] = bodies
        other = self.known.setdefault(frozenset(bodies), atom)
        if other != atom:
            self.same[atom] = other

    def _simplified(self, atom: int) -> list[Body]:
        found: dict[Body, None] = {}
        for body in self.bodies[atom]:
            literals = {self.find(literal) for literal in body}
            if atom not in literals and not any(-literal in literals for literal in literals):
                found[tuple(sorted(literals))] = None
        return _without_implied(found)

    def finish(self, program: GroundProgram) -> GroundProgram:
        """Puts the literals that stand for others in their place; outputs keep a rule where they equal a negation."""
        negations: dict[int, int] = {}
        names = {0: 0}
        for atom in outputs(program).tolist():
            literal = self.find(atom)
            names[atom] = literal if literal > 0 else negations.setdefault(literal, atom)
        for head in list(self.bodies):
            if head in self.same:
                del self.bodies[head]
            else:
                self.bodies[head] = self._simplified(head)
        for literal, atom in negations.items():
            self.bodies[atom] = [(literal,)]
        return renamed_outputs(with_bodies(program, self.bodies), names.__getitem__)


def _without_implied(bodies: Iterable[Body]) -> list[Body]:
    """The bodies but those that hold a literal which alone is a body."""
    bodies = list(bodies)
    single = {body[0] for body in bodies if len(body) == 1}
    if () in bodies:
        return [()]
    return [body for body in bodies if len(body) == 1 or single.isdisjoint(body)] if single else bodies
