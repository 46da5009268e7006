"""What a report consists of, without any say in how it looks: sections of texts, tables and figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from treewise.wording import counted

__all__ = [
    "Bar",
    "BarGroup",
    "Bars",
    "Block",
    "Column",
    "Curve",
    "CurvePanel",
    "Curves",
    "Figure",
    "Forest",
    "ForestRow",
    "HistogramPanel",
    "Histograms",
    "Report",
    "Section",
    "Table",
    "Text",
    "table",
]


@dataclass(frozen=True)
class Text:
    """A paragraph; a warning stands out."""

    text: str
    kind: Literal["plain", "warning"] = "plain"


@dataclass(frozen=True)
class Column:
    """The head of a column; numbers stand at the right, `code` holds text forms."""

    title: str
    right: bool = False
    code: bool = False


@dataclass(frozen=True)
class Table:
    """Rows of texts; a text may have several lines."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def table(
    title: str, columns: str, rows: Sequence[Sequence[str]], note: str = "", right: str = "", code: str = ""
) -> Table:
    """A table whose columns are named in one text, separated by `|`; `right` and `code` name some of them.

    >>> made = table("Rates", "game | rate", [["hex", "51.0"]], right="rate")
    >>> made.columns[1]
    Column(title='rate', right=True, code=False)
    """
    at_right, coded = (set(_names(given)) for given in (right, code))
    made = tuple(Column(name, name in at_right, name in coded) for name in _names(columns))
    return Table(title, made, tuple(tuple(row) for row in rows), note)


def _names(listed: str) -> list[str]:
    return [name.strip() for name in listed.split("|")] if listed else []


@dataclass(frozen=True)
class ForestRow:
    """An estimate with its interval, and a published one to be shown beside it."""

    label: str
    value: float
    low: float
    high: float
    tone: Literal["good", "bad", "neutral"] = "neutral"
    published: tuple[float, float, float] | None = None
    """Value, low, high."""


@dataclass(frozen=True)
class Forest:
    """Estimates below each other on one axis, with a line at what would be no effect."""

    title: str
    axis: str
    centre: float
    rows: tuple[ForestRow, ...]
    caption: str = ""


@dataclass(frozen=True)
class Curve:
    """Points with their intervals; `level` is a published figure."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    level: float | None = None


@dataclass(frozen=True)
class CurvePanel:
    """Curves on one pair of axes."""

    title: str
    x_axis: str
    curves: tuple[Curve, ...]


@dataclass(frozen=True)
class Curves:
    """Panels that share the meaning of their vertical axis; `points` draws bars instead of bands."""

    title: str
    y_axis: str
    centre: float
    panels: tuple[CurvePanel, ...]
    points: bool = False
    caption: str = ""


@dataclass(frozen=True)
class HistogramPanel:
    """Counts in the same bins for several labels."""

    title: str
    x_axis: str
    edges: tuple[float, ...]
    counts: tuple[tuple[str, tuple[int, ...]], ...]


@dataclass(frozen=True)
class Histograms:
    """Panels of distributions."""

    title: str
    panels: tuple[HistogramPanel, ...]
    caption: str = ""


@dataclass(frozen=True)
class Bar:
    """A value with its standard error."""

    label: str
    value: float
    error: float


@dataclass(frozen=True)
class BarGroup:
    """Bars that stand together."""

    label: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True)
class Bars:
    """Groups of bars on one axis; a label has the same colour in all of them."""

    title: str
    axis: str
    groups: tuple[BarGroup, ...]
    caption: str = ""


Figure = Forest | Curves | Histograms | Bars
Block = Text | Table | Figure


@dataclass(frozen=True)
class Section:
    """A part of a report; level 2 is a chapter, 3 a part of it. Details are folded away where that is possible."""

    title: str
    blocks: tuple[Block, ...]
    level: Literal[2, 3] = 2
    detail: bool = False

    def __repr__(self) -> str:
        return f"<Section '{self.title}': {counted(len(self.blocks), 'block')}>"


@dataclass(frozen=True)
class Report:
    """A title and sections."""

    title: str
    sections: tuple[Section, ...]

    def __repr__(self) -> str:
        return f"<Report '{self.title}': {counted(len(self.sections), 'section')}>"
