"""Running an experiment: claim a match, have it played, record it; what is recorded is not played again."""

from __future__ import annotations

import shlex
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection

from treewise.lab.claims import HEARTBEAT, Claims
from treewise.lab.database import StoreError
from treewise.lab.ending import Ending
from treewise.lab.executor import Executor, FailedMatch, LostMatch, Result
from treewise.lab.experiment import Experiment
from treewise.lab.outcome import Cell
from treewise.lab.records import FinishedMatch
from treewise.lab.schedule import Fixture, PlannedMatch, schedule
from treewise.lab.sequential import SequentialTest
from treewise.lab.store import Store
from treewise.lab.tally import Tally

__all__ = ["MatchError", "Stopped", "run"]

_TRIES = 3
"""After so many deaths of a worker over the same match the match is given up."""
_LOOK = 1.0
"""Seconds after which a run that waits for long matches tells how far they are."""
_PATIENCE = 1.0
"""Seconds between two looks at what other runs have claimed."""


class MatchError(ValueError):
    """A match cannot be played: an exception inside it, or its worker died again and again.

    Its text has the command that plays the match `again`, to look for the bug.
    """

    def __init__(self, match: PlannedMatch, why: str, again: bool = True) -> None:
        command = f"python -c {shlex.quote('import treewise; ' + match.call())}"
        super().__init__(f"{why}. To see it again: {command}" if again else why)
        self.match = match


@dataclass(frozen=True)
class Stopped:
    """How a run ended: what it played itself, and what of the chosen cells is finished now, by whomever."""

    played: int
    """Two searches that are paired in a game for one player make one match."""
    tally: Tally

    @property
    def complete(self) -> bool:
        """Whether nothing is left to play."""
        return self.tally.done == self.tally.asked


def run(
    experiment: Experiment,
    store: str | Path | Store,
    executor: Executor,
    *,
    source: str | None = "",
    choose: Callable[[Cell], bool] = lambda cell: True,
    most: int | None = None,
    seconds: float | None = None,
    test: Callable[[], SequentialTest] | None = None,
    report: Callable[[Tally], None] | None = None,
) -> Stopped:
    """Plays what is missing of an experiment, and records it in the store; running it again resumes.

    `store` may be one that is open for writing. `source` is the text of the experiment's file; None does not keep the
    experiment itself. `choose` picks cells; `most` matches or `seconds` end it earlier, after the matches under way;
    `test` makes a sequential test for each cell; `report` is called after each change. The executor is not closed.
    """
    with nullcontext(store) if isinstance(store, Store) else Store(store, write=True) as opened:
        if opened is not store:
            opened.check()
        if source is not None:
            opened.save(experiment, source)
        chosen = [cell for cell in experiment.cells if choose(cell)]
        fixtures = list(schedule(chosen, experiment.opening, experiment.reuse))
        endings = opened.endings({match.key for fixture in fixtures for match in fixture.matches})
        tally = Tally(chosen, fixtures, endings, test)
        deadline = None if seconds is None else time.monotonic() + seconds
        running = _Run(opened, executor, tally, fixtures, most, deadline, report)
        try:
            running.play()
        except BaseException:
            with suppress(StoreError):  # the first error counts
                running.end()
            raise
        running.end()
        return Stopped(running.played, tally)


class _Run:
    def __init__(
        self,
        store: Store,
        executor: Executor,
        tally: Tally,
        fixtures: list[Fixture],
        most: int | None,
        deadline: float | None,
        report: Callable[[Tally], None] | None,
    ) -> None:
        self.store, self.executor, self.tally, self.report = store, executor, tally, report
        self.most, self.deadline = most, deadline
        wanted = {match.key: match for fixture in fixtures for match in fixture.matches}
        self.pending = deque(match for key, match in wanted.items() if key not in tally.endings)
        self.elsewhere: list[PlannedMatch] = []
        self.under_way: dict[bytes, PlannedMatch] = {}
        self.deaths: Counter[bytes] = Counter()
        self.begun, self.played = 0.0, 0
        self.claims = Claims(store.database)

    def play(self) -> None:
        """Until nothing is left, or the limits of this run are reached."""
        self._exchange([], bury=True)
        while self.under_way or (self.elsewhere and not self._enough()):
            results = self._wait()
            finished = [result for result in results if isinstance(result, FinishedMatch)]
            if results or self.claims.silent_for > HEARTBEAT or not self.under_way:
                self._exchange(finished, bury=not self.under_way)
            else:
                self._tell()
            for result in results:
                if not isinstance(result, FinishedMatch):
                    self._again(result)

    def end(self) -> None:
        """Gives back what was claimed and not played."""
        self.claims.end()

    def _wait(self) -> list[Result]:
        if self.under_way:
            return self.executor.results(_LOOK)
        time.sleep(_PATIENCE)  # all that is left is being played by other runs
        self.pending, self.elsewhere = deque(self.elsewhere), []
        return []

    def _exchange(self, finished: list[FinishedMatch], bury: bool) -> None:
        """Records what is finished and claims what comes next, in one transaction: one wait for the disk."""
        with self.store.database.transaction() as db:
            self.claims.beat(db)
            if bury:
                self.claims.bury(db)
            for match in finished:
                self.store.record(db, match)
                self.claims.release(db, match.planned.key)
            taken, found = self._take(db, self._room() + len(finished))
        done = self.tally.done
        for match in finished:
            del self.under_way[match.planned.key]
            self.tally.add(match.planned.key, Ending.of(match.record))
        self.played += self.tally.done - done
        for key, ending in found.items():
            self.tally.add(key, ending)
        for planned in taken:
            self.under_way[planned.key] = planned
            self.executor.submit(planned)
        self.tally.elsewhere = 0 if self.under_way else len(self.elsewhere)
        self._tell()

    def _tell(self) -> None:
        self.tally.steps = getattr(self.executor, "steps", 0)
        if self.report:
            self.report(self.tally)

    def _room(self) -> int:
        return self.executor.capacity - len(self.under_way)

    def _enough(self) -> bool:
        spent = self.deadline is not None and time.monotonic() >= self.deadline
        return spent or (self.most is not None and self.begun >= self.most)

    def _take(self, db: Connection, room: int) -> tuple[list[PlannedMatch], dict[bytes, Ending]]:
        """The next matches that nobody has claimed, and the endings of those that others have finished."""
        taken: list[PlannedMatch] = []
        found = {}
        while self.pending and len(taken) < room and not self._enough():
            match = self.pending.popleft()
            if not self.tally.wanted(match.key):
                continue
            if ending := self.store.find(db, match.key):
                found[match.key] = ending
            elif self.claims.take(db, match.key):
                taken.append(match)
                # Where two are paired in a game for one player, it is half of what the experiment calls a match.
                self.begun += 1 / len(self.tally.asking[match.key][0].matches)
            else:
                self.elsewhere.append(match)
        return taken, found

    def _again(self, result: LostMatch | FailedMatch) -> None:
        """Has a match played again whose worker died; one that failed by itself would fail again."""
        match = result.planned
        if isinstance(result, FailedMatch):
            raise MatchError(match, f"a match failed with {result.why}" if result.bug else result.why, result.bug)
        self.deaths[match.key] += result.blamed
        if self.deaths[match.key] >= _TRIES:
            raise MatchError(match, f"a worker process died {_TRIES} times in the same match (out of memory?)")
        self.executor.submit(match)
