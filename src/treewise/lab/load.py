"""From the store to what a report reads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from treewise.comparison import Encounter
from treewise.lab.outcome import Cell, CellOutcome, ExperimentOutcome, Played
from treewise.lab.schedule import Fixture, schedule
from treewise.lab.store import Store, StoredMatch

__all__ = ["load"]


def load(store: str | Path, name: str | None = None) -> ExperimentOutcome:
    """An experiment and all its finished matches, from the store alone; without a name, the only experiment in it."""
    with Store(store) as opened:
        experiment = opened.experiment(name)
        found = {stored.planned.key: stored for stored in opened.matches()}
    played: list[list[Played]] = [[] for _ in experiment.cells]
    for fixture in schedule(experiment.cells, experiment.opening, experiment.reuse):
        stored = [found[match.key] for match in fixture.matches if match.key in found]
        if len(stored) == len(fixture.matches):
            played[fixture.cell].append(_played(fixture, stored))
    return ExperimentOutcome(
        name=experiment.name,
        title=experiment.title,
        description=experiment.description,
        seed=experiment.seed,
        opening=experiment.opening,
        reuse=experiment.reuse,
        cells=tuple(map(_outcome, experiment.cells, played)),
        pairing=experiment.pairing,
        parameter=experiment.parameter,
        sprt=experiment.sprt,
    )


def _outcome(cell: Cell, played: list[Played]) -> CellOutcome:
    return CellOutcome(cell, tuple(played))


def _played(fixture: Fixture, stored: list[StoredMatch]) -> Played:
    seen = Encounter(fixture.index, fixture.seats, tuple(replace(each.record, actions=()) for each in stored))
    seats = [fixture.seats.count(entrant) for entrant in (0, 1)]
    return Played(
        index=fixture.index,
        seats=fixture.seats,
        score=seen.score,
        returns=(seen.total("returns", 0) / seats[0], seen.total("returns", 1) / seats[1]),
        length=sum(each.record.length for each in stored),
        cut=any(each.record.cut for each in stored),
        moves=(int(seen.total("moves", 0)), int(seen.total("moves", 1))),
        simulations=(int(seen.total("simulations", 0)), int(seen.total("simulations", 1))),
        seconds=(seen.total("seconds", 0), seen.total("seconds", 1)),
        version=stored[0].origin.version,
        machine=stored[0].origin.machine,
    )
