"""How fast both sides searched."""

from __future__ import annotations

import math
from collections.abc import Sequence

from treewise.lab.outcome import Played
from treewise.lab.report.document import Table, table
from treewise.lab.report.judgement import Group

__all__ = ["simulations_a_second", "speeds", "three_digits"]


def simulations_a_second(played: Sequence[Played], side: int) -> float:
    """The rate of one side over all its matches; NaN if no time was spent.

    >>> simulations_a_second([], 0)
    nan
    """
    seconds = sum(match.seconds[side] for match in played)
    return sum(match.simulations[side] for match in played) / seconds if seconds > 0 else math.nan


def speeds(group: Group) -> Table:
    """Simulations and time a move, and simulations a second, of both sides."""
    rows = [(each.cell.game_label, group.entrants(each), *_numbers(each.played)) for each in group.cells if each.played]
    columns = (
        "Game | Entrant | A: simulations a move | B: simulations a move | A: ms a move | B: ms a move | "
        "A: simulations a second | B: simulations a second | Ratio"
    )
    note = "A is the entrant named, B its opponent; the ratio is A's simulations a second over B's."
    return table("How fast both sides searched", columns, rows, note, right=columns.split("|", 2)[2])


def _numbers(played: Sequence[Played]) -> list[str]:
    moves = [max(1, sum(match.moves[side] for match in played)) for side in (0, 1)]
    searched = [sum(match.simulations[side] for match in played) / moves[side] for side in (0, 1)]
    spent = [1000 * sum(match.seconds[side] for match in played) / moves[side] for side in (0, 1)]
    a, b = (simulations_a_second(played, side) for side in (0, 1))
    ratio = f"{a / b:.3f}" if b > 0 else "–"
    return [*(three_digits(number) for number in (*searched, *spent, a, b)), ratio]


def three_digits(value: float) -> str:
    """A measured number.

    >>> three_digits(1234.5), three_digits(1.2345), three_digits(math.nan)
    ('1,230', '1.23', '–')
    """
    if math.isnan(value):
        return "–"
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if rounded >= 100 else f"{rounded:#.3g}"
