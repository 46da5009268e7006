"""Small games with features, for what learns linear values."""

from __future__ import annotations

from typing import Any


class Walk:
    """A corridor of cells 0 to `size - 1`: a step left or right, points in some cells; the ends lose and win."""

    num_players = 1
    min_utility, max_utility = -100.0, 100.0
    size = 9

    def __init__(self, cell: int = 4, points: float = 0.0, last: float = 0.0) -> None:
        self.cell, self.points, self.last = cell, points, last

    def current_player(self) -> int:
        return 0

    def legal_actions(self) -> list[int]:
        return [0, 1]

    def apply(self, action: int) -> None:
        self.cell += 2 * action - 1
        self.last = {1: 1.0, 5: 2.0, 6: 4.0}.get(self.cell, 0.0)
        self.points += self.last

    def is_terminal(self) -> bool:
        return self.cell in (0, self.size - 1)

    def won(self) -> float:
        return 50.0 if self.cell == self.size - 1 else -50.0 if self.cell == 0 else 0.0

    def returns(self) -> list[float]:
        return [self.points + self.won()]

    def rewards(self) -> list[float]:
        return [self.last + self.won()]

    def clone(self) -> Walk:
        return type(self)(self.cell, self.points, self.last)

    def features(self) -> list[float]:
        return [self.cell / self.size, float(self.cell % 2), 0.0]


class Scored(Walk):
    """The same with its points as a score."""

    def score(self) -> float:
        return self.points


class Blank(Walk):
    """A game in which no feature is ever seen."""

    def features(self) -> list[float]:
        return [0.0, 0.0]


class Guided(Walk):
    """The same with a playout policy of its own."""

    def playout_candidates(self, seed: int) -> list[int]:
        return [1]


class Still(Walk):
    """Nothing ever happens."""

    def legal_actions(self) -> list[int]:
        return [0]

    def apply(self, action: int) -> None:
        pass

    def features(self) -> list[float]:
        return [1.0]


class Race:
    """Each player in turn walks one to three steps; who comes to the goal first has won. All see all positions."""

    def __init__(self, players: int = 2, at: tuple[int, ...] = (), turn: int = 0) -> None:
        self.num_players, self.at, self.turn = players, at or (0,) * players, turn

    def current_player(self) -> int:
        return self.turn

    def legal_actions(self) -> list[int]:
        return [1, 2, 3]

    def apply(self, action: int) -> None:
        self.at = tuple(x + action * (p == self.turn) for p, x in enumerate(self.at))
        if not self.is_terminal():
            self.turn = (self.turn + 1) % self.num_players

    def is_terminal(self) -> bool:
        return max(self.at) >= 12

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * self.num_players
        return [1.0 if x >= 12 else -1.0 / (self.num_players - 1) for x in self.at]

    def clone(self) -> Race:
        return Race(self.num_players, self.at, self.turn)

    def features(self) -> list[float]:
        return [x / 12 for x in self.at]


class Coin(Race):
    """A race in which a coin says, after every step, whether it counts twice."""

    def __init__(self, players: int = 2, at: tuple[int, ...] = (), turn: int = 0, step: int = 0) -> None:
        super().__init__(players, at, turn)
        self.step = step

    def current_player(self) -> int:
        return -1 if self.step else self.turn

    def apply(self, action: int) -> None:
        if self.step == 0:
            self.step = action
        else:
            steps, self.step = self.step * action, 0
            super().apply(steps)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(1, 0.5), (2, 0.5)]

    def is_terminal(self) -> bool:
        return self.step == 0 and super().is_terminal()

    def clone(self) -> Coin:
        return Coin(self.num_players, self.at, self.turn, self.step)

    def features(self) -> list[float]:
        return [(x + self.step * (p == self.turn)) / 12 for p, x in enumerate(self.at)]


class AtOnce(Race):
    """A race in which all walk at the same time; who is ahead at the goal wins."""

    simultaneous = True

    def current_player(self) -> int:
        return -2

    def legal_actions(self, player: int = 0) -> list[int]:
        return [1, 2, 3]

    def apply(self, action: Any) -> None:
        self.at = tuple(x + step for x, step in zip(self.at, action, strict=True))

    def returns(self) -> list[float]:
        ahead = self.at[0] - self.at[1] if self.is_terminal() else 0
        return [float((ahead > 0) - (ahead < 0)), float((ahead < 0) - (ahead > 0))]

    def clone(self) -> AtOnce:
        return AtOnce(self.num_players, self.at, self.turn)
