"""A forest plot in characters, for terminals and Markdown."""

from __future__ import annotations

from dataclasses import dataclass

from treewise.lab.report.document import Forest, ForestRow

__all__ = ["sketch"]


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


def sketch(figure: Forest, width: int = 50) -> str:
    """One line an estimate: its interval on an axis, `◇` for the published figure, `┊` for no effect.

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
    axis = _Axis(min(values), max(values), width)
    labels = max(len(row.label) for row in figure.rows)
    lines = [f"{row.label:<{labels}}  {_line(row, figure.centre, axis)}  {row.value:.1f}" for row in figure.rows]
    return "\n".join([*lines, f"{'':<{labels}}  {axis.ends()}  {figure.axis}"])


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
