"""A report in Markdown, with its tables; of the figures, the forest plots, in characters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treewise.lab.report.document import Bars, Block, Forest, Report, Table, Text
from treewise.lab.report.sketch import sketch, sketch_bars
from treewise.wording import printable

__all__ = ["to_markdown"]

_SPECIAL = str.maketrans({character: f"\\{character}" for character in "\\`*_{}[]<>|#~&"})
_LIST = re.compile(r"^(\s*)([-+]|\d+[.)])(?=\s)", re.MULTILINE)
"""What would make a paragraph a list."""


def to_markdown(report: Report) -> str:
    """The report as Markdown that most readers of it show alike.

    >>> from treewise.lab.report.document import Section
    >>> print(to_markdown(Report("Trial", (Section("In short", (Text("a_b is *better*"),)),))))
    # Trial
    <BLANKLINE>
    ## In short
    <BLANKLINE>
    a\\_b is \\*better\\*
    <BLANKLINE>
    """
    parts = [f"# {_escaped(report.title)}"]
    for section in report.sections:
        parts.append(f"{'#' * section.level} {_escaped(section.title)}")
        for block in section.blocks:
            parts += _block(block)
    return printable("\n\n".join(parts) + "\n")


def _escaped(text: str) -> str:
    return _LIST.sub(lambda found: f"{found[1]}{found[2][:-1]}\\{found[2][-1]}", text.translate(_SPECIAL))


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Text):
        yield f"> **Note.** {_escaped(block.text)}" if block.kind == "warning" else _escaped(block.text)
    elif isinstance(block, Table):
        yield from _table(block)
    elif isinstance(block, Forest) and block.rows:
        yield f"```text\n{sketch(block)}\n```"
        yield f"*{_escaped(block.caption)}*" if block.caption else ""
    elif isinstance(block, Bars) and block.groups:
        yield f"**{_escaped(block.title)}**"
        yield f"```text\n{sketch_bars(block)}\n```"
        yield f"*{_escaped(block.caption)}*" if block.caption else ""


def _table(block: Table) -> Iterator[str]:
    if block.title:
        yield f"**{_escaped(block.title)}**"
    heads = " | ".join(_escaped(column.title) for column in block.columns)
    rules = " | ".join("---:" if column.right else "---" for column in block.columns)
    lines = [f"| {heads} |", f"| {rules} |"]
    for row in block.rows:
        cells = (_cell(text, column.code) for text, column in zip(row, block.columns, strict=True))
        lines.append(f"| {' | '.join(cells)} |")
    yield "\n".join(lines)
    if block.note:
        yield _escaped(block.note)


def _cell(text: str, code: bool) -> str:
    if code and "`" not in text:
        return f"`{text}`".replace("|", "\\|").replace("\n", " ")
    return _escaped(text).replace("\n", "<br>")
