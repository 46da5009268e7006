"""From the store to what reports and tables are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path

from treewise.comparison import Encounter
from treewise.lab.archive import open_records
from treewise.lab.ending import Ending
from treewise.lab.experiment import Experiment
from treewise.lab.outcome import CellOutcome, ExperimentOutcome, Played
from treewise.lab.records import StoredMatch
from treewise.lab.schedule import Fixture, schedule

__all__ = ["finished_fixtures", "load", "seen_by_a"]


def load(store: str | Path, name: str | None = None) -> ExperimentOutcome:
    """An experiment and all its finished matches, from the store alone; without a name, the only experiment in it."""
    with open_records(store) as opened:
        experiment = opened.experiment(name)
        played: list[list[Played]] = [[] for _ in experiment.cells]
        matches = list(opened.matches(actions=False))
    for fixture, stored in finished_fixtures(matches, experiment):
        played[fixture.cell].append(seen_by_a(fixture, stored))
    cells = (CellOutcome(cell, tuple(found)) for cell, found in zip(experiment.cells, played, strict=True))
    asked = {field.name: getattr(experiment, field.name) for field in fields(experiment)}
    changed = {each.origin.version for each in matches if each.replay is not None and not each.replay.same}
    return ExperimentOutcome(**asked | {"cells": tuple(cells), "changed": frozenset(changed)})


def finished_fixtures(
    matches: Iterable[StoredMatch], experiment: Experiment
) -> Iterator[tuple[Fixture, list[StoredMatch]]]:
    """The fixtures of an experiment whose matches are all there, with their records."""
    found = {stored.planned.key: stored for stored in matches}
    for fixture in schedule(experiment.cells, experiment.opening, experiment.reuse):
        stored = [found[match.key] for match in fixture.matches if match.key in found]
        if len(stored) == len(fixture.matches):
            yield fixture, stored


def seen_by_a(fixture: Fixture, stored: list[StoredMatch]) -> Played:
    """What a report needs of a finished fixture."""
    if fixture.seats == (0,):
        return _alone(fixture, stored[0])
    seen = Encounter(fixture.index, fixture.seats, tuple(each.record for each in stored))

    def totals(what: str) -> tuple[float, float]:
        return seen.total(what, 0), seen.total(what, 1)

    returns, moves, simulations = totals("returns"), totals("moves"), totals("simulations")
    return Played(
        index=fixture.index,
        seats=fixture.seats,
        score=seen.score,
        returns=(returns[0] / fixture.seats.count(0), returns[1] / fixture.seats.count(1)),
        length=round(sum(each.record.length for each in stored) / len(stored)),
        cut=any(each.record.cut for each in stored),
        moves=(int(moves[0]), int(moves[1])),
        simulations=(int(simulations[0]), int(simulations[1])),
        seconds=totals("seconds"),
        version=stored[0].origin.version,
        machine=stored[0].origin.machine,
        replays=tuple(each.replay for each in stored if each.replay is not None),
    )


def _alone(fixture: Fixture, stored: StoredMatch) -> Played:
    record, ending = stored.record, Ending.of(stored.record)
    return Played(
        index=fixture.index,
        seats=fixture.seats,
        score=float(ending.result == "won"),
        returns=record.returns,
        length=record.length,
        cut=record.cut,
        moves=record.moves,
        simulations=record.simulations,
        seconds=record.seconds,
        version=stored.origin.version,
        machine=stored.origin.machine,
        result=ending.result,
        points=ending.points,
        replays=() if stored.replay is None else (stored.replay,),
    )
