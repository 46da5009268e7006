"""How the tests talk to players and servers."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable

from treewise.compositions import parse_search
from treewise.ggp.clock import Margins
from treewise.ggp.http import Request
from treewise.ggp.machines import slow_machine
from treewise.ggp.player import Player
from treewise.ggp.reasoning import Reasoning
from treewise.ggp.settings import Settings
from treewise.limit import Simulations

QUICK = Margins(play=60.0, start=60.0)
"""At most a quarter of each clock is thought: a short one for START, where nothing is answered but `ready`."""
CLOCKS = "1 10"
"""Of START messages: however busy the machine is, a hundred simulations fit into a quarter of the play clock."""

Serve = Callable[..., int]


def quick_settings(**changes: object) -> Settings:
    """Of a player that thinks until it has proven how the match ends, or for a hundred simulations."""
    base: dict[str, object] = {"margins": QUICK, "first": slow_machine, "faster": (), "limit": Simulations(100)}
    base["search"] = parse_search("mcts(proof=solver)")
    return Settings(**base | changes)  # type: ignore[arg-type]


def quick_player(**changes: object) -> Player:
    """A player that thinks in this process, where tests can look."""
    return Player(quick_settings(**changes), Reasoning)


def say(player: Player, text: str) -> str:
    return player.answer(Request(text, "127.0.0.1", time.monotonic()))


def talk(port: int, data: bytes, finish: bool = False) -> bytes:
    """Everything that comes back for some raw bytes; `finish` says that no more will follow."""
    with socket.create_connection(("127.0.0.1", port), 10) as connection:
        connection.settimeout(20)
        connection.sendall(data)
        if finish:
            connection.shutdown(socket.SHUT_WR)
        parts = []
        while part := connection.recv(2**16):
            parts.append(part)
    return b"".join(parts)


def post(port: int, message: str) -> str:
    body = message.encode()
    head = f"POST / HTTP/1.0\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    return talk(port, head + body).partition(b"\r\n\r\n")[2].decode()
