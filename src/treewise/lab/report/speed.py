"""How fast both sides searched."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import median

from treewise.lab.outcome import Played
from treewise.lab.report.document import Table, table
from treewise.lab.report.judgement import Group

__all__ = ["simulations_a_second", "speeds", "three_digits"]


def simulations_a_second(played: Sequence[Played], side: int) -> float:
    """The rate of one side, as the median over its matches; NaN if no time was spent.

    A machine that stood still in the middle of one match would spoil a mean.

    >>> simulations_a_second([], 0)
    nan
    """
    return _median([_rate(match, side) for match in played])


def speeds(group: Group) -> Table:
    """Simulations and time a move, and simulations a second, of both sides."""
    rows = [(each.cell.game_label, group.entrants(each), *_numbers(each.played)) for each in group.cells if each.played]
    columns = (
        "Game | Entrant | A: simulations a move | B: simulations a move | A: ms a move | B: ms a move | "
        "A: simulations a second | B: simulations a second | Ratio"
    )
    note = (
        "A is the entrant named, B its opponent; the ratio is A's simulations a second over B's in the same match. "
        "Medians over the matches."
    )
    return table("How fast both sides searched", columns, rows, note, right=columns.split("|", 2)[2])


def _numbers(played: Sequence[Played]) -> list[str]:
    def a_move(totals: Callable[[Played], tuple[float, ...]], side: int) -> float:
        return _median([totals(match)[side] / match.moves[side] for match in played if match.moves[side]])

    searched = [a_move(lambda match: match.simulations, side) for side in (0, 1)]
    spent = [1000 * a_move(lambda match: match.seconds, side) for side in (0, 1)]
    rates = [simulations_a_second(played, side) for side in (0, 1)]
    ratio = _median([_rate(match, 0) / _rate(match, 1) for match in played if _rate(match, 1) > 0])
    shown = "–" if math.isnan(ratio) else f"{ratio:.3f}"
    return [*(three_digits(number) for number in (*searched, *spent, *rates)), shown]


def _rate(match: Played, side: int) -> float:
    seconds = match.seconds[side]
    return match.simulations[side] / seconds if seconds > 0 else math.nan


def _median(values: Sequence[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return median(known) if known else math.nan


def three_digits(value: float) -> str:
    """A measured number.

    >>> three_digits(1234.5), three_digits(1.2345), three_digits(math.nan)
    ('1,230', '1.23', '–')
    """
    if math.isnan(value):
        return "–"
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if rounded >= 100 else f"{rounded:#.3g}"
