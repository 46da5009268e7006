"""Does the present engine still play a store's matches as they were played? A sample of them, played again."""

from __future__ import annotations

import functools
import random
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from treewise.compositions import parse_search
from treewise.lab.archive import open_records
from treewise.lab.budget import kind_of
from treewise.lab.database import ARCHIVE
from treewise.lab.executor import Executor, LostMatch, Result
from treewise.lab.origin import origin
from treewise.lab.outcome import Replay
from treewise.lab.records import FinishedMatch, Records, as_written_today
from treewise.lab.schedule import PlannedMatch, schedule
from treewise.lab.store import Store

__all__ = ["Replays", "verify"]


@dataclass
class Replays:
    """Of the matches that one version of the code played."""

    version: str
    matches: int = 0
    repeatable: int = 0
    """Those that nothing but the seed decides."""
    replayed: int = 0
    same: int = 0
    others: list[tuple[PlannedMatch, str]] = field(default_factory=list)
    """Those that came out otherwise, or could not be played, with why."""


def verify(
    store: str | Path,
    executor: Executor,
    most: int = 100,
    seed: int = 0,
    name: str | None = None,
    report: Callable[[int], None] = lambda done: None,
) -> list[Replays]:
    """Plays a random sample of a store's matches again, `most` of them, as many of each version as of the others.

    A match is the same if all of its record is, but for the time. Those with a limit in seconds cannot be repeated, nor
    those that others than searches played. With a `name` it is the matches of that experiment. A store keeps what came
    out, for its reports; an archive is only read. `report` is told how many were replayed.
    """
    archived = Path(store).suffix == ARCHIVE
    with open_records(store) if archived else Store(store, write=Path(store).exists()) as opened:
        found, chosen = _sample(opened, most, random.Random(seed), name)
        played = {match.planned.key: match for match in opened.written() if match.planned.key in chosen}
        for done, result in enumerate(_play(executor, [match.planned for match in played.values()]), 1):
            before = played[result.planned.key]
            same = isinstance(result, FinishedMatch) and result.record == before.record
            _count(found[before.origin.version], result, same)
            if isinstance(opened, Store):
                with opened.database.transaction() as db:
                    opened.keep_replay(db, before.planned.key, Replay(same, origin().version))
            report(done)
    return list(found.values())


def _sample(records: Records, most: int, rng: random.Random, name: str | None) -> tuple[dict[str, Replays], set[bytes]]:
    """What there is, by version, and the keys of what is to be replayed."""
    asked = None if name is None else _keys(records, name)
    found: dict[str, Replays] = {}
    repeatable: dict[str, list[bytes]] = defaultdict(list)
    for match in records.written(actions=False):
        if asked is not None and as_written_today(match.planned).key not in asked:
            continue
        version = match.origin.version
        replays = found.setdefault(version, Replays(version))
        replays.matches += 1
        if all(map(_repeatable, match.planned.searches)):
            replays.repeatable += 1
            repeatable[version].append(match.planned.key)
    for keys in repeatable.values():
        rng.shuffle(keys)
    return found, set(_in_turns(repeatable.values(), most))


def _keys(records: Records, name: str) -> set[bytes]:
    experiment = records.experiment(name)
    fixtures = schedule(experiment.cells, experiment.opening, experiment.reuse)
    return {match.key for fixture in fixtures for match in fixture.matches}


def _in_turns(lists: Collection[list[bytes]], most: int) -> list[bytes]:
    """One of each list, then another of each, until there are enough or all.

    >>> _in_turns([[b"a", b"b", b"c"], [b"d"]], 3)
    [b'a', b'd', b'b']
    """
    turns = sorted(((turn, place), key) for place, keys in enumerate(lists) for turn, key in enumerate(keys))
    return [key for _, key in turns[:most]]


@functools.cache
def _repeatable(search: str) -> bool:
    """Whether a text is a search that does the same with the same seed."""
    try:
        return kind_of(parse_search(search).limit) == "simulations"
    except (ValueError, TypeError):
        return False


def _play(executor: Executor, matches: list[PlannedMatch]) -> Iterator[Result]:
    pending, under_way = deque(matches), 0
    while pending or under_way:
        while pending and under_way < executor.capacity:
            executor.submit(pending.popleft())
            under_way += 1
        for result in executor.results(1.0):
            under_way -= 1
            yield result


def _count(replays: Replays, result: Result, same: bool) -> None:
    replays.replayed += 1
    replays.same += same
    if not same:
        if isinstance(result, FinishedMatch):
            why = "it comes out otherwise"
        else:
            why = "its worker died" if isinstance(result, LostMatch) else result.why
        replays.others.append((result.planned, why))
