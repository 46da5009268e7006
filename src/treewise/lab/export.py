"""Finished matches as a table for other programs: CSV, or Parquet (extra `lab`)."""

from __future__ import annotations

import csv
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from treewise.lab.archive import open_records
from treewise.lab.experiment import Experiment
from treewise.lab.extra import extra
from treewise.lab.load import finished_fixtures, seen_by_a
from treewise.lab.outcome import Cell, Played
from treewise.lab.records import StoredMatch
from treewise.lab.schedule import Fixture
from treewise.lab.written import check_output, replacing

__all__ = ["export"]

_CELL = ["game_label", "budget", "kind", "a", "b", "control", "value", "game", "a_text", "b_text"]
_ALONE = ["game_label", "part", "a", "game", "a_text"]
_SIDES = ["returns", "moves", "simulations", "seconds"]


def export(store: str | Path, output: str | Path, name: str | None = None) -> int:
    """Writes one row for each finished match of an experiment, and returns how many.

    The ending of `output` says the format: .csv or .parquet. The columns of a side end in _a or _b; where entrants play
    alone, there is only `a`. The actions stay in the store.
    """
    target = Path(output)
    writers = {".csv": _write_csv, ".parquet": _write_parquet}
    if target.suffix not in writers:
        raise ValueError(f"{output}: the name must end in {' or '.join(writers)}")
    with open_records(store) as opened:
        experiment = opened.experiment(name)
        rows = [_row(experiment, *found) for found in finished_fixtures(opened.matches(actions=False), experiment)]
    if not rows:
        raise ValueError(f"{store} has no finished match of '{experiment.name}' yet")
    check_output(target, Path(store))
    with replacing(target) as place:
        writers[target.suffix](place, rows)
    return len(rows)


def _row(experiment: Experiment, fixture: Fixture, stored: list[StoredMatch]) -> dict[str, Any]:
    cell, played = experiment.cells[fixture.cell], seen_by_a(fixture, stored)
    row: dict[str, Any] = {"experiment": experiment.name}
    row |= {column: getattr(cell, column) for column in (_ALONE if cell.alone else _CELL)}
    row |= {"index": fixture.index} | ({} if cell.alone else _paired(cell, played))
    row |= {"seed": stored[0].planned.seed, "opening": experiment.opening, "reuse": experiment.reuse}
    row |= {"result": played.result or None, "score": played.points} if cell.alone else {"score": played.score}
    row |= {"length": played.length, "cut": played.cut}
    for what in _SIDES:
        row |= {f"{what}_{side}": value for side, value in zip("ab", getattr(played, what), strict=False)}
    row["finished"] = datetime.fromtimestamp(max(each.finished for each in stored), UTC)
    row |= {"version": played.version, "machine": played.machine}
    return row | {"key": " ".join(each.planned.key.hex() for each in stored)}


def _paired(cell: Cell, played: Played) -> dict[str, Any]:
    value = None if cell.value is None else str(cell.value)
    return {"value": value, "seats": "".join("AB"[entrant] for entrant in played.seats)}


def _write_csv(target: Path, rows: list[dict[str, Any]]) -> None:
    with target.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(row | {"finished": row["finished"].isoformat()} for row in rows)


def _write_parquet(target: Path, rows: list[dict[str, Any]]) -> None:
    table = extra("pyarrow").Table.from_pylist(rows)
    with target.open("wb") as file:  # given a name, it would remove what it cannot write to, and be it a device
        extra("pyarrow.parquet").write_table(table, file, compression="zstd")
