"""Returns, rewards, and matches without an end."""

import pytest
from finding import assert_found, name_of
from sound_games import Collect, Take


class ShortReturns(Take):
    def returns(self) -> list[float]:
        return super().returns()[:1]


class NotANumber(Take):
    def returns(self) -> list[float]:
        return [float("nan") if self.is_terminal() else 0.0] * 2


class TooMuch(Take):
    def returns(self) -> list[float]:
        return [2 * value for value in super().returns()]


class NotZeroSum(Take):
    def returns(self) -> list[float]:
        return [max(0.0, value) for value in super().returns()]


class Endless(Take):
    @property
    def left(self) -> int:
        return 9


class LostRewards(Collect):
    def rewards(self) -> list[float]:
        return [min(value, 2.0) for value in super().rewards()]


class ShortRewards(Collect):
    def rewards(self) -> list[float]:
        return super().rewards()[:1]


class UndeclaredTooMuch(TooMuch):
    min_utility, max_utility = property(), property()  # type: ignore[assignment]


class BothWin(Take):
    zero_sum = property()  # type: ignore[assignment]

    def returns(self) -> list[float]:
        return [abs(value) for value in super().returns()]


BROKEN = [
    (UndeclaredTooMuch, "utility", "max_utility, 1|min_utility, -1"),
    (BothWin, "zero_sum", "if that is meant, set zero_sum = False"),
    (ShortReturns, "returns", "1 entries"),
    (NotANumber, "returns", "not finite"),
    (TooMuch, "utility", "max_utility|min_utility"),
    (NotZeroSum, "zero_sum", "not zero"),
    (Endless, "endless", "not over after 200"),
    (LostRewards, "rewards", "returns"),
    (ShortRewards, "rewards", "1 entries"),
]


@pytest.mark.parametrize(("game", "kind", "words"), BROKEN, ids=name_of)
def test_broken_games_are_found(game: type[Take], kind: str, words: str) -> None:
    assert_found(game, kind, words)
