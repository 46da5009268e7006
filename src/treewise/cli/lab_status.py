"""`treewise lab status`: how far an experiment is, and how it stands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from treewise.cli.output import console, in_words, table
from treewise.processes import cores
from treewise.wording import counted

if TYPE_CHECKING:
    from treewise.lab.outcome import CellOutcome, ExperimentOutcome


_COLUMNS = ("game", "budget", "A", "B", "done", "asked", "A wins", "time left")
_COLUMNS_ALONE = ("game", "entrant", "done", "asked", "won", "score a match", "time left")


def run(store: Path, name: str | None) -> int:
    """Prints one row for each cell."""
    from treewise.lab import load
    from treewise.lab.archive import open_records
    from treewise.lab.schedule import schedule

    outcome = load(store, name)
    with open_records(store) as opened:
        claimed = opened.under_way()
    fixtures = schedule((each.cell for each in outcome.cells), outcome.opening, outcome.reuse) if claimed else ()
    now = sum(match.key in claimed for fixture in fixtures for match in fixture.matches)
    _print(outcome, _together(outcome) if outcome.pairing == "alone" else _standings(outcome), now)
    return 0


@dataclass(frozen=True)
class _Standing:
    """One cell: what is there, and what is missing."""

    outcome: CellOutcome
    decided: bool
    """Whether a sequential test has stopped it."""

    @property
    def done(self) -> int:
        return len(self.outcome.played)

    @property
    def missing(self) -> int:
        return 0 if self.decided else max(0, self.outcome.cell.matches - self.done)

    @property
    def seconds_left(self) -> float | None:
        """What the missing matches take one after the other; None if it is not known, because none has been played."""
        return self.missing * median(sum(played.seconds) for played in self.outcome.played) if self.done else None

    def row(self) -> list[str]:
        cell, played = self.outcome.cell, self.outcome.played
        rate = f"{100 * sum(each.score for each in played) / self.done:.1f} %" if played else ""
        left = "decided" if self.decided else in_words(self.seconds_left)
        return [cell.game_label, cell.budget, cell.a, cell.b, f"{self.done:,}", f"{cell.matches:,}", rate, left]


@dataclass(frozen=True)
class _Alone(_Standing):
    """All games of a row that an entrant plays alone."""

    def row(self) -> list[str]:
        cell, played = self.outcome.cell, self.outcome.played
        winnable = bool(played) and all(each.result for each in played)
        won = f"{100 * sum(each.score for each in played) / self.done:.1f} %" if winnable else ""
        score = f"{sum(each.points for each in played) / self.done:.1f}" if played else ""
        return [cell.game_label, cell.a, f"{self.done:,}", f"{cell.matches:,}", won, score, in_words(self.seconds_left)]


def _together(outcome: ExperimentOutcome) -> list[_Standing]:
    rows: dict[tuple[str, str], list[CellOutcome]] = {}
    for each in outcome.cells:
        rows.setdefault((each.cell.game_label, each.cell.a), []).append(each)
    return [
        _Alone(
            replace(
                cells[0],
                cell=replace(cells[0].cell, matches=sum(each.cell.matches for each in cells)),
                played=tuple(match for each in cells for match in each.played),
            ),
            decided=False,
        )
        for cells in rows.values()
    ]


def _standings(outcome: ExperimentOutcome) -> list[_Standing]:
    from treewise.lab.sequential import sequential_test
    from treewise.lab.tally import CellTally

    make, standings = sequential_test(outcome.sprt), []
    for each in outcome.cells:
        tally = CellTally(each.cell, make() if make and not each.cell.control else None)
        for played in each.played:
            tally.add(played.index, played.score)
        standings.append(_Standing(each, tally.decided))
    return standings


def _print(outcome: ExperimentOutcome, standings: list[_Standing], now: int) -> None:
    out = console()
    columns = _COLUMNS_ALONE if outcome.pairing == "alone" else _COLUMNS
    rows = table(*columns, title=outcome.title, right=columns[-5:] if outcome.pairing == "alone" else columns[-4:])
    for standing in standings:
        rows.add_row(*standing.row())
    out.print(rows)
    out.print(_summary(standings))
    if now:
        out.print(f"Being played now: {now}.")
    versions = {played.version for each in outcome.cells for played in each.played}
    if len(versions) > 1:
        out.print(
            f"The finished ones were played by {len(versions)} versions of the code: {', '.join(sorted(versions))}."
        )


def _summary(standings: list[_Standing]) -> str:
    done, missing = sum(each.done for each in standings), sum(each.missing for each in standings)
    text = f"{done:,} of {counted(done + missing, 'match')} are finished."
    if not missing:
        return text
    left = [each.seconds_left for each in standings]
    known = sum(seconds for seconds in left if seconds is not None)
    least = "more than" if None in left else "about"
    return f"{text} Left: {least} {in_words(max(1.0, known / cores()))} on {cores()} cores."
