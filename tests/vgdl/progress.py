"""How far a state of a shipped game is on the way to a win, for `find_lines`. Written by knowing the rules."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import lru_cache

from treewise import _core
from treewise.game import State
from treewise.vgdl import compile_description
from treewise.vgdl.files import description_path

Cell = tuple[int, int]
FAR = 99
STEPS = ((0, -1), (-1, 0), (0, 1), (1, 0))


@lru_cache
def type_names(game: str) -> tuple[str, ...]:
    """The names of a game's types, by id."""
    return tuple(kind.name for kind in compile_description(description_path(game).read_text()).sprites.types)


class View:
    """What is where in a state, in cells: the nearest one for sprites between cells."""

    def __init__(self, state: State, game: str) -> None:
        seen = _core.vgdl_observation(state)
        half = seen["block"] // 2
        self.size: Cell = seen["grid"]
        self.score: int = seen["score"]
        self.avatar = seen["avatar"]
        self._cells: dict[str, list[Cell]] = {}
        names = type_names(game)
        for _, kind, _, x, y in seen["sprites"]:
            cell = ((x + half) // seen["block"], (y + half) // seen["block"])
            self._cells.setdefault(names[kind], []).append(cell)
        x, y = self.avatar["position"]
        self.here: Cell = ((x + half) // seen["block"], (y + half) // seen["block"])

    def of(self, *names: str) -> list[Cell]:
        """The cells of all sprites of these types."""
        return [cell for name in names for cell in self._cells.get(name, ())]

    def walk(self, targets: Iterable[Cell], *blocked: str) -> int:
        """Steps from the avatar to the nearest of the targets, around walls and sprites of the types `blocked`."""
        shut = frozenset(self.of("wall", *blocked))
        return steps_to(frozenset(targets), shut, self.size).get(self.here, FAR)


@lru_cache(maxsize=20_000)
def steps_to(targets: frozenset[Cell], shut: frozenset[Cell], size: Cell) -> dict[Cell, int]:
    """The steps from every cell to the nearest target."""
    found = dict.fromkeys(targets, 0)
    waiting = deque(targets)
    while waiting:
        x, y = waiting.popleft()
        for dx, dy in STEPS:
            cell = (x + dx, y + dy)
            if cell not in found and cell not in shut and 0 <= cell[0] < size[0] and 0 <= cell[1] < size[1]:
                found[cell] = found[x, y] + 1
                waiting.append(cell)
    return found


def aliens(view: View) -> float:
    """Aliens shot, those still there not low, and the ship near the column of one."""
    there = view.of("alienGreen", "alienBlue")
    off = min((abs(x - view.here[0]) for x, _ in there), default=0)
    return 4 * view.score - 0.2 * sum(y for _, y in there) - 0.01 * off


def boulderdash(view: View) -> float:
    """Diamonds, up to nine, then the door."""
    diamonds = min(9, sum(view.avatar["resources"].values()))
    targets = view.of("diamond") if diamonds < 9 else view.of("exitdoor")
    return 100 * diamonds - view.walk(targets, "boulder")


def butterflies(view: View) -> float:
    """Few butterflies left, closed cocoons, the next butterfly near."""
    left = view.of("butterfly")
    return -20 * len(left) + 2 * len(view.of("cocoon")) - view.walk(left)


def chase(view: View) -> float:
    """Few goats left, none of them angry, the next one near."""
    left = view.of("scared")
    return -40 * len(left) - 15 * len(view.of("angry")) - view.walk(left)


def frogs(view: View) -> float:
    """Steps to the goal, rows first."""
    return -view.walk(view.of("goal"))


def missilecommand(view: View) -> float:
    """Missiles shot, cities standing, the missile that will arrive first near."""
    cities = view.of("city")
    left = [(m, 1) for m in view.of("incoming_slow")] + [(m, 3) for m in view.of("incoming_fast")]
    until = {m: min((abs(m[0] - x) + abs(m[1] - y) for x, y in cities), default=0) / speed for m, speed in left}
    urgent = min(until, key=lambda m: until[m], default=view.here)
    return -40 * len(left) + 30 * len(cities) - view.walk([urgent])


def portals(view: View) -> float:
    """Steps to the goal, with those through portals."""
    ahead = [view.walk(view.of("goal"), "sitting")]
    for entry, exit_ in (("entry1", "exit1"), ("entry2", "exit2")):
        ahead.append(view.walk(view.of(entry), "sitting") + after(view, exit_))
    return -min(ahead)


def after(view: View, exit_: str) -> int:
    """Steps to the goal from the best exit of a kind, through the other portal if need be."""
    shut = frozenset(view.of("wall", "sitting"))
    goal = steps_to(frozenset(view.of("goal")), shut, view.size)
    second = steps_to(frozenset(view.of("entry2")), shut, view.size)
    beyond = min((goal.get(cell, FAR) for cell in view.of("exit2")), default=FAR)
    return min((min(goal.get(cell, FAR), second.get(cell, FAR) + beyond) for cell in view.of(exit_)), default=FAR)


def survivezombies(view: View) -> float:
    """Health, and honey near or, where there is one, a shelter."""
    hells = view.of("fastHell", "slowHell")
    targets = shelters(frozenset(view.of("wall")), frozenset(hells), view.size) or view.of("honey")
    return 5 * min(4, int(view.avatar["health"])) - view.walk(targets, "fastHell", "slowHell")


@lru_cache
def shelters(walls: frozenset[Cell], hells: frozenset[Cell], size: Cell) -> frozenset[Cell]:
    """Cells that no zombie can reach from a hell: each of its steps is one nearer, and it knows no way around walls."""
    cells = {(x, y) for x in range(size[0]) for y in range(size[1])} - walls - hells
    return frozenset(cell for cell in cells if not any(drawn(hell, cell, walls) for hell in hells))


def drawn(hell: Cell, cell: Cell, walls: frozenset[Cell]) -> bool:
    """Whether a zombie from this hell may get to the cell."""
    edge = {hell}
    for _ in range(abs(hell[0] - cell[0]) + abs(hell[1] - cell[1])):
        across = {(x + (1 if cell[0] > x else -1), y) for x, y in edge if x != cell[0]}
        along = {(x, y + (1 if cell[1] > y else -1)) for x, y in edge if y != cell[1]}
        edge = (across | along) - walls
    return cell in edge


def zelda(view: View) -> float:
    """The key, then the door."""
    with_key = bool(view.of("withkey"))
    return 100 * with_key - view.walk(view.of("goal" if with_key else "key"))


PROGRESS: dict[str, Callable[[View], float]] = {
    measure.__name__: measure
    for measure in (
        aliens,
        boulderdash,
        butterflies,
        chase,
        frogs,
        missilecommand,
        portals,
        survivezombies,
        zelda,
    )
}
