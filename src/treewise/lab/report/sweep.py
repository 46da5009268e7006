"""A sweep: the win rate over the parameter that an experiment varies."""

from __future__ import annotations

from collections.abc import Sequence

from treewise.lab.report.document import Curve, CurvePanel, Curves
from treewise.lab.report.judgement import Group, Judged

__all__ = ["sweeps"]


def sweeps(group: Group, parameter: str) -> Curves | None:
    """A panel for each game, a curve for each entrant whose parameter has numbers; None if there are none."""
    panels = []
    for game in group.games:
        found: dict[str, list[Judged]] = {}
        for each in group.of_game(game):
            if each.played and isinstance(each.cell.value, int | float):
                found.setdefault(_stem(each.cell.a, parameter), []).append(each)
        if found:
            panels.append(CurvePanel(game, parameter, tuple(_curve(*item) for item in found.items())))
    if not panels:
        return None
    caption = "With 95 % intervals. The best of several values looks better than it is."
    return Curves("Win rate over the parameter", "win rate, %", 50.0, tuple(panels), points=True, caption=caption)


def _stem(label: str, parameter: str) -> str:
    """An entrant's label without the value that the sweep gave it."""
    return label.rpartition(f", {parameter} = ")[0] or label


def _curve(label: str, cells: Sequence[Judged]) -> Curve:
    ordered = sorted(cells, key=lambda each: float(each.cell.value or 0))
    return Curve(
        label,
        x=tuple(float(each.cell.value or 0) for each in ordered),
        y=tuple(100 * each.rate.value for each in ordered),
        low=tuple(100 * each.rate.low for each in ordered),
        high=tuple(100 * each.rate.high for each in ordered),
    )
