"""Many slices of an array at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewise.gdl.ground import Ids

Places = NDArray[np.signedinteger[Any]]


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
