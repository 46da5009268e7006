"""Solves levels of Sokoban with holes that never fill up, on a small model of its own: best first over pushes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count

Cell = tuple[int, int]
State = tuple[Cell, frozenset[Cell]]  # the avatar, the boxes
STEPS = {1: (0, -1), 2: (-1, 0), 3: (0, 1), 4: (1, 0)}
"""What each action moves by."""


class Level:
    """What does not change: walls, holes, and how far from a hole a lone box is in each cell, in pushes."""

    def __init__(self, text: str) -> None:
        where: dict[str, set[Cell]] = {"w": set(), "0": set(), "1": set(), "A": set()}
        for y, row in enumerate(text.splitlines()):
            for x, letter in enumerate(row):
                where.setdefault(letter, set()).add((x, y))
        self.walls, self.holes = where["w"], where["0"]
        self.start: State = (next(iter(where["A"])), frozenset(where["1"]))
        self.far = self._pulled()

    def _pulled(self) -> dict[Cell, int]:
        found = dict.fromkeys(self.holes, 0)
        waiting = deque(self.holes)
        while waiting:
            box = waiting.popleft()
            for action in STEPS:
                before, avatar = step(box, action), step(step(box, action), action)
                if before not in found and before not in self.walls and avatar not in self.walls:
                    found[before] = found[box] + 1
                    waiting.append(before)
        return found

    def left(self, boxes: frozenset[Cell]) -> int:
        """An estimate of what is still to be done."""
        return sum(10 + self.far[box] for box in boxes)

    def walks(self, avatar: Cell, boxes: frozenset[Cell]) -> dict[Cell, tuple[int, ...]]:
        """Where the avatar can go without a push, and how."""
        found: dict[Cell, tuple[int, ...]] = {avatar: ()}
        waiting = deque([avatar])
        while waiting:
            here = waiting.popleft()
            for action in STEPS:
                there = step(here, action)
                if there not in found and there not in self.walls and there not in boxes:
                    found[there] = (*found[here], action)
                    waiting.append(there)
        return found

    def pushes(self, state: State) -> Iterator[tuple[State, tuple[int, ...]]]:
        """What can become of a state by a walk and a push, and the actions."""
        avatar, boxes = state
        for here, walk in self.walks(avatar, boxes).items():
            for action in STEPS:
                box = step(here, action)
                beyond = step(box, action)
                if box in boxes and beyond not in self.walls and beyond not in boxes:
                    left = boxes - {box}
                    yield (box, left if beyond in self.holes else left | {beyond}), (*walk, action)


def step(cell: Cell, action: int) -> Cell:
    """The cell next to this one."""
    dx, dy = STEPS[action]
    return cell[0] + dx, cell[1] + dy


def solve(text: str) -> tuple[int, ...] | None:
    """The actions of a solution, not always the shortest, or None if there is none."""
    level = Level(text)
    order = count()
    waiting: list[tuple[int, int, State, tuple[int, ...]]] = [(0, next(order), level.start, ())]
    seen: set[State] = set()
    while waiting:
        _, _, state, actions = heappop(waiting)
        if not state[1]:
            return actions
        for after, taken in level.pushes(state):
            key = (min(level.walks(*after)), after[1])
            if key not in seen and after[1] <= level.far.keys():
                seen.add(key)
                heappush(waiting, (level.left(after[1]), next(order), after, actions + taken))
    return None
