"""Who plays what: a run claims a match before it plays it, so that two runs on one store never play the same one."""

from __future__ import annotations

import hashlib
import os
import platform
import sqlite3
import time
from pathlib import Path

from treewise.lab.database import Database

__all__ = ["Claims", "playing"]

HEARTBEAT = 10.0
"""Seconds between two signs of life."""
SILENCE = 120.0
"""Seconds without one after which a run on another machine, or in another container, is taken for dead."""


class Claims:
    """The claims of one run. All calls but the first and the last happen inside the caller's transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.beat_at = time.monotonic()
        self.process = (_host(), os.getpid(), _began(os.getpid()))
        with database.transaction() as db:
            row = (*self.process, time.time())
            made = db.execute("INSERT INTO run (host, process, began, heartbeat) VALUES (?, ?, ?, ?)", row)
            self.run = made.lastrowid

    def bury(self, db: sqlite3.Connection) -> None:
        """Frees what runs that ended without a word had claimed."""
        for run, host, process, began, heartbeat in db.execute("SELECT * FROM run").fetchall():
            if run != self.run and not _alive(host, process, began, heartbeat):
                self._forget(db, run)

    def take(self, db: sqlite3.Connection, key: bytes) -> bool:
        """Claims a match, unless another run has claimed it."""
        return db.execute("INSERT OR IGNORE INTO claim VALUES (?, ?)", (key, self.run)).rowcount > 0

    def release(self, db: sqlite3.Connection, key: bytes) -> None:
        """Gives one claim back: its match is finished, or will not be played."""
        db.execute("DELETE FROM claim WHERE key = ? AND run = ?", (key, self.run))

    def beat(self, db: sqlite3.Connection) -> None:
        """A sign of life. A run that was buried alive, because its machine slept, comes back."""
        self.beat_at = time.monotonic()
        row = (self.run, *self.process, time.time())
        again = "ON CONFLICT (id) DO UPDATE SET heartbeat = excluded.heartbeat"
        db.execute(f"INSERT INTO run VALUES (?, ?, ?, ?, ?) {again}", row)

    @property
    def silent_for(self) -> float:
        """Seconds since the last sign of life."""
        return time.monotonic() - self.beat_at

    def end(self) -> None:
        """Gives all claims back."""
        with self.database.transaction() as db:
            self._forget(db, self.run)

    def _forget(self, db: sqlite3.Connection, run: int | None) -> None:
        db.execute("DELETE FROM claim WHERE run = ?", (run,))
        db.execute("DELETE FROM run WHERE id = ?", (run,))


def _alive(host: str, process: int, began: str, heartbeat: float) -> bool:
    """On this host the process itself is asked, so that neither a long pause nor a wrong clock matters."""
    if host == _host() and os.name == "posix":
        return _exists(process) and _began(process) == began
    return abs(time.time() - heartbeat) < SILENCE


def _exists(process: int) -> bool:
    """Whether it runs. One that has ended and waits for its parent to hear of it does not, though it has a number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return _stat(process)[:1] not in (["Z"], ["X"])


def _host() -> str:
    """Processes that see each other's numbers have the same host; hashed, since it is nobody's business."""
    known = [platform.node()]
    for path in ("/etc/machine-id", "/proc/sys/kernel/random/boot_id"):
        try:
            known.append(Path(path).read_text(encoding="ascii").strip())
        except OSError:
            known.append("")
    try:
        known.append(os.readlink("/proc/self/ns/pid"))
    except OSError:
        known.append("")
    return hashlib.sha256("\n".join(known).encode()).hexdigest()[:16]


def _began(process: int) -> str:
    """When a process began, in the system's ticks, where the system tells: numbers of processes are used again."""
    return next(iter(_stat(process)[19:]), "")


def _stat(process: int) -> list[str]:
    """What the system says of a process, from its state on; nothing where it does not."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return stat.rpartition(")")[2].split()


def playing(db: sqlite3.Connection) -> set[bytes]:
    """Keys of the matches that are claimed by runs that are alive."""
    alive = [run for run, *signs in db.execute("SELECT * FROM run").fetchall() if _alive(*signs)]
    return {key for key, run in db.execute("SELECT key, run FROM claim") if run in alive}
