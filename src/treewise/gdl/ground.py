"""A rulesheet without variables: the form that the fast machine is made from.

Atoms are numbers from 1; 0 is an atom that never holds. Atoms that are always true have a rule without a body.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewise.gdl.terms import Term
from treewise.wording import counted

Ids = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class GroundProgram:
    """Rules over atoms, and what the atoms mean.

    Rule `i` reads: `heads[i]` holds if all of `body[starts[i]:starts[i + 1]]` do, where a negative number asks for the
    absence of the atom. Facts of the state (`true`) and actions (`does`) are atoms without rules. Positive recursion
    may occur; negation is stratified.
    """

    roles: tuple[Term, ...]
    facts: tuple[Term, ...]
    """The facts that a state may hold; index = number of the fact."""
    actions: tuple[tuple[Term, ...], ...]
    """Of each role; index = number of the action."""
    initial: Ids
    """Numbers of the facts of the initial state, ascending."""
    true: Ids
    """Of each fact, the atom `true(fact)`; 0 where no rule reads it."""
    next: Ids
    """Of each fact, the atom `next(fact)`; 0 where it never comes true again."""
    does: tuple[Ids, ...]
    """Of each role and action, the atom `does(role, action)`; 0 where no rule reads it."""
    legal: tuple[Ids, ...]
    """Of each role and action, the atom `legal(role, action)`."""
    terminal: int
    goals: tuple[tuple[tuple[int, int], ...], ...]
    """Of each role, pairs of a value and the atom of that goal."""
    sees: tuple[tuple[tuple[Term, int], ...], ...]
    """Of each role, pairs of a percept and the atom that says so (GDL-II; empty otherwise)."""
    num_atoms: int
    """Atoms are below or equal to it."""
    heads: Ids
    starts: Ids
    body: Ids
    looks: int = 0
    """So many of the last atoms are another atom, looked at through a fact: the circuit keeps the two together."""

    def __repr__(self) -> str:
        return f"<GroundProgram: {counted(len(self.heads), 'rule')}, {counted(len(self.facts), 'fact')}>"
