"""Executors: who plays the planned matches. Processes of this machine here; a cluster is another executor."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from treewise.lab.origin import origin
from treewise.lab.records import FinishedMatch
from treewise.lab.schedule import PlannedMatch
from treewise.match import OpeningError, play_match
from treewise.own import SourceChanged
from treewise.processes import cached_game, cached_search, held_back, shared_count, spawn_pool
from treewise.wording import describe, own_place

__all__ = ["Executor", "FailedMatch", "LocalExecutor", "LostMatch", "Result", "play"]

_QUICK = 0.5
"""Seconds of a match that is worth having the next one ready."""


_START = 30.0
"""Seconds after which a process that is being started is given up."""


@dataclass(frozen=True)
class LostMatch:
    """The worker that was to play a match is gone; `blamed` if it was playing this one."""

    planned: PlannedMatch
    blamed: bool


@dataclass(frozen=True)
class FailedMatch:
    """An exception ended a match: a bug in a search or a game, unless its opening was too long."""

    planned: PlannedMatch
    why: str
    bug: bool = True


Result = FinishedMatch | LostMatch | FailedMatch


class Executor(Protocol):
    """Plays matches somewhere. One that knows how many `steps` of those under way are done may have such a property."""

    @property
    def capacity(self) -> int:
        """How many matches it wants to have at a time, those that wait for a worker included."""

    def submit(self, match: PlannedMatch) -> None:
        """Takes a match to play."""

    def results(self, timeout: float) -> list[Result]:
        """What was finished, lost or failed since the last call; waits at most `timeout` seconds for the first."""

    def close(self) -> None:
        """Ends all workers at once, with what they are playing."""


class _Steps:
    """How many steps of the match that this process is playing are done; shared with whom it works for."""

    count: Any = None

    @classmethod
    def share(cls, count: Any) -> None:
        cls.count = count

    @classmethod
    def begin(cls) -> None:
        if cls.count is not None:
            cls.count.value = 0

    @classmethod
    def add(cls) -> None:
        if cls.count is not None:
            cls.count.value += 1


def play(match: PlannedMatch) -> FinishedMatch | FailedMatch:
    """Plays a planned match, here and now."""
    _Steps.begin()
    try:
        searches, game = [cached_search(text) for text in match.searches], cached_game(match.game)
        record = play_match(game, searches, match.seed, match.opening, match.reuse, report=_Steps.add)
    except OpeningError as error:
        return FailedMatch(match, f"{match.game}: {error}", bug=False)
    except SourceChanged as error:
        return FailedMatch(match, f"{error}. Run it again, to play by what it is now", bug=False)
    except BaseException as error:  # told in words: not every exception survives the way between processes
        if isinstance(error, KeyboardInterrupt) or (own_place(error) is None and not isinstance(error, Exception)):
            raise
        return FailedMatch(match, describe(error) if own_place(error) else f"{type(error).__name__}: {error}")
    return FinishedMatch(match, record, origin())


class _Worker:
    """One process with its own queue, so that a death can be laid to the match that was being played."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        self.steps = shared_count()
        self.pool = spawn_pool(1, _Steps.share, self.steps)
        self.process = self.pool.submit(os.getpid)
        self.queue: deque[tuple[PlannedMatch, Future[FinishedMatch | FailedMatch]]] = deque()

    def submit(self, match: PlannedMatch) -> None:
        future: Future[FinishedMatch | FailedMatch] = Future()
        try:
            future = self.pool.submit(play, match)
        except BrokenExecutor as error:
            if self.queue:  # it has just died in the middle of a match: `results` will tell
                future.set_exception(error)
            else:
                self._start()
                future = self.pool.submit(play, match)
        self.queue.append((match, future))

    def results(self) -> Iterator[Result]:
        """Matches are finished in the order of the queue, so the first one unfinished is the one being played."""
        while self.queue and self.queue[0][1].done():
            if self.queue[0][1].exception() is not None:
                yield from self._lost()
                return
            yield self.queue.popleft()[1].result()

    def _lost(self) -> list[LostMatch]:
        lost = [LostMatch(match, blamed=place == 0) for place, (match, _) in enumerate(self.queue)]
        self.pool.shutdown(wait=False, cancel_futures=True)
        self._start()
        return lost

    def kill(self) -> None:
        """Ends the process with what it is playing; one that is just being started is waited for."""
        with suppress(BrokenExecutor, TimeoutError, ProcessLookupError):
            os.kill(self.process.result(_START), signal.SIGTERM)

    def end(self) -> None:
        """After `kill`. A pool that were left alone would write to closed pipes when the interpreter ends."""
        self.pool.shutdown(wait=True, cancel_futures=True)


class LocalExecutor:
    """Worker processes of this machine, started once. One that dies is replaced."""

    def __init__(self, processes: int) -> None:
        if processes < 1:
            raise ValueError(f"processes must be at least 1, not {processes}")
        self.workers: list[_Worker] = []
        self.quick = False
        try:
            for _ in range(processes):
                self.workers.append(_Worker())
        except BaseException:
            self.close()
            raise

    def __repr__(self) -> str:
        return f"<LocalExecutor: {len(self.workers)} at a time>"

    @property
    def capacity(self) -> int:
        """One for each worker; where matches are quick another, which begins while the last one is recorded.

        A second long one would wait behind the first while other workers have nothing to do.
        """
        return len(self.workers) * (2 if self.quick else 1)

    @property
    def steps(self) -> int:
        """Of the matches that are being played."""
        return sum(worker.steps.value for worker in self.workers if worker.queue)

    def submit(self, match: PlannedMatch) -> None:
        """Gives a match to the worker with the shortest queue."""
        min(self.workers, key=lambda worker: len(worker.queue)).submit(match)

    def results(self, timeout: float) -> list[Result]:
        """What was finished or lost since the last call."""
        wait([future for worker in self.workers for _, future in worker.queue], timeout, FIRST_COMPLETED)
        found = [result for worker in self.workers for result in worker.results()]
        spent = [sum(result.record.seconds) for result in found if isinstance(result, FinishedMatch)]
        if spent:
            self.quick = max(spent) < _QUICK
        return found

    def close(self) -> None:
        """Ends all workers at once."""
        with held_back():
            for worker in self.workers:
                worker.kill()
            for worker in self.workers:
                worker.end()
