"""A sweep: entrants that differ in one number of their text forms."""

from __future__ import annotations

from collections.abc import Sequence

from treewise import spec
from treewise.lab.report.document import Curve, CurvePanel, Curves
from treewise.lab.report.judgement import Group, Judged

__all__ = ["sweeps", "swept_parameter"]

_LEAST_POINTS = 3


def swept_parameter(texts: Sequence[str]) -> tuple[str, list[float]] | None:
    """The one number in which text forms differ, by its path, and its values; None if they differ otherwise.

    >>> swept_parameter(["uct(c=0.5)", "uct(c=1.0)", "uct(c=2.0)"])
    ('c', [0.5, 1.0, 2.0])
    >>> swept_parameter(["uct(c=0.5)", "enhanced(c=1.0)", "uct(c=2.0)"])
    """
    try:
        flat = [dict(_numbers("", spec.parse(text))) for text in texts]
    except ValueError:
        return None
    if len(texts) < _LEAST_POINTS or any(each.keys() != flat[0].keys() for each in flat):
        return None
    differing = [path for path in flat[0] if len({repr(each[path]) for each in flat}) > 1]
    if len(differing) != 1:
        return None
    found = [each[differing[0]] for each in flat]
    values = [float(value) for value in found if isinstance(value, int | float) and not isinstance(value, bool)]
    return (differing[0].strip("."), values) if len(values) == len(texts) else None


def _numbers(path: str, value: spec.Value) -> list[tuple[str, object]]:
    """Every leaf of a text form with its path; names of parts are leaves too."""
    if isinstance(value, spec.Call):
        inside = [found for key, item in value.arguments.items() for found in _numbers(f"{path}.{key}", item)]
        return [(f"{path}()", value.name), *inside]
    if isinstance(value, list):
        return [found for place, item in enumerate(value) for found in _numbers(f"{path}[{place}]", item)]
    return [(path, value)]


def sweeps(group: Group) -> Curves | None:
    """The win rate over a parameter, for each game in which the entrants differ in one number only."""
    panels = []
    for game in group.games:
        cells = [each for each in group.of_game(game) if each.played]
        swept = swept_parameter([each.cell.a_text for each in cells])
        if swept and len({each.cell.b for each in cells}) == 1:
            panels.append(_swept_panel(game, *swept, cells))
    if not panels:
        return None
    caption = (
        f"Against {group.cells[0].cell.b}, with 95 % intervals. The best of several values looks better than it is."
    )
    return Curves("Win rate over the parameter", "win rate, %", 50.0, tuple(panels), points=True, caption=caption)


def _swept_panel(game: str, parameter: str, values: list[float], cells: Sequence[Judged]) -> CurvePanel:
    x, y, low, high = zip(
        *sorted(
            (value, 100 * each.rate.value, 100 * each.rate.low, 100 * each.rate.high)
            for value, each in zip(values, cells, strict=True)
        ),
        strict=True,
    )
    return CurvePanel(game, parameter, (Curve(parameter, x, y, low, high),))
