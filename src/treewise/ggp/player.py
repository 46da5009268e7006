"""The player: answers the messages of game servers, one match at a time, for as long as it runs."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext

from treewise.ggp.http import Request
from treewise.ggp.match_process import MatchProcess
from treewise.ggp.messages import (
    Abort,
    Info,
    Message,
    MessageError,
    Ping,
    Play,
    PlayerInfo,
    Preview,
    Start,
    Stop,
    is_start,
    read_message,
)
from treewise.ggp.playing import Playing
from treewise.ggp.reasoning import Reasoner
from treewise.ggp.settings import Settings

__all__ = ["Player"]

_log = logging.getLogger(__name__)

_SHOWN = 200
_LONG = 2**16
"""Letters of a message that is read while no other such message is: it may take a hundred megabytes."""


class Player:
    """A player for any number of matches, one after the other. `answer` may be called by many threads at once.

    Each match has a `reasoner` of its own, usually a process.

    >>> player = Player()
    >>> player.answer(Request("(INFO)", "127.0.0.1", 0.0))
    '((name treewise) (status available))'
    """

    def __init__(
        self, settings: Settings | None = None, reasoner: Callable[[Settings], Reasoner] = MatchProcess
    ) -> None:
        self.settings = settings or Settings()
        self._reasoner = reasoner
        self._ready: Reasoner | None = None
        self._match: Playing | None = None
        self._lock = threading.Lock()
        self._reading = threading.Lock()

    def answer(self, request: Request) -> str:
        """The reply to a message: `nil` to what cannot be understood."""
        try:
            message = self._read(request.text)
        except MessageError as error:
            _log.warning("%s: %s: %s", request.host, error, _beginning(request.text))
            return "nil"
        reply = self._reply(message, request) if message is not None else "busy"
        took = time.monotonic() - request.arrived
        _log.info("%s: %s -> %s (%.3f s)", request.host, _beginning(request.text), reply, took)
        return reply

    def prepare(self) -> None:
        """Starts what the next match needs, so that its start clock is not spent on that."""
        with self._lock:
            if self._ready is None and self._match is None:
                self._ready = self._reasoner(self.settings)

    def close(self) -> None:
        """Ends the match under way, if there is one, and what is ready for the next."""
        with self._lock:
            playing, self._match = self._match, None
            ready, self._ready = self._ready, None
        if playing is not None:
            playing.end()
        if ready is not None:
            ready.close()

    def _read(self, text: str) -> Message | None:
        """The message; none for a START during a match, which nobody needs to read."""
        with self._reading if len(text) > _LONG else nullcontext():
            return None if is_start(text) and not self._free() else read_message(text)

    def _reply(self, message: Message, request: Request) -> str:
        match message:
            case Info():
                return str(PlayerInfo(self.settings.name, self._status()))
            case Ping():
                return self._status()
            case Preview():
                return "ready" if self._free() else "busy"
            case Start():
                return self._start(message, request)
            case Play():
                playing = self._current(message.match)
                return playing.turn(message, request.arrived) if playing is not None else "busy"
            case Stop():
                return self._end(message, "done")
            case Abort():
                return self._end(message, "aborted")

    def _status(self) -> str:
        return "available" if self._free() else "busy"

    def _free(self) -> bool:
        """Whether a START would be taken: there is no match, or its server has abandoned it."""
        playing = self._match
        return playing is None or playing.abandoned(time.monotonic())

    def _start(self, message: Start, request: Request) -> str:
        with self._lock:
            if not self._free():
                return "busy"
            old = self._match
            reasoner, self._ready = self._ready or self._reasoner(self.settings), None
            playing = self._match = Playing(message, self.settings, reasoner, request.host, request.arrived)
        if old is not None:
            _log.warning("%s was abandoned by its server: %s takes its place", old.start.match, message.match)
            old.end()
        playing.begin(request.arrived)
        return "ready"

    def _current(self, match: str) -> Playing | None:
        playing = self._match
        return playing if playing is not None and playing.start.match.lower() == match.lower() else None

    def _end(self, message: Stop | Abort, reply: str) -> str:
        with self._lock:
            playing = self._current(message.match)
            if playing is None:
                return "busy"
            self._match = None
        playing.end(message if isinstance(message, Stop) else None)
        self.prepare()
        return reply


def _beginning(text: str) -> str:
    return " ".join(text[:_SHOWN].split())
