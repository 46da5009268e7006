"""Small games with dice, written in Python: what the rules draw comes from a generator in the state."""

from __future__ import annotations

from typing import Any

from treewise import TERMINAL
from treewise._core import derive_seed


class Ladder:
    """Ten steps. `0` rests; `1` climbs one or two rungs, by the dice. The score is the height at the end.

    From a height that is divisible by three, a rest slips one rung with probability one half.
    """

    num_players = 1
    min_utility, max_utility = 0.0, 20.0
    length = 10

    def __init__(self) -> None:
        self.height = self.steps = self.last = 0
        self.dice = derive_seed(0, 0)

    def reseed(self, seed: int) -> None:
        self.dice = derive_seed(seed, 0)

    def draw(self) -> bool:
        self.dice = derive_seed(self.dice, 0)
        return bool(self.dice >> 63)

    def current_player(self) -> int:
        return TERMINAL if self.is_terminal() else 0

    def is_terminal(self) -> bool:
        return self.steps == self.length

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else [0, 1]

    def apply(self, action: int) -> None:
        if action not in self.legal_actions():
            raise ValueError(f"no such step: {action}")
        before, luck = self.height, self.draw()
        if action == 1:
            self.height += 1 + luck
        elif luck and self.height and self.height % 3 == 0:
            self.height -= 1
        self.steps += 1
        self.last = self.height - before

    def returns(self) -> list[float]:
        return [float(self.height)]

    def rewards(self) -> list[float]:
        return [float(self.last)]

    def clone(self) -> Any:
        copy = type(self)()
        copy.__dict__.update(self.__dict__)
        return copy

    def action_name(self, action: int) -> str:
        return ("rest", "climb")[action]

    def __str__(self) -> str:
        return f"height {self.height} after {self.steps} steps"


class Gamble(Ladder):
    """One bet, then two steps of waiting: `0` is safe and gives 4, `1` gives 10 or nothing, by the dice."""

    min_utility, max_utility = 0.0, 10.0
    length = 3
    bet_at = 0

    def apply(self, action: int) -> None:
        if action not in self.legal_actions():
            raise ValueError(f"no such bet: {action}")
        luck = self.draw()
        self.last = 0
        if self.steps == self.bet_at:
            self.last = 4 if action == 0 else 10 * luck
        self.height += self.last
        self.steps += 1


class Maze(Ladder):
    """What may be done depends on the dice: each step opens one or two of the ways 0 to 3."""

    min_utility, max_utility = 0.0, 30.0

    def __init__(self) -> None:
        super().__init__()
        self.ways = [0, 1]

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else list(self.ways)

    def apply(self, action: int) -> None:
        if action not in self.legal_actions():
            raise ValueError(f"closed: {action}")
        self.last = action
        self.height += action
        self.ways = [way for way in range(4) if self.draw() or way == self.height % 4]
        self.steps += 1

    def action_name(self, action: int) -> str:
        return f"way {action}"


class Chain(Ladder):
    """One action, four steps with the rewards 1, 2, 4 and 8; nothing is drawn."""

    min_utility, max_utility = 0.0, 15.0
    length = 4

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else [0]

    def apply(self, action: int) -> None:
        if action not in self.legal_actions():
            raise ValueError(f"no such step: {action}")
        self.last = 2**self.steps
        self.height += self.last
        self.steps += 1


class Arena(Ladder):
    """Three actions and ten steps, with what a video game has. Who begins with 2 may win or lose at every step, which
    is worth 1e7; else 0 gives three points by luck, 1 gives one, and 2 nothing.
    """

    min_utility, max_utility = -1e7 - 100, 1e7 + 100

    def __init__(self) -> None:
        super().__init__()
        self.over = 0
        self.danger = False

    def is_terminal(self) -> bool:
        return bool(self.over) or self.steps == self.length

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else [0, 1, 2]

    def apply(self, action: int) -> None:
        if action not in self.legal_actions():
            raise ValueError(f"no such action: {action}")
        before = self.returns()[0]
        luck = sum(self.draw() << bit for bit in range(4))
        self.danger |= self.steps == 0 and action == 2
        if self.danger:
            self.over = (luck == 15) - (luck == 14)
        else:
            self.height += (3 * (luck > 7), 1, 0)[action]
        self.steps += 1
        self.last = int(self.returns()[0] - before)

    def returns(self) -> list[float]:
        return [self.height + 1e7 * self.over]

    def action_name(self, action: int) -> str:
        return ("risk", "sure", "wait")[action]
