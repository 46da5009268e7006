"""Ground rules as arrays, as the grounder hands them over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewise.gdl.ground import Ids

Places = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class RuleArrays:
    """Ground rules in the form of a `GroundProgram`, and the atoms that have a name."""

    heads: Ids
    starts: Ids
    body: Ids
    shown: dict[str, int]
    """Atoms by their text; 0 stands for an atom that always holds."""

    @property
    def num_atoms(self) -> int:
        """The highest number of an atom."""
        parts = (self.heads, np.abs(self.body), np.fromiter(self.shown.values(), np.int32))
        return max((int(part.max()) for part in parts if len(part)), default=0)


def without(rules: RuleArrays, guards: Sequence[int]) -> RuleArrays:
    """The rules with guards taken as true: their own rules and the literals that ask for them left out.

    >>> rules = RuleArrays(*(np.array(a, np.int32) for a in ([3, 4], [0, 1, 3], [1, 3, -2])), {})
    >>> without(rules, [3]).body.tolist()
    [-2]
    """
    gone = np.zeros(rules.num_atoms + 1, bool)
    gone[guards] = True
    gone[0] = False
    keep = ~gone[rules.heads]
    starts, body = slices(rules.body, rules.starts[:-1][keep], rules.starts[1:][keep])
    wanted = ~gone[np.abs(body)]
    return RuleArrays(rules.heads[keep], starts_after(starts, wanted), body[wanted], rules.shown)


def slices(numbers: Ids, begins: Places, ends: Places) -> tuple[Ids, Ids]:
    """Where each slice `numbers[begin:end]` starts once they are joined, and the joined slices.

    >>> slices(np.arange(9, dtype=np.int32), np.array([1, 5]), np.array([3, 8]))[1].tolist()
    [1, 2, 5, 6, 7]
    """
    lengths = ends - begins
    starts = np.concatenate(([0], np.cumsum(lengths)))
    places = np.arange(starts[-1]) + np.repeat(begins - starts[:-1], lengths)
    return starts.astype(np.int32), numbers[places]


def starts_after(starts: Ids, wanted: NDArray[np.bool_]) -> Ids:
    """Where bodies start once only the wanted literals are left.

    >>> starts_after(np.array([0, 2, 3], np.int32), np.array([True, False, True])).tolist()
    [0, 1, 2]
    """
    return np.concatenate(([0], np.cumsum(wanted)))[starts].astype(np.int32)
