"""The level mapping, and levels: characters that become sprites in cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from treewise.vgdl.finding import NOWHERE, Place, Report
from treewise.vgdl.sprites import AVATAR, WALL, SpriteSet
from treewise.vgdl.syntax import MOST_CHARACTERS, Line, refuse_inner, source_lines
from treewise.vgdl.values import Names
from treewise.vgdl.vocabulary import AVATAR as AVATAR_SEEN
from treewise.wording import counted, shortened

MOST_SPRITES = 10_000
"""The framework's own bound, at the start and ever after."""
UNDEFINED = -1
"""In place of a sprite that a mapping names, and nobody defines."""
LONGEST_SIDE = 256
"""Cells. Levels that people draw have some dozens."""
_SCREEN = 800

LevelMap = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True)
class Level:
    """Sizes, and the sprites as (type, x, y) in pixels in order of creation."""

    width: int
    height: int
    block: int
    sprites: tuple[tuple[int, int, int], ...]

    def __repr__(self) -> str:
        return f"<Level: {self.width}×{self.height} cells, {counted(len(self.sprites), 'sprite')}>"


def read_mapping(lines: list[Line], names: Names, report: Report) -> LevelMap:
    """What each character stands for. Sprites that are not defined matter only where a level has the character.

    >>> from treewise.vgdl.syntax import read_tree
    >>> names = Names({"wall": 0, "avatar": 1, "floor": 2, "box": 3})
    >>> read_mapping(read_tree("1 > floor box", Report()), names, Report())
    {'w': (0,), 'A': (1,), '1': (2, 3)}
    """
    found: dict[str, tuple[int, ...]] = {"w": (WALL,), "A": (AVATAR,)}
    refuse_inner(lines, report)
    for line in lines:
        sides = line.sides()
        if sides is None or len(sides[0]) != 1 or len(sides[0][0].text) != 1:
            report.error("expected one character, '>', names of sprites: c > name name …", line.place)
            continue
        for word in sides[1]:
            if word.text not in names.ids:
                report.unknown("sprite", word.text, names.ids, word.place, error=False)
        found[sides[0][0].text] = tuple(names.ids.get(word.text, UNDEFINED) for word in sides[1])
    return found


def read_level(text: str, mapping: LevelMap, sprites: SpriteSet, square_size: int | None, report: Report) -> Level:
    """Builds a level row by row. Its width is the first line's; a shorter line is filled with blanks."""
    rows = source_lines(text) if len(text) <= MOST_CHARACTERS else []
    width, height = len(rows[0]) if rows else 0, len(rows)
    if not 1 <= width <= LONGEST_SIDE or not 1 <= height <= LONGEST_SIDE:
        size = f"{width:,} by {height:,} cells" if rows else f"{len(text):,} characters"
        report.error(f"a level of {size}: expected 1 to {LONGEST_SIDE} cells each way", Place(1, 1))
        return Level(1, 1, 2, ())
    block = square_size or max(2, _SCREEN // max(width, height))
    _warn_of_cells(rows, mapping, report)
    made: list[tuple[int, int, int]] = []
    for y, row in enumerate(rows):
        for x, character in enumerate(row[:width]):
            made += ((kind, x, y) for kind in mapping.get(character, ()))
            if len(made) > MOST_SPRITES:
                report.error(f"a level with more than {MOST_SPRITES:,} sprites: put fewer", Place(y + 1, x + 1))
                return Level(1, 1, 2, ())
    _check(made, sprites, report)
    return Level(width, height, block, tuple((kind, x * block, y * block) for kind, x, y in made))


def _warn_of_cells(rows: list[str], mapping: LevelMap, report: Report) -> None:
    """Each unknown character once, where it is first; the first line that is too long."""
    unknown: set[str] = set()
    width = len(rows[0])
    for number, row in enumerate(rows, start=1):
        if len(row) > width and row[width:].strip():
            report.warning(
                f"longer than the first line ({width} cells): the rest is left out", Place(number, width + 1)
            )
        for column, character in enumerate(row[:width], start=1):
            if character not in mapping and character != " " and character not in unknown:
                unknown.add(character)
                report.warning(f"{character!r} stands for nothing in the LevelMapping", Place(number, column))


def _check(made: list[tuple[int, int, int]], sprites: SpriteSet, report: Report) -> None:
    """Of sprites by their cells."""
    told: set[int] = set()
    avatars: list[Place] = []
    for kind, x, y in made:
        place = Place(y + 1, x + 1)
        if kind == UNDEFINED:
            if kind not in told:
                report.error("stands for a sprite that is not defined: see the warning of the LevelMapping", place)
            told.add(kind)
            continue
        if not sprites.types[kind].leaf and kind not in told:
            told.add(kind)
            name = shortened(sprites.types[kind].name)
            report.error(f"sprite '{name}' only groups others and cannot be in a level: map to one of them", place)
        if sprites.types[kind].category == AVATAR_SEEN:
            avatars.append(place)
    if len(avatars) != 1:
        second = avatars[1] if avatars else NOWHERE
        report.error(f"a level needs exactly one avatar, this one has {len(avatars):,}", second)
