"""What all commands print with."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from typing import Protocol

from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.segment import Segment
from rich.table import Column, Table
from rich.text import Text

from treewise.wording import excerpt, printable

_FILE_WIDTH = 80
_LONGEST_SHOWN = 160
"""Of the lines of a text."""


class _Console(Console):
    """Shows what files and games say without letting it steer the terminal."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """As usual, but for characters that cannot be seen."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=printable(segment.text))


def console() -> Console:
    """Standard output, as wide as the terminal, or 80 columns; texts are printed as they are, square brackets too."""
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else _terminal_width()
    return _Console(width=width, markup=False, emoji=False, highlight=False)


def _terminal_width() -> int:
    """Of the terminal that a pipe's output ends in, most likely: the one that the other streams belong to."""
    for stream in (sys.stderr, sys.stdin):
        try:
            return os.get_terminal_size(stream.fileno()).columns or _FILE_WIDTH
        except (AttributeError, OSError, ValueError):  # no terminal; closed; not a file at all
            continue
    return _FILE_WIDTH


def table(*columns: str, title: str | None = None, right: tuple[str, ...] = ()) -> Table:
    """An empty table; the columns named in `right` hold numbers."""
    made = Table(title=title, title_justify="left", title_style="bold")
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return made


def progress() -> Progress:
    """A bar with the time left and a note, on standard error, and only if a person is looking.

    In a narrow terminal the note is cut, and nothing else.
    """
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        _Note(table_column=Column()),
        console=_Console(stderr=True, markup=False),
        transient=True,
        disable=not sys.stderr.isatty(),
    )


class _Note(ProgressColumn):
    """What is being done, on one line that gives way to all others."""

    def render(self, task: Task) -> Text:
        return Text(str(task.fields["note"]), no_wrap=True, overflow="ellipsis")


def in_words(seconds: float | None) -> str:
    """A duration in its two greatest units.

    >>> in_words(7384), in_words(59.6), in_words(0), in_words(None)
    ('2 h 3 min', '1 min 0 s', '', '?')
    """
    if seconds is None:
        return "?"
    whole = round(seconds)
    units = (("d", whole // 86400), ("h", whole // 3600 % 24), ("min", whole // 60 % 60), ("s", whole % 60))
    first = next((place for place, (_, count) in enumerate(units) if count), None)
    return "" if first is None else " ".join(f"{count} {unit}" for unit, count in units[first : first + 2])


class Remark(Protocol):
    """Something to say about a place in a text; line and column count from 1."""

    @property
    def severity(self) -> str: ...  # noqa: D102
    @property
    def line(self) -> int: ...  # noqa: D102
    @property
    def column(self) -> int: ...  # noqa: D102


def print_finding(out: Console, file: str, finding: Remark, message: str, line: str | None) -> None:
    """As a compiler does: place, severity and message, then the line of the text, or what of a long one stands around
    the place, with a caret below it."""
    colours = {"error": "bold red", "warning": "bold magenta"}
    place = f"{file}:{finding.line}:{finding.column}" if line is not None else file
    severity = (f"{finding.severity}:", colours[finding.severity])
    out.print(Text.assemble((f"{place}:", "bold"), " ", severity, f" {message}"), soft_wrap=True)
    if line is not None:
        line, column = excerpt(line, finding.column, _LONGEST_SHOWN)
        blanks = "".join("\t" if character == "\t" else " " for character in line[: column - 1])
        out.print(f"    {line.expandtabs()}", soft_wrap=True)
        out.print(Text(f"    {blanks.expandtabs()}^", "bold green"), soft_wrap=True)


def count_findings(files: int, counts: Mapping[str, int]) -> str:
    """One line for all files.

    >>> count_findings(2, {"error": 1})
    '2 files: 1 error, 0 warnings'
    """
    numbers = {word: counts.get(word, 0) for word in ("error", "warning")}
    words = [f"{number} {word}{'s' * (number != 1)}" for word, number in numbers.items()]
    return f"{files} file{'s' * (files != 1)}: {', '.join(words)}"
