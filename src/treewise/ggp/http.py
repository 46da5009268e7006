"""HTTP as game servers and players speak it: one request a connection, one short answer.

The server takes what servers of twenty years have sent: any version, any case in header names, no Content-Length, GET
with the message in the address. Whoever sends too slowly or too much is refused and blocks nobody: where all places are
taken, the oldest connection that is still sending gives way.
"""

from __future__ import annotations

import logging
import socket
import socketserver
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import unquote_plus

from treewise.ggp.places import Places
from treewise.ggp.wire import Balance, Head, Incoming, TooLarge, TooSlow, Unreadable

__all__ = ["Limits", "MessageServer", "Request"]

_log = logging.getLogger(__name__)

_HEADERS = """\
Content-type: text/acl
Content-length: {length}
Access-Control-Allow-Origin: *
Access-Control-Allow-Methods: POST, GET, OPTIONS
Access-Control-Allow-Headers: Content-Type
Connection: close

"""


@dataclass(frozen=True)
class Limits:
    """What the server puts up with."""

    receive: float = 20.0
    """Seconds in which a whole request must arrive."""
    send: float = 5.0
    """Seconds in which an answer must be taken."""
    size: int = 16 * 2**20
    """Bytes of a message."""
    head: int = 256 * 2**10
    """Bytes of a request line with its headers, and so of a message in a GET."""
    connections: int = 100
    """At a time. Above it, who is still sending gives way; where nobody is, others are told to come back later."""


@dataclass(frozen=True, slots=True)
class Request:
    """A message as it came in."""

    text: str
    host: str
    """The sender's address."""
    arrived: float
    """When its connection was taken, by `time.monotonic`."""


class MessageServer(socketserver.ThreadingTCPServer):
    """Answers each message with `answer(request)`, in a thread of its own.

    >>> with MessageServer(("127.0.0.1", 0), lambda request: "ready") as server:
    ...     server.start()
    ...     from treewise.ggp.client import ask
    ...     ask("127.0.0.1", server.port, "(INFO)", seconds=5)
    'ready'
    """

    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(
        self, address: tuple[str, int], answer: Callable[[Request], str], limits: Limits | None = None
    ) -> None:
        self.answer = answer
        self.limits = limits or Limits()
        self.places = Places(self.limits.connections)
        super().__init__(address, _Handler)

    @property
    def port(self) -> int:
        """Where it listens; the one that was free if 0 was asked for."""
        return int(self.server_address[1])

    def start(self) -> None:
        """Serves in the background until the server is closed."""
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True, name="ggp-accept").start()
        self.started = True

    started = False

    def server_close(self) -> None:
        """Stops serving and closes the socket; answers under way are still sent."""
        if self.started:
            self.started = False
            self.shutdown()
        super().server_close()

    def handle_error(self, request: object, client_address: object) -> None:
        """Whatever went wrong with one connection is logged and nothing else."""
        _log.exception("connection from %s failed", client_address)


class _Handler(socketserver.BaseRequestHandler):
    server: MessageServer
    request: socket.socket

    def handle(self) -> None:
        arrived = time.monotonic()
        try:
            if self.server.places.take(self.request):
                try:
                    self._serve(arrived)
                finally:
                    self.server.places.leave(self.request)
            else:
                self._send(503, "Service Unavailable", "busy: too many connections, come back later")
        except OSError as error:  # the other side has gone
            _log.info("%s: %s", self.client_address[0], error)

    def _serve(self, arrived: float) -> None:
        limits = self.server.limits
        incoming = Incoming(self.request, arrived + limits.receive)
        try:
            head = incoming.head(limits.head)
            text = self._message(head, incoming)
        except TooLarge as error:
            self._refuse(incoming, 413, "Content Too Large", str(error))
        except TooSlow as error:
            self._refuse(incoming, 408, "Request Timeout", str(error))
        except Unreadable as error:
            self._refuse(incoming, 400, "Bad Request", str(error))
        else:
            self.server.places.received(self.request)
            if text is None:
                self._send(200, "OK", "")
            else:
                self._send(200, "OK", self._answer(text, arrived))

    def _message(self, head: Head, incoming: Incoming) -> str | None:
        """The text of the message; none where nothing but the headers was asked for."""
        if head.method == "OPTIONS":
            return None
        if head.method == "GET":
            return unquote_plus(head.target.lstrip("/"), encoding="latin-1")
        if head.method != "POST":
            raise Unreadable(f"{head.method[:20]} is not understood: send a message by POST or GET")
        if "100-continue" in head.headers.get("expect", "").lower():
            self.request.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        return incoming.body(head.headers, self.server.limits.size, Balance()).decode("latin-1")

    def _answer(self, text: str, arrived: float) -> str:
        try:
            return self.server.answer(Request(text, str(self.client_address[0]), arrived))
        except Exception:
            _log.exception("no answer to %.200s", text)
            return "nil"

    def _refuse(self, incoming: Incoming, status: int, reason: str, text: str) -> None:
        _log.warning("%s: refused, %s", self.client_address[0], text)
        self._send(status, reason, text)
        # Closing a socket with unread bytes resets the connection, and the other side may lose the answer.
        self.request.shutdown(socket.SHUT_WR)
        incoming.drain(seconds=1.0, most=2**22)

    def _send(self, status: int, reason: str, text: str) -> None:
        body = text.encode("ascii", errors="replace")
        head = f"HTTP/1.0 {status} {reason}\n" + _HEADERS.format(length=len(body))
        self.request.settimeout(self.server.limits.send)
        self.request.sendall(head.replace("\n", "\r\n").encode("ascii") + body)
