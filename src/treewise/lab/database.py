"""The file of a store: opened and checked, its transactions, and what goes wrong with files said in words."""

from __future__ import annotations

import importlib.resources
import sqlite3
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from treewise.wording import describe

__all__ = ["ARCHIVE", "UNREADABLE", "Database", "StoreError"]

ARCHIVE = ".npz"
"""How names of archives end."""
APPLICATION_ID = 0x54_57_4C_42  # TWLB
SCHEMA = 4
_ADDED = {"match": {"score": (2, "REAL"), "digest": (3, "BLOB")}, "experiment": {"digest": (4, "BLOB")}}
"""Columns of tables that later schemas have added, each with the first that has it."""
_REPLAYS = 4
"""The first schema with the table of replays."""
_BUSY_SECONDS = 60.0

UNREADABLE = (ValueError, TypeError, LookupError, zlib.error)
"""What is raised where one tries to make sense of a record that makes none."""


class StoreError(OSError):
    """A store cannot be opened, read or written. What was finished before is still in the file."""


class Database:
    """One connection to a store's file. `write` makes the file if it is not there."""

    def __init__(self, path: str | Path, write: bool = False) -> None:
        self.path = Path(path)
        if self.path.exists() and not self.path.is_file():
            raise StoreError(f"{path} is {'a folder' if self.path.is_dir() else 'no file of its own'}: name a store")
        self._check_archive()
        if not write and not self.path.is_file():
            raise StoreError(f"{path}: there is no such store; `treewise lab run` makes it")
        self._check_log()
        with self._explained():
            self.connection = self._connect(write)
        try:
            self._check(write)
        except BaseException:
            self.connection.close()
            raise

    def _check_archive(self) -> None:
        """An archive is no store, and one beside a missing store has what would be played again."""
        path = self.path
        if path.suffix == ARCHIVE:
            raise StoreError(f"{path} is an archive, which is only read: `treewise lab import` makes a store of it")
        archive = path.with_suffix(ARCHIVE)
        if not path.exists() and archive.is_file():
            raise StoreError(
                f"{path} is not there, but its archive {archive.name} is: `treewise lab import {archive}` makes it"
            )

    def _check_log(self) -> None:
        """A log beside an empty or missing file has all records of a young store; SQLite would throw it away."""
        file = self.path.resolve()
        log = Path(f"{file}-wal")
        if log.is_file() and log.stat().st_size and not (file.is_file() and file.stat().st_size):
            raise StoreError(
                f"{self.path} is empty or missing, but its log {log.name} has records; both were left as they are. "
                "Put the file back beside its log, or move the log away to begin a new store"
            )

    def _connect(self, write: bool) -> sqlite3.Connection:
        if write:
            return sqlite3.connect(self.path.absolute(), timeout=_BUSY_SECONDS, isolation_level=None)
        # A reader opens for writing, too, so that the last one to close tidies the log away. Where the folder does not
        # allow that, it can still read; and without a log, even where the log's index has no room.
        modes = ["mode=rw", "mode=ro", *([] if Path(f"{self.path}-wal").exists() else ["immutable=1"])]
        for mode in modes:
            address = f"{self.path.absolute().as_uri()}?{mode}"
            connection = sqlite3.connect(address, uri=True, timeout=_BUSY_SECONDS, isolation_level=None)
            try:
                connection.execute("PRAGMA query_only = ON")
                connection.execute("SELECT count(*) FROM sqlite_schema")
                return connection
            except sqlite3.DatabaseError as error:
                connection.close()
                if mode == modes[-1] or not isinstance(error, sqlite3.OperationalError):
                    raise
        raise AssertionError("one of the modes returns or raises")

    def close(self) -> None:
        """Closes the file; the log is folded into it if nobody else has it open."""
        self.connection.close()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _check(self, write: bool) -> None:
        with self._explained():
            application, version, tables = self._identity()
            if application != APPLICATION_ID and (tables or application):
                raise StoreError(f"{self.path} is not a Treewise store, but another program's database")
            if version > SCHEMA:
                raise StoreError(
                    f"{self.path} was written by a newer Treewise (schema {version}, this one knows {SCHEMA}): upgrade"
                )
            if write:
                self._prepare()
            elif not tables:
                raise StoreError(f"{self.path} is empty: nothing has been stored in it yet")

    def _identity(self) -> tuple[int, int, int]:
        numbers = ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_schema")
        application, version, tables = (self.connection.execute(query).fetchone()[0] for query in numbers)
        return application, version, tables

    @cached_property
    def added_columns(self) -> dict[str, dict[str, str]]:
        """What to select for the columns, by table, that a store of an older version may not have."""
        there = {
            table: {name for _, name, *_ in self.connection.execute(f"PRAGMA table_info({table})")} for table in _ADDED
        }
        return {
            table: {name: name if name in there[table] else f"NULL AS {name}" for name in columns}
            for table, columns in _ADDED.items()
        }

    @cached_property
    def has_replays(self) -> bool:
        """Whether there is the table of replays, which a store of an older version does not have."""
        return bool(self.connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'replay'").fetchone())

    def _prepare(self) -> None:
        """Sets the connection up and makes the tables if they are not there."""
        self._use_log()
        # FULL: a committed record is on the disk, also after a power cut. NORMAL would lose the last ones.
        for setting in ("synchronous = FULL", "fullfsync = ON", "foreign_keys = ON"):
            self.connection.execute(f"PRAGMA {setting}")
        self._check_structure()
        with self.transaction():
            _, version, tables = self._identity()
            if not tables:
                self._create()
            elif version < SCHEMA:
                self._extend(version)
                self.connection.execute(f"PRAGMA user_version = {SCHEMA}")
        if not tables:  # the log alone would not say what its records are
            self.connection.execute("PRAGMA wal_checkpoint")

    def _check_structure(self) -> None:
        """Whether pages fit together, and indexes their tables: a damaged one would not find what is there."""
        problem, pages = (
            self.connection.execute(f"PRAGMA {check}(1)").fetchone()[0] for check in ("integrity_check", "quick_check")
        )
        if pages != "ok":
            raise sqlite3.DatabaseError(pages)
        if problem != "ok":
            raise StoreError(f"{self.path}: {_RESCUE.format(problem)}")

    def _extend(self, version: int) -> None:
        """Gives a store of an older schema the columns that it lacks."""
        for table, columns in _ADDED.items():
            for name, (first, kind) in columns.items():
                if version < first:
                    self.connection.execute(f"ALTER TABLE {table} ADD COLUMN {name} {kind}")
        if version < _REPLAYS:
            self.connection.execute(next(text for text in _statements() if "CREATE TABLE replay" in text))

    def _use_log(self) -> None:
        """Switches to the write-ahead log, which two programs that open a new file at once must do in turn."""
        deadline = time.monotonic() + _BUSY_SECONDS
        while True:
            try:
                self.connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def _create(self) -> None:
        for statement in _statements():
            self.connection.execute(statement)
        self.connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        self.connection.execute(f"PRAGMA user_version = {SCHEMA}")

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing: what is written inside is on the disk when the block ends, or not at all."""
        with self._explained():
            try:
                self.connection.execute("BEGIN IMMEDIATE")
                yield self.connection
                self.connection.execute("COMMIT")
            finally:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One consistent view of the file, whatever is written meanwhile."""
        with self._explained():
            try:
                self.connection.execute("BEGIN")
                yield self.connection
            finally:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{self.path}: {_in_words(error)}") from error
        except UnicodeDecodeError as error:  # of the library's own texts, such as a table's definition
            raise StoreError(f"{self.path}: {_RECOVER.format(error)}") from error

    @contextmanager
    def decoding(self) -> Iterator[None]:
        """Around what makes sense of what was read: a record that makes none is damaged."""
        try:
            yield
        except UNREADABLE as error:
            raise StoreError(f"{self.path}: {_RESCUE.format(describe(error))}") from error


def _statements() -> Iterator[str]:
    """Those of the schema."""
    text = importlib.resources.files("treewise.lab").joinpath("schema.sql").read_text(encoding="utf-8")
    statement = ""
    for line in text.splitlines():
        statement += line.partition("--")[0] + "\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


_DAMAGED = "the file is damaged ({0}); it was left as it is. "
_RESCUE = _DAMAGED + "`treewise lab rescue STORE NEW` copies what is sound to a new file"
_RECOVER = _DAMAGED + "Copy it, then rescue what is readable with `sqlite3 FILE .recover`"
_WORDS = {
    sqlite3.SQLITE_FULL: "the disk is full. All matches recorded so far are safe; make room and run it again",
    sqlite3.SQLITE_IOERR: "the disk does not take or give the data ({0}). What was recorded before is not touched; "
    "see to the disk and run it again",
    sqlite3.SQLITE_NOTADB: "this is not a Treewise store, nor any SQLite database; it was left as it is",
    sqlite3.SQLITE_CORRUPT: _RECOVER,
    sqlite3.SQLITE_READONLY: "the file cannot be written ({0})",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened: is its folder there, and may it be written?",
    sqlite3.SQLITE_BUSY: "another program has kept it locked for a minute; try again when that has ended",
}


def _in_words(error: sqlite3.DatabaseError) -> str:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF  # without its extended part
    return _WORDS.get(code, "{0}").format(error)
