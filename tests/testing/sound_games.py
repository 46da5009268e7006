"""Small games in Python without a mistake, one of each kind, to make mistakes in."""

import random
from typing import Any

import numpy as np

from treewise import CHANCE, SIMULTANEOUS, TERMINAL


class Take:
    """Players take one to three stones in turn; who takes the last one wins."""

    num_players = 2
    min_utility, max_utility = -1, 1
    zero_sum = True

    def __init__(self) -> None:
        self.taken: list[int] = []

    @property
    def left(self) -> int:
        return 9 - sum(self.taken)

    def current_player(self) -> int:
        return len(self.taken) % 2 if self.left else TERMINAL

    def is_terminal(self) -> bool:
        return self.left == 0

    def legal_actions(self) -> list[int]:
        return [n for n in (1, 2, 3) if n <= self.left]

    def apply(self, action: int) -> None:
        if action not in self.legal_actions():
            raise ValueError(f"cannot take {action}")
        self.taken.append(action)

    def returns(self) -> list[float]:
        if self.left:
            return [0.0, 0.0]
        return [1.0, -1.0] if len(self.taken) % 2 else [-1.0, 1.0]

    def clone(self) -> "Take":
        copy = type(self)()
        copy.taken = list(self.taken)
        return copy

    def action_name(self, action: int) -> str:
        return f"take {action}"

    def __str__(self) -> str:
        return f"{self.left} left after {len(self.taken)} turns"


class HashedTake(Take):
    def hash(self) -> int:
        return 100 * self.left + len(self.taken) % 2


class WinningTake(Take):
    def winning_actions(self) -> list[int]:
        return [self.left] if self.left <= 3 else []


class PolicyTake(Take):
    def playout_candidates(self, seed: int = 0) -> list[int]:
        return [min(3, self.left)] * 2


class QualityTake(Take):
    def quality(self) -> float:
        return 1 / len(self.taken)


class Collect(Take):
    """Each stone is a point for who takes it."""

    min_utility, max_utility = 0, 9
    zero_sum = False

    def returns(self) -> list[float]:
        return [float(sum(self.taken[player::2])) for player in (0, 1)]

    def rewards(self) -> list[float]:
        last = len(self.taken) - 1
        return [float(self.taken[last]) if last >= 0 and last % 2 == player else 0.0 for player in (0, 1)]


class Coins(Take):
    """A coin tells how many stones are taken."""

    def current_player(self) -> int:
        return CHANCE if self.left else TERMINAL

    def chance_outcomes(self) -> list[tuple[int, float]]:
        actions = self.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


class Sealed(Take):
    """Both players put down a number at once; the sum of the differences decides."""

    simultaneous = True

    def current_player(self) -> int:
        return SIMULTANEOUS if len(self.taken) < 6 else TERMINAL

    def is_terminal(self) -> bool:
        return len(self.taken) >= 6

    def legal_actions(self, player: int = 0) -> list[int]:
        return [] if self.is_terminal() else [player, player + 1]

    def apply(self, actions: Any) -> None:
        if not isinstance(actions, list) or len(actions) != 2:
            raise ValueError("one action for each player")
        if any(action not in self.legal_actions(player) for player, action in enumerate(actions)):
            raise ValueError("illegal")
        self.taken += actions

    def returns(self) -> list[float]:
        return [0.0, 0.0]


class Guess(Take):
    """Player 0 hides a number, player 1 guesses it."""

    def current_player(self) -> int:
        return len(self.taken) if len(self.taken) < 2 else TERMINAL

    def is_terminal(self) -> bool:
        return len(self.taken) == 2

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else [0, 1, 2]

    def returns(self) -> list[float]:
        if len(self.taken) < 2:
            return [0.0, 0.0]
        return [-1.0, 1.0] if self.taken[0] == self.taken[1] else [1.0, -1.0]

    def observation(self, player: int) -> str:
        return f"{len(self.taken)} {self.taken[:1] if player == 0 else self.taken[1:]}"

    def resample(self, player: int, seed: int = 0) -> "Guess":
        copy = self.clone()
        assert isinstance(copy, Guess)
        if player == 1 and len(self.taken) == 1:
            copy.taken[0] = random.Random(seed).randrange(3)
        return copy


class Slips(Take):
    """Now and then a stone more is lost than was taken, by the dice."""

    def __init__(self) -> None:
        super().__init__()
        self.dice = random.Random(0)

    def reseed(self, seed: int) -> None:
        self.dice = random.Random(seed)

    def apply(self, action: int) -> None:
        super().apply(action)
        if self.left and self.dice.random() < 0.5:
            self.taken[-1] += 1

    def clone(self) -> "Slips":
        copy = super().clone()
        assert isinstance(copy, Slips)
        copy.dice.setstate(self.dice.getstate())
        return copy


class Plain(Take):
    """Nothing but what is required: no names, nothing declared, and any answer to what is not asked at the end."""

    num_players = min_utility = max_utility = zero_sum = action_name = property()  # type: ignore[assignment]

    def current_player(self) -> int:
        if not self.left:
            raise AssertionError("nobody is to act when the match is over")
        return len(self.taken) % 2


class NumPyTake(Take):
    """Answers with the numbers of NumPy."""

    def current_player(self) -> Any:
        return np.int8(super().current_player())

    def is_terminal(self) -> Any:
        return np.bool_(super().is_terminal())

    def legal_actions(self) -> Any:
        return np.array(super().legal_actions(), np.int8)

    def returns(self) -> Any:
        return np.array(super().returns(), np.float32)


class Waits(Take):
    """Nothing shows that a step was made, but the end; and `apply` gives the state back, which does no harm."""

    num_players = 1
    zero_sum = False

    def current_player(self) -> int:
        return 0 if self.left else TERMINAL

    def legal_actions(self) -> list[int]:
        return [3] if self.left else []

    def apply(self, action: int) -> "Waits":  # type: ignore[override]
        super().apply(action)
        return self

    def returns(self) -> list[float]:
        return [0.0 if self.left else 1.0]

    def __str__(self) -> str:
        return "over" if not self.left else "wait"


class Together(Take):
    """Who takes the last one wins for both."""

    zero_sum = False

    def returns(self) -> list[float]:
        return [0.0, 0.0] if self.left else [1.0, 1.0]


SOUND = [
    Plain,
    NumPyTake,
    Waits,
    Together,
    Take,
    HashedTake,
    WinningTake,
    PolicyTake,
    QualityTake,
    Collect,
    Coins,
    Sealed,
    Guess,
    Slips,
]
