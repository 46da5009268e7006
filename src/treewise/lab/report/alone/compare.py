"""Two runs of experiments whose entrants play alone, beside each other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from treewise.lab.outcome import Cell, ExperimentOutcome
from treewise.lab.published import OVERALL
from treewise.lab.report.alone.board import MEASURES, Board, Measure, board
from treewise.lab.report.alone.tables import TITLES, runs_text
from treewise.lab.report.document import Block, Report, Section, Text, table
from treewise.lab.report.labels import only_in_one, renewed
from treewise.lab.report.setting import setting
from treewise.lab.report.tables import p_text
from treewise.lab.statistics import Difference, Runs, Sample, difference, holm

__all__ = ["compare_alone"]


@dataclass(frozen=True)
class _Change:
    """One entrant on one row, in both runs."""

    game: str
    entrant: str
    measure: Measure
    first: Runs
    second: Runs
    difference: Difference


def compare_alone(first: ExperimentOutcome, second: ExperimentOutcome) -> Report:
    """A report on the entrants and games that both runs have; it says where another one is behind the same label.

    >>> run = ExperimentOutcome("e", "Trial", "", 0, 0, False, (), pairing="alone", base="A")
    >>> compare_alone(run, run).title
    'Trial, two runs'
    """
    boards = board(first), board(second)
    changes = list(_changes(*boards))
    title, other = (run.title or run.name for run in (first, second))
    sections = (
        Section("Second run less first", (*_warnings(*boards, changes), *_blocks(changes))),
        Section("First run", setting(first).blocks),
        Section("Second run", setting(second).blocks),
    )
    return Report(f"{title}, two runs" if title == other else f"{title} and {other}", sections)


def _changes(one: Board, other: Board) -> Iterator[_Change]:
    for measure in MEASURES:
        for game, entrant in one.entries:
            ours, theirs = (each.entries.get((game, entrant)) for each in (one, other))
            if ours and theirs and ours.runs(measure).values and theirs.runs(measure).values:
                first, second = ours.runs(measure), theirs.runs(measure)
                same = _seeds(one, game, entrant) == _seeds(other, game, entrant)
                found = difference(_sample(first), _sample(second), same)
                yield _Change(game, entrant, measure, first, second, found)


def _warnings(one: Board, other: Board, changes: Sequence[_Change]) -> list[Text]:
    lone = only_in_one(_lone(one, other), _lone(other, one), "figures")
    return [*renewed(_behind(one, other, changes)), *lone]


def _cells(of: Board, game: str, entrant: str) -> list[Cell]:
    cells = [each.cell for each in of.outcome.cells if each.cell.a == entrant]
    return [cell for cell in cells if game in (OVERALL, cell.game_label)]


def _seeds(of: Board, game: str, entrant: str) -> list[int]:
    return [cell.seed for cell in _cells(of, game, entrant)]


def _behind(one: Board, other: Board, changes: Sequence[_Change]) -> Iterator[tuple[str, dict[str, bool]]]:
    """Each entrant on each row that both runs have, and which of the text forms behind it differ."""
    for key in dict.fromkeys((each.game, each.entrant) for each in changes):
        yield ", ".join(key), _differing(*(_cells(each, *key) for each in (one, other)))


def _differing(one: Sequence[Cell], other: Sequence[Cell]) -> dict[str, bool]:
    """A row of all games differs in them as soon as one run has a game more."""
    ours, theirs = ({cell.title: cell.a_text for cell in cells} for cells in (one, other))
    return {
        "game": sorted(cell.game for cell in one) != sorted(cell.game for cell in other),
        "entrant": any(theirs.get(title, text) != text for title, text in ours.items()),
    }


def _lone(one: Board, other: Board) -> list[str]:
    """The figures that only the first of two boards has, with the measure where the other has the other one."""
    labels = []
    for key in one.entries:
        ours, theirs = (_measured(each, *key) for each in (one, other))
        if missing := [TITLES[measure].lower() for measure in ours if measure not in theirs]:
            labels.append(", ".join((*key, *(missing if theirs else ()))))
    return labels


def _measured(of: Board, game: str, entrant: str) -> list[Measure]:
    entry = of.entries.get((game, entrant))
    return [measure for measure in MEASURES if entry and entry.runs(measure).values]


def _sample(runs: Runs) -> Sample:
    """Runs are units of their own, paired with the same run of the other experiment where the seeds are the same."""
    return Sample(np.asarray(runs.values, dtype=float), np.asarray(runs.indices, dtype=np.int64))


def _blocks(changes: list[_Change]) -> tuple[Block, ...]:
    if not changes:
        return (Text("The two runs have no entrant and game in common."),)
    corrected = holm([each.difference.p for each in changes])
    rows = [
        (
            each.game,
            each.entrant,
            TITLES[each.measure],
            runs_text(each.first),
            runs_text(each.second),
            *_tested(each, p),
        )
        for each, p in zip(changes, corrected, strict=True)
    ]
    note = (
        "Means with standard errors; the difference with its 95 % interval, run by run where the seeds are the same, "
        "else between independent samples, from 20 runs on; p after Holm's correction over this table."
    )
    columns = "Game | Entrant | Measure | First | Second | Difference | p (Holm) | The second is"
    return (table("Both runs", columns, rows, note, right="First | Second | Difference | p (Holm)"),)


def _tested(each: _Change, p: float) -> tuple[str, str, str]:
    found = each.difference
    if not found.tested:
        return f"{found.value:+.1f}", "–", "too few runs"
    word = "no difference shown" if p >= 0.05 else "higher" if found.value > 0 else "lower"
    shown = f"{found.value:+.1f}"
    return f"{shown} ± {found.half_width:.1f}" if math.isfinite(found.half_width) else shown, p_text(p), word
