"""The store: finished matches, one immutable record each, and the experiments that asked for them."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
import zlib
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager
from dataclasses import asdict, astuple
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from treewise.actions import Step as PlayedStep
from treewise.files import unpacked
from treewise.lab.claims import playing
from treewise.lab.database import UNREADABLE, Database
from treewise.lab.ending import Ending
from treewise.lab.experiment import Experiment
from treewise.lab.origin import Origin
from treewise.lab.outcome import Replay
from treewise.lab.records import Asked, FinishedMatch, Records, StoredMatch, outdated, read_definition
from treewise.lab.schedule import PlannedMatch
from treewise.match import MatchRecord, Step
from treewise.wording import describe

__all__ = ["Store"]

_FEW = 1000
"""So many matches are quicker looked up one by one than found among all."""


class Store(Records):
    """One file of records. Any number of experiments share it, and any number of programs may read and write it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/a.sqlite", write=True) as store:
    ...     store.endings()
    {}
    """

    def __init__(self, path: str | Path, write: bool = False) -> None:
        self.database = Database(path, write)
        self.path = self.database.path

    def close(self) -> None:
        """Closes the file."""
        self.database.close()

    def decoding(self) -> AbstractContextManager[None]:
        """Around what makes sense of what was read: what makes none becomes a StoreError."""
        return self.database.decoding()

    # ---- experiments

    def save(self, experiment: Experiment, source: str) -> None:
        """Keeps what was asked, so that a report needs nothing but the store; nothing happens if it is there."""
        definition = json.dumps(asdict(experiment), ensure_ascii=False)
        with self.database.transaction() as db:
            newest = db.execute(
                "SELECT definition, source FROM experiment WHERE name = ? ORDER BY id DESC LIMIT 1", (experiment.name,)
            ).fetchone()
            if newest != (definition, source):
                self.keep(db, Asked(experiment.name, definition, source, int(time.time())))

    def keep(self, db: sqlite3.Connection, asked: Asked) -> None:
        """Writes what was asked, inside the caller's transaction."""
        columns = "name, definition, source, stored, digest"
        row = (*astuple(asked), _digest_of(asked))
        db.execute(f"INSERT INTO experiment ({columns}) VALUES (?, ?, ?, ?, ?)", row)

    def asked(self) -> list[Asked]:
        """Everything that was asked, the first stored first."""
        with self.database.reading() as db, self.database.decoding():
            return [_asked(row) for row in self._experiments(db)]

    def _experiments(self, db: sqlite3.Connection) -> list[tuple[Any, ...]]:
        columns = ["id", "name", "definition", "source", "stored", *self.database.added_columns["experiment"].values()]
        return db.execute(f"SELECT {', '.join(columns)} FROM experiment ORDER BY id").fetchall()

    def _outdated(self, db: sqlite3.Connection) -> bool:
        """Whether this version of the code writes some of the stored texts in another way."""
        games = (text for (text,) in db.execute("SELECT text FROM game"))
        with self.database.decoding():
            _check_searches(db)
            return outdated(games, [text for (text,) in db.execute("SELECT text FROM search")])

    # ---- matches

    def record(self, db: sqlite3.Connection, finished: FinishedMatch) -> bool:
        """Writes a finished match, inside the caller's transaction; False if the store has it already.

        It was finished now, unless it is a record of another store.
        """
        planned, record = finished.planned, finished.record
        if db.execute("SELECT 1 FROM match WHERE key = ?", (planned.key,)).fetchone():
            return False
        when = finished.finished if isinstance(finished, StoredMatch) else int(time.time())
        row = (
            planned.key,
            _id(db, "game", text=planned.game),
            planned.seed,
            planned.opening,
            planned.reuse,
            record.length,
            record.cut,
            pack_actions(record.actions),
            _id(db, "origin", **asdict(finished.origin)),
            when,
            record.score,
            _digest(record, finished.origin, when),
        )
        columns = "key, game, seed, opening, reuse, length, cut, actions, origin, finished, score, digest"
        made = db.execute(f"INSERT INTO match ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row).lastrowid
        for player, text in enumerate(planned.searches):
            search = _id(db, "search", hash=hashlib.sha256(text.encode()).digest(), text=text)
            numbers = (record.returns[player], record.moves[player], record.simulations[player], record.seconds[player])
            db.execute("INSERT INTO seat VALUES (?, ?, ?, ?, ?, ?, ?)", (made, player, search, *numbers))
        if isinstance(finished, StoredMatch) and finished.replay is not None:
            self.keep_replay(db, planned.key, finished.replay)
        return True

    def keep_replay(self, db: sqlite3.Connection, key: bytes, replay: Replay) -> None:
        """Writes what came out when a match was played again, in place of the last time, inside the caller's
        transaction."""
        (match,) = db.execute("SELECT id FROM match WHERE key = ?", (key,)).fetchone()
        row = (match, replay.same, replay.version, _replay_hash(key, replay))
        db.execute("REPLACE INTO replay VALUES (?, ?, ?, ?)", row)

    def find(self, db: sqlite3.Connection, key: bytes) -> Ending | None:
        """How a finished match ended; None if it is not there."""
        row = self._rows(db, actions=False, where="WHERE key = ?", values=(key,)).fetchone()
        if row is None:
            return None
        with self.database.decoding():
            return Ending.of(_checked(_Seats(db, match=row[0]), row).record)

    def endings(self, keys: Collection[bytes] | None = None) -> dict[bytes, Ending]:
        """How the finished matches with these keys ended, or all of them; others may be among what is given."""
        if keys is None or len(keys) > _FEW:
            written = {match.planned.key: Ending.of(match.record) for match in self.written(actions=False)}
            return written | self._rewritten
        rewritten = self._rewritten
        with self.database.reading() as db:
            return {key: ending for key in keys if (ending := self.find(db, key) or rewritten.get(key))}

    @cached_property
    def _rewritten(self) -> dict[bytes, Ending]:
        """All endings by the keys that the matches have today, if this version of the code writes some texts in another
        way: what is recorded from now on is written in today's."""
        with self.database.reading() as db:
            if not self._outdated(db):
                return {}
        return {stored.planned.key: Ending.of(stored.record) for stored in self.matches(actions=False)}

    def under_way(self) -> set[bytes]:
        """Keys of the matches that runs which are alive have claimed."""
        with self.database.reading() as db:
            return playing(db)

    def written(self, actions: bool = True) -> Iterator[StoredMatch]:
        """All records as they were written, in the order in which they were finished, with their actions or without."""
        with self.database.reading() as db:
            with self.database.decoding():
                _check_searches(db)
                seats = _Seats(db)
            for row in self._rows(db, actions):
                with self.database.decoding():
                    found = _checked(seats, row)
                yield found
            with self.database.decoding():
                if lost := seats.end():
                    raise ValueError("; ".join(f"match {number}: {why}" for number, why in lost.items()))

    def _rows(
        self, db: sqlite3.Connection, actions: bool, where: str = "", values: tuple[object, ...] = ()
    ) -> sqlite3.Cursor:
        """The table of matches, each row with whether its actions are wanted. What a damaged number does not find is
        NULL: the key tells."""
        columns = "match.id, key, game.text, seed, opening, reuse, version, machine, finished, length, cut, actions"
        replays = self.database.has_replays
        query = (
            f"SELECT {', '.join([columns, *self.database.added_columns['match'].values()])}, {int(actions)}, "
            f"{'same, engine, replay.hash' if replays else 'NULL, NULL, NULL'} FROM match "
            "LEFT JOIN game ON game.id = match.game LEFT JOIN origin ON origin.id = match.origin "
            f"{'LEFT JOIN replay ON replay.match = match.id' if replays else ''} {where} ORDER BY match.id"
        )
        return db.execute(query, values)

    def check(self) -> None:
        """StoreError if a record is not what was written."""
        for _ in self.written(actions=False):
            pass

    def damage(self) -> dict[str, dict[int, str]]:
        """The numbers of what is not what was written, or not there, by table, with what is wrong."""
        found: dict[str, dict[int, str]] = {"search": {}, "match": {}, "experiment": {}}
        with self.database.reading() as db:
            found["search"] = dict(_wrong_searches(db))
            seats = _Seats(db)
            for row in self._rows(db, actions=True):
                try:
                    _stored(seats, row)
                except UNREADABLE as error:
                    found["match"][row[0]] = describe(error)
            found["match"] |= seats.end()
            for row in self._experiments(db):
                try:
                    read_definition(_asked(row).definition)
                except UNREADABLE as error:
                    found["experiment"][row[0]] = describe(error)
        return found


def _checked(seats: _Seats, row: tuple[Any, ...]) -> StoredMatch:
    try:
        return _stored(seats, row)
    except UNREADABLE as error:
        raise ValueError(f"match {row[0]}: {describe(error)}") from error


def _stored(seats: _Seats, read: tuple[Any, ...]) -> StoredMatch:
    """A row of the table of matches, with its seats; one of `UNREADABLE` if it is not what was written."""
    *row, same, engine, replay_hash = read
    number, key, game, seed, opening, reuse, version, machine, finished, length, cut, packed, points, digest, full = row
    texts, (returns, moves, simulations, seconds) = seats.of(number, key)
    planned = PlannedMatch(game, texts, seed, opening, bool(reuse))
    if planned.key != key:
        raise ValueError("it is not what its key says")
    text = unpacked(packed, _MOST_BYTES, "the actions of a match")  # whose check is made, wanted or not
    actions = _actions(text) if full else ()
    record = MatchRecord(returns, length, seconds, simulations, actions, seed, bool(cut), moves, points)
    origin = Origin(version, machine)
    if version is None:
        raise ValueError("its origin is not there")
    if digest is not None and digest != _digest(record, origin, finished):
        raise ValueError("it is not what its digest says")
    replay = None if engine is None else Replay(bool(same), engine)
    if replay is not None and replay_hash != _replay_hash(key, replay):
        raise ValueError("its replay is not what its hash says")
    return StoredMatch(planned, record, origin, finished, replay)


def _replay_hash(key: bytes, replay: Replay) -> bytes:
    return hashlib.sha256(repr((key, replay.same, replay.version)).encode()).digest()[:8]


def _digest(record: MatchRecord, origin: Origin, finished: int) -> bytes:
    """Of what neither the key nor the check inside the packed actions covers."""
    reals = (*record.returns, *record.seconds, *(() if record.score is None else (record.score,)))
    whole = (record.length, record.cut, *record.moves, *record.simulations, finished)
    # As the file gives them back: it has no negative zero.
    numbers = [float(real) + 0.0 for real in reals], [int(number) for number in whole]
    return hashlib.sha256(repr((numbers, origin.version, origin.machine)).encode()).digest()[:8]


def _asked(row: tuple[Any, ...]) -> Asked:
    """A row of the table of experiments; ValueError if it is not what was written."""
    number, *values, digest = row
    asked = Asked(*values)
    if digest is not None and digest != _digest_of(asked):
        raise ValueError(f"experiment {number}: it is not what its digest says")
    return asked


def _digest_of(asked: Asked) -> bytes:
    return hashlib.sha256(repr(astuple(asked)).encode()).digest()[:8]


def _check_searches(db: sqlite3.Connection) -> None:
    """ValueError if the text of a search has been damaged."""
    if wrong := next(_wrong_searches(db), None):
        raise ValueError(f"search {wrong[0]}: {wrong[1]}")


def _wrong_searches(db: sqlite3.Connection) -> Iterator[tuple[int, str]]:
    for number, text, expected in db.execute("SELECT id, text, hash FROM search"):
        if hashlib.sha256(text.encode()).digest() != expected:
            yield number, f"it is not what its hash says: {text}"


class _Seats:
    """Reads the seats of the matches in step with the matches; or those of one match."""

    def __init__(self, db: sqlite3.Connection, match: int | None = None) -> None:
        self.texts = dict(db.execute("SELECT id, text FROM search"))
        self.keys: set[bytes] = set()
        self.strays: set[int] = set()
        where, values = ("", ()) if match is None else ("WHERE match = ?", (match,))
        columns = "match, search, returns, moves, simulations, seconds"
        self.rows = iter(db.execute(f"SELECT {columns} FROM seat {where} ORDER BY match, player", values))
        self.next = next(self.rows, None)

    def of(self, match: int, key: bytes) -> tuple[tuple[str, ...], tuple[Any, ...]]:
        """The search texts of a match's seats, and their numbers, column by column."""
        found = []
        while self.next is not None and self.next[0] <= match:
            if self.next[0] == match:
                found.append(self.next[1:])
            else:
                self.strays.add(self.next[0])
            self.next = next(self.rows, None)
        if key in self.keys:
            raise ValueError("its key is there twice")
        self.keys.add(key)
        searches, *numbers = zip(*found, strict=True)
        return tuple(self.texts[search] for search in searches), tuple(numbers)

    def end(self) -> dict[int, str]:
        """The matches that have seats and are not there, when all that are there have been read."""
        self.strays.update(row[0] for row in (self.next, *self.rows) if row is not None)
        return dict.fromkeys(sorted(self.strays), "it has seats, and is not there")


_MOST_BYTES = 64_000_000
"""Of a match's actions, unpacked."""


def pack_actions(actions: tuple[Step, ...]) -> bytes:
    """A match's actions in few bytes.

    >>> unpack_actions(pack_actions((3, 1, (4, 1))))
    (3, 1, (4, 1))
    """
    return zlib.compress(json.dumps(actions, separators=(",", ":")).encode(), 9)


def unpack_actions(packed: bytes) -> tuple[PlayedStep, ...]:
    """The actions that `pack_actions` packed."""
    return _actions(unpacked(packed, _MOST_BYTES, "the actions of a match"))


def _actions(text: bytes) -> tuple[PlayedStep, ...]:
    steps = (tuple(step) if isinstance(step, list) else step for step in json.loads(text))
    return cast(tuple[PlayedStep, ...], tuple(steps))


def _id(db: sqlite3.Connection, table: str, **values: Any) -> int:
    """The row of a table with these values, made if it is not there."""
    columns = list(values)
    where = " AND ".join(f"{column} = ?" for column in columns)
    found = db.execute(f"SELECT id FROM {table} WHERE {where}", tuple(values.values())).fetchone()
    if found:
        return int(found[0])
    marks = ", ".join("?" * len(columns))
    made = db.execute(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", tuple(values.values()))
    return int(made.lastrowid or 0)
