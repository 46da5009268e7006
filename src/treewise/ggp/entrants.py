"""Who plays in a match of our server: players over HTTP, and built-in ones that need none.

An entrant is named by a text: `host:port`, `random`, `legal` (the first legal move by the alphabet), `flat` (flat Monte
Carlo), or any search. The limit of a search counts, and the play clock besides.
"""

from __future__ import annotations

import random
import re
import threading
import time
from dataclasses import dataclass
from typing import Protocol

from treewise.compositions import parse_search
from treewise.gdl.machine import Machine
from treewise.ggp.client import Unreachable, ask
from treewise.ggp.crowd import MOST_PLAYERS, CrowdMachine
from treewise.ggp.messages import Abort, Play, Start, Stop
from treewise.ggp.position import Position
from treewise.ggp.thinker import Thinker
from treewise.limit import Any, Limit, Seconds
from treewise.search import Search
from treewise.search import Stop as StopSearch

__all__ = ["FLAT_MONTE_CARLO", "Entrant", "Reply", "Seat", "Turn", "read_entrant"]

FLAT_MONTE_CARLO = "mcts(selection=ucb1(c=1000.0), expansion=all(after=1000000000), decision=max)"
"""Every legal move gets the same number of random playouts, the best mean is played: no tree."""
GRACE = 1.0
"""Seconds beyond a clock that a reply may take, as with other servers."""
_SHARE = 0.9
_ADDRESS = re.compile(r"(?P<host>[\w.-]+|\[[0-9A-Fa-f:]+\]):(?P<port>\d{1,5})")


@dataclass(frozen=True, slots=True)
class Reply:
    """What a seat answered, or why not: TO (too late), CE (cannot be reached)."""

    text: str
    error: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Turn:
    """What a seat is asked: the message, for who plays over HTTP, and the position, for who plays here."""

    message: Play
    position: Position
    legal: list[str]


class Seat(Protocol):
    """An entrant in one role of one match."""

    def start(self, message: Start) -> Reply:
        """The match begins."""

    def play(self, turn: Turn) -> Reply:
        """A move."""

    def end(self, message: Stop | Abort) -> None:
        """The match is over."""


class Entrant(Protocol):
    """Somebody who can play."""

    @property
    def text(self) -> str:
        """By which it is known."""

    def sit(self, machine: Machine, role: int, play_clock: int, seed: int) -> Seat:
        """Takes a role of a match."""


def read_entrant(text: str) -> Entrant:
    """The entrant of a text.

    >>> read_entrant("127.0.0.1:9147").port
    9147
    >>> read_entrant("legal").text
    'legal'
    """
    if text in ("random", "legal"):
        return Chooser(text)
    if text == "flat":
        return Thoughtful(text, parse_search(FLAT_MONTE_CARLO))
    address = _ADDRESS.fullmatch(text)
    if address is None:
        return Thoughtful(text, parse_search(text))
    if not 0 < int(address["port"]) < 2**16:
        raise ValueError(f"{text}: a port is a number from 1 to 65535")
    return Remote(text, address["host"].strip("[]"), int(address["port"]))


# ---- over HTTP


@dataclass(frozen=True)
class Remote:
    """A player that listens at an address."""

    text: str
    host: str
    port: int

    def sit(self, machine: Machine, role: int, play_clock: int, seed: int) -> Seat:
        """Its seat; who else plays there is the player's business."""
        return _RemoteSeat(self, play_clock)


class _RemoteSeat:
    def __init__(self, entrant: Remote, play_clock: int) -> None:
        self._entrant = entrant
        self._play_clock = play_clock

    def start(self, message: Start) -> Reply:
        return self._ask(str(message), message.start_clock + GRACE)

    def play(self, turn: Turn) -> Reply:
        return self._ask(str(turn.message), self._play_clock + GRACE)

    def end(self, message: Stop | Abort) -> None:
        self._ask(str(message), self._play_clock + GRACE)

    def _ask(self, message: str, seconds: float) -> Reply:
        begun = time.monotonic()
        text, error = "", ""
        try:
            text = ask(self._entrant.host, self._entrant.port, message, seconds)
        except TimeoutError:
            error = "TO"
        except Unreachable:
            error = "CE"
        return Reply(text, error, time.monotonic() - begun)


# ---- built in


@dataclass(frozen=True)
class Chooser:
    """Plays a random legal move, or the first."""

    text: str

    def sit(self, machine: Machine, role: int, play_clock: int, seed: int) -> Seat:
        """Its seat, with random numbers of its own."""
        return _ChoosingSeat(random.Random(seed) if self.text == "random" else None)


class _BuiltInSeat:
    def start(self, message: Start) -> Reply:
        return Reply("ready", "", 0.0)

    def end(self, message: Stop | Abort) -> None:
        pass


class _ChoosingSeat(_BuiltInSeat):
    def __init__(self, rng: random.Random | None) -> None:
        self._rng = rng

    def play(self, turn: Turn) -> Reply:
        return Reply(self._rng.choice(turn.legal) if self._rng else turn.legal[0], "", 0.0)


@dataclass(frozen=True)
class Thoughtful:
    """A search, on the server's own machine."""

    text: str
    search: Search

    def sit(self, machine: Machine, role: int, play_clock: int, seed: int) -> Seat:
        """Its seat; the search stops a little before the play clock ends, if not earlier by itself."""
        if isinstance(machine, CrowdMachine):
            raise ValueError(f"{self.text}: searches play games for up to {MOST_PLAYERS} players, not this one")
        assert isinstance(self.search.limit, Limit)
        seconds = _SHARE * play_clock
        search = self.search.replace(limit=Any((self.search.limit, Seconds(seconds))))
        return _ThinkingSeat(Thinker(search, machine, role, seed), random.Random(seed), seconds)


class _ThinkingSeat(_BuiltInSeat):
    one_at_a_time = threading.Lock()  # two searches on one machine, or on one core, would disturb each other

    def __init__(self, thinker: Thinker, rng: random.Random, seconds: float) -> None:
        self._thinker = thinker
        self._rng = rng
        self._seconds = seconds

    def play(self, turn: Turn) -> Reply:
        if len(turn.legal) == 1:
            return Reply(turn.legal[0], "", 0.0)
        machine, role = self._thinker.machine, self._thinker.role
        with self.one_at_a_time:
            begun = time.monotonic()
            stop = StopSearch()
            alarm = threading.Timer(self._seconds, stop.set)  # one simulation of the prover may outlast the clock
            alarm.start()
            try:
                action = self._thinker.run(turn.position.state, stop)
            finally:
                alarm.cancel()
            seconds = time.monotonic() - begun
        text = machine.action_text(role, action) if action is not None else self._rng.choice(turn.legal)
        return Reply(text, "", seconds)
