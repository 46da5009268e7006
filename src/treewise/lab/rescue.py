"""Rescue: what is sound of a damaged store, in a new one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from treewise.lab.database import Database, StoreError
from treewise.lab.store import Store
from treewise.lab.written import replacing

__all__ = ["Rescued", "rescue"]

_TABLES = {
    "game": "id",
    "search": "id",
    "origin": "id",
    "match": "id",
    "seat": "match",
    "experiment": "id",
    "replay": "match",
}
"""Those that are copied, each with the column that numbers what may be damaged."""


@dataclass(frozen=True)
class Rescued:
    """How many matches were copied, and what was left behind, with why."""

    matches: int
    left: tuple[str, ...]


def rescue(store: str | Path, target: str | Path) -> Rescued:
    """Copies the sound records of a store to a new file, as they are; the store itself is only read.

    A match that is left behind is played again by the next run of its experiment: the same seed, the same match.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Store(f"{folder}/a.sqlite", write=True).close()
    ...     rescue(f"{folder}/a.sqlite", f"{folder}/b.sqlite")
    Rescued(matches=0, left=())
    """
    if Path(target).exists():
        raise StoreError(f"{target} is there already: rescue to a file that is not")
    with Store(store) as source, replacing(target) as place:
        damage = source.damage()
        without = {**damage, "seat": damage["match"], "replay": damage["match"]}
        with Database(place, write=True) as copy, source.database.reading() as old, copy.transaction() as new:
            for table, numbering in _TABLES.items():
                columns = [name for _, name, *_ in old.execute(f"PRAGMA table_info({table})")]
                if not columns:  # a table that the older version did not have
                    continue
                number, skipped = columns.index(numbering), without.get(table, {})
                rows = (row for row in old.execute(f"SELECT * FROM {table}") if row[number] not in skipped)
                into = f"{table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
                new.executemany(f"INSERT INTO {into}", rows)
            kept = int(new.execute("SELECT count(*) FROM match").fetchone()[0])
    left = (f"{table} {number}: {why}" for table, found in damage.items() for number, why in found.items())
    return Rescued(kept, tuple(left))
