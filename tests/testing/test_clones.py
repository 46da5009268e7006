"""Clones that share or forget, hashes, and matches that cannot be repeated."""

import random
from typing import Any

import pytest
from finding import assert_found, name_of
from sound_games import HashedTake, Slips, Take


class SharedClone(Take):
    def clone(self) -> Take:
        copy = type(self)()
        copy.taken = self.taken
        return copy


class DeeplySharedClone(HashedTake):
    """What the clone shares shows only later."""

    def __init__(self) -> None:
        super().__init__()
        self.log: list[int] = []

    def clone(self) -> Take:
        copy = super().clone()
        assert isinstance(copy, DeeplySharedClone)
        copy.log = self.log
        return copy

    def apply(self, action: int) -> None:
        super().apply(action)
        self.log.append(action)

    def returns(self) -> list[float]:
        return super().returns() if sum(self.log) <= 9 else [0.0, 0.0]


class ForgetfulClone(Take):
    def clone(self) -> Take:
        copy = super().clone()
        copy.taken = copy.taken[:2]
        return copy


class LateClone(Take):
    """What the clone forgets shows only at the end."""

    def __init__(self) -> None:
        super().__init__()
        self.first = 0

    def apply(self, action: int) -> None:
        super().apply(action)
        self.first = self.first or action

    def returns(self) -> list[float]:
        return super().returns() if self.first != 2 else [0.0, 0.0]


class UnstableHash(HashedTake):
    def hash(self) -> int:
        return id(self)


class ConstantHash(HashedTake):
    def hash(self) -> int:
        return 7


class CarelessHash(HashedTake):
    def hash(self) -> int:
        return self.left


class TextHash(HashedTake):
    def hash(self) -> Any:
        return str(self)


class Random(Take):
    def apply(self, action: int) -> None:
        super().apply(action)
        self.taken[-1] = random.randint(1, action)


class RandomReturns(Take):
    def __init__(self) -> None:
        super().__init__()
        self.coin = random.choice([1.0, -1.0])

    def clone(self) -> Take:
        copy = super().clone()
        assert isinstance(copy, RandomReturns)
        copy.coin = self.coin
        return copy

    def returns(self) -> list[float]:
        return [self.coin, -self.coin] if self.is_terminal() else [0.0, 0.0]


class SharedDice(Slips):
    """Clones are right until one of them is reseeded."""

    def reseed(self, seed: int) -> None:
        self.dice.seed(seed)

    def clone(self) -> Take:
        copy = super().clone()
        if len(self.taken) < 2:
            assert isinstance(copy, Slips)
            copy.dice = self.dice
        return copy


BROKEN = [
    (SharedClone, "shared", "changes the original"),
    (DeeplySharedClone, "shared", "without any clone around.*returns"),
    (ForgetfulClone, "clone", "differs from its original"),
    (LateClone, "clone", "on an earlier clone"),
    (UnstableHash, "hash", "in nothing else"),
    (ConstantHash, "hash_constant", "all states"),
    (CarelessHash, "hash_collision", "the same hash differ in"),
    (TextHash, "hash", "not an int"),
    (Random, "replay", "the same actions"),
    (RandomReturns, "replay", "returns"),
    (SharedDice, "shared", "clone"),
]


@pytest.mark.parametrize(("game", "kind", "words"), BROKEN, ids=name_of)
def test_broken_games_are_found(game: type[Take], kind: str, words: str) -> None:
    assert_found(game, kind, words)
