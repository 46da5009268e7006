"""What no output reads is left out, and the atoms are numbered anew without gaps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from treewise.gdl.ground import GroundProgram, Ids
from treewise.gdl.grounding.rulebook import outputs, renamed_outputs
from treewise.gdl.grounding.slices import slices


def prune(program: GroundProgram) -> GroundProgram:
    """The program with only what a next state, a legal action, the end, a goal or a percept depends on.

    >>> from treewise.gdl import parse_sheet
    >>> from treewise.gdl.grounder import ground_plainly
    >>> program = ground_plainly(parse_sheet("(role x) (init a) (init b) (<= (legal x go) (true a) (true b))"))
    >>> pruned = prune(program)
    >>> pruned.num_atoms, pruned.heads.tolist(), pruned.body.tolist(), pruned.does[0].tolist()
    (3, [1], [2, 3], [0])
    """
    return _renumbered(program, _read_by(program, outputs(program)))


def _read_by(program: GroundProgram, atoms: Ids) -> NDArray[np.bool_]:
    """Which atoms others depend on, those themselves among them."""
    order = np.argsort(program.heads, kind="stable").astype(np.int32)
    begins = np.concatenate(([0], np.cumsum(np.bincount(program.heads, minlength=program.num_atoms + 1))))
    found = np.zeros(program.num_atoms + 1, bool)
    new = atoms
    while len(new := np.unique(new[~found[new]])):
        found[new] = True
        _, rules = slices(order, begins[new], begins[new + 1])
        new = np.abs(slices(program.body, program.starts[rules], program.starts[rules + 1])[1])
    return found


def _renumbered(program: GroundProgram, used: NDArray[np.bool_]) -> GroundProgram:
    used[0] = False
    number = np.where(used, np.cumsum(used), 0).astype(np.int32)
    keep = used[program.heads]
    starts, body = slices(program.body, program.starts[:-1][keep], program.starts[1:][keep])

    def all_of(atoms: Ids) -> Ids:
        return number[atoms]

    program = renamed_outputs(program, lambda atom: int(number[atom]))
    return replace(
        program,
        true=all_of(program.true),
        does=tuple(map(all_of, program.does)),
        num_atoms=int(used.sum()),
        heads=all_of(program.heads[keep]),
        starts=starts,
        body=(np.sign(body) * number[np.abs(body)]).astype(np.int32),
    )
