"""A report for the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text as RichText

from treewise.lab.report.document import Bars, Block, Forest, Report, Table, Text
from treewise.lab.report.sketch import sketch, sketch_bars
from treewise.wording import printable

__all__ = ["terminal_text", "to_terminal"]


def to_terminal(report: Report, full: bool = False) -> RenderableType:
    """The report for a rich console: `console.print(to_terminal(report))`; `full` shows the details too.

    >>> from treewise.lab.report.document import Section
    >>> print(terminal_text(Report("Trial", (Section("In short", (Text("Nothing."),)),)), width=40))
    Trial
    <BLANKLINE>
    In short
    Nothing.
    """
    return Group(*_parts(report, full))


def terminal_text(report: Report, full: bool = False, width: int = 120) -> str:
    """The same as plain text."""
    console = Console(width=width, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as captured:
        console.print(to_terminal(report, full))
    return "\n".join(line.rstrip() for line in captured.get().splitlines())


def _parts(report: Report, full: bool) -> Iterator[RenderableType]:
    yield _text(report.title, style="bold underline")
    for section in report.sections:
        if section.detail and not full:
            continue
        yield _text(f"\n{section.title}", style="bold" if section.level == 2 else "bold italic")
        for block in section.blocks:
            yield from _block(block)


def _block(block: Block) -> Iterator[RenderableType]:
    if isinstance(block, Text):
        yield _text(block.text, style="yellow" if block.kind == "warning" else "")
    elif isinstance(block, Table):
        yield _table(block)
        yield _text(f"{block.note}\n" if block.note else "", style="dim")
    elif isinstance(block, Forest) and block.rows:
        yield Padding(_Sketch(block), (1, 0))
    elif isinstance(block, Bars) and block.groups:
        yield _text(block.title, style="bold")
        yield Padding(_text(sketch_bars(block), no_wrap=True, overflow="ellipsis"), (0, 0, 1, 0))


@dataclass(frozen=True)
class _Sketch:
    """A forest plot as wide as the console lets it be."""

    forest: Forest

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield _text(sketch(self.forest, line=options.max_width), no_wrap=True, overflow="ellipsis")


def _text(text: str, **options: Any) -> RichText:
    """Without what a terminal would take for a command."""
    return RichText(printable(text), **options)


def _table(block: Table) -> RichTable:
    headed = any(column.title for column in block.columns)
    title = _text(block.title) if block.title else None
    made = RichTable(title=title, title_justify="left", title_style="bold", show_header=headed)
    for column in block.columns:
        made.add_column(_text(column.title), justify="right" if column.right else "left", overflow="fold")
    for row in block.rows:
        made.add_row(*(_text(cell) for cell in row))
    return made
