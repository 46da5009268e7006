"""Capabilities that do not keep their promise."""

import random
from typing import Any

import pytest
from finding import assert_found, name_of
from sound_games import Coins, Guess, PolicyTake, QualityTake, Slips, Take, WinningTake


class LooseChance(Coins):
    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(action, 0.3) for action in self.legal_actions()]


class OtherOutcomes(Coins):
    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(1, 1.0)]


class ImpossibleOutcome(Coins):
    def chance_outcomes(self) -> list[tuple[int, float]]:
        actions = self.legal_actions()
        return [(action, float(action == actions[0])) for action in actions]


class WinsTooMuch(WinningTake):
    def winning_actions(self) -> list[int]:
        return super().legal_actions()[-1:]


class WinsTooLittle(WinningTake):
    def winning_actions(self) -> list[int]:
        return [self.left] if self.left <= 2 else []


class IllegalWins(WinningTake):
    def winning_actions(self) -> list[int]:
        return [self.left]


class NoCandidates(PolicyTake):
    def playout_candidates(self, seed: int = 0) -> list[int]:
        return []


class IllegalCandidates(PolicyTake):
    def playout_candidates(self, seed: int = 0) -> list[int]:
        return [3]


class InfiniteQuality(QualityTake):
    def quality(self) -> float:
        return float("inf")


class FeaturesTake(Take):
    def features(self) -> list[float]:
        return [self.left / 9, len(self.taken) / 9]

    def score(self) -> float:
        return float(len(self.taken))


class ShortFeatures(FeaturesTake):
    def features(self) -> list[float]:
        return super().features()[: 1 + self.left % 2]


class InfiniteFeatures(FeaturesTake):
    def features(self) -> list[float]:
        return [float("inf")]


class SceneTake(Take):
    def scene(self) -> Any:
        return (10, 1, 2), (self.left % 10, 0), [], [], [(0, 1)]


class GrowingScene(SceneTake):
    def scene(self) -> Any:
        return (10, 1, 2 + len(self.taken)), *super().scene()[1:]


class ItemsBeyondTheScene(SceneTake):
    def scene(self) -> Any:
        return *super().scene()[:4], [(10, 1)]


class TextScore(FeaturesTake):
    def score(self) -> Any:
        return "many"


class ChangesWhatIsKnown(Guess):
    def resample(self, player: int, seed: int = 0) -> Guess:
        copy = super().resample(player, seed)
        copy.taken = [random.Random(seed).randrange(3) for _ in copy.taken]
        return copy


class ResamplesInPlace(Guess):
    def resample(self, player: int, seed: int = 0) -> Guess:
        self.taken = super().resample(player, seed).taken
        return self


class UnseededResample(Guess):
    def resample(self, player: int, seed: int = 0) -> Guess:
        return super().resample(player, random.randrange(2**32))


class DiceOfTheirOwn(Slips):
    def reseed(self, seed: int) -> None:
        self.dice = random.Random(random.random())


class SeedMoves(Slips):
    def reseed(self, seed: int) -> None:
        super().reseed(seed)
        self.taken.insert(0, 0)


BROKEN = [
    (LooseChance, "chance", "sum to"),
    (OtherOutcomes, "chance", "different outcomes"),
    (ImpossibleOutcome, "chance", "probability 0"),
    (WinsTooMuch, "winning", "does not win"),
    (WinsTooLittle, "winning", "leaves out 3"),
    (IllegalWins, "winning", "not all legal"),
    (NoCandidates, "policy", "empty"),
    (IllegalCandidates, "policy", "illegal"),
    (InfiniteQuality, "quality", "finite"),
    (ShortFeatures, "features", "in a state before"),
    (InfiniteFeatures, "features", "finite"),
    (GrowingScene, "scene", "in a state before"),
    (ItemsBeyondTheScene, "scene", "beyond its shape"),
    (TextScore, "score", "finite"),
    (ChangesWhatIsKnown, "hidden", "observation"),
    (ResamplesInPlace, "hidden", "called on"),
    (UnseededResample, "hidden", "one seed"),
    (DiceOfTheirOwn, "dice", "after reseed"),
    (SeedMoves, "dice", "changes the position"),
]


@pytest.mark.parametrize(("game", "kind", "words"), BROKEN, ids=name_of)
def test_broken_games_are_found(game: type[Take], kind: str, words: str) -> None:
    assert_found(game, kind, words)
