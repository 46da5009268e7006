"""Asking a player: one message, one reply, and a time after which nobody waits any longer."""

from __future__ import annotations

import socket
import time

from treewise.ggp.wire import Incoming, TooLarge, TooSlow, Unreadable

__all__ = ["CONNECT_SECONDS", "Unreachable", "ask"]

CONNECT_SECONDS = 5.0
_LONGEST_REPLY = 2**20


class Unreachable(ConnectionError):
    """A player cannot be reached, or broke off."""


def ask(host: str, port: int, message: str, seconds: float, receiver: str = "") -> str:
    """A player's reply, as it came. `Unreachable`, or `TimeoutError` if it does not come within `seconds`.

    The connection may take `CONNECT_SECONDS` of its own, as with other servers. Replies may have any status line, or
    none, and any length up to a megabyte.
    """
    try:
        connection = socket.create_connection((host, port), CONNECT_SECONDS)
    except (OSError, UnicodeError) as error:  # the latter of a host that cannot be a name, as ".."
        raise Unreachable(f"{host}:{port} cannot be reached: {error}") from error
    with connection:
        deadline = time.monotonic() + seconds
        try:
            connection.settimeout(seconds)
            connection.sendall(_request(host, message, receiver))
            return _reply(Incoming(connection, deadline))
        except TimeoutError:
            raise TooSlow(f"{host}:{port} did not answer within {seconds:g} s") from None
        except (TooLarge, Unreadable) as error:
            raise Unreachable(f"{host}:{port} answers no HTTP: {error}") from error
        except OSError as error:
            raise Unreachable(f"{host}:{port} broke off: {error}") from error


def _request(host: str, message: str, receiver: str) -> bytes:
    body = message.encode("ascii", errors="replace")
    head = (
        "POST / HTTP/1.0",
        "Accept: text/delim",
        f"Host: {host}",
        "Sender: GAMESERVER",
        f"Receiver: {receiver}",
        "Content-Type: text/acl",
        f"Content-Length: {len(body)}",
    )
    return "\r\n".join([*head, "", ""]).encode("ascii", errors="replace") + body


def _reply(incoming: Incoming) -> str:
    headers = incoming.head(_LONGEST_REPLY).headers if incoming.starts_with(b"HTTP/") else {}
    body = incoming.body(headers, _LONGEST_REPLY)
    return body.decode("latin-1").strip()
