"""What was played: games, entrants, budgets, seeds, versions, machines."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from treewise import spec
from treewise.lab.outcome import Cell, ExperimentOutcome, Played, Replay
from treewise.lab.report.document import Block, Column, Section, Table, Text, table
from treewise.wording import counted

__all__ = ["setting", "text_forms"]


_PAIRS = "two matches with the same seed and seats swapped; in controls, each with a seed of its own"
_RUNS = "one match on each game of a row; the seeds of a run are the same for all entrants"


def setting(outcome: ExperimentOutcome) -> Section:
    """The experiment in a few rows."""
    cells = [each.cell for each in outcome.cells]
    matches = [match for each in outcome.cells for match in each.played]
    asked = sum(cell.matches for cell in cells)
    versions = sorted({match.version for match in matches})
    rows = [
        ("Games", _listed(cell.game_label for cell in cells)),
        ("Entrants", _listed(name for cell in cells for name, _ in cell.entrants)),
        ("Budgets", _listed(f"{cell.budget} ({cell.kind})" for cell in cells)),
        ("Matches", f"{len(matches):,} of {asked:,} in {counted(len(cells), 'cell')}"),
        ("Runs", _RUNS) if outcome.pairing == "alone" else ("Pairs", _PAIRS),
        ("Seed", str(outcome.seed)),
        ("Opening", f"{outcome.opening} random steps" if outcome.opening else "none"),
        ("Trees", "kept between the moves of a match" if outcome.reuse else "started afresh for each move"),
        ("Versions", ", ".join(versions) or "–"),
        ("Machines", _listed(match.machine for match in matches) or "–"),
    ]
    blocks: list[Block] = [table("", "|", rows)]
    if outcome.pairing != "alone" and cells:
        blocks.append(_limits(cells))
    if len(versions) > 1:
        blocks.append(Text("Matches of several versions of the code are mixed in this report.", "warning"))
    blocks += _replays(matches, outcome.changed)
    return Section("What was played", tuple(blocks))


def _replays(matches: Sequence[Played], changed: Collection[str]) -> list[Block]:
    """What came out of those that were played again, by the version that played them first."""
    again: dict[str, list[Replay]] = {}
    for match in matches:
        again.setdefault(match.version, []).extend(match.replays)
    outdated = sum(match.version in changed for match in matches)
    blocks: list[Block] = []
    if any(again.values()):
        rows = [
            (
                version,
                f"{sum(match.version == version for match in matches):,}",
                f"{len(again[version]):,}",
                f"{sum(replay.same for replay in again[version]):,}",
            )
            for version in sorted(again)
        ]
        engines = _listed(sorted({replay.version for replays in again.values() for replay in replays}))
        note = f"A random sample, played again by {engines}: is all of the record the same, but for the time?"
        columns = "Version | Matches | Replayed | The same"
        blocks.append(table("Replays", columns, rows, note, right=columns.partition("|")[2]))
    if outdated:
        said = (
            f"{outdated:,} of the {len(matches):,} matches were played by versions whose matches no longer come out "
            "the same: what they show is shown of those versions."
        )
        blocks.append(Text(said, "warning"))
    elif blocks:
        blocks.append(Text("All matches that were played again came out the same."))
    return blocks


def _limits(cells: Sequence[Cell]) -> Table:
    """What the labels of the budgets stand for in each game."""
    budgets = list(dict.fromkeys(cell.budget for cell in cells))
    limits: dict[str, dict[str, str]] = {}
    for cell in cells:
        limits.setdefault(cell.game_label, {})[cell.budget] = _limit(cell.a_text)
    rows = [(game, *(found.get(budget, "") for budget in budgets)) for game, found in limits.items()]
    return Table(
        "Budgets", (Column("Game"), *map(Column, budgets)), tuple(rows), "The limit of each search for a move."
    )


def _limit(search: str) -> str:
    return spec.write(spec.parse(search).arguments.get("limit"))


def text_forms(outcome: ExperimentOutcome) -> Section:
    """The full text forms of games and entrants."""
    games = dict.fromkeys((each.cell.title, each.cell.game) for each in outcome.cells)
    entrants: dict[tuple[str, str], dict[str, None]] = {}
    for each in outcome.cells:
        cell = each.cell
        for name, text in cell.entrants:
            entrants.setdefault((name, text), {})[cell.game_label] = None
    rows = [(name, "; ".join(labels), text) for (name, text), labels in entrants.items()]
    blocks = (
        table("Games", "Game | Text form", list(games), code="Text form"),
        table("Entrants", "Entrant | Games | Text form", rows, code="Text form"),
    )
    return Section("Full text forms", blocks, detail=True)


def _listed(names: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(names))
