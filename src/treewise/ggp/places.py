"""Room for so many connections at a time, which nobody can fill by saying nothing."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

__all__ = ["Places"]


class Places:
    """The connections that are being served.

    Where all places are taken, the oldest connection that is still sending its request gives way to a new one: it is
    read no further. Who has sent a request and waits for the answer keeps its place.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._sending: dict[socket.socket, bool] = {}  # all that have a place, by age
        self._lock = threading.Lock()

    def take(self, connection: socket.socket) -> bool:
        """Whether there is a place for a new connection."""
        with self._lock:
            if len(self._sending) >= self._most and not self._make_room():
                return False
            self._sending[connection] = True
            return True

    def received(self, connection: socket.socket) -> None:
        """It has sent its request."""
        with self._lock:
            if connection in self._sending:
                self._sending[connection] = False

    def leave(self, connection: socket.socket) -> None:
        """It is served."""
        with self._lock:
            self._sending.pop(connection, None)

    def _make_room(self) -> bool:
        oldest = next((connection for connection, sending in self._sending.items() if sending), None)
        if oldest is None:
            return False
        del self._sending[oldest]
        with suppress(OSError):  # the other side has gone
            oldest.shutdown(socket.SHUT_RD)
        return True
