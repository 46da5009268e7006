"""The store: finished matches, one immutable record each, and the experiments that asked for them."""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import sqlite3
import time
import zlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from treewise.compositions import parse_search
from treewise.game import game_text, load_game
from treewise.lab.database import UNREADABLE, Database, StoreError
from treewise.lab.ending import Ending
from treewise.lab.experiment import Experiment
from treewise.lab.origin import Origin
from treewise.lab.outcome import Cell, Figure, Published, Reference, Sprt
from treewise.lab.schedule import PlannedMatch
from treewise.match import MatchRecord, Step
from treewise.wording import describe

__all__ = ["FinishedMatch", "Store", "StoredMatch"]

_FEW = 1000
"""So many matches are quicker looked up one by one than found among all."""


@dataclass(frozen=True)
class FinishedMatch:
    """What an executor gives for a planned match."""

    planned: PlannedMatch
    record: MatchRecord
    origin: Origin


@dataclass(frozen=True)
class StoredMatch:
    """A record as it is read back; `finished` in seconds since 1970."""

    planned: PlannedMatch
    record: MatchRecord
    origin: Origin
    finished: int


class Store:
    """One file of records. Any number of experiments share it, and any number of programs may read and write it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/a.sqlite", write=True) as store:
    ...     store.endings()
    {}
    """

    def __init__(self, path: str | Path, write: bool = False) -> None:
        self.database = Database(path, write)

    def close(self) -> None:
        """Closes the file."""
        self.database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- experiments

    def save(self, experiment: Experiment, source: str) -> None:
        """Keeps what was asked, so that a report needs nothing but the store; nothing happens if it is there."""
        definition = json.dumps(asdict(experiment), ensure_ascii=False)
        with self.database.transaction() as db:
            newest = db.execute(
                "SELECT definition, source FROM experiment WHERE name = ? ORDER BY id DESC LIMIT 1", (experiment.name,)
            ).fetchone()
            if newest != (definition, source):
                row = (experiment.name, definition, source, int(time.time()))
                db.execute("INSERT INTO experiment (name, definition, source, stored) VALUES (?, ?, ?, ?)", row)

    def names(self) -> list[str]:
        """The experiments in the store, the first stored first."""
        with self.database.reading() as db:
            return [name for (name,) in db.execute("SELECT name FROM experiment GROUP BY name ORDER BY min(id)")]

    def source(self, name: str) -> str:
        """The text of the file that an experiment was last played from; empty if it is not there, or had none."""
        with self.database.reading() as db:
            query = "SELECT source FROM experiment WHERE name = ? ORDER BY id DESC LIMIT 1"
            found = db.execute(query, (name,)).fetchone()
        return str(found[0]) if found else ""

    def experiment(self, name: str | None = None) -> Experiment:
        """An experiment as it was last stored; without a name, the only one there is."""
        names = self.names()
        if name is None and len(names) == 1:
            name = names[0]
        if name not in names:
            what = f"no experiment '{name}'" if name is not None else "several experiments"
            listed = ", ".join(f"'{each}'" for each in names) or "none"
            raise StoreError(f"{self.database.path} has {what}; choose one of: {listed}")
        with self.database.reading() as db:
            query = "SELECT definition FROM experiment WHERE name = ? ORDER BY id DESC LIMIT 1"
            definition = db.execute(query, (name,)).fetchone()[0]
        with self.database.decoding():
            return _experiment(json.loads(definition))

    def _outdated(self, db: sqlite3.Connection) -> bool:
        """Whether this version of the code writes some of the stored texts in another way."""
        games = (text for (text,) in db.execute("SELECT text FROM game"))
        with self.database.decoding():
            searches = _search_texts(db).values()
        return any(current_game(text) != text for text in games) or any(
            current_search(text) != text for text in searches
        )

    # ---- matches

    def record(self, db: sqlite3.Connection, finished: FinishedMatch) -> bool:
        """Writes a finished match, inside the caller's transaction; False if the store has it already."""
        planned, record = finished.planned, finished.record
        if db.execute("SELECT 1 FROM match WHERE key = ?", (planned.key,)).fetchone():
            return False
        now = int(time.time())
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
            now,
            record.score,
            _digest(record, finished.origin, now),
        )
        columns = "key, game, seed, opening, reuse, length, cut, actions, origin, finished, score, digest"
        made = db.execute(f"INSERT INTO match ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row).lastrowid
        for player, text in enumerate(planned.searches):
            search = _id(db, "search", hash=hashlib.sha256(text.encode()).digest(), text=text)
            numbers = (record.returns[player], record.moves[player], record.simulations[player], record.seconds[player])
            db.execute("INSERT INTO seat VALUES (?, ?, ?, ?, ?, ?, ?)", (made, player, search, *numbers))
        return True

    def find(self, db: sqlite3.Connection, key: bytes) -> Ending | None:
        """How a finished match ended; None if it is not there."""
        return next((ending for _, ending in self._endings(db, "WHERE key = ?", key)), None)

    def endings(self, keys: Collection[bytes] | None = None) -> dict[bytes, Ending]:
        """How the finished matches with these keys ended, or all of them; others may be among what is given."""
        rewritten = self._rewritten
        with self.database.reading() as db:
            if keys is None or len(keys) > _FEW:
                return dict(self._endings(db)) | rewritten
            return {key: ending for key in keys if (ending := self.find(db, key) or rewritten.get(key))}

    @cached_property
    def _rewritten(self) -> dict[bytes, Ending]:
        """All endings by the keys that the matches have today, if this version of the code writes some texts in another
        way: what is recorded from now on is written in today's."""
        with self.database.reading() as db:
            if not self._outdated(db):
                return {}
        return {stored.planned.key: Ending.of(stored.record) for stored in self.matches(actions=False)}

    def _endings(self, db: sqlite3.Connection, where: str = "", *values: object) -> Iterator[tuple[bytes, Ending]]:
        columns = f"key, {self.database.added_columns['score']}, cut, returns"
        query = f"SELECT {columns} FROM match JOIN seat ON seat.match = match.id {where} ORDER BY match.id, player"
        for (key, score, cut), rows in itertools.groupby(db.execute(query, values), lambda row: row[:3]):
            yield key, Ending(tuple(returns for *_, returns in rows), score, bool(cut))

    def matches(self, actions: bool = True) -> Iterator[StoredMatch]:
        """All records, in the order in which they were finished, with their actions or without.

        Texts are given as this version of the code writes them: a parameter that has been added since is there with
        its default, so that matches of before count for what is asked now.
        """
        with self.database.reading() as db:
            with self.database.decoding():
                seats = _Seats(db, _search_texts(db))
            for row in self._rows(db, actions):
                with self.database.decoding():
                    found = _checked(seats, row)
                yield found

    def _rows(self, db: sqlite3.Connection, actions: bool) -> sqlite3.Cursor:
        steps = "actions" if actions else "NULL"
        columns = "match.id, key, game.text, seed, opening, reuse, version, machine, finished, length, cut"
        query = (
            f"SELECT {', '.join([columns, steps, *self.database.added_columns.values()])} FROM match "
            "JOIN game ON game.id = match.game JOIN origin ON origin.id = match.origin ORDER BY match.id"
        )
        return db.execute(query)

    def check(self) -> None:
        """StoreError if a record is not what was written."""
        for _ in self.matches(actions=False):
            pass

    def damage(self) -> dict[str, dict[int, str]]:
        """The numbers of what is not what was written, by table, with what is wrong."""
        found: dict[str, dict[int, str]] = {"search": {}, "match": {}, "experiment": {}}
        with self.database.reading() as db:
            found["search"] = dict(_wrong_searches(db))
            seats = _Seats(db, _search_texts(db, check=False))
            for row in self._rows(db, actions=True):
                try:
                    _stored(seats, row)
                except UNREADABLE as error:
                    found["match"][row[0]] = describe(error)
            for number, definition in db.execute("SELECT id, definition FROM experiment"):
                try:
                    _experiment(json.loads(definition))
                except UNREADABLE as error:
                    found["experiment"][number] = describe(error)
        return found


def _checked(seats: _Seats, row: tuple[Any, ...]) -> StoredMatch:
    try:
        return _stored(seats, row)
    except UNREADABLE as error:
        raise ValueError(f"match {row[0]}: {describe(error)}") from error


def _stored(seats: _Seats, row: tuple[Any, ...]) -> StoredMatch:
    """A row of the table of matches, with its seats; one of `UNREADABLE` if it is not what was written."""
    number, key, game, seed, opening, reuse, version, machine, finished, length, cut, packed, points, digest = row
    texts, (returns, moves, simulations, seconds) = seats.of(number)
    stored = PlannedMatch(game, texts, seed, opening, bool(reuse))
    if stored.key != key:
        raise ValueError("it is not what its key says")
    current = replace(stored, game=current_game(game), searches=tuple(map(current_search, texts)))
    planned = stored if current == stored else current  # whose key is known
    actions = () if packed is None else unpack_actions(packed)
    record = MatchRecord(returns, length, seconds, simulations, actions, seed, bool(cut), moves, points)
    origin = Origin(version, machine)
    if digest is not None and digest != _digest(record, origin, finished):
        raise ValueError("it is not what its digest says")
    return StoredMatch(planned, record, origin, finished)


def _digest(record: MatchRecord, origin: Origin, finished: int) -> bytes:
    """Of what neither the key nor the check inside the packed actions covers."""
    reals = (*record.returns, *record.seconds, *(() if record.score is None else (record.score,)))
    whole = (record.length, record.cut, *record.moves, *record.simulations, finished)
    # As the file gives them back: it has no negative zero.
    numbers = [float(real) + 0.0 for real in reals], [int(number) for number in whole]
    return hashlib.sha256(repr((numbers, origin.version, origin.machine)).encode()).digest()[:8]


def _search_texts(db: sqlite3.Connection, check: bool = True) -> dict[int, str]:
    """All searches as they were stored, by their number; ValueError if one has been damaged, unless told not to."""
    if check and (wrong := next(_wrong_searches(db), None)):
        raise ValueError(f"search {wrong[0]}: {wrong[1]}")
    return dict(db.execute("SELECT id, text FROM search"))


def _wrong_searches(db: sqlite3.Connection) -> Iterator[tuple[int, str]]:
    for number, text, expected in db.execute("SELECT id, text, hash FROM search"):
        if hashlib.sha256(text.encode()).digest() != expected:
            yield number, f"it is not what its hash says: {text}"


class _Seats:
    """Reads the seats of the matches in step with the matches."""

    def __init__(self, db: sqlite3.Connection, texts: Mapping[int, str]) -> None:
        self.texts = texts
        self.rows = iter(
            db.execute("SELECT match, search, returns, moves, simulations, seconds FROM seat ORDER BY match, player")
        )
        self.next = next(self.rows, None)

    def of(self, match: int) -> tuple[tuple[str, ...], tuple[Any, ...]]:
        """The search texts of a match's seats, and their numbers, column by column."""
        found = []
        while self.next is not None and self.next[0] == match:
            found.append(self.next[1:])
            self.next = next(self.rows, None)
        searches, *numbers = zip(*found, strict=True)
        return tuple(self.texts[search] for search in searches), tuple(numbers)


def pack_actions(actions: tuple[Step, ...]) -> bytes:
    """A match's actions in few bytes.

    >>> unpack_actions(pack_actions((3, 1, (4, 1))))
    (3, 1, (4, 1))
    """
    return zlib.compress(json.dumps(actions, separators=(",", ":")).encode(), 9)


def unpack_actions(packed: bytes) -> tuple[Step, ...]:
    """The actions that `pack_actions` packed."""
    return tuple(tuple(step) if isinstance(step, list) else step for step in json.loads(zlib.decompress(packed)))


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


@functools.cache
def current_search(text: str) -> str:
    """A stored search's full text as this version of the code writes it; as it is if it can no longer be read.

    >>> current_search("mcts(selection=ucb1(c=1.0))") == parse_search("uct(c=1.0)").text(full=True)
    True
    """
    try:
        return parse_search(text).text(full=True)
    except (ValueError, TypeError):
        return text


@functools.cache
def current_game(text: str) -> str:
    """The same for a game."""
    try:
        return game_text(load_game(text), full=True)
    except (ValueError, TypeError):
        return text


def _experiment(read: dict[str, Any]) -> Experiment:
    cells, published = tuple(map(_cell, read["cells"])), tuple(map(_published, read.get("published", [])))
    sprt = Sprt(**read["sprt"]) if read["sprt"] else None
    return Experiment(**read | {"cells": cells, "sprt": sprt, "published": published})


def _cell(read: dict[str, Any]) -> Cell:
    texts = {"game": current_game(read["game"])}
    texts |= {key: current_search(read[key]) for key in ("a_text", "b_text")}
    return Cell(**read | texts | {"reference": Reference(**read["reference"]) if read["reference"] else None})


def _published(read: dict[str, Any]) -> Published:
    return Published(**read | {what: Figure(**read[what]) for what in ("wins", "score") if read[what]})
