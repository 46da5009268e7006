"""One match of the player, from START to STOP.

All reasoning happens in one thread of the match, one step after the other. The threads that answer messages only wait
for it, never longer than the clock allows, and take the best answer that is known by then.
"""

from __future__ import annotations

import logging
import queue
import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from treewise._core import derive_seed
from treewise.compositions import parse_search
from treewise.gdl.machine import Machine
from treewise.gdl.probe import probe
from treewise.ggp.clock import Margins, ReplyTimes
from treewise.ggp.crowd import CrowdMachine
from treewise.ggp.kind import kind_of_game
from treewise.ggp.machines import FASTER, BackgroundBuilder, Builder, Machines, readable_sheet, slow_machine
from treewise.ggp.messages import Play, Start, Stop, fold
from treewise.ggp.percepts import Beliefs, hides
from treewise.ggp.position import Position
from treewise.ggp.thinker import DEFAULT_SEARCH, Thinker
from treewise.limit import Limit, UntilStopped
from treewise.search import Search
from treewise.search import Stop as StopSearch

__all__ = ["Playing", "Settings"]

_log = logging.getLogger(__name__)

_WAIT_SHARE = 0.5
"""Of the start clock, in which nothing is done but to wait for a fast machine."""
_FAREWELL = 0.5
"""Seconds that STOP waits for the last state to be worked out."""
_PROBE_SHARE = 0.05
_LONGEST_PROBE = 2.0
"""Share of the start clock, and most seconds, for random matches that say what kind of game it is."""


@dataclass(frozen=True)
class Settings:
    """How a player plays."""

    name: str = "treewise"
    search: Search = field(default_factory=lambda: parse_search(DEFAULT_SEARCH))
    limit: Limit | None = None
    """Of each search, in place of its own. None: the clock."""
    margins: Margins | None = None
    """None: by the way to the server."""
    ponder: bool = False
    """Whether to go on thinking while others do."""
    patience: float = 2.0
    """After so many play clocks of silence another server's START ends the match; infinite: never."""
    seed: int = 0
    first: Builder = slow_machine
    faster: Sequence[BackgroundBuilder] = FASTER


class _Answer:
    """A move that gets better until somebody takes it."""

    def __init__(self) -> None:
        self.move = "nil"
        self.found = threading.Event()
        """The move will not get better."""
        self.over = False
        """It is time to answer."""
        self.left = False
        """The match has gone on."""


class Playing:
    """A match that this player is in."""

    def __init__(self, start: Start, settings: Settings, host: str, arrived: float) -> None:
        self.start = start
        self.settings = settings
        self.margins = settings.margins or Margins.towards(host)
        self.times = ReplyTimes()
        self.last_answer: str | None = None
        self._expected = arrived + start.start_clock
        self._rng = random.Random(derive_seed(settings.seed, 0))
        self._machines: Machines | None = None
        self._position: Position | None = None
        self._thinker: Thinker | None = None
        self._refused: Machine | None = None
        self._hidden = False
        self._beliefs: Beliefs | None = None
        self._role = -1
        self._last_told: tuple[str, ...] | None = None
        self._answer = _Answer()
        self._asking = threading.Lock()
        self._running = StopSearch()
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        threading.Thread(target=self._work, daemon=True, name=f"ggp-{start.match[:20]}").start()

    # ---- for the threads that answer messages

    def begin(self, arrived: float) -> None:
        """Prepares for the match until the start clock is nearly over."""
        self._ask(self._prepare, self.start.start_clock, arrived, start=True)

    def turn(self, message: Play, arrived: float) -> str:
        """The move to answer; `nil` where nothing is known that would be legal."""
        self._expected = arrived
        self.last_answer = self._ask(lambda answer: self._move(answer, message), self.start.play_clock, arrived)
        return self.last_answer

    def end(self, message: Stop | None = None) -> None:
        """The match is over, or called off if there is no message."""
        self._interrupt()
        if message is not None:
            finished = threading.Event()
            self._jobs.put(lambda: self._finish(message, finished))
            finished.wait(_FAREWELL)
        self._jobs.put(None)
        _log.info("%s: %s", self.start.match, self.times)

    def abandoned(self, now: float) -> bool:
        """Whether the server has been silent for so long that another one may have the player."""
        return now > self._expected + self.settings.patience * self.start.play_clock + 1.0

    def _ask(self, job: Callable[[_Answer], None], clock: float, arrived: float, start: bool = False) -> str:
        seconds = self.margins.seconds(clock, start)
        with self._asking:
            self._interrupt()
            answer = self._answer = _Answer()
            self._jobs.put(lambda: job(answer))
        answer.found.wait(max(0.0, arrived + seconds - time.monotonic()))
        self._stop(answer)
        if not start:  # a search that was stopped needs a moment to say what it found
            answer.found.wait(max(0.0, arrived + (seconds + clock) / 2 - time.monotonic()))
        self.times.add(time.monotonic() - arrived, clock)
        return answer.move

    def _interrupt(self) -> None:
        self._answer.left = True
        self._stop(self._answer)

    def _stop(self, answer: _Answer) -> None:
        answer.over = True
        self._running.set()

    # ---- in the thread of the match

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
            except Exception:
                _log.exception("%s: a step failed", self.start.match)
        if self._machines is not None:
            self._machines.close()

    def _prepare(self, answer: _Answer) -> None:
        try:
            begun = time.monotonic()
            sheet = readable_sheet(self.start.rules, self.start.match)
            self._hidden = hides(sheet)
            self._machines = Machines(sheet, self.settings.first, self.settings.faster, lambda: self._running.set())
            self._take_machine()
            # What is searched on a slow machine is lost on a fast one.
            while not answer.over and time.monotonic() < begun + _WAIT_SHARE * self.start.start_clock:
                if self._machines.wait(0.02):
                    break
            self._probe(answer)
            self._think(answer)
        finally:
            answer.found.set()

    def _probe(self, answer: _Answer) -> None:
        assert self._machines is not None
        begun = time.monotonic()
        deadline = begun + min(_PROBE_SHARE * self.start.start_clock, _LONGEST_PROBE)
        found = probe(self._machines.best, 10**6, over=lambda: answer.over or time.monotonic() > deadline)
        rate = found.playouts / (time.monotonic() - begun)
        _log.info("%s: %.1f random matches a second, %s", self.start.match, rate, kind_of_game(found))

    def _move(self, answer: _Answer, message: Play) -> None:
        try:
            self._follow(message)
            if self._position is None or self._role < 0:
                return
            legal = self._position.legal_texts(self._role)
            if legal:
                answer.move = self._rng.choice(legal)
            if len(legal) > 1:
                self._think(answer)
        finally:
            answer.found.set()
        if self.settings.ponder:
            self._think(answer, ponder=True)

    def _finish(self, message: Stop, finished: threading.Event) -> None:
        try:
            self._follow(message)
            if self._position is not None:
                machine, state = self._position.machine, self._position.state
                _log.info("%s: goals %s, over: %s", message.match, machine.goals(state), machine.is_terminal(state))
        finally:
            finished.set()

    def _follow(self, message: Play | Stop) -> None:
        """Brings the position up to date with what a message tells."""
        position = self._position
        if position is None or self._role < 0:
            return
        if message.turn is not None or (self._hidden and not self._is_joint(message.moves)):
            self._follow_percepts(message)
        elif message.moves is not None:
            self._follow_moves(position, message.moves)

    def _follow_moves(self, position: Position, told: tuple[str, ...]) -> None:
        if told == self._last_told and not position.allows(told):
            _log.warning("the last joint move is told again, where it is not legal: taken for a repetition")
            return
        self._last_told = told
        answered = (self._role, self.last_answer) if self.last_answer is not None else None
        if answered and self._role < len(told) and fold(told[self._role]) != fold(answered[1]):
            _log.warning("answered %s, but the server played %s", answered[1], told[self._role])
        position.advance(told, answered)

    def _follow_percepts(self, message: Play | Stop) -> None:
        own = message.last or self.last_answer
        if own is None or message.turn == 0 or self._position is None:
            return
        if self._beliefs is None:
            self._beliefs = Beliefs(self._position, self._role, self._rng)
        self._position = self._beliefs.advance(own, message.percepts or message.moves or ())

    def _is_joint(self, told: tuple[str, ...] | None) -> bool:
        """Whether a list is a joint move, and not what this role saw: some servers tell everybody everything."""
        assert self._position is not None
        return told is not None and len(told) == len(self._position.machine.roles) and self._position.allows(told)

    def _think(self, answer: _Answer, ponder: bool = False) -> None:
        """Searches on the best machine there is until the answer is taken or, to ponder, until the match goes on."""
        while True:
            # In this order: whoever ends the search says so first in the answer or by a better machine, then stops it.
            self._running = StopSearch()
            self._take_machine()
            thinker, position = self._thinker, self._position
            if answer.left or (answer.over and not ponder):
                return
            if thinker is None or position is None or position.machine.is_terminal(position.state):
                return
            action = thinker.run(position.state, self._running)
            if action is not None and action in position.machine.legal(position.state, self._role):
                answer.move = position.machine.action_text(self._role, action)
            if not self._better_machine():
                return

    def _better_machine(self) -> bool:
        best = self._machines.best if self._machines is not None else None
        return (
            best is not None
            and best is not self._refused
            and (self._position is None or best is not self._position.machine)
        )

    def _take_machine(self) -> None:
        """Goes over to the best machine, by playing the match again on it."""
        if self._machines is None or not self._better_machine():
            return
        machine = self._machines.best
        try:
            self._position = self._position.on(machine) if self._position is not None else Position(machine)
        except Exception as error:
            _log.warning("the faster machine is not used: %s", error)
            self._refused = machine
            return
        _log.info("%s: %s after %d steps", self.start.match, type(machine).__name__, len(self._position.played))
        names = [fold(name) for name in machine.roles]
        role = fold(self.start.role)
        if role not in names:
            _log.error("%s: there is no role %s in the rules", self.start.match, self.start.role)
            return
        self._role = names.index(role)
        self._thinker = self._new_thinker(machine)

    def _new_thinker(self, machine: Machine) -> Thinker | None:
        if isinstance(machine, CrowdMachine):
            _log.warning("%s: %d roles are too many for a search", self.start.match, len(machine.roles))
            return None
        limit = self.settings.limit or UntilStopped(self.margins.seconds(self.start.play_clock))
        search = self.settings.search.replace(limit=limit)
        return Thinker(search, machine, self._role, derive_seed(self.settings.seed, 1))
