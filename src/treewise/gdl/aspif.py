"""The grounder's output, the numeric format aspif, as arrays.

A rule is a line `1 choice 1 head 0 n literal ...`; a shown atom is a line `4 length text n literal`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewise.gdl.ground import Ids


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
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


def read_aspif(data: bytes) -> Listing:
    r"""The rules but for choices, in their order.

    >>> listing = read_aspif(b"asp 1 0 0 incremental\n1 1 1 5 0 0\n1 0 1 7 0 2 5 -6\n4 4 p(a) 1 7\n4 1 q 0\n0\n")
    >>> listing.heads.tolist(), listing.body.tolist(), listing.shown
    ([7], [5, -6], {'p(a)': 7, 'q': 0})
    """
    begin = data.index(b"\n") + 1
    end = data.find(b"\n4 ", begin - 1) + 1 or data.rindex(b"\n0") + 1
    shown = {}
    for line in data[end:].splitlines():
        if line.startswith(b"4 "):
            _, _, text, count, *literals = line.split()
            shown[text.decode()] = int(literals[0]) if int(count) else 0
    return Listing(*_rules(data[begin:end]), shown)


def _rules(data: bytes) -> tuple[Ids, Ids, Ids]:
    if not data:
        none = np.zeros(0, np.int32)
        return none, np.zeros(1, np.int32), none
    numbers = np.fromstring(data, np.int32, sep=" ")
    characters = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(characters[characters <= ord(" ")] == ord("\n")) + 1
    begins = np.concatenate(([0], ends[:-1]))
    plain = numbers[begins + 1] == 0
    begins, ends = begins[plain], ends[plain]
    return numbers[begins + 3], *slices(numbers, begins + 6, ends)


def slices(
    numbers: Ids, begins: NDArray[np.signedinteger[Any]], ends: NDArray[np.signedinteger[Any]]
) -> tuple[Ids, Ids]:
    """Where each slice `numbers[begin:end]` starts once they are joined, and the joined slices.

    >>> slices(np.arange(9, dtype=np.int32), np.array([1, 5]), np.array([3, 8]))[1].tolist()
    [1, 2, 5, 6, 7]
    """
    lengths = ends - begins
    starts = np.concatenate(([0], np.cumsum(lengths)))
    places = np.arange(starts[-1]) + np.repeat(begins - starts[:-1], lengths)
    return starts.astype(np.int32), numbers[places]


def without(listing: Listing, guards: Sequence[int]) -> Listing:
    """The listing with guards taken as true: their rules and the literals that ask for them left out."""
    gone = np.zeros(listing.num_atoms + 1, bool)
    gone[guards] = True
    gone[0] = False
    keep = ~gone[listing.heads]
    begins, ends = listing.starts[:-1][keep], listing.starts[1:][keep]
    starts, body = slices(listing.body, begins, ends)
    wanted = ~gone[np.abs(body)]
    return Listing(listing.heads[keep], starts_after(starts, wanted), body[wanted], listing.shown)


def starts_after(starts: Ids, wanted: NDArray[np.bool_]) -> Ids:
    """Where bodies start once only the wanted literals are left.

    >>> starts_after(np.array([0, 2, 3], np.int32), np.array([True, False, True])).tolist()
    [0, 1, 2]
    """
    return np.concatenate(([0], np.cumsum(wanted)))[starts].astype(np.int32)
