"""The engine's own calls for ground rules refuse numbers that do not fit together: nothing from Python can crash it."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable

import pytest

from treewise import _core

Call = Callable[[random.Random], object]


def budget() -> _core.GroundBudget:
    return _core.GroundBudget(1.0, 10**9, 10**6)


def packed(numbers: list[int]) -> bytes:
    return struct.pack(f"{len(numbers)}i", *numbers)


def drawn(rng: random.Random, most: int) -> list[int]:
    return [rng.choice([0, 1, 2, rng.randint(-30, 30), 2**31 - 1, -(2**31)]) for _ in range(rng.randint(0, most))]


def ground(rng: random.Random) -> object:
    return _core.gdl_ground(drawn(rng, 40), [rng.randint(0, 7) for _ in range(rng.randint(0, 5))], budget())


def merge(rng: random.Random) -> object:
    rules = packed(drawn(rng, 5)), packed(drawn(rng, 6)), packed(drawn(rng, 8))
    return _core.gdl_merge(rng.randint(0, 20), *rules, drawn(rng, 3), budget())


def keep_still(rng: random.Random) -> object:
    rules = packed(drawn(rng, 5)), packed(drawn(rng, 6)), packed(drawn(rng, 8))
    return _core.gdl_keep_still(rng.randint(0, 20), *rules, drawn(rng, 3), drawn(rng, 2), rng.randint(0, 5), budget())


@pytest.mark.parametrize("call", [ground, merge, keep_still])
def test_any_numbers(call: Call) -> None:
    rng, refused = random.Random(1), 0
    for _ in range(500):
        try:
            call(rng)
        except (ValueError, _core.OverBudget):
            refused += 1
    assert refused > 0


@pytest.mark.parametrize(
    ("heads", "starts", "body", "outputs"),
    [
        ([4], [0, 0], [], []),
        ([-1], [0, 0], [], []),
        ([1], [0], [], []),
        ([1], [0, 1], [], []),
        ([1], [1, 1], [2], []),
        ([1, 2], [0, 2, 1], [2], []),
        ([1], [0, 1], [4], []),
        ([1], [0, 1], [0], []),
        ([1], [0, 1], [2], [4]),
    ],
)
def test_rules_that_do_not_fit(heads: list[int], starts: list[int], body: list[int], outputs: list[int]) -> None:
    with pytest.raises(ValueError, match=r"out of range|do not fit together"):
        _core.gdl_merge(3, packed(heads), packed(starts), packed(body), outputs, budget())
    with pytest.raises(ValueError, match=r"out of range|do not fit together"):
        _core.gdl_keep_still(3, packed(heads), packed(starts), packed(body), outputs, [1], 1, budget())


def test_half_a_number() -> None:
    with pytest.raises(ValueError, match="32 bits"):
        _core.gdl_merge(3, b"123", packed([0]), b"", [], budget())
