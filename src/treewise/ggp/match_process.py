"""A match in a process of its own: whatever it started, and all the memory it took, ends with it.

Nothing that the rules of a match can do, a prover that never comes back or grows without end, keeps the player from
answering in time, here and in later matches. The process has a limit of memory; it is killed when the match is over,
and ends by itself when the player does.
"""

from __future__ import annotations

import atexit
import logging
import logging.handlers
import multiprocessing
import os
import pickle
import queue
import sys
import threading
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from treewise.ggp.messages import Play, Start, Stop
from treewise.ggp.reasoning import Answer, Reasoning
from treewise.ggp.settings import Settings
from treewise.processes import end_with_parent, leave_ctrl_c, start_process

__all__ = ["MatchProcess"]

_log = logging.getLogger(__name__)

OUT_OF_MEMORY = 3
"""The exit status of a process that took more than it may."""
_LOOK_SECONDS = 0.1
_SWITCH_SECONDS = 0.001
"""After which a thread that reasons lets one that listens in; Python's own 0.005 is long where several reason."""


class MatchProcess:
    """See `treewise.ggp.reasoning.Reasoner`. The process waits for its match from the beginning, so that one that is
    started early is ready when the match begins."""

    def __init__(self, settings: Settings) -> None:
        self._memory_mb = settings.memory_mb
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        level = logging.getLogger("treewise.ggp").getEffectiveLevel()
        self._process = context.Process(target=_serve, args=(theirs, settings, level), name="ggp-match")
        start_process(self._process)
        theirs.close()
        self._closed = self._gone = False
        self._answers: list[Answer] = []
        self._lock = threading.Lock()
        self._joining = threading.Lock()
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        atexit.register(self.close)  # before `multiprocessing` waits for it
        threading.Thread(target=self._write, daemon=True, name="ggp-write").start()
        threading.Thread(target=self._read, daemon=True, name="ggp-read").start()

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return self._process.pid

    def begin(self, start: Start, seconds: float, answer: Answer) -> None:
        """See `Reasoner`."""
        self._send("begin", self._number(answer), start, seconds)

    def turn(self, message: Play | Stop, answered: str | None, answer: Answer) -> None:
        """See `Reasoner`."""
        self._send("turn", self._number(answer), message, answered)

    def stop(self, answer: Answer, left: bool = False) -> None:
        """See `Reasoner`."""
        answer.over = True
        with self._lock:
            number = next((number for number, known in enumerate(self._answers) if known is answer), None)
        if number is not None:
            self._send("stop", number, left)

    def close(self) -> None:
        """See `Reasoner`."""
        self._closed = True
        self._process.kill()
        self._join()
        self._outbox.put(None)
        atexit.unregister(self.close)

    def _join(self) -> None:
        """Waits for the end. Of two threads that do so at once, one might be told that nothing is known of it."""
        with self._joining:
            self._process.join()

    def _number(self, answer: Answer) -> int:
        with self._lock:
            self._answers.append(answer)
            if self._gone:
                answer.finish()
            return len(self._answers) - 1

    def _send(self, *message: Any) -> None:
        self._outbox.put(pickle.dumps(message))

    def _write(self) -> None:
        """So that nobody waits for a process that does not listen."""
        with suppress(OSError):
            while (data := self._outbox.get()) is not None:
                self._connection.send_bytes(data)

    def _read(self) -> None:
        with suppress(EOFError, OSError):
            while True:
                self._take(*self._connection.recv())
        self._join()
        if not self._closed:
            why = f"it took more than {self._memory_mb:,} MB" if self._process.exitcode == OUT_OF_MEMORY else "it broke"
            _log.error("the process of the match has ended, %s: the match goes on without moves", why)
        with self._lock:
            self._gone = True
            for answer in self._answers:
                answer.finish()

    def _take(self, what: str, *given: Any) -> None:
        if what == "log":
            (record,) = given
            logging.getLogger(record.name).handle(record)
            return
        number, move = given
        answer = self._answers[number]
        answer.improve(move)
        if what == "found":
            answer.finish()


# ---- in the process of the match


class _Told(Answer):
    """An answer that says what becomes of it."""

    def __init__(self, tell: _Tell, number: int) -> None:
        super().__init__()
        self._tell, self._number = tell, number

    def improve(self, move: str) -> None:
        super().improve(move)
        self._tell("move", self._number, move)

    def finish(self) -> None:
        super().finish()
        self._tell("found", self._number, self.move)


class _Tell(logging.handlers.QueueHandler):
    """Sends what happens here to the player: moves, and what is logged."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(None)  # type: ignore[arg-type]
        self._connection = connection
        self._sending = threading.Lock()

    def __call__(self, *message: Any) -> None:
        with self._sending, suppress(OSError):  # the player has gone
            self._connection.send(message)

    def enqueue(self, record: logging.LogRecord) -> None:
        self("log", record)


def _serve(connection: Connection, settings: Settings, level: int) -> None:
    leave_ctrl_c()
    end_with_parent()
    sys.setswitchinterval(_SWITCH_SECONDS)
    tell = _Tell(connection)
    _log_to(tell, level)
    threading.Thread(target=_limit_memory, args=(settings.memory_mb,), daemon=True, name="ggp-memory").start()
    reasoning = Reasoning(settings)
    answers: dict[int, Answer] = {}
    with suppress(EOFError):  # the player has gone
        while True:
            what, number, *given = connection.recv()
            if what == "stop":
                reasoning.stop(answers[number], *given)
            else:
                answers[number] = _Told(tell, number)
                getattr(reasoning, what)(*given, answers[number])
    os._exit(0)


def _log_to(tell: _Tell, level: int) -> None:
    logging.captureWarnings(True)  # of rulesheets
    for name in ("treewise", "py.warnings"):
        log = logging.getLogger(name)
        log.addHandler(tell)
        log.setLevel(level)
        log.propagate = False


def _limit_memory(megabytes: int) -> None:
    while _taken_mb() <= megabytes:
        time.sleep(_LOOK_SECONDS)
    os._exit(OUT_OF_MEMORY)


def _taken_mb() -> float:
    """Megabytes of memory that this process has; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    except OSError:
        pass
    try:
        import resource
    except ImportError:
        return 0.0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (2**20 if sys.platform == "darwin" else 2**10)
