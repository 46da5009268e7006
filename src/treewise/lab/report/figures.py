"""The data of the figures about the cells of one budget."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeVar

import numpy as np

from treewise.lab.outcome import Played
from treewise.lab.report.document import Curve, CurvePanel, Curves, Forest, ForestRow, HistogramPanel, Histograms
from treewise.lab.report.judgement import Group, Judged
from treewise.lab.statistics import rate

__all__ = ["convergence", "forest", "histograms", "lengths", "seconds_a_move", "simulations_a_move"]

_BINS = (6, 24)
_POINTS = 40
_MOST_LABELS = 6
_T = TypeVar("_T")


def forest(group: Group) -> Forest:
    """The win rates of all cells with their intervals, and the published ones beside them."""
    rows = []
    for each in group.cells:
        if not each.played:
            continue
        reference = each.cell.reference
        published = None
        if reference:
            low, high = reference.rate - reference.half_width, reference.rate + reference.half_width
            published = (reference.rate, low, high)
        numbers = (100 * each.rate.value, 100 * each.rate.low, 100 * each.rate.high)
        label = f"{each.cell.game_label}: {group.entrants(each)}"
        rows.append(ForestRow(label, *numbers, _tone(each.verdict.word), published))
    beside = ", and the published one below it" if any(row.published for row in rows) else ""
    return Forest("Win rates", "win rate, %", 50.0, tuple(rows), f"95 % intervals; each cell's estimate{beside}.")


def _tone(word: str) -> Literal["good", "bad", "neutral"]:
    return "good" if word == "better" else "bad" if word == "worse" else "neutral"


def convergence(group: Group) -> Curves:
    """How each estimate and its interval settled as matches were played."""
    panels = []
    for game in group.games:
        curves = [_settling(group.entrants(each), each) for each in group.of_game(game) if each.played]
        panels += [CurvePanel(title, "matches", tuple(part)) for title, part in _parts(game, curves)]
    caption = (
        "The estimate after the first matches of the schedule, with its 95 % interval where no more than three share a "
        "panel; dotted: published."
    )
    return Curves("Convergence", "win rate, %", 50.0, tuple(panels), caption=caption)


def _parts(game: str, items: Sequence[_T]) -> Iterator[tuple[str, Sequence[_T]]]:
    """As many of the items as one panel can show, with the panel's title."""
    count = math.ceil(len(items) / _MOST_LABELS)
    for number in range(count):
        title = f"{game}, {number + 1} of {count}" if count > 1 else game
        yield title, items[number * _MOST_LABELS : (number + 1) * _MOST_LABELS]


def _settling(label: str, each: Judged) -> Curve:
    total = len(each.played)
    counts = sorted({int(count) for count in np.linspace(min(total, max(2, total // 10)), total, _POINTS)})
    found = [rate(each.sample.first(count)) for count in counts]
    return Curve(
        label,
        x=tuple(float(count) for count in counts),
        y=tuple(100 * estimate.value for estimate in found),
        low=tuple(100 * estimate.low for estimate in found),
        high=tuple(100 * estimate.high for estimate in found),
        level=each.cell.reference.rate if each.cell.reference else None,
    )


def lengths(group: Group) -> Histograms:
    """How many steps the matches had."""

    def steps(game: str) -> dict[str, list[float]]:
        return {"matches": [float(match.length) for each in group.of_game(game) for match in each.played]}

    return histograms(group.games, "Lengths of matches", "steps", steps)


def seconds_a_move(group: Group) -> Histograms:
    """How long each entrant thought about a move, match by match."""

    def milliseconds(match: Played, side: int) -> float:
        return 1000 * match.seconds[side] / match.moves[side]

    return histograms(
        group.games, "Time a move", "ms a move", lambda game: _by_entrant(group.of_game(game), milliseconds)
    )


def simulations_a_move(group: Group) -> Histograms:
    """How many simulations each entrant ran for a move, match by match."""

    def simulations(match: Played, side: int) -> float:
        return match.simulations[side] / match.moves[side]

    return histograms(
        group.games,
        "Simulations a move",
        "simulations a move",
        lambda game: _by_entrant(group.of_game(game), simulations),
    )


def _by_entrant(cells: Sequence[Judged], value: Callable[[Played, int], float]) -> dict[str, list[float]]:
    """The values of all matches by entrant, or by side where the entrants are too many for one panel.

    Those that are measured come before what they are measured against, so that they have the colours of other figures.
    """
    names = list(dict.fromkeys([each.cell.a for each in cells] + [each.cell.b for each in cells]))
    sides = ("side A", "side B") if len(names) > _MOST_LABELS else ()
    found: dict[str, list[float]] = {name: [] for name in sides or names}
    for each in cells:
        for side, name in enumerate(sides or (each.cell.a, each.cell.b)):
            found[name] += [value(match, side) for match in each.played if match.moves[side]]
    return found


def histograms(
    games: Sequence[str], title: str, axis: str, values_of: Callable[[str], dict[str, list[float]]]
) -> Histograms:
    """A panel for each game whose values differ; an axis of `steps` has whole numbers.

    >>> histograms(["Hex"], "Lengths", "steps", lambda game: {"matches": [20.0, 24.0]}).panels[0].counts
    (('matches', (1, 0, 0, 0, 1)),)
    """
    panels = []
    for game in games:
        samples = {label: values for label, values in values_of(game).items() if values}
        together = np.concatenate([[], *samples.values()])
        if len(together) and np.ptp(together) > 1e-9 * abs(together).max():
            parts = _parts(game, list(samples.items()))
            panels += [_panel(title, axis, dict(part), together) for title, part in parts]
    return Histograms(title, tuple(panels), "One value a match; the last bar has all that lie beyond it.")


def _panel(
    game: str, axis: str, samples: dict[str, list[float]], together: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
) -> HistogramPanel:
    low, high = float(together.min()), float(np.quantile(together, 0.99))
    if high <= low:
        high = float(together.max())
    bins = int(np.clip(len(together) ** 0.5, *_BINS))
    edges = np.linspace(low, high, bins + 1)
    if axis == "steps":  # whole numbers: bins of equal whole widths, or some would hold one value more
        width = max(1, int(np.ceil((high - low + 1) / bins)))
        edges = np.arange(np.floor(low), high + width + 1, width) - 0.5
    counts = []
    for label, values in samples.items():
        inside = np.minimum(values, edges[-1])
        counts.append((label, tuple(int(count) for count in np.histogram(inside, edges)[0])))
    return HistogramPanel(game, axis, tuple(float(edge) for edge in edges), tuple(counts))
