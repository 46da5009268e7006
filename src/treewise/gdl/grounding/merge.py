"""Atoms that mean the same made one.

An atom whose only rule asks for one literal is that literal; atoms with equal rules are equal. Also within recursion:
the least model gives them the same value.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from treewise import _core
from treewise.gdl.ground import GroundProgram
from treewise.gdl.grounding.limits import Budget
from treewise.gdl.grounding.numbers import ids, in_bytes
from treewise.gdl.grounding.rulebook import outputs, renamed_outputs


def merge(program: GroundProgram, budget: Budget | None = None) -> GroundProgram:
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
    read = outputs(program)
    own_heads, own_starts, own_body = in_bytes(program)
    heads, starts, body, atoms = _core.gdl_merge(
        program.num_atoms, own_heads, own_starts, own_body, read.tolist(), (budget or Budget()).engine
    )
    stands = np.zeros(program.num_atoms + 1, np.int32)
    stands[read] = atoms
    return replace(
        renamed_outputs(program, lambda atom: int(stands[atom])),
        heads=ids(heads),
        starts=ids(starts),
        body=ids(body),
    )
