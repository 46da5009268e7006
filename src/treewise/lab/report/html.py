"""A report as one HTML file: no scripts, nothing from elsewhere, figures inside."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from treewise.lab.report.document import Bars, Block, Figure, Forest, Report, Section, Table, Text
from treewise.lab.report.plots import draw
from treewise.lab.report.style import CSS
from treewise.wording import printable

__all__ = ["to_html"]

_SHORT = 36


def to_html(report: Report) -> str:
    """The page.

    >>> page = to_html(Report("Trial", (Section("In short", (Text("1 < 2"),)),)))
    >>> "<p>1 &lt; 2</p>" in page, "http" in page
    (True, False)
    """
    title = escape(report.title)
    head = (
        f'<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><title>{title}</title><style>{CSS}</style>'
    )
    body = "\n".join(part for section in report.sections for part in _section(section))
    page = f"<head>{head}</head>\n<body><main><h1>{title}</h1>\n{body}\n</main></body>"
    return printable(f'<!doctype html>\n<html lang="en">{page}</html>\n')


def _section(section: Section) -> Iterator[str]:
    title, blocks = escape(section.title), (part for block in section.blocks for part in _block(block))
    if section.detail:
        yield f"<details><summary>{title}</summary>"
        yield from blocks
        yield "</details>"
    else:
        yield f"<h{section.level}>{title}</h{section.level}>"
        yield from blocks


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Text):
        kind = ' class="warning"' if block.kind == "warning" else ""
        yield f"<p{kind}>{escape(block.text)}</p>"
    elif isinstance(block, Table):
        yield _table(block)
    else:
        yield from _figure(block)


def _table(block: Table) -> str:
    kinds = ["code" if column.code else "number" if column.right else "" for column in block.columns]
    attributes = [f' class="{kind}"' if kind else "" for kind in kinds]
    heads = [f"<th{kind}>{escape(column.title)}</th>" for column, kind in zip(block.columns, attributes, strict=True)]
    rows = [
        "<tr>" + "".join(f"<td{kind}>{_lines(cell)}</td>" for cell, kind in zip(row, attributes, strict=True)) + "</tr>"
        for row in block.rows
    ]
    caption = f"<h4>{escape(block.title)}</h4>" if block.title else ""
    note = f'<p class="note">{escape(block.note)}</p>' if block.note else ""
    head = f"<thead><tr>{''.join(heads)}</tr></thead>\n" if any(column.title for column in block.columns) else ""
    body = "<tbody>" + "\n".join(rows) + "</tbody>"
    return f'{caption}<div class="wide"><table>{head}{body}</table></div>{note}'


def _lines(text: str) -> str:
    """A cell's text; short lines are kept in one piece, further lines are less loud."""
    first, *others = map(_line, text.split("\n"))
    return first + "".join(f'<br><span class="second">{line}</span>' for line in others)


def _line(text: str) -> str:
    kind = "whole" if len(text) <= _SHORT else "long"
    return f'<span class="{kind}">{escape(text)}</span>' if " " in text else escape(text)


def _figure(figure: Figure) -> Iterator[str]:
    if not (
        figure.groups if isinstance(figure, Bars) else figure.rows if isinstance(figure, Forest) else figure.panels
    ):
        return
    drawing, title = draw(figure), escape(figure.title)
    keys = " ".join(
        f'<span class="key"><i style="background: var(--{colour})"></i>{escape(label)}</span>'
        for label, colour in drawing.legend
    )
    pictures = "".join(f'<div role="img" aria-label="{title}">{picture}</div>' for picture in drawing.pictures)
    kind = "bars" if isinstance(figure, Bars) else "forest" if isinstance(figure, Forest) else "panels"
    legend = f'<p class="legend">{keys}</p>' if keys else ""
    yield f'<figure><h4>{title}</h4>{legend}<div class="{kind}">{pictures}</div>'
    yield f"<figcaption>{escape(figure.caption)}</figcaption></figure>"
