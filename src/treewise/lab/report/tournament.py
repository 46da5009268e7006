"""Entrants that all meet each other: the cross table and the ratings that follow from it."""

from __future__ import annotations

from collections.abc import Sequence

from treewise.lab.report.document import Block, Column, Forest, ForestRow, Table, Text, table
from treewise.lab.report.judgement import Judged
from treewise.lab.report.tables import points
from treewise.lab.statistics import Estimate, Ratings, bradley_terry

__all__ = ["is_tournament", "ratings", "tournament"]


def is_tournament(cells: Sequence[Judged]) -> bool:
    """Whether entrants met in more ways than all against one: then ratings say more than win rates.

    >>> is_tournament([])
    False
    """
    met = {frozenset((each.cell.a, each.cell.b)) for each in cells}
    entrants = {name for pair in met for name in pair}
    return len(entrants) >= 3 and len(met) >= len(entrants)


def tournament(game: str, cells: Sequence[Judged]) -> list[Block]:
    """The cross table of a game and the ratings that follow from it."""
    blocks: list[Block] = [_cross_table(game, cells)]
    try:
        found = ratings(cells)
    except ValueError as error:
        return [*blocks, Text(f"{game}: {error}.", "warning")]
    return [*blocks, _rating_table(game, found), _rating_forest(game, found)]


def ratings(cells: Sequence[Judged]) -> Ratings:
    """The ratings of all entrants in these cells; ValueError if they cannot be compared."""
    return bradley_terry([(each.cell.a, each.cell.b, each.sample) for each in cells])


def _cross_table(game: str, cells: Sequence[Judged]) -> Table:
    names = list(dict.fromkeys(name for each in cells for name in (each.cell.a, each.cell.b)))
    found: dict[tuple[str, str], str] = {}
    for each in cells:
        for row, column, value in _both_views(each):
            found[row, column] = value
    rows = tuple((name, *("·" if name == other else found.get((name, other), "") for other in names)) for name in names)
    columns = (Column("Entrant"), *(Column(name) for name in names))
    note = (
        "Win rate of the row against the column in per cent, draws half, with its 95 % interval and the number of "
        "matches."
    )
    return Table(f"{game}: cross table", columns, rows, note)


def _both_views(each: Judged) -> list[tuple[str, str, str]]:
    a, b, rate = each.cell.a, each.cell.b, each.rate
    if not each.played:
        return [(a, b, "–"), (b, a, "–")]
    mirrored = Estimate(1 - rate.value, 1 - rate.high, 1 - rate.low, rate.method)
    return [(a, b, f"{rate.text()}\n({each.count})"), (b, a, f"{mirrored.text()}\n({each.count})")]


def _rating_table(game: str, found: Ratings) -> Table:
    rows = [
        (
            entry.name,
            points(entry.elo),
            f"{points(entry.low)} to {points(entry.high)}",
            f"{entry.matches:,}",
            f"{100 * entry.score:.1f}",
        )
        for entry in found.entries
    ]
    note = "Bradley–Terry, in Elo points around the mean of all entrants; intervals count in pairs of matches."
    assumed = f" Assumed: {found.assumption}." if found.assumption else ""
    columns = "Entrant | Elo | 95 % interval | Matches | Score, %"
    return table(f"{game}: ratings", columns, rows, note + assumed, right=columns.split("|", 1)[1])


def _rating_forest(game: str, found: Ratings) -> Forest:
    rows = tuple(ForestRow(entry.name, entry.elo, entry.low, entry.high) for entry in found.entries)
    return Forest(f"{game}: ratings", "Elo", 0.0, rows, "95 % intervals, relative to the mean of all entrants.")
