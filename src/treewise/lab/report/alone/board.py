"""Who did how well where: the rows of games by the columns of entrants that play alone, each with its runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from treewise.lab.outcome import CellOutcome, ExperimentOutcome, Figure, Played
from treewise.lab.published import OVERALL
from treewise.lab.statistics import Beside, Marked, Runs, beside, marked

__all__ = ["MEASURES", "Board", "Entry", "Measure", "board"]

Measure = Literal["wins", "score"]
MEASURES: tuple[Measure, ...] = ("wins", "score")
MARGIN_WINS = 5.0
"""How far two win rates that are equivalent may be apart, in points of per cent."""
MARGIN_SCORE = 0.1
"""The same for scores, as a share of the published one."""


@dataclass(frozen=True)
class Entry:
    """One entrant on one row: run i is the i-th match on each of the row's games; only whole runs count.

    Wins are in per cent of the run's matches, and the score is the sum over them; in the row of all games, both are
    means over the rows. Nothing is won where games do not tell points from winning: then `wins` has no runs.
    """

    game: str
    entrant: str
    wins: Runs
    score: Runs
    asked: int
    """Runs."""
    cells: tuple[CellOutcome, ...] = ()
    """The games of the row, in order; none in the row of all games."""

    @property
    def played(self) -> tuple[Played, ...]:
        """All matches, those of unfinished runs included."""
        return tuple(match for cell in self.cells for match in cell.played)

    @property
    def complete(self) -> bool:
        """Whether no run is missing."""
        return len(self.score) >= self.asked

    def runs(self, measure: Measure) -> Runs:
        """Of one measure."""
        return self.wins if measure == "wins" else self.score


@dataclass(frozen=True)
class Board:
    """The entries of an experiment, and what others have published."""

    outcome: ExperimentOutcome
    games: tuple[str, ...]
    entrants: tuple[str, ...]
    """The base first."""
    entries: dict[tuple[str, str], Entry]

    @property
    def rows(self) -> list[str]:
        """The games, and all of them together where there are several."""
        return [*self.games, OVERALL] if len(self.games) > 1 else list(self.games)

    @property
    def base(self) -> str:
        """The entrant that the others are measured against."""
        return self.entrants[0]

    @property
    def measures(self) -> list[Measure]:
        """What there is to tell, by us or by others."""
        ours = {measure: [entry.runs(measure).values for entry in self.entries.values()] for measure in MEASURES}
        theirs = {measure: [getattr(each, measure) for each in self.outcome.published] for measure in MEASURES}
        return [measure for measure in MEASURES if any(ours[measure]) or any(theirs[measure])]

    def marked(self, game: str, entrant: str, measure: Measure) -> Marked | None:
        """An entrant against the base; None for the base itself, and where one of them has no runs."""
        ours, base = (self.entries.get((game, name)) for name in (entrant, self.base))
        if (
            entrant == self.base
            or not ours
            or not base
            or not (ours.runs(measure).values and base.runs(measure).values)
        ):
            return None
        return marked(base.runs(measure), ours.runs(measure))

    def published(self, game: str, entrant: str, measure: Measure) -> list[tuple[str, Figure]]:
        """The figures of others, by source."""
        found = [(each, each.wins if measure == "wins" else each.score) for each in self.outcome.published]
        return [
            (each.source, figure) for each, figure in found if figure and (each.game, each.entrant) == (game, entrant)
        ]

    def beside(self, game: str, entrant: str, measure: Measure, figure: Figure) -> Beside | None:
        """Our figure beside that of others."""
        entry = self.entries.get((game, entrant))
        margin = MARGIN_WINS if measure == "wins" else MARGIN_SCORE * abs(figure.value)
        return beside(entry.runs(measure), figure, margin) if entry else None


def board(outcome: ExperimentOutcome) -> Board:
    """The entries of an experiment whose entrants play alone.

    >>> board(ExperimentOutcome("e", "", "", 0, 0, False, (), pairing="alone", base="A")).entrants
    ('A',)
    """
    games = tuple(dict.fromkeys(each.cell.game_label for each in outcome.cells))
    entrants = tuple(dict.fromkeys([outcome.base, *(each.cell.a for each in outcome.cells)]))
    entries = {}
    for game in games:
        for entrant in entrants:
            cells = [each for each in outcome.cells if (each.cell.game_label, each.cell.a) == (game, entrant)]
            if cells:
                entries[game, entrant] = _entry(game, entrant, cells)
    for entrant in entrants:
        found = [entries[game, entrant] for game in games if (game, entrant) in entries]
        if len(found) == len(games) > 1:
            entries[OVERALL, entrant] = _overall(entrant, found)
    return Board(outcome, games, entrants, entries)


def _entry(game: str, entrant: str, cells: Sequence[CellOutcome]) -> Entry:
    matches = [{match.index: match for match in each.played} for each in cells]
    whole = sorted(set.intersection(*(set(each) for each in matches)))
    runs = [[each[index] for each in matches] for index in whole]
    winnable = all(match.result for run in runs for match in run)
    wins = [100 * sum(match.score for match in run) / len(run) for run in runs] if winnable else []
    score = [sum(match.points for match in run) for run in runs]
    asked = min(each.cell.matches for each in cells)
    indices = tuple(whole)
    return Entry(
        game, entrant, Runs(indices[: len(wins)], tuple(wins)), Runs(indices, tuple(score)), asked, tuple(cells)
    )


def _overall(entrant: str, entries: Sequence[Entry]) -> Entry:
    wins, score = (_mean_over_rows([entry.runs(measure) for entry in entries]) for measure in MEASURES)
    return Entry(OVERALL, entrant, wins, score, min(entry.asked for entry in entries))


def _mean_over_rows(rows: Sequence[Runs]) -> Runs:
    """Run by run, of the runs that all rows have."""
    values = [dict(zip(runs.indices, runs.values, strict=True)) for runs in rows]
    whole = sorted(set.intersection(*(set(each) for each in values)))
    return Runs(tuple(whole), tuple(sum(each[index] for each in values) / len(values) for index in whole))
