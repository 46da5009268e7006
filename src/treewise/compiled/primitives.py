"""What compiled rules may call: sets of squares in a 64-bit word, and random numbers.

Plain Python here, for the twin; `machine` gives Numba the same functions as single instructions where the
processor has them. `rng` is the array of one word that rules get; it is the engine's own generator.
"""

from __future__ import annotations

from typing import Any, SupportsInt

import numpy as np

_WORD = (1 << 64) - 1


def bit(square: SupportsInt) -> np.uint64:
    """The set of one square, 0 to 63.

    >>> int(bit(3))
    8
    """
    return np.uint64(1 << (int(square) & 63))


def count(bits: SupportsInt) -> int:
    """How many squares are in the set.

    >>> count(0b1011)
    3
    """
    return (int(bits) & _WORD).bit_count()


def lowest(bits: SupportsInt) -> int:
    """The lowest square of the set; 64 if it is empty.

    >>> lowest(0b1100)
    2
    """
    word = int(bits) & _WORD
    return (word & -word).bit_length() - 1 if word else 64


def clear_lowest(bits: SupportsInt) -> np.uint64:
    """The set without its lowest square.

    >>> int(clear_lowest(0b1100))
    8
    """
    word = int(bits) & _WORD
    return np.uint64(word & (word - 1) if word else 0)


def nth(bits: SupportsInt, k: int) -> int:
    """The k-th square of the set from below, k from 0; 64 if there are not that many.

    >>> nth(0b1011, 2)
    3
    """
    rest = np.uint64(int(bits) & _WORD)
    for _ in range(k):
        rest = clear_lowest(rest)
    return lowest(rest)


def below(rng: Any, bound: SupportsInt) -> int:
    """A random whole number from 0 to `bound` - 1; ValueError if there is none."""
    limit = int(bound)
    if limit < 1:
        raise ValueError("below: nothing to choose from")
    return ((_next(rng) >> 32) * limit) >> 32


def uniform(rng: Any) -> float:
    """A random number from 0 up to, but not including, 1."""
    return (_next(rng) >> 11) * 2.0**-53


def _next(rng: Any) -> int:
    """One step of wyrand, the same as `cpp/base/rng.h`."""
    state = (int(rng[0]) + 0xA0761D6478BD642F) & _WORD
    rng[0] = np.uint64(state)
    product = state * (state ^ 0xE7037ED1A0B428DB)
    return (product >> 64) ^ (product & _WORD)
