"""Figures as SVG: the same bytes for the same figure, colours by CSS variables so that a page can be light or dark."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from treewise.lab.extra import extra
from treewise.lab.report.document import Bars, CurvePanel, Curves, Figure, Forest, HistogramPanel
from treewise.lab.report.svg import SVG_STYLE, svg_text

__all__ = ["SERIES", "Drawing", "draw"]

SERIES = 12
"""How many colours a page must define: `--series-0` and so on."""

# Colours that stand for CSS variables until the SVG is written.
_INK, _MUTED, _FAINT, _GOOD, _BAD = "#0a0b01", "#0a0b02", "#0a0b03", "#0a0b04", "#0a0b05"
_SERIES = [f"#0a0b{16 + place:02x}" for place in range(SERIES)]
_VARIABLES = {
    _INK: "ink",
    _MUTED: "muted",
    _FAINT: "faint",
    _GOOD: "good",
    _BAD: "bad",
    **{colour: f"series-{place}" for place, colour in enumerate(_SERIES)},
}
_TONES = {"good": _GOOD, "bad": _BAD, "neutral": _INK}

_STYLE = {
    **SVG_STYLE,
    "font.size": 9.0,
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "axes.edgecolor": _FAINT,
    "axes.titlesize": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": _FAINT,
    "ytick.color": _FAINT,
    "xtick.labelcolor": _INK,
    "ytick.labelcolor": _INK,
    "grid.color": _FAINT,
    "grid.linewidth": 0.5,
}
_PANEL = (3.7, 2.5)
_WIDE = (9.0, 3.0)
_MOST_BANDS = 3
_NAME_WIDTH = 12
_LABEL_WIDTH = 30
_TITLE_WIDTH = 44


@dataclass(frozen=True)
class Drawing:
    """The pictures of a figure, and what its colours mean: labels with their CSS variables."""

    pictures: tuple[str, ...]
    legend: tuple[tuple[str, str], ...] = ()


def draw(figure: Figure) -> Drawing:
    """Draws a figure; one with panels gives a picture for each, so that a page can arrange them.

    >>> from treewise.lab.report.document import ForestRow
    >>> drawing = draw(Forest("", "win rate, %", 50.0, (ForestRow("hex", 55.0, 52.0, 58.0, "good"),)))
    >>> drawing.pictures[0].startswith("<svg"), "var(--good)" in drawing.pictures[0]
    (True, True)
    """
    if isinstance(figure, Forest):
        height = 0.65 + sum(_row_height(row.label) for row in figure.rows)
        return Drawing((_svg((4.8, height), lambda axes: _forest(axes, figure)),))
    if isinstance(figure, Bars):
        colours = _colours([bar.label for group in figure.groups for bar in group.bars])
        pictures: tuple[str, ...] = (_svg(_WIDE, lambda axes: _bars(axes, figure, colours)),)
    elif isinstance(figure, Curves):
        colours = _colours([curve.label for panel in figure.panels for curve in panel.curves])
        pictures = tuple(_svg(_PANEL, _curves(figure, panel, colours)) for panel in figure.panels)
    else:
        colours = _colours([label for panel in figure.panels for label, _ in panel.counts])
        pictures = tuple(_svg(_PANEL, _histogram(panel, colours)) for panel in figure.panels)
    legend = tuple((label, _VARIABLES[colour]) for label, colour in colours.items())
    return Drawing(pictures, legend if len(legend) > 1 else ())


def _colours(labels: Sequence[str]) -> dict[str, str]:
    return {label: _SERIES[place % SERIES] for place, label in enumerate(dict.fromkeys(labels))}


def _wrapped(label: str) -> str:
    return textwrap.fill(label, _LABEL_WIDTH)


def _row_height(label: str) -> float:
    return 0.2 + 0.14 * len(_wrapped(label).splitlines())


def _forest(axes: Any, figure: Forest) -> None:
    axes.axvline(figure.centre, color=_MUTED, linewidth=1)
    heights = [_row_height(row.label) for row in figure.rows]
    places = [sum(heights[:row]) + heights[row] / 2 for row in range(len(heights))]
    for row, place in zip(figure.rows, places, strict=True):
        axes.hlines(place - 0.03, row.low, row.high, color=_TONES[row.tone], linewidth=2)
        axes.plot(row.value, place - 0.03, "o", color=_TONES[row.tone], markersize=5)
        if row.published:
            value, low, high = row.published
            axes.hlines(place + 0.07, low, high, color=_MUTED, linewidth=1.2)
            axes.plot(value, place + 0.07, "D", color=_MUTED, markersize=3)
    axes.set_ylim(sum(heights), 0)
    axes.set_yticks(places, [_wrapped(row.label) for row in figure.rows])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")
    axes.set_axisbelow(True)
    axes.set_xlabel(figure.axis)


def _bars(axes: Any, figure: Bars, colours: dict[str, str]) -> None:
    width = 0.8 / len(colours)
    for place, (label, colour) in enumerate(colours.items()):
        found = [(x, bar) for x, group in enumerate(figure.groups) for bar in group.bars if bar.label == label]
        middles = [x + (place - (len(colours) - 1) / 2) * width for x, _ in found]
        axes.bar(middles, [bar.value for _, bar in found], 0.92 * width, color=colour)
        axes.errorbar(
            middles,
            [bar.value for _, bar in found],
            [bar.error for _, bar in found],
            fmt="none",
            ecolor=_INK,
            capsize=2,
        )
    names = [textwrap.fill(group.label, _NAME_WIDTH) for group in figure.groups]
    axes.set_xticks(range(len(names)), names)
    axes.tick_params(axis="x", length=0, labelsize=8)
    axes.margins(x=0.01)
    axes.set_ylabel(figure.axis)
    axes.grid(axis="y")
    axes.set_axisbelow(True)


def _curves(figure: Curves, panel: CurvePanel, colours: dict[str, str]) -> Callable[[Any], None]:
    def onto(axes: Any) -> None:
        axes.axhline(figure.centre, color=_MUTED, linewidth=1)
        for curve in panel.curves:
            colour = colours[curve.label]
            dots = figure.points or len(curve.x) == 1
            axes.plot(curve.x, curve.y, "o-" if dots else "-", color=colour, markersize=4, linewidth=1.4)
            if figure.points:
                axes.vlines(curve.x, curve.low, curve.high, color=colour, linewidth=1.4)
            elif len(panel.curves) <= _MOST_BANDS:
                axes.fill_between(curve.x, curve.low, curve.high, color=colour, alpha=0.18, linewidth=0)
            if curve.level is not None:
                axes.axhline(curve.level, color=colour, linewidth=1.2, linestyle=":")
        axes.set_title(textwrap.fill(panel.title, _TITLE_WIDTH), loc="left")
        axes.set_xlabel(panel.x_axis)
        axes.set_ylabel(figure.y_axis)
        axes.grid(axis="y")
        axes.set_axisbelow(True)

    return onto


def _histogram(panel: HistogramPanel, colours: dict[str, str]) -> Callable[[Any], None]:
    def onto(axes: Any) -> None:
        for label, counts in panel.counts:
            shares = [100 * count / sum(counts) for count in counts]  # entrants may differ in their number of matches
            axes.stairs(shares, panel.edges, fill=True, color=colours[label], alpha=0.25, linewidth=0)
            axes.stairs(shares, panel.edges, color=colours[label], linewidth=1.2)
        axes.set_title(textwrap.fill(panel.title, _TITLE_WIDTH), loc="left")
        axes.set_xlabel(panel.x_axis)
        axes.set_ylabel("share of matches, %")
        axes.locator_params(axis="both", nbins=5)

    return onto


def _svg(size: tuple[float, float], paint: Callable[[Any], None]) -> str:
    """Paints one pair of axes, whatever the user's own settings of the library are."""
    matplotlib = extra("matplotlib")
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        figure = extra("matplotlib.figure").Figure(figsize=size, layout="constrained")
        paint(figure.add_subplot())
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        return _inline(svg_text(figure, nothing, transparent=True))


def _inline(svg: str) -> str:
    """The picture as a page takes it: without header, names that nobody refers to, and colours of its own."""
    svg = svg[svg.index("<svg") :].strip()
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r' xmlns(:\w+)?="[^"]*"', "", svg, count=2)
    used = set(re.findall(r"#([\w-]+)[\")]", svg))
    svg = re.sub(r' id="([^"]*)"', lambda found: found[0] if found[1] in used else "", svg)
    svg = re.sub(r"font: ([\d.]+px)[^;\"]*", r"font-size: \1", svg)
    for colour, name in _VARIABLES.items():
        svg = svg.replace(colour, f"var(--{name})")
    return svg
