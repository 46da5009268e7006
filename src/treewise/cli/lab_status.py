"""`treewise lab status`: how far an experiment is, and how it stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from treewise.cli.output import console, table
from treewise.processes import cores

if TYPE_CHECKING:
    from treewise.lab.outcome import CellOutcome, ExperimentOutcome


def run(store: Path, name: str | None) -> int:
    """Prints one row for each cell."""
    from treewise.lab import load
    from treewise.lab.claims import playing
    from treewise.lab.store import Store

    outcome = load(store, name)
    with Store(store) as opened, opened.database.reading() as db:
        now = playing(db)
    _print(outcome, now)
    return 0


def _print(outcome: ExperimentOutcome, now: int) -> None:
    out = console()
    numbers = ("done", "asked", "A wins", "time left")
    rows = table("game", "budget", "A", "B", *numbers, title=outcome.title, right=numbers)
    for each in outcome.cells:
        cell, done = each.cell, len(each.played)
        rate = f"{100 * sum(played.score for played in each.played) / done:.1f} %" if done else ""
        left = _time(_seconds_left(each))
        rows.add_row(cell.game_label, cell.budget, cell.a, cell.b, f"{done:,}", f"{cell.matches:,}", rate, left)
    out.print(rows)
    out.print(_summary(outcome))
    if now:
        out.print(f"{now} matches are being played now.")
    versions = {played.version for each in outcome.cells for played in each.played}
    if len(versions) > 1:
        out.print(f"They were played by {len(versions)} versions of the code: {', '.join(sorted(versions))}.")


def _summary(outcome: ExperimentOutcome) -> str:
    done, asked = (
        sum(numbers) for numbers in zip(*((len(c.played), c.cell.matches) for c in outcome.cells), strict=True)
    )
    left = [_seconds_left(each) for each in outcome.cells]
    known = sum(seconds for seconds in left if seconds is not None)
    text = f"{done:,} of {asked:,} matches are finished."
    if known or None in left:
        least = "more than " if None in left else "about "
        text += f" Left: {least}{_time(known / cores())} on {cores()} cores."
    return text


def _seconds_left(outcome: CellOutcome) -> float | None:
    """What the missing matches take one after the other; None if none has been played."""
    missing = max(0, outcome.cell.matches - len(outcome.played))
    if missing == 0:
        return 0.0
    spent = [sum(played.seconds) for played in outcome.played]
    return missing * sum(spent) / len(spent) if spent else None


def _time(seconds: float | None) -> str:
    """A duration in its two greatest units.

    >>> _time(7384), _time(59.6), _time(0), _time(None)
    ('2 h 3 min', '1 min 0 s', '', '?')
    """
    if seconds is None:
        return "?"
    whole = round(seconds)
    units = (("d", whole // 86400), ("h", whole // 3600 % 24), ("min", whole // 60 % 60), ("s", whole % 60))
    first = next((place for place, (_, count) in enumerate(units) if count), None)
    return "" if first is None else " ".join(f"{count} {unit}" for unit, count in units[first : first + 2])
