"""Atoms that matter only while a fact holds are false without it, in large programs.

Chess asks of every square whether it is threatened, though only the king's matters. Seen through the fact that the king
stands there, the others stay still, whatever moves.
"""

from __future__ import annotations

from dataclasses import replace

from treewise import _core
from treewise.gdl.ground import GroundProgram
from treewise.gdl.grounding.limits import Budget
from treewise.gdl.grounding.numbers import ids, in_bytes
from treewise.gdl.grounding.rulebook import outputs

LARGE = 500_000
"""Rules from which it pays: in small programs, what moves in vain costs less than to watch the facts."""


SHARE = 16
"""One atom of so many, at most, is looked at through one fact, so that the fact's own changes cost little."""


def still(
    program: GroundProgram, budget: Budget | None = None, large: int = LARGE, share: int = SHARE
) -> GroundProgram:
    """The same game; smaller programs stay as they are.

    >>> from treewise.gdl import parse_sheet
    >>> from treewise.gdl.grounder import ground_plainly
    >>> rules = "(role x) (init king) (init rook) (init queen) (<= (legal x stay) (true king) (not hit))"
    >>> program = ground_plainly(parse_sheet(rules + "(<= hit (true rook)) (<= hit (true queen))"))
    >>> len(program.heads), len(still(program, large=0, share=1).heads)
    (4, 6)
    """
    if len(program.heads) < large:
        return program
    own_heads, own_starts, own_body = in_bytes(program)
    heads, starts, body, num_atoms = _core.gdl_keep_still(
        program.num_atoms,
        own_heads,
        own_starts,
        own_body,
        outputs(program).tolist(),
        program.true.tolist(),
        share,
        (budget or Budget()).engine,
    )
    return replace(
        program,
        heads=ids(heads),
        starts=ids(starts),
        body=ids(body),
        num_atoms=num_atoms,
        looks=num_atoms - program.num_atoms,
    )
