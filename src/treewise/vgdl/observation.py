"""What a player sees of a state: never the description, never hidden sprites."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from treewise import _core
from treewise.game import State
from treewise.vgdl.program import Action
from treewise.vgdl.vocabulary import CATEGORIES
from treewise.wording import counted


@dataclass(frozen=True, slots=True)
class Seen:
    """A sprite as the player sees it; x and y are pixels of its upper left corner."""

    category: int
    type: int
    id: int
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Avatar:
    """The player's own sprite. Once the match is over it has no place: position and orientation are -1."""

    id: int
    type: int
    position: tuple[int, int]
    orientation: tuple[int, int]
    speed: float
    alive: bool
    last_action: Action
    health: int
    max_health: int
    limit_health: int
    resources: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Event:
    """Two sprites that met, one of them the avatar or of its making: the active one."""

    tick: int
    from_avatar: bool
    active_type: int
    passive_type: int
    active_id: int
    passive_id: int
    position: tuple[int, int]


@dataclass(frozen=True)
class Observation:
    """Everything that a player is told of one state."""

    tick: int
    score: int
    winner: int
    """1 won, 0 lost, -1 still open."""
    actions: tuple[Action, ...]
    """What the player may do, in the framework's order; nothing once the match is over."""
    width: int
    """Cells."""
    height: int
    block: int
    """Pixels of a cell."""
    avatar: Avatar | None
    sprites: tuple[Seen, ...]
    events: tuple[Event, ...]
    """What has happened since `record_events`; nothing for a state that does not keep them."""

    def __repr__(self) -> str:
        return f"<Observation of tick {self.tick}: score {self.score}, {counted(len(self.sprites), 'sprite')}>"

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.winner >= 0

    @cached_property
    def grid(self) -> tuple[tuple[tuple[Seen, ...], ...], ...]:
        """What is in each cell: `grid[column][row]`. A sprite between cells is in all that it covers to the right and
        below; one whose corner is outside the world is in none.
        """
        cells: list[list[list[Seen]]] = [[[] for _ in range(self.height)] for _ in range(self.width)]
        for sprite in self.sprites:
            for column in _covered(sprite.x, self.block, self.width):
                for row in _covered(sprite.y, self.block, self.height):
                    cells[column][row].append(sprite)
        return tuple(tuple(map(tuple, column)) for column in cells)

    def by_category(self, category: str, near: tuple[int, int] | None = None) -> dict[int, tuple[Seen, ...]]:
        """The sprites of a category by type, types ascending. Categories are named in `CATEGORIES`.

        With `near`, in pixels, those of a type come in the order of their distance to it.

        >>> from treewise import load_game
        >>> seen = observe(load_game("vgdl(game='sokoban')").initial_state())
        >>> boxes = seen.by_category("movable", near=seen.avatar.position)[4]
        >>> [(box.x // seen.block, box.y // seen.block) for box in boxes]
        [(5, 5), (5, 3), (3, 2), (8, 6)]
        """
        if category not in CATEGORIES:
            raise ValueError(f"unknown category '{category}'; known: {', '.join(CATEGORIES)}")
        found: dict[int, list[Seen]] = {}
        for sprite in self.sprites if near is None else sorted(self.sprites, key=partial(_distance, near)):
            if sprite.category == CATEGORIES.index(category):
                found.setdefault(sprite.type, []).append(sprite)
        return {kind: tuple(found[kind]) for kind in sorted(found)}


def observe(state: State) -> Observation:
    """What a player sees of a video game's state.

    >>> from treewise import load_game
    >>> seen = observe(load_game("vgdl(game='zelda')").initial_state())
    >>> seen.tick, seen.score, seen.winner, [action.name for action in seen.actions]
    (0, 0, -1, ['USE', 'LEFT', 'RIGHT', 'DOWN', 'UP'])
    """
    seen = _core.vgdl_observation(state)
    width, height = seen["grid"]
    over = seen["winner"] >= 0
    return Observation(
        tick=seen["tick"],
        score=seen["score"],
        winner=seen["winner"],
        actions=() if over else tuple(map(Action, state.legal_actions())),
        width=width,
        height=height,
        block=seen["block"],
        avatar=_avatar(seen["avatar"], over),
        sprites=tuple(Seen(*sprite) for sprite in seen["sprites"]),
        events=_events(Event(*event) for event in seen["events"] or ()),
    )


def record_events(state: State) -> None:
    """From now on a state keeps its events for `observe`. Its clones do not: searches have no use for them.

    >>> from treewise import load_game
    >>> state = load_game("vgdl(game='sokoban')").initial_state()
    >>> record_events(state)
    >>> observe(state).events
    ()
    """
    _core.vgdl_record(state)


def _distance(point: tuple[int, int], sprite: Seen) -> int:
    """Squared; the order is the same."""
    return (sprite.x - point[0]) ** 2 + (sprite.y - point[1]) ** 2


def _events(found: Iterable[Event]) -> tuple[Event, ...]:
    """In the framework's order, which is also its idea of equal events: of those only the first counts."""
    first: dict[tuple[int, bool, int, int], Event] = {}
    for event in found:
        first.setdefault((event.tick, not event.from_avatar, event.passive_type, event.active_type), event)
    return tuple(first[key] for key in sorted(first))


def _avatar(seen: Mapping[str, Any] | None, over: bool) -> Avatar | None:
    if seen is None:
        return None
    nowhere = {"position": (-1, -1), "orientation": (-1, -1), "speed": 0.0} if over else {}
    return Avatar(**{**seen, **nowhere, "last_action": Action(seen["last_action"])})


def _covered(pixel: int, block: int, cells: int) -> range:
    """The cells that a sprite is listed in, along one axis."""
    first = int(pixel / block)  # towards zero, as the framework has it
    if not 0 <= first < cells:
        return range(0)
    return range(first, min(first + (2 if pixel - first * block > 0 else 1), cells))
