"""A rulesheet's state as a person reads it: boards where facts name cells and contents, all other facts in columns."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

__all__ = ["draw_facts"]

_BLANKS = frozenset({"blank", "empty", "none", "nothing", "free"})
_SHORT_BLANKS = frozenset({"b", "e", "_"})
"""Blanks where most cells hold them; elsewhere, pieces."""
_MOST_LINES = 40
"""Of a board, either way; more is a table of numbers."""
_MOST_NAMED = 12
_WIDEST_NAME = 3
_GAP = "   "
_TERM = re.compile(r"[()]|[^\s()]+")
_SQUARE = re.compile(r"([a-z])(\d{1,2})")
_COUNTED = re.compile(r"(\D*)(\d+)")

Place = tuple[str, ...]
"""A cell's coordinates: column, row and, on boards of more layers, the layer."""


def draw_facts(facts: Iterable[str], known: Iterable[str] = (), width: int = 80) -> str:
    """Draws facts in at most `width` columns. `known` are all facts that can be: they say how large a board is.

    >>> print(draw_facts(["(cell 1 1 x)", "(cell 1 2 b)", "(cell 2 1 b)", "(cell 2 2 o)", "(control x)"]))
    cell
    2  .  o
    1  x  .
       1  2
    (control x)
    """
    now = list(facts)
    boards = _boards(now, known)
    drawings = []
    drawn = set[str]()
    for name, board in boards.items():
        lines = board.lines(width)
        if lines is not None:
            drawings += [name, *lines]
            drawn |= board.facts
    rest = [fact for fact in now if fact not in drawn]
    return "\n".join(drawings + _columns(rest, width))


@dataclass
class _Axis:
    """The values of one coordinate, in order."""

    values: list[str]
    rising: bool
    """Whether rows begin at the bottom, as those of most boards do."""


@dataclass
class _Board:
    """Cells with contents."""

    cells: dict[Place, list[str]]
    known: set[Place]
    axes: list[_Axis]
    facts: set[str] = field(default_factory=set)

    def lines(self, width: int) -> list[str] | None:
        """The board, or its layers side by side; nothing if that is too wide."""
        marks, legend = _marks(content for held in self.cells.values() for content in held)
        layers = self.axes[2].values if len(self.axes) > 2 else [None]
        blocks = [self._layer(layer, marks) for layer in layers]
        if len(blocks[0][0]) > width:
            return None
        across = max(1, (width + len(_GAP)) // (len(blocks[0][0]) + len(_GAP)))
        lines = []
        for start in range(0, len(blocks), across):
            lines += [_GAP.join(row).rstrip() for row in zip(*blocks[start : start + across], strict=True)]
        return lines + _folded(legend, width)

    def _layer(self, layer: str | None, marks: dict[str, str]) -> list[str]:
        columns, rows = self.axes[0].values, self.axes[1].values
        shown = {place: "/".join(marks[content] for content in held) for place, held in self.cells.items()}
        wide = max(map(len, [*shown.values(), *columns]))
        side = max(map(len, rows))
        lines = []
        for row in reversed(rows) if self.axes[1].rising else rows:
            places = [(column, row) if layer is None else (column, row, layer) for column in columns]
            held = (shown.get(place, "." if place in self.known else "") for place in places)
            lines.append(f"{row:>{side}}  " + "  ".join(f"{mark:<{wide}}" for mark in held))
        feet = f"{'':{side}}  " + "  ".join(f"{column:<{wide}}" for column in columns)
        return [*([f"{layer}:".ljust(len(feet))] if layer is not None else []), *lines, feet]


def _boards(facts: list[str], known: Iterable[str]) -> dict[str, _Board]:
    """The boards among the facts, by the name of their cells."""
    groups = defaultdict[tuple[str, int], list[tuple[str, list[str]]]](list)
    for fact in dict.fromkeys([*facts, *known]):
        term = _flat(fact)
        if term is not None:
            groups[term[0], len(term) - 1].append((fact, term[1:]))
    now = set(facts)
    boards = {}
    for (name, _), group in groups.items():
        board = _board(group, now)
        if board is not None and board.cells:
            boards[name] = board
    return boards


def _flat(fact: str) -> list[str] | None:
    """The words of a fact whose arguments are constants."""
    words = _TERM.findall(fact)
    if len(words) < 4 or words[0] != "(" or "(" in words[1:] or words[-1] != ")":
        return None
    return words[1:-1]


def _board(group: list[tuple[str, list[str]]], now: set[str]) -> _Board | None:
    """Facts of one name as a board: the first coordinates are those that vary like a grid's, the rest is content."""
    split = [_split_square(arguments) for _, arguments in group]
    rows = [arguments for arguments in split if arguments is not None]
    if len(rows) < len(group):
        rows = [arguments for _, arguments in group]
    if len(rows[0]) < 2:
        return None
    values = [sorted({row[place] for row in rows}, key=_in_order) for place in range(len(rows[0]))]
    counted = [len(own) > 1 and all(map(_is_counted, own)) for own in values]
    size = 3 if len(values) > 3 and all(counted[:3]) else 2
    if any(
        len(own) < 2 or len(own) > (_MOST_LINES if known else _MOST_NAMED)
        for own, known in zip(values[:size], counted, strict=False)
    ):
        return None
    places = {tuple(row[:size]) for row in rows}
    if len(places) * 2 < len(values[0]) * len(values[1]) * (len(values[2]) if size == 3 else 1):
        return None  # sparse: pairs of anything
    if len(values) == size and not (all(counted[:2]) and min(len(values[0]), len(values[1])) > 2):
        return None  # without contents, only a real grid
    cells = defaultdict[Place, list[str]](list)
    drawn = set[str]()
    order = _orientation(values[:size])
    for (fact, _), row in zip(group, rows, strict=True):
        if fact in now:
            cells[tuple(row[place] for place in order)].append(" ".join(row[size:]) or "x")
            drawn.add(fact)
    if any(len(held) > 2 for held in cells.values()):
        return None
    axes = [_Axis(values[place], rising=not values[place][0].startswith("r")) for place in order]
    if not counted[order[1]]:
        axes[1].rising = False
    return _Board(dict(cells), {tuple(place[i] for i in order) for place in places}, axes, drawn)


def _split_square(arguments: Sequence[str]) -> list[str] | None:
    """`c4` as two coordinates."""
    square = _SQUARE.fullmatch(arguments[0])
    return None if square is None or len(arguments) > 2 else [square[1], square[2], *arguments[1:]]


def _orientation(values: Sequence[list[str]]) -> list[int]:
    """Columns, rows, layers: letters are columns, what is called r1, r2, … are rows, else the order of the sheet."""
    first, second = values[0][0], values[1][0]
    swapped = (second.isalpha() and len(second) == 1 and not first.isalpha()) or (
        first.startswith("r") and second.startswith("c")
    )
    return ([1, 0] if swapped else [0, 1]) + list(range(2, len(values)))


def _is_counted(value: str) -> bool:
    return _COUNTED.fullmatch(value) is not None or (len(value) == 1 and value.isalpha())


def _in_order(value: str) -> tuple[str, int, str]:
    counted = _COUNTED.fullmatch(value)
    return (counted[1], int(counted[2]), value) if counted else (value, 0, value)


def _marks(contents: Iterable[str]) -> tuple[dict[str, str], list[str]]:
    """A short mark for each content, and what the marks mean where they are not the contents themselves."""
    often = Counter(contents)
    blanks = {content for content in often if content.lower() in _BLANKS}
    blanks |= {content for content, _ in often.most_common(1) if content.lower() in _SHORT_BLANKS}
    names = sorted(often.keys() - blanks)
    short = {name: name for name in names} if all(len(name) <= _WIDEST_NAME for name in names) else _initials(names)
    legend = [f"{mark} {name}" for name, mark in short.items() if mark != name]
    return short | dict.fromkeys(blanks, "."), legend


def _initials(names: list[str]) -> dict[str, str]:
    """`blackQueen` is bQ; where that is not enough, all words of a name have as many letters as it takes."""
    words = {name: re.findall(r"[A-Z]?[a-z]+|[A-Z]|\d+|[^\sA-Za-z\d]", name) or [name] for name in names}
    brief = {name: "".join(word[:1] for word in own) for name, own in words.items()}
    alike = Counter(brief.values())
    for letters in range(1, max(map(len, names), default=1) + 1):
        longer = {name: "".join(word[:letters] for word in own) for name, own in words.items()}
        short = {name: brief[name] if alike[brief[name]] == 1 else longer[name] for name in names}
        if len(set(short.values())) == len(names):
            return short
    return {name: name for name in names}


def _columns(facts: list[str], width: int) -> list[str]:
    """Facts side by side, as many as there is room for."""
    if not facts:
        return []
    wide = max(map(len, facts)) + len(_GAP)
    across = max(1, (width + len(_GAP)) // wide)
    rows = -(-len(facts) // across)
    return ["".join(f"{fact:<{wide}}" for fact in facts[row::rows]).rstrip() for row in range(rows)]


def _folded(words: list[str], width: int) -> list[str]:
    """Words with commas between, in lines."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) + 2 > width:
            lines.append("")
        lines[-1] += (", " if lines[-1] else "") + word
    return [line for line in lines if line]
