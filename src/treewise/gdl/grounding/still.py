"""Atoms that matter only while a fact holds are false without it, in large programs.

Chess asks of every square whether it is threatened, though only the king's matters. Seen through the fact that the king
stands there, the others stay still, whatever moves.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from treewise import _core
from treewise.gdl.ground import GroundProgram
from treewise.gdl.grounding.limits import Budget
from treewise.gdl.grounding.numbers import ids
from treewise.gdl.grounding.rulebook import outputs

LARGE = 500_000
"""Rules from which it pays: in small programs, what moves in vain costs less than to watch the facts."""


def still(program: GroundProgram, budget: Budget | None = None, large: int = LARGE) -> GroundProgram:
    """The same game; smaller programs stay as they are.

    >>> from treewise.gdl import parse_sheet
    >>> from treewise.gdl.grounder import ground_plainly
    >>> from treewise.gdl.grounding.rulebook import rules_of
    >>> rules = "(role x) (init a) (init b) (init c) (<= (next ?f) (true ?f)) (<= (p ?f) (true ?f) (not (true c)))"
    >>> program = ground_plainly(parse_sheet(rules + "(<= (legal x go) (true a) (not (q)))"
    ...     "(<= (q) (true b)) (<= (q) (true c))"))
    >>> len(program.heads), len(still(program, large=0).heads)
    (3, 5)
    """
    if len(program.heads) < large:
        return program
    parts = (part.astype(np.int32).tobytes() for part in (program.heads, program.starts, program.body))
    heads, starts, body, num_atoms = _core.gdl_keep_still(
        program.num_atoms, *parts, outputs(program).tolist(), program.true.tolist(), (budget or Budget()).engine
    )
    return replace(
        program,
        heads=ids(heads),
        starts=ids(starts),
        body=ids(body),
        num_atoms=num_atoms,
        looks=num_atoms - program.num_atoms,
    )
