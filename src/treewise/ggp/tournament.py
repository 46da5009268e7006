"""Tournaments: which matches are played, with whom in which role, and their results in the laboratory's store.

In a game for two, every entrant meets every other with seats swapped; in a game for one, everybody plays alone; in a
game for more, one entrant for each role, seats rotating. Matches that differ in their seats only share a seed.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from treewise import spec
from treewise._core import derive_seed
from treewise.actions import Step
from treewise.ggp.entrants import Entrant, Remote
from treewise.ggp.match_server import Conditions, Rules, play_ggp_match
from treewise.ggp.record import Record
from treewise.lab.ending import Ending
from treewise.lab.experiment import Experiment
from treewise.lab.origin import origin
from treewise.lab.outcome import Cell
from treewise.lab.records import FinishedMatch
from treewise.lab.schedule import PlannedMatch, schedule
from treewise.lab.store import Store
from treewise.match import MatchRecord

__all__ = ["Finished", "Tournament", "play_tournament"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Finished:
    """One match of a tournament. `seats` and `goals` are in the order of the roles that entrants play."""

    meeting: tuple[int, ...]
    """The entrants that meet, in the order of the tournament; the same for all matches that count together."""
    index: int
    """Among the matches of the meeting."""
    seats: tuple[int, ...]
    goals: tuple[float, ...]
    record: Record | None
    """None if the match was in the store already."""

    def goal(self, entrant: int) -> float:
        """What an entrant got."""
        return self.goals[self.seats.index(entrant)]

    def score(self, entrant: int) -> float:
        """1 for the strictly highest goal, 1/2 for a share in it, else 0."""
        best = max(self.goals)
        if self.goal(entrant) < best:
            return 0.0
        return 1.0 if self.goals.count(best) == 1 else 0.5


@dataclass(frozen=True)
class _Planned:
    meeting: tuple[int, ...]
    index: int
    seats: tuple[int, ...]
    match: PlannedMatch


@dataclass(frozen=True, eq=False)
class Tournament:
    """A sheet, who plays, how, and how often each meeting takes place."""

    rules: Rules
    entrants: Sequence[Entrant]
    conditions: Conditions
    matches: int = 2
    seed: int = 0

    def __post_init__(self) -> None:
        seats, entrants = len(self.rules.seats), len(self.entrants)
        if entrants < seats or entrants == 0 or (seats > 2 and entrants != seats):
            wanted = "at least " * (seats <= 2) + str(max(1, seats))
            raise ValueError(f"{self.rules.name} is for {seats} players: name {wanted}, not {entrants}")
        remote = [entrant.text for entrant in self.entrants if isinstance(entrant, Remote)]
        if len(set(remote)) < len(remote):
            raise ValueError("a player at one address cannot play against itself: it takes one match at a time")

    @property
    def experiment(self) -> Experiment | None:
        """The form in which the laboratory knows it; none where its reports have none."""
        if len(self.rules.seats) != 2:
            return None
        name, clocks = self.rules.name, self._clocks()
        return Experiment(
            name=f"ggp_{name}",
            title=f"{name} over the game playing protocol",
            description=f"Goals 0 to 100; {clocks}.",
            seed=self.seed,
            opening=0,
            reuse=True,
            pairing="round_robin",
            parameter="",
            sprt=None,
            cells=tuple(self._cell(a, b, clocks) for a, b in self._pairs()),
        )

    def planned(self) -> Iterator[_Planned]:
        """All matches, in the order in which they are played."""
        experiment = self.experiment
        if experiment is not None:
            pairs = list(self._pairs())
            for fixture in schedule(experiment.cells, experiment.opening, experiment.reuse):
                pair = pairs[fixture.cell]
                yield _Planned(pair, fixture.index, tuple(pair[who] for who in fixture.seats), fixture.matches[0])
            return
        meetings = [(who,) for who in self._all()] if len(self.rules.seats) == 1 else [tuple(self._all())]
        for index, meeting in itertools.product(range(self.matches), meetings):
            turn, shared = index % len(meeting), index // len(meeting)
            seats = meeting[turn:] + meeting[:turn]
            texts = tuple(self._text(self.entrants[who]) for who in seats)
            match = PlannedMatch(self._game(), texts, derive_seed(self.seed, shared) >> 1, 0, True)
            yield _Planned(meeting, index, seats, match)

    def _all(self) -> range:
        return range(len(self.entrants))

    def _pairs(self) -> Iterator[tuple[int, int]]:
        return itertools.combinations(self._all(), 2)

    def _cell(self, a: int, b: int, clocks: str) -> Cell:
        first, second = self.entrants[a], self.entrants[b]
        return Cell(
            game=self._game(),
            game_label=self.rules.name,
            budget=clocks,
            kind="seconds",
            a=first.text,
            b=second.text,
            a_text=self._text(first),
            b_text=self._text(second),
            matches=self.matches,
            control=first.text == second.text,
            seed=derive_seed(self.seed, a * len(self.entrants) + b),
        )

    def _clocks(self) -> str:
        return f"{self.conditions.start_clock} s, {self.conditions.play_clock} s a move"

    def _game(self) -> str:
        return spec.write(spec.Call("rulesheet", {"name": self.rules.name, "sha256": self.rules.hash}))

    def _text(self, entrant: Entrant) -> str:
        """All that determines how an entrant plays, as far as it is known here."""
        how: dict[str, spec.Value] = {"start": self.conditions.start_clock, "play": self.conditions.play_clock}
        how |= {"scramble": self.conditions.scramble, "failed": self.conditions.failed}
        return spec.write(spec.Call("ggp", {"player": entrant.text, **how}))


def play_tournament(
    tournament: Tournament,
    store: str | Path | None = None,
    folder: str | Path | None = None,
    finished: Callable[[Finished], None] = lambda match: None,
    step: Callable[[Record], None] = lambda record: None,
) -> list[Finished]:
    """Plays a tournament. Each match is written to `folder` and, if it was completed, to `store`; what is in the store
    already is not played again. `step` is called after each step of a match, `finished` after each match."""
    done: list[Finished] = []
    with Store(store, write=True) if store is not None else nullcontext() as opened:
        known = opened.endings() if opened is not None else {}
        if opened is not None and (experiment := tournament.experiment) is not None:
            opened.save(experiment, "")
        for planned in tournament.planned():
            match = _finished(planned, known.get(planned.match.key)) or _play(tournament, planned, opened, folder, step)
            if match is not None:
                done.append(match)
                finished(match)
    return done


def _finished(planned: _Planned, ending: Ending | None) -> Finished | None:
    return Finished(planned.meeting, planned.index, planned.seats, ending.returns, None) if ending else None


def _play(
    tournament: Tournament,
    planned: _Planned,
    store: Store | None,
    folder: str | Path | None,
    step: Callable[[Record], None],
) -> Finished | None:
    """None if the match was called off: then there is no result."""
    entrants = [tournament.entrants[who] for who in planned.seats]
    record = play_ggp_match(tournament.rules, entrants, tournament.conditions, planned.match.seed, step)
    if folder is not None:
        record.write(folder)
    if not record.completed:
        _log.warning("a match was called off after %d steps: %s", len(record.moves), record.problem)
        return None
    roles = tournament.rules.seats
    if store is not None:
        with store.database.transaction() as db:
            store.record(db, FinishedMatch(planned.match, _stored(record, roles), origin()))
    goals = tuple(float(record.goals[role]) for role in roles)
    return Finished(planned.meeting, planned.index, planned.seats, goals, record)


def _stored(record: Record, roles: list[int]) -> MatchRecord:
    """What the laboratory keeps of a match. Nobody knows how many simulations a player ran."""
    steps = len(record.moves)
    return MatchRecord(
        returns=tuple(float(record.goals[role]) for role in roles),
        length=steps,
        seconds=tuple(record.seconds(role) for role in roles),
        simulations=(0,) * len(roles),
        actions=cast(tuple[Step, ...], tuple(record.actions)),
        seed=record.seed,
        cut=False,
        moves=(steps,) * len(roles),
    )
