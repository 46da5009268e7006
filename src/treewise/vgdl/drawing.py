"""States as pictures: colours by what a player sees sprites as, nothing of what is hidden."""

from __future__ import annotations

import colorsys
import string
from collections import Counter
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.color import Color
from rich.color_triplet import ColorTriplet
from rich.console import COLOR_SYSTEMS
from rich.style import Style
from rich.text import Text

from treewise import _core
from treewise.game import State
from treewise.vgdl.observation import Observation, Seen, observe
from treewise.vgdl.pictures import Pictures
from treewise.vgdl.program import Program
from treewise.vgdl.vocabulary import AVATAR, FROM_AVATAR, MOVABLE, NPC, PORTAL, RESOURCE, STATIC

if TYPE_CHECKING:
    from numpy.typing import NDArray

Colour = tuple[int, int, int]

GROUND: Colour = (22, 22, 30)
WALL: Colour = (120, 120, 132)
_HUES = {AVATAR: 0.15, RESOURCE: 0.5, PORTAL: 0.35, NPC: 0.98, STATIC: 0.62, FROM_AVATAR: 0.83, MOVABLE: 0.07}
_LARGEST_CELL = 32
_LARGEST_PICTURE = 720
_SPARE = string.ascii_letters + string.digits
_POINTERS = {(0, -1): "▲", (0, 1): "▼", (-1, 0): "◀", (1, 0): "▶"}


def colours(program: Program) -> list[Colour]:
    """A colour for each type: its hue says its category, its shade which one of them it is.

    >>> from treewise.vgdl import compile_game
    >>> colours(compile_game("BasicGame\\n  SpriteSet\\n    box > Passive", "A"))[0]
    (120, 120, 132)
    """
    found: list[Colour] = []
    seen: dict[int, int] = {STATIC: -1}  # `wall` has a colour of its own
    for kind in program.types:
        place = seen.get(kind.category, 0)
        seen[kind.category] = place + kind.leaf
        if kind.category == STATIC:  # grounds and things that stand: darker, and told apart by hue
            colour = colorsys.hsv_to_rgb((_HUES[STATIC] + 0.27 * place) % 1.0, 0.4, 0.3 + 0.13 * (place % 3))
        else:
            colour = colorsys.hsv_to_rgb(
                (_HUES[kind.category] + 0.045 * (place % 5)) % 1.0, 0.75, 0.95 - 0.1 * (place % 4)
            )
        found.append(_bytes(colour))
    found[0] = WALL
    return found


def picture(state: State, cell: int | None = None, pictures: Pictures | None = None) -> NDArray[np.uint8]:
    """The level as an array of (height, width, 3) colours, `cell` pixels a cell; with sprites' pictures, where given.

    >>> from treewise import load_game
    >>> picture(load_game("vgdl(game='sokoban', level=3)").initial_state(), cell=8).shape
    (56, 56, 3)
    """
    program, seen = program_of(state), observe(state)
    size = cell or max(2, min(_LARGEST_CELL, _LARGEST_PICTURE // max(seen.width, seen.height)))
    drawn = np.empty((seen.height * size, seen.width * size, 3), np.uint8)
    drawn[:] = GROUND
    palette = colours(program)
    for sprite in _drawn_order(program, seen):
        image = pictures.of(program.types[sprite.type].image, size) if pictures else None
        if image is not None:
            _paste(drawn, image, sprite.x * size // seen.block, sprite.y * size // seen.block)
            continue
        margin = 0 if program.types[sprite.type].static else max(1, size // 10)
        left, top = sprite.x * size // seen.block, sprite.y * size // seen.block
        rows = slice(max(0, top + margin), max(0, top + size - margin))
        columns = slice(max(0, left + margin), max(0, left + size - margin))
        drawn[rows, columns] = palette[sprite.type]
    return drawn


def _paste(drawn: NDArray[np.uint8], image: NDArray[np.uint8], left: int, top: int) -> None:
    """Lays a picture over what is drawn; what stands out of the level is cut."""
    height, width, _ = drawn.shape
    rows, columns = (
        slice(max(0, top), min(height, top + len(image))),
        slice(max(0, left), min(width, left + len(image))),
    )
    part = image[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
    if part.size:
        opaque = part[..., 3:].astype(np.uint16)
        mixed = (part[..., :3] * opaque + drawn[rows, columns] * (255 - opaque)) // 255
        drawn[rows, columns] = mixed.astype(np.uint8)


def screen(state: State, system: str | None = "truecolor") -> Text:
    """The level for a terminal: two characters a cell, in colour; the avatar shows where it is heading.

    `system` says what colours there are, as `Console.color_system` of rich does; None: none. Types that would look the
    same have the letters of a state's text.
    """
    program, seen = program_of(state), observe(state)
    marks, styles = _appearance(program, system)
    place = {kind: number for number, kind in enumerate(reversed(program.update_order))}
    text = Text()
    for row in range(seen.height):
        for column in range(seen.width):
            cell = seen.grid[column][row]
            top = max(cell, key=lambda sprite: place[sprite.type], default=None)
            kind = top.type if top else -1  # the ground is the last of all three
            text.append(f"{_pointer(top, seen) or marks[kind]} ", styles[kind])
        text.append("\n")
    return text


def legend(state: State, system: str | None = "truecolor", width: int = 80) -> Text:
    """What the types that are seen now look like on `screen`, in lines of at most so many columns."""
    program, seen = program_of(state), observe(state)
    marks, styles = _appearance(program, system)
    text, used = Text(), 0
    for kind in sorted({sprite.type for sprite in seen.sprites}):
        name = program.types[kind].name
        avatar = seen.avatar is not None and seen.avatar.type == kind
        if used and used + len(name) + 5 > width:
            text.append("\n")
            used = 0
        text.append(f"{'▲' if avatar else marks[kind]} ", styles[kind])
        text.append(f" {name}  ")
        used += len(name) + 5
    return text


def status(state: State) -> str:
    """Score, tick and result in a line."""
    seen = observe(state)
    avatar = seen.avatar
    words = [f"score {seen.score}", f"tick {seen.tick}"]
    if avatar is not None and avatar.health:
        words.append(f"health {avatar.health}")
    if avatar is not None and avatar.resources:
        words.append(f"holds {sum(avatar.resources.values())}")
    return "   ".join(words + [["lost", "won"][seen.winner]] * seen.is_over)


def _appearance(program: Program, system: str | None) -> tuple[list[str], list[Style]]:
    """A letter and a style for each type, and last for the ground."""
    palette = [*colours(program), GROUND]
    looks = [_look(colour, system) for colour in palette]
    return _marks(program, looks), [_style(colour, look) for colour, look in zip(palette, looks, strict=True)]


def _bytes(colour: tuple[float, float, float]) -> Colour:
    red, green, blue = (round(255 * part) for part in colour)
    return red, green, blue


def _look(colour: Colour, system: str | None) -> ColorTriplet:
    """What becomes of a colour in a terminal that has fewer; without colours all are the same."""
    if system is None:
        return ColorTriplet(*GROUND)
    return Color.from_rgb(*colour).downgrade(COLOR_SYSTEMS[system]).get_truecolor()


def _style(colour: Colour, look: ColorTriplet) -> Style:
    """The colour below, and above it one in which a letter can be read."""
    light = 0.3 * look.red + 0.59 * look.green + 0.11 * look.blue >= 128
    return Style(color="black" if light else "white", bgcolor="#{:02x}{:02x}{:02x}".format(*colour))


def _marks(program: Program, looks: list[ColorTriplet]) -> list[str]:
    """A letter for each type that looks as another does, or as the ground, which is the last; for the rest a blank."""
    shown = [kind.leaf and not kind.hidden for kind in program.types] + [True]
    counts = Counter(compress(looks, shown))
    letters = [*letters_of(program), " "]
    return [letter if counts[look] > 1 else " " for letter, look in zip(letters, looks, strict=True)]


def letters_of(program: Program) -> list[str]:
    """A letter for each type, as in the text of a state: the first of its name that is still free.

    >>> from treewise.vgdl import compile_game
    >>> letters_of(compile_game("BasicGame\\n  SpriteSet\\n    box > Passive\\n    ball > Missile", "A"))
    ['#', '@', 'b', 'a']
    """
    found: list[str] = []
    for kind in program.types:
        if kind.category == AVATAR:
            found.append("@")
        elif kind.name == "wall":
            found.append("#")
        else:
            free = (letter for letter in kind.name + _SPARE if letter not in (*found, *"@#.") and _is_plain(letter))
            found.append(next(free, _SPARE[-1]))
    return found


def _is_plain(letter: str) -> bool:
    return letter.isascii() and letter.isprintable()


def _pointer(sprite: Seen | None, seen: Observation) -> str:
    avatar = seen.avatar
    if sprite is None or avatar is None or sprite.id != avatar.id:
        return ""
    return _POINTERS.get(avatar.orientation, "●") if avatar.alive else "×"


def _drawn_order(program: Program, seen: Observation) -> list[Seen]:
    """What is drawn later lies above: the order of updates the other way round."""
    place = {kind: number for number, kind in enumerate(reversed(program.update_order))}
    return sorted(seen.sprites, key=lambda sprite: place[sprite.type] + 1000 * (sprite.category == AVATAR))


def program_of(state: State) -> Program:
    """The program of a video game's state; ValueError for a state of another game."""
    game: Any = state.game
    if not isinstance(game, _core.VgdlGame):
        raise ValueError("not a state of a video game")
    program: Program = game.program  # type: ignore[attr-defined]
    return program
