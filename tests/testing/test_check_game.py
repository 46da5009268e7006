"""The conformance suite finds each kind of broken rules, and nothing in sound ones."""

import random
from typing import Any

import pytest
from sound_games import (
    SOUND,
    Coins,
    Collect,
    Guess,
    HashedTake,
    PolicyTake,
    QualityTake,
    Sealed,
    Slips,
    Take,
    WinningTake,
)

import treewise
from treewise import CHANCE, TERMINAL
from treewise.testing import Report, assert_game, check_game


@pytest.mark.parametrize("game", SOUND)
def test_sound_games_pass(game: type[Take]) -> None:
    report = check_game(game, matches=40)
    assert report.ok, str(report)
    assert report.steps > 20


# ---- one deliberately broken game a kind of problem


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


class ForgetfulClone(Take):
    def clone(self) -> Take:
        copy = super().clone()
        copy.taken = copy.taken[:2]
        return copy


class AcceptsAll(Take):
    def apply(self, action: int) -> None:
        self.taken.append(max(1, min(action, self.left)))


class ChangesBeforeItRefuses(Take):
    def apply(self, action: int) -> None:
        legal = action in self.legal_actions()
        self.taken.append(action if legal else 0)
        if not legal:
            raise ValueError("too late")


class RefusesWithKeyError(Take):
    def apply(self, action: int) -> None:
        if action not in self.legal_actions():
            raise KeyError(action)
        super().apply(action)


class RefusesLegal(Take):
    def apply(self, action: int) -> None:
        if action == 3:
            raise ValueError("three is too many")
        super().apply(action)


class Duplicates(Take):
    def legal_actions(self) -> list[int]:
        return super().legal_actions() * 2


class NoActions(Take):
    def legal_actions(self) -> list[int]:
        return [n for n in super().legal_actions() if n != 1]


class TextActions(Take):
    def legal_actions(self) -> Any:
        return [str(n) for n in super().legal_actions()]


class ActionOutOfRange(Take):
    num_action_ids = 3


class ListsAfterTheEnd(Take):
    def legal_actions(self) -> list[int]:
        return super().legal_actions() or [1]


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


class Endless(Take):
    @property
    def left(self) -> int:
        return 9


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


class ThirdPlayer(Take):
    def current_player(self) -> int:
        return len(self.taken) % 3 if self.left else TERMINAL


class ChanceWithoutOutcomes(Take):
    def current_player(self) -> int:
        return CHANCE if self.left else TERMINAL


class PlayerAfterTheEnd(Take):
    def current_player(self) -> int:
        return len(self.taken) % 2


class TerminalPlayerTooEarly(Take):
    def current_player(self) -> int:
        return len(self.taken) % 2 if self.left > 3 else TERMINAL


class NumberAsTerminal(Take):
    def is_terminal(self) -> Any:
        return int(self.left == 0)


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


class LostRewards(Collect):
    def rewards(self) -> list[float]:
        return [min(value, 2.0) for value in super().rewards()]


class ShortRewards(Collect):
    def rewards(self) -> list[float]:
        return super().rewards()[:1]


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


class SameNames(Take):
    def action_name(self, action: int) -> str:
        return "take some"


class NoNames(Take):
    def action_name(self, action: int) -> str:
        return ""


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


class Unprintable(Take):
    def __str__(self) -> str:
        raise RuntimeError("no")


class Crashes(Take):
    def action_name(self, action: int) -> str:
        return ["one", "two"][action - 1]


class ShortJointAction(Sealed):
    def apply(self, actions: Any) -> None:
        if isinstance(actions, list) and len(actions) == 1 and actions[0] in self.legal_actions(0):
            self.taken += [actions[0], 1]
        else:
            super().apply(actions)


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


class DiceOfTheirOwn(Slips):
    def reseed(self, seed: int) -> None:
        self.dice = random.Random(random.random())


class SeedMoves(Slips):
    def reseed(self, seed: int) -> None:
        super().reseed(seed)
        self.taken.insert(0, 0)


BROKEN = [
    (SharedClone, "shared", "changes the original"),
    (DeeplySharedClone, "shared", "without any clone around.*returns"),
    (ForgetfulClone, "clone", "differs from its original"),
    (LateClone, "clone", "on an earlier clone"),
    (AcceptsAll, "illegal", "not legal"),
    (AcceptsAll, "after_end", "the match is over"),
    (ChangesBeforeItRefuses, "illegal_changes", "changes the state"),
    (RefusesWithKeyError, "illegal_error", "KeyError"),
    (RefusesLegal, "refused", "three is too many"),
    (Duplicates, "duplicates", "more than once"),
    (NoActions, "no_actions", "empty"),
    (TextActions, "actions", "not an int"),
    (ActionOutOfRange, "actions", "num_action_ids"),
    (ListsAfterTheEnd, "after_end", r"return \[\]"),
    (ShortReturns, "returns", "1 entries"),
    (NotANumber, "returns", "not finite"),
    (TooMuch, "utility", "max_utility|min_utility"),
    (NotZeroSum, "zero_sum", "not zero"),
    (UnstableHash, "hash", "in nothing else"),
    (ConstantHash, "hash_constant", "all states"),
    (CarelessHash, "hash_collision", "the same hash differ in"),
    (TextHash, "hash", "not an int"),
    (Endless, "endless", "not over after 200"),
    (Random, "replay", "the same actions"),
    (RandomReturns, "replay", "returns"),
    (ThirdPlayer, "mover", "players are 0 to 1"),
    (ChanceWithoutOutcomes, "mover", "chance_outcomes"),
    (PlayerAfterTheEnd, "terminal", "not TERMINAL"),
    (TerminalPlayerTooEarly, "terminal", "is_terminal"),
    (NumberAsTerminal, "terminal", "not True or False"),
    (LooseChance, "chance", "sum to"),
    (OtherOutcomes, "chance", "different outcomes"),
    (ImpossibleOutcome, "chance", "probability 0"),
    (LostRewards, "rewards", "returns"),
    (ShortRewards, "rewards", "1 entries"),
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
    (SameNames, "names", "both called"),
    (NoNames, "names", "not a text"),
    (ChangesWhatIsKnown, "hidden", "observation"),
    (ResamplesInPlace, "hidden", "called on"),
    (UnseededResample, "hidden", "one seed"),
    (SharedDice, "shared", "clone"),
    (DiceOfTheirOwn, "dice", "after reseed"),
    (SeedMoves, "dice", "changes the position"),
    (Unprintable, "str", "RuntimeError"),
    (Crashes, "error", "IndexError in action_name"),
    (ShortJointAction, "illegal", "accepted"),
]


@pytest.mark.parametrize(("game", "kind", "words"), BROKEN, ids=lambda value: getattr(value, "__name__", ""))
def test_broken_games_are_found(game: type[Take], kind: str, words: str) -> None:
    random.seed(1)
    report = check_game(game, matches=40, max_length=200)
    assert kind in report.kinds, str(report)
    with pytest.raises(AssertionError, match=words):
        assert_game(game, matches=40, max_length=200)


def test_one_fault_gives_one_problem() -> None:
    """A fault is not taken for another one, as far as it can be told."""
    alone = [RefusesLegal, Duplicates, NotANumber, DeeplySharedClone, LostRewards, SameNames]
    assert [len(check_game(game).problems) for game in alone] == [1] * len(alone)


def test_a_problem_says_where_it_is() -> None:
    report = check_game(ForgetfulClone, matches=5)
    problem = next(problem for problem in report.problems if problem.kind == "clone")
    assert (problem.match, problem.step) == (0, 3)
    assert "(match 0, step 3)" in str(report)


def test_what_may_be_checked() -> None:
    game = treewise.load_game("tic_tac_toe")
    late = game.initial_state()
    for cell in (0, 1, 2, 3):
        late.apply(cell)
    reports = [check_game(thing, matches=3) for thing in (game, late, game.initial_state, Take, Take())]
    assert all(report.ok for report in reports), reports
    assert reports[1].steps < reports[0].steps
    assert [report.name for report in reports][::3] == ["tic_tac_toe", "Take"]
    assert len(late.history()) == 4, "the state that was given is left alone"


@pytest.mark.parametrize("thing", [7, "tic_tac_toe", object])
def test_what_may_not_be_checked(thing: object) -> None:
    with pytest.raises(TypeError, match=r"state"):
        check_game(thing)


def test_the_same_seed_gives_the_same_report() -> None:
    assert check_game(Take, seed=3) == check_game(Take, seed=3)
    assert isinstance(check_game(Take), Report)
