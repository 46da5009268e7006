"""Thinking about one match: the machines of its rules, where it stands, and the search, in one thread.

Whoever answers messages asks for moves here and takes the best that is known when it is time.
"""

from __future__ import annotations

import logging
import queue
import random
import threading
import time
from collections.abc import Callable
from typing import Protocol

from treewise._core import derive_seed
from treewise.gdl.machine import Machine
from treewise.gdl.probe import probe
from treewise.ggp.crowd import CrowdMachine
from treewise.ggp.kind import kind_of_game
from treewise.ggp.machines import Machines, readable_sheet
from treewise.ggp.messages import Play, Start, Stop, fold
from treewise.ggp.percepts import Beliefs, hides
from treewise.ggp.position import Position
from treewise.ggp.settings import Settings
from treewise.ggp.thinker import Thinker
from treewise.ggp.tracking import Tracker, Worlds
from treewise.limit import UntilStopped
from treewise.search import Stop as StopSearch

__all__ = ["Answer", "Reasoner", "Reasoning"]

_log = logging.getLogger(__name__)

_WAIT_SHARE = 0.5
"""Of the start clock, in which nothing is done but to wait for a fast machine."""
_PROBE_SHARE = 0.05
_LONGEST_PROBE = 2.0
"""Share of the start clock, and most seconds, for random matches that say what kind of game it is."""
_TRACKING_SHARE = 0.1
"""Of the time for a move, to try what may have been played where a message cannot be true."""


class Answer:
    """A move that gets better until somebody takes it."""

    def __init__(self) -> None:
        self.move = "nil"
        self.found = threading.Event()
        """The move will not get better."""
        self.over = False
        """It is time to answer."""
        self.left = False
        """The match has gone on."""

    def improve(self, move: str) -> None:
        """A better move than before."""
        self.move = move

    def finish(self) -> None:
        """There will be no better one."""
        self.found.set()


class Reasoner(Protocol):
    """Who thinks about one match. Nothing here waits: answers say when they are found."""

    def begin(self, start: Start, seconds: float, answer: Answer) -> None:
        """The match begins; `seconds` are those for each move."""

    def turn(self, message: Play | Stop, answered: str | None, answer: Answer) -> None:
        """The match has gone on. `answered` is what was sent last."""

    def stop(self, answer: Answer, left: bool = False) -> None:
        """It is time to answer, or the match has gone on."""

    def close(self) -> None:
        """The match is over: whatever was started for it ends."""


class Reasoning:
    """Thinks in a thread of this process."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.worlds: Worlds | None = None
        """Where the match may stand."""
        self.machines: Machines | None = None
        self.thinker: Thinker | None = None
        self._start: Start | None = None
        self._seconds = 0.0
        self._rng = random.Random(derive_seed(settings.seed, 0))
        self._refused: Machine | None = None
        self._hidden = False
        self._tracker: Tracker | None = None
        self._beliefs: Beliefs | None = None
        self._role = -1
        self._running = StopSearch()
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        threading.Thread(target=self._work, daemon=True, name="ggp-match").start()

    # ---- for other threads

    def begin(self, start: Start, seconds: float, answer: Answer) -> None:
        """See `Reasoner`."""
        self._start, self._seconds = start, seconds
        self._jobs.put(lambda: self._prepare(start, answer))

    def turn(self, message: Play | Stop, answered: str | None, answer: Answer) -> None:
        """See `Reasoner`."""
        if isinstance(message, Play):
            self._jobs.put(lambda: self._move(message, answered, answer))
        else:
            self._jobs.put(lambda: self._finish(message, answered, answer))

    def stop(self, answer: Answer, left: bool = False) -> None:
        """See `Reasoner`."""
        answer.left = answer.left or left
        answer.over = True
        self._running.set()

    def close(self) -> None:
        """See `Reasoner`. A step of the prover is not interrupted: `treewise.ggp.match_process` ends that, too."""
        self._jobs.put(None)

    # ---- in the thread of the match

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            try:
                job()
            except Exception:
                _log.exception("%s: a step failed", self._name)
        if self.machines is not None:
            self.machines.close()

    @property
    def _name(self) -> str:
        return self._start.match if self._start is not None else "?"

    def _prepare(self, start: Start, answer: Answer) -> None:
        try:
            begun = time.monotonic()
            sheet = readable_sheet(start.rules, start.match)
            self._hidden = hides(sheet)
            self.machines = Machines(sheet, self.settings.first, self.settings.faster, lambda: self._running.set())
            self._take_machine()
            # What is searched on a slow machine is lost on a fast one.
            while not answer.over and time.monotonic() < begun + _WAIT_SHARE * start.start_clock:
                if self.machines.wait(0.02):
                    break
            self._probe(start, answer)
            self._think(answer)
        finally:
            answer.finish()

    def _probe(self, start: Start, answer: Answer) -> None:
        assert self.machines is not None
        begun = time.monotonic()
        deadline = begun + min(_PROBE_SHARE * start.start_clock, _LONGEST_PROBE)
        found = probe(self.machines.best, 10**6, over=lambda: answer.over or time.monotonic() > deadline)
        rate = found.playouts / (time.monotonic() - begun)
        _log.info("%s: %.1f random matches a second, %s", start.match, rate, kind_of_game(found))

    def _move(self, message: Play, answered: str | None, answer: Answer) -> None:
        try:
            if self.worlds is not None and self._role >= 0:
                self._follow(message, answered)
                self._take_machine()  # rather than to prove what the fast machine knows at once
                position, legal = self.worlds.promising(self._role)
                if legal:
                    answer.improve(self._rng.choice(legal))
                if len(legal) > 1:
                    self._think(answer, legal, position)
        finally:
            answer.finish()
        if self.settings.ponder:
            self._think(answer, ponder=True)

    def _finish(self, message: Stop, answered: str | None, answer: Answer) -> None:
        try:
            if self.worlds is not None and self._role >= 0:
                self._follow(message, answered)
                position = self.worlds.best
                goals, over = position.machine.goals(position.state), position.machine.is_terminal(position.state)
                _log.info("%s: goals %s, over: %s", message.match, goals, over)
        finally:
            answer.finish()

    def _follow(self, message: Play | Stop, answered: str | None) -> None:
        """Brings what is possible up to date with what a message tells."""
        assert self.worlds is not None
        if message.turn is not None or (self._hidden and not self._is_joint(message.moves)):
            own = [move for move in (message.last, answered) if move is not None]
            if own and message.turn != 0:
                if self._beliefs is None:
                    self._beliefs = Beliefs(self.worlds.best.machine.sheet, self._role, self._rng)
                self.worlds = self._beliefs.after(self.worlds, own, message.percepts or message.moves or ())
        elif message.moves is not None or self.worlds.best.played:
            self._follow_moves(message.moves or (), answered, isinstance(message, Stop))

    def _follow_moves(self, told: tuple[str, ...], answered: str | None, over: bool) -> None:
        assert self.worlds is not None
        if self._tracker is None:
            self._tracker = Tracker(self._rng, _TRACKING_SHARE * self._seconds)
        own = None
        if answered is not None:
            own = self._role, answered
            if self._role < len(told) and fold(told[self._role]) != fold(answered):
                _log.warning("answered %s, but the server played %s", answered, told[self._role])
        self.worlds = self._tracker.after(self.worlds, told, own, over)

    def _is_joint(self, told: tuple[str, ...] | None) -> bool:
        """Whether a list is a joint move, and not what this role saw: some servers tell everybody everything."""
        assert self.worlds is not None
        return told is not None and any(position.allows(told) for position in self.worlds.positions)

    def _think(
        self, answer: Answer, legal: list[str] | None = None, position: Position | None = None, ponder: bool = False
    ) -> None:
        """Searches on the best machine there is until the answer is taken or, to ponder, until the match goes on.

        Only moves that are `legal` are an answer, if they are given; `position` is where they are.
        """
        while True:
            # In this order: whoever ends the search says so first in the answer or by a better machine, then stops it.
            self._running = StopSearch()
            if self._take_machine() and position is not None:
                assert self.worlds is not None
                position, legal = self.worlds.promising(self._role)
            here = position or (self.worlds.best if self.worlds is not None else None)
            if answer.left or (answer.over and not ponder):
                return
            if self.thinker is None or here is None or here.machine.is_terminal(here.state):
                return
            action = self.thinker.run(here.state, self._running)
            if action is not None and action in here.machine.legal(here.state, self._role):
                move = here.machine.action_text(self._role, action)
                if legal is None or move in legal:
                    answer.improve(move)
            if not self._better_machine():
                return

    def _better_machine(self) -> bool:
        best = self.machines.best if self.machines is not None else None
        return (
            best is not None
            and best is not self._refused
            and (self.worlds is None or best is not self.worlds.best.machine)
        )

    def _take_machine(self) -> bool:
        """Goes over to the best machine, by playing the match again on it; whether there was a better one."""
        if self.machines is None or not self._better_machine():
            return False
        machine = self.machines.best
        try:
            self.worlds = self.worlds.on(machine) if self.worlds is not None else Worlds([(1.0, Position(machine))])
        except Exception as error:
            _log.warning("the faster machine is not used: %s", error)
            self._refused = machine
            return False
        steps = len(self.worlds.best.played)
        _log.info("%s: %s after %d steps", self._name, type(machine).__name__, steps)
        self._take_role(machine)
        return True

    def _take_role(self, machine: Machine) -> None:
        assert self._start is not None
        role = fold(self._start.role)
        names = [fold(name) for name in machine.roles]
        if role not in names:
            _log.error("%s: there is no role %s in the rules", self._name, self._start.role)
            return
        self._role = names.index(role)
        self.thinker = self._new_thinker(machine)

    def _new_thinker(self, machine: Machine) -> Thinker | None:
        if isinstance(machine, CrowdMachine):
            _log.warning("%s: %d roles are too many for a search", self._name, len(machine.roles))
            return None
        memory = min(self.settings.search.memory_mb, self.settings.memory_mb / 4)
        search = self.settings.search.replace(
            limit=self.settings.limit or UntilStopped(self._seconds), memory_mb=memory
        )
        return Thinker(search, machine, self._role, derive_seed(self.settings.seed, 1))
