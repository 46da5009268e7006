"""One match of the player, from START to STOP, as its clocks see it: what is asked when, and what is answered in time.

The threads that answer messages only wait, never longer than the clock allows, and take the best answer that is known
by then. Who thinks, here or in a process of its own, is a `Reasoner`.
"""

from __future__ import annotations

import logging
import threading
import time

from treewise.ggp.clock import Margins, ReplyTimes
from treewise.ggp.messages import Play, Start, Stop
from treewise.ggp.reasoning import Answer, Reasoner
from treewise.ggp.settings import Settings

__all__ = ["Playing"]

_log = logging.getLogger(__name__)

_FAREWELL = 0.5
"""Seconds that STOP waits for the last state to be worked out."""


class Playing:
    """A match that this player is in."""

    def __init__(self, start: Start, settings: Settings, reasoner: Reasoner, host: str, arrived: float) -> None:
        self.start = start
        self.reasoner = reasoner
        self.times = ReplyTimes()
        self.last_answer: str | None = None
        self._margins = settings.margins or Margins.towards(host)
        self._patience = settings.patience
        self._start_clock = min(start.start_clock, settings.longest)
        self._play_clock = min(start.play_clock, settings.longest)
        self._expected = arrived + self._start_clock
        self._answer = Answer()
        self._asking = threading.Lock()

    def begin(self, arrived: float) -> None:
        """Prepares for the match until the start clock is nearly over."""
        answer = Answer()
        self._replace(answer)
        self.reasoner.begin(self.start, self._margins.seconds(self._play_clock), answer)
        self._wait(answer, arrived, self._margins.seconds(self._start_clock, start=True))
        self.times.add(time.monotonic() - arrived, self.start.start_clock)

    def turn(self, message: Play, arrived: float) -> str:
        """The move to answer; `nil` where nothing is known that would be legal."""
        self._expected = arrived
        answer = Answer()
        with self._asking:
            self._replace(answer)
            self.reasoner.turn(message, self.last_answer, answer)
        self._wait(answer, arrived, self._margins.seconds(self._play_clock))
        answer.found.wait(max(0.0, arrived + self._margins.latest(self._play_clock) - time.monotonic()))
        self.last_answer = answer.move
        self.times.add(time.monotonic() - arrived, self.start.play_clock)
        return self.last_answer

    def end(self, message: Stop | None = None) -> None:
        """The match is over, or called off if there is no message. All that it started ends."""
        answer = Answer()
        before = self._replace(answer)
        if message is not None:
            self.reasoner.turn(message, self.last_answer, answer)
            answer.found.wait(_FAREWELL)
        before.found.set()
        self.reasoner.close()
        _log.info("%s: %s", self.start.match, self.times)

    def abandoned(self, now: float) -> bool:
        """Whether the server has been silent for so long that another one may have the player."""
        return now > self._expected + self._patience * self._play_clock + 1.0

    def _replace(self, answer: Answer) -> Answer:
        """What was asked before need not get any better: it is answered with the first legal move. Returns that."""
        before, self._answer = self._answer, answer
        self.reasoner.stop(before, left=True)
        return before

    def _wait(self, answer: Answer, arrived: float, seconds: float) -> None:
        answer.found.wait(max(0.0, arrived + seconds - time.monotonic()))
        self.reasoner.stop(answer)
