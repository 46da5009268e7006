"""A video game as numbers: what the machine runs. The compiler makes and checks it; the machine trusts it.

Types are known by their ids, which are the item types that a player sees: 0 is `wall`, 1 is `avatar`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from treewise.wording import counted

__all__ = ["Action", "Direction", "Effect", "Pair", "Program", "SpriteType", "Termination"]

EDGE = -1
"""Stands in place of the second type where a rule is about the edge of the world (EOS) or the clock (TIME)."""


class Action(IntEnum):
    """What the player's sprite may do in a tick. Ids of actions are these numbers."""

    NIL = 0
    UP = 1
    LEFT = 2
    DOWN = 3
    RIGHT = 4
    USE = 5


class Direction(IntEnum):
    """Where a sprite is heading."""

    NONE = 0
    UP = 1
    LEFT = 2
    DOWN = 3
    RIGHT = 4


@dataclass(frozen=True)
class SpriteType:
    """One type of sprites, with everything inherited and every default filled in."""

    name: str
    kind: str  # the class in force, by the framework's name ("Missile")
    category: int  # what a player sees it as: section "Observation" of docs/vgdl.md
    ancestors: tuple[int, ...]  # root first, without itself
    descendants: tuple[int, ...]  # in order of definition, without itself
    leaf: bool
    hidden: bool
    singleton: bool  # written on this very type
    static: bool
    oriented: bool
    orientation: Direction
    speed: float  # cells a move
    cooldown: int  # ticks, at least 1; by the rules of 2016, at least 0
    numbers: Mapping[str, float] = field(default_factory=dict)  # what only this class has: prob, total, cons …
    types: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # what it names: stype …
    image: str = field(default="", compare=False)  # its picture, where a folder of them is given


@dataclass(frozen=True)
class Effect:
    """What happens to two sprites that overlap, or to one at the edge."""

    name: str
    score: int  # added each time it takes place
    numbers: Mapping[str, float] = field(default_factory=dict)
    types: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)  # the effect that `shieldFrom` keeps away …


@dataclass(frozen=True)
class Pair:
    """The effects of one pair of types, in the order they are carried out."""

    first: int
    second: int  # or EDGE
    effects: tuple[Effect, ...]


@dataclass(frozen=True)
class Termination:
    """When the game ends, and whether that is a win."""

    kind: str
    win: bool
    numbers: Mapping[str, float] = field(default_factory=dict)
    types: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Program:
    """A description and a level."""

    types: tuple[SpriteType, ...]  # by id
    update_order: tuple[int, ...]  # leaf types; the avatar's first
    pairs: tuple[Pair, ...]  # in order of first appearance
    edge_rules: tuple[Pair, ...]  # second is EDGE
    time_rules: tuple[Pair, ...]  # the same, done when their time has come
    terminations: tuple[Termination, ...]
    actions: tuple[Action, ...]  # what the player may choose from, in the framework's order
    width: int  # cells
    height: int
    block: int  # pixels of a cell
    sprites: tuple[tuple[int, int, int], ...]  # (type, x, y) in pixels, in order of creation
    options: Mapping[str, bool] = field(default_factory=dict)  # defects and older rules, off by default

    def __repr__(self) -> str:
        kinds = f"{counted(len(self.types), 'type')} of sprites, {counted(len(self.pairs), 'pair')}"
        return f"<Program: {self.width}×{self.height} cells, {kinds}>"
