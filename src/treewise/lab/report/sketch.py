"""Forest plots and bars in characters, for terminals and Markdown."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size

from treewise.lab.report.document import Bars, Forest, ForestRow

__all__ = ["sketch", "sketch_bars"]

_LEAST_AXIS = 16


@dataclass(frozen=True)
class _Axis:
    low: float
    high: float
    width: int

    def place(self, value: float) -> int:
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 0.5
        return round(share * (self.width - 1))

    def ends(self) -> str:
        low, high = f"{self.low:.1f}", f"{self.high:.1f}"
        return low + high.rjust(self.width - len(low))


def sketch(figure: Forest, width: int = 50, line: int | None = None) -> str:
    """One line an estimate: its interval on an axis, `◇` for the published figure, `┊` for no effect.

    The axis has `width` characters; fewer, and labels are shortened, where a `line` has no room for more.

    >>> row = ForestRow("hex", 60.0, 55.0, 65.0, published=(52.0, 51.0, 53.0))
    >>> print(sketch(Forest("", "win rate, %", 50.0, (row,)), width=16))
    hex  ┊ ◇  ├────●────┤  60.0
         50.0        65.0  win rate, %
    """
    if not figure.rows:
        return ""
    values = [figure.centre]
    for row in figure.rows:
        values += [row.low, row.high, *(row.published or ())]
    labels = max(cell_len(row.label) for row in figure.rows)
    if line is not None:
        labels = min(labels, line // 3)
        width = max(_LEAST_AXIS, min(width, line - labels - 4 - max(len(figure.axis), 5)))
    axis = _Axis(min(values), max(values), width)
    lines = [f"{_label(row.label, labels)}  {_line(row, figure.centre, axis)}  {row.value:.1f}" for row in figure.rows]
    return "\n".join([*lines, f"{'':<{labels}}  {axis.ends()}  {figure.axis}"])


def _label(text: str, width: int) -> str:
    """In so many columns of a terminal, where some characters take two."""
    return set_cell_size(text, width) if cell_len(text) <= width else f"{set_cell_size(text, width - 1)}…"


def _line(row: ForestRow, centre: float, axis: _Axis) -> str:
    cells = [" "] * axis.width
    cells[axis.place(centre)] = "┊"
    low, high = axis.place(row.low), axis.place(row.high)
    cells[low : high + 1] = "─" * (high + 1 - low)
    cells[low], cells[high] = "├", "┤"
    if row.published:
        cells[axis.place(row.published[0])] = "◇"
    cells[axis.place(row.value)] = "●"
    return "".join(cells)


def sketch_bars(figure: Bars, width: int = 40) -> str:
    """One line a bar, its standard error behind it.

    >>> from treewise.lab.report.document import Bar, BarGroup
    >>> bars = (Bar("vanilla", 35.6, 1.9), Bar("TD", 53.0, 2.2))
    >>> print(sketch_bars(Bars("", "won, %", (BarGroup("Zelda", bars),)), width=8))
    Zelda
      vanilla  █████▌    35.6 ± 1.9
      TD       ████████  53.0 ± 2.2
      won, %
    """
    bars = [bar for group in figure.groups for bar in group.bars]
    if not bars:
        return ""
    labels, top = max(cell_len(bar.label) for bar in bars), max(bar.value for bar in bars)
    digits = 1 if top > 2 else 3
    lines = []
    for group in figure.groups:
        lines.append(group.label)
        for bar in group.bars:
            length = _blocks(bar.value / top if top > 0 else 0.0, width)
            lines.append(f"  {_label(bar.label, labels)}  {length}  {bar.value:.{digits}f} ± {bar.error:.{digits}f}")
    return "\n".join([*lines, f"  {figure.axis}"])


def _blocks(share: float, width: int) -> str:
    halves = round(2 * width * max(0.0, share))
    return ("█" * (halves // 2) + "▌" * (halves % 2)).ljust(width)
