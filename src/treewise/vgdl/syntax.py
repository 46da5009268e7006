"""The text of a description: an indented tree of lines, each a row of words with their places.

Knows nothing of games. A tab counts as one character; only "further in than" is compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from treewise.vgdl.finding import Place, Report

MOST_CHARACTERS = 200_000
"""Of a description or a level. Those that people write have some thousands."""
MOST_NESTED = 50
"""Descriptions that people write nest five deep."""

_WORD = re.compile(r">|[^\s>]+")


@dataclass(frozen=True, slots=True)
class Word:
    """What stands between blanks; `>` is always a word of its own."""

    text: str
    place: Place

    def split(self) -> tuple[str, str] | None:
        """Key and value of `key=value`, or None."""
        key, sign, value = self.text.partition("=")
        return (key, value) if sign else None


@dataclass(slots=True)
class Line:
    """One line with the lines that are further in below it."""

    words: list[Word]
    indent: int
    children: list[Line] = field(default_factory=list)

    @property
    def place(self) -> Place:
        """Where its first word stands."""
        return self.words[0].place

    @property
    def text(self) -> str:
        """Its words, one blank between them."""
        return " ".join(word.text for word in self.words)

    def below(self) -> Iterator[Line]:
        """The lines inside it, at any depth, in the order of the text."""
        for child in self.children:
            yield child
            yield from child.below()

    def sides(self) -> tuple[list[Word], list[Word]] | None:
        """The words left and right of the first `>`, or None where there is none."""
        at = next((index for index, word in enumerate(self.words) if word.text == ">"), None)
        return None if at is None else (self.words[:at], self.words[at + 1 :])


def source_lines(text: str) -> list[str]:
    """The lines of a text, whatever they end with; a line break at the very end begins no line.

    >>> source_lines("a\\r\\nb\\n")
    ['a', 'b']
    """
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return plain.removesuffix("\n").split("\n")


def read_tree(text: str, report: Report) -> list[Line]:
    """The lines that are inside no other, each with what is inside it.

    >>> game, = read_tree("BasicGame\\n\\tSpriteSet # comment\\n\\t\\tbox >  Passive", Report())
    >>> game.children[0].children[0].text
    'box > Passive'
    """
    roots: list[Line] = []
    inside: list[Line] = []
    if len(text) > MOST_CHARACTERS:
        report.error(f"a description of {len(text):,} characters is too long: at most {MOST_CHARACTERS:,}")
        return roots
    for number, source in enumerate(source_lines(text), start=1):
        line = _line(source, number)
        if line is None:
            continue
        while inside and inside[-1].indent >= line.indent:
            inside.pop()
        if len(inside) == MOST_NESTED:
            report.error(f"more than {MOST_NESTED} lines inside each other: nest less", line.place)
            return []
        (inside[-1].children if inside else roots).append(line)
        inside.append(line)
    return roots


def refuse_inner(lines: list[Line], report: Report) -> None:
    """An error for each line that is inside one of these: nothing would read it.

    >>> report = Report("game.txt")
    >>> refuse_inner(read_tree("a b > stepBack\\n  a c > stepBack", report), report)
    >>> print(*report.findings)
    game.txt:2:3: error: indented too far: only sprites have lines inside them
    """
    for line in lines:
        for inner in line.below():
            report.error("indented too far: only sprites have lines inside them", inner.place)


def _line(source: str, number: int) -> Line | None:
    text = source.partition("#")[0]
    words = [Word(match.group(), Place(number, match.start() + 1)) for match in _WORD.finditer(text)]
    return Line(words, words[0].place.column - 1) if words else None
