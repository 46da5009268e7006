"""Reading one HTTP request or reply from a socket, with a deadline for all of it."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Balance", "Head", "Incoming", "TooLarge", "TooSlow", "Unreadable"]

_CHUNK = 2**16
_COMMENT = re.compile(rb";[^\n]*")
_HEAD_END = re.compile(rb"\r?\n\r?\n")


class Unreadable(ValueError):
    """What came in is not HTTP."""


class TooLarge(ValueError):
    """What came in is longer than is allowed."""


class TooSlow(TimeoutError):
    """What was to come in has not come in time."""


@dataclass(frozen=True)
class Head:
    """The first line in three words, and the headers by their names in lower case."""

    method: str
    target: str
    version: str
    headers: Mapping[str, str]


class Balance:
    """Watches a message as it comes in for its end: the parenthesis, outside comments, that closes the first one.

    >>> balance = Balance()
    >>> [balance.complete(part) for part in (b"(PLAY m (a ; :)", b")\\n b)", b")")]
    [False, False, True]
    """

    def __init__(self) -> None:
        self._depth = 0
        self._begun = self._in_comment = False

    def complete(self, part: bytes) -> bool:
        """Whether the message is complete with this part."""
        text = b";" + part if self._in_comment else part
        self._in_comment = text.rfind(b";") > text.rfind(b"\n")
        code = _COMMENT.sub(b"", text)
        self._depth += code.count(b"(") - code.count(b")")
        self._begun = self._begun or b"(" in code
        return self._begun and self._depth <= 0


class Incoming:
    """The bytes that a socket still has to give before `deadline` (by `time.monotonic`)."""

    def __init__(self, connection: socket.socket, deadline: float) -> None:
        self._connection = connection
        self._deadline = deadline
        self._buffer = bytearray()

    def head(self, most: int) -> Head:
        """The request or status line and the headers."""
        found = self._head_end()
        while found is None:
            if len(self._buffer) > most:
                raise TooLarge(f"the headers are longer than {most} bytes")
            if not self._more():
                raise Unreadable("the connection ended before the empty line behind the headers")
            found = self._head_end()
        start, end = found
        head = self._take(end)[:start]
        return _parse_head(head.decode("latin-1"))

    def _head_end(self) -> tuple[int, int] | None:
        found = _HEAD_END.search(self._buffer)
        return found.span() if found else None

    def starts_with(self, prefix: bytes) -> bool:
        """Whether the first bytes are these; reads as many as it takes."""
        while len(self._buffer) < len(prefix) and self._more():
            pass
        return self._buffer.startswith(prefix)

    def body(self, headers: Mapping[str, str], most: int, balance: Balance | None = None) -> bytes:
        """What follows the headers: as long as they say or, where they do not, to the end of the stream or of the
        message that `balance` watches.

        Some programs count characters, not bytes, and say a length that is too small where there are others than ASCII.
        """
        if "chunked" in headers.get("transfer-encoding", "").lower():
            return self._chunked(most)
        length = headers.get("content-length", "").strip()
        if not length:
            return self._rest(most, balance)
        if not length.isdecimal() or len(length) > 18:
            raise Unreadable(f"the Content-Length is no number: {length[:40]}")
        body = self._exactly(int(length), most)
        if balance is None or body.isascii() or balance.complete(body):
            return body
        return body + self._rest(most - len(body), balance)

    def drain(self, seconds: float, most: int) -> None:
        """Throws away what else comes."""
        self._deadline = time.monotonic() + seconds
        try:
            while most > 0 and self._more():
                most -= len(self._take(len(self._buffer)))
        except OSError:
            pass

    # ---- reading

    def _more(self) -> bytes:
        """The next bytes, which are also added to the buffer; none at the end of the stream."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TooSlow("it took too long to arrive")
        self._connection.settimeout(left)
        try:
            data = self._connection.recv(_CHUNK)
        except TimeoutError:
            raise TooSlow("it took too long to arrive") from None
        self._buffer += data
        return data

    def _take(self, count: int) -> bytes:
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken

    def _exactly(self, length: int, most: int) -> bytes:
        if length > most:
            raise TooLarge(f"{length} bytes are too many: at most {most} are read")
        while len(self._buffer) < length and self._more():
            pass
        return self._take(length)

    def _rest(self, most: int, balance: Balance | None) -> bytes:
        part = bytes(self._buffer)
        while balance is None or not balance.complete(part):
            if len(self._buffer) > most:
                raise TooLarge(f"more than {most} bytes are too many")
            part = self._more()
            if not part:
                break
        return self._take(len(self._buffer))

    def _chunked(self, most: int) -> bytes:
        body = b""
        while True:
            line = self._line().partition(b";")[0].strip()
            try:
                size = int(line, 16)
            except ValueError:
                raise Unreadable("the length of a chunk is no number") from None
            if size <= 0:
                return body
            body += self._exactly(size, most - len(body))
            self._line()

    def _line(self) -> bytes:
        while b"\n" not in self._buffer:
            if len(self._buffer) > _CHUNK or not self._more():
                raise Unreadable("a chunk does not end")
        return self._take(self._buffer.index(b"\n") + 1)


def _parse_head(text: str) -> Head:
    first, *rest = text.replace("\r\n", "\n").split("\n")
    words = first.split(None, 2)
    if len(words) < 2 or not words[0].isascii() or not words[0].replace("/", "").replace(".", "").isalnum():
        raise Unreadable(f"not a line of HTTP: {first[:60]!r}")
    headers = {}
    for line in rest:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    return Head(words[0], words[1], words[2] if len(words) > 2 else "", headers)
