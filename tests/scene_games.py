"""Small worlds of cells, drawn as text, for what walks."""

from __future__ import annotations

from typing import Any

UP, DOWN, LEFT, RIGHT, WAIT = range(5)
WALL, COIN, PIT, DOOR, KEY, MAT, TARGET = range(7)
KINDS = "#cxdkm*"


class World:
    """A body `@` walks: walls stop it, a coin gives 2 points, a pit loses, the door wins for who has the key.

    A mat does nothing. `WAIT` stays, and shoots what is to the right: a target gives a point.
    """

    num_players = 1
    min_utility, max_utility = -1000.0, 1000.0
    win = 100.0

    def __init__(self, drawing: str) -> None:
        rows = drawing.split("/")
        self.width, self.height = len(rows[0]), len(rows)
        text = "".join(rows)
        self.cell = text.index("@")
        self.items = {cell: KINDS.index(c) for cell, c in enumerate(text) if c in KINDS}
        self.has_key, self.points, self.result = False, 0.0, 0
        self.met: list[int] = []
        self.struck: list[int] = []

    def current_player(self) -> int:
        return 0

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else [UP, DOWN, LEFT, RIGHT, WAIT]

    def is_terminal(self) -> bool:
        return self.result != 0

    def apply(self, action: int) -> None:
        if action not in self.legal_actions():
            raise ValueError(f"there is no action {action}")
        self.met, self.struck = [], []
        if action == WAIT:
            return self._shoot()
        dx, dy = {UP: (0, -1), DOWN: (0, 1), LEFT: (-1, 0), RIGHT: (1, 0)}[action]
        x, y = self.cell % self.width + dx, self.cell // self.width + dy
        if 0 <= x < self.width and 0 <= y < self.height:
            self._enter(y * self.width + x)

    def _shoot(self) -> None:
        if self.items.get(self.cell + 1) == TARGET:
            del self.items[self.cell + 1]
            self.struck = [TARGET]
            self.points += 1

    def _enter(self, to: int) -> None:
        kind = self.items.get(to)
        if kind is not None and kind != MAT:
            self.met = [kind]
        if kind in (WALL, TARGET) or (kind == DOOR and not self.has_key):
            return
        self.cell = to
        if kind in (COIN, KEY, DOOR):
            del self.items[to]
        self.points += 2.0 * (kind == COIN)
        self.has_key = self.has_key or kind == KEY
        self.result = {PIT: -1, DOOR: 1}.get(kind if kind is not None else MAT, 0)

    def returns(self) -> list[float]:
        return [self.points + self.win * self.result]

    def score(self) -> float:
        return self.points

    def scene(self) -> Any:
        body = None if self.result < 0 else (self.cell, int(self.has_key))
        return (self.width, self.height, len(KINDS)), body, self.met, self.struck, sorted(self.items.items())

    def action_name(self, action: int) -> str:
        return ["up", "down", "left", "right", "wait"][action]

    def clone(self) -> World:
        copy = object.__new__(type(self))
        copy.__dict__ = self.__dict__ | {"items": dict(self.items), "met": [*self.met], "struck": [*self.struck]}
        return copy
