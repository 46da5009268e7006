"""Time: when an answer must be sent, and how long answers took."""

from __future__ import annotations

import ipaddress
import threading
from dataclasses import dataclass, field

__all__ = ["Margins", "ReplyTimes"]

_SMALLEST_SHARE = 0.25  # of a clock that is shorter than its margin
_LEAST = 0.1
"""Seconds that are taken even where a clock has less: a legal move a little late is worth more than none, and servers
grant a second beyond their clocks."""


@dataclass(frozen=True)
class Margins:
    """Seconds by which an answer is sent before its clock ends.

    >>> Margins().seconds(15), Margins().seconds(1)
    (13.0, 0.25)
    >>> Margins.towards("127.0.0.1").seconds(15)
    14.7
    """

    play: float = 2.0
    start: float = 4.0

    @classmethod
    def towards(cls, host: str) -> Margins:
        """What suits the way to a server: little on the same machine, more over the internet."""
        try:
            near = ipaddress.ip_address(host).is_loopback
        except ValueError:
            near = host == "localhost"
        return cls(0.3, 0.3) if near else cls()

    def seconds(self, clock: float, start: bool = False) -> float:
        """How long one may think; at least a quarter of the clock."""
        return max(clock - (self.start if start else self.play), _SMALLEST_SHARE * clock, _LEAST)

    def latest(self, clock: float) -> float:
        """When the answer to PLAY leaves: a search that is stopped needs a moment to say what it found."""
        seconds = self.seconds(clock)
        return max(seconds, (seconds + clock) / 2)


@dataclass
class ReplyTimes:
    """How long the replies of a match took, in seconds, beside the clock of each.

    >>> times = ReplyTimes()
    >>> for seconds in (0.5, 0.7, 1.2): times.add(seconds, clock=1)
    >>> times.late, times.percentile(50)
    (1, 0.7)
    """

    taken: list[tuple[float, float]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def add(self, seconds: float, clock: float) -> None:
        """Notes a reply."""
        with self._lock:
            self.taken.append((seconds, clock))

    @property
    def late(self) -> int:
        """Replies that took longer than their clock."""
        return sum(seconds > clock for seconds, clock in self.taken)

    def percentile(self, percent: float) -> float:
        """The time that so many per cent of the replies did not exceed; 0 without any."""
        ordered = sorted(seconds for seconds, _ in self.taken)
        if not ordered:
            return 0.0
        return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]

    def __str__(self) -> str:
        shares = ", ".join(f"{percent} %: {self.percentile(percent):.3f} s" for percent in (50, 95, 100))
        return f"{len(self.taken)} replies ({shares}), {self.late} late"
