"""An archive: all of a store in one small file, of columns packed by LZMA, which is how matches are kept and handed on.

It is an `.npz` file, so that NumPy alone reads it: `np.load("matches.npz")["length"]`. What can be told from the rest,
keys and digests, is not in it. Actions make nine tenths of a store; those of a game are one column, so that each game's
are packed by themselves.
"""

from __future__ import annotations

import io
import itertools
import json
import lzma
import math
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from treewise.lab.database import ARCHIVE, UNREADABLE, StoreError
from treewise.lab.origin import Origin
from treewise.lab.outcome import Replay
from treewise.lab.records import Asked, Records, StoredMatch
from treewise.lab.schedule import PlannedMatch
from treewise.lab.store import Store
from treewise.lab.written import check_output, replacing
from treewise.match import MatchRecord, Step
from treewise.wording import describe

__all__ = ["Archive", "import_archive", "open_records", "write_archive"]

_FORMAT = "treewise matches 1"
_TEXTS = "texts.json"
_MOST_BYTES = 2**32
"""Of an archive when unpacked."""
_DAMAGED = (*UNREADABLE, OSError, EOFError, RuntimeError, zipfile.BadZipFile, lzma.LZMAError, zlib.error)

_MATCH = {
    "game": np.int32,
    "players": np.int32,
    "seed": np.int64,
    "opening": np.int32,
    "reuse": np.bool_,
    "length": np.int64,
    "cut": np.bool_,
    "steps": np.int64,
    "origin": np.int32,
    "finished": np.int64,
    "score": np.float64,
}
"""The columns with a row for each match. `steps` is how many of the game's steps are the match's; a score that there is
not is NaN; `game` and `origin` are places in the lists of texts."""
_REPLAY = {"replayed": np.int8, "replayed_by": np.int32}
"""Two more where some were played again: whether the same came out, -1 for those that were not, and the place of the
version that did it in a list of texts."""
_SEAT = {
    "search": np.int32,
    "returns": np.float64,
    "moves": np.int64,
    "simulations": np.int64,
    "seconds": np.float64,
}
"""Those with a row for each seat of each match."""


def write_archive(store: str | Path, target: str | Path) -> int:
    """Writes everything that a store has to an archive, and returns how many matches these are.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Store(f"{folder}/a.sqlite", write=True).close()
    ...     write_archive(f"{folder}/a.sqlite", f"{folder}/a.npz")
    0
    """
    if Path(target).suffix != ARCHIVE:
        raise ValueError(f"{target}: the name of an archive must end in {ARCHIVE}")
    check_output(Path(target), Path(store))
    columns = _Columns()
    with open_records(store) as opened:
        for match in opened.written():
            columns.add(match)
        texts = columns.texts() | {"experiments": [asdict(asked) for asked in opened.asked()]}
    with replacing(target) as place, zipfile.ZipFile(place, "w", zipfile.ZIP_LZMA) as file:
        _put(file, _TEXTS, json.dumps(texts, ensure_ascii=False).encode())
        for name, values in columns.arrays().items():
            packed = io.BytesIO()
            np.save(packed, values, allow_pickle=False)
            _put(file, f"{name}.npy", packed.getvalue())
    return len(columns.rows["game"])


def _put(file: zipfile.ZipFile, name: str, content: bytes) -> None:
    """Without the time: the same matches make the same file."""
    member = zipfile.ZipInfo(name)
    member.compress_type = zipfile.ZIP_LZMA
    file.writestr(member, content)


class _Columns:
    """Columns that grow match by match."""

    def __init__(self) -> None:
        self.rows: dict[str, list[Any]] = {name: [] for name in (*_MATCH, *_SEAT, *_REPLAY)}
        self.engines: dict[str, int] = {}
        self.games: dict[str, int] = {}
        self.searches: dict[str, int] = {}
        self.origins: dict[Origin, int] = {}
        self.actions: dict[int, list[Any]] = defaultdict(list)
        self.joint: dict[int, list[Any]] = defaultdict(list)

    def add(self, match: StoredMatch) -> None:
        """Puts a match at the end of all columns."""
        planned, record, rows = match.planned, match.record, self.rows
        game = self.games.setdefault(planned.game, len(self.games))
        origin = self.origins.setdefault(match.origin, len(self.origins))
        score = np.nan if record.score is None else record.score
        asked = (game, len(planned.searches), planned.seed, planned.opening, planned.reuse)
        found = (record.length, record.cut, len(record.actions), origin, match.finished, score)
        for name, value in zip(_MATCH, (*asked, *found), strict=True):
            rows[name].append(value)
        searches = [self.searches.setdefault(text, len(self.searches)) for text in planned.searches]
        seats = (searches, record.returns, record.moves, record.simulations, record.seconds)
        for name, values in zip(_SEAT, seats, strict=True):
            rows[name].extend(values)
        replay = match.replay
        rows["replayed"].append(-1 if replay is None else int(replay.same))
        rows["replayed_by"].append(-1 if replay is None else self.engines.setdefault(replay.version, len(self.engines)))
        self._add_actions(game, record.actions)

    def _add_actions(self, game: int, steps: tuple[Step, ...]) -> None:
        """A joint step is as many actions as it has; `joint` says how many, 0 for the action of a single player."""
        joint = [len(step) if isinstance(step, tuple) else 0 for step in steps]
        if any(joint):
            steps = tuple(itertools.chain.from_iterable(step if isinstance(step, tuple) else (step,) for step in steps))
        self.actions[game].append(_smallest(np.array(steps, np.int64)))
        self.joint[game].append(_smallest(np.array(joint, np.int64)))

    def texts(self) -> dict[str, Any]:
        """What the numbers of the columns stand for."""
        origins = [asdict(origin) for origin in self.origins]
        lists = {"games": [*self.games], "searches": [*self.searches], "origins": origins, "engines": [*self.engines]}
        return {"format": _FORMAT} | lists

    def arrays(self) -> dict[str, Any]:
        """All columns by their names."""
        kinds = _MATCH | _SEAT | (_REPLAY if self.engines else {})
        found = {name: np.array(self.rows[name], kind) for name, kind in kinds.items()}
        for game in self.games.values():
            found[f"actions/{game}"] = np.concatenate(self.actions[game])
            joint = np.concatenate(self.joint[game])
            if joint.any():
                found[f"joint/{game}"] = joint
        return found


def _smallest(values: Any) -> Any:
    """The same whole numbers in as few bytes as they need."""
    least, most = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    return values.astype(np.promote_types(np.min_scalar_type(least), np.min_scalar_type(most)))


class Archive(Records):
    """An archive, all of whose members are read and checked by their checksums when it is opened."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            raise StoreError(f"{path}: there is no such archive; `treewise lab export --full` makes it")
        with self.decoding(), zipfile.ZipFile(self.path) as file:
            content = _unpacked(file)
            self.texts = json.loads(content.pop(_TEXTS))
            if self.texts["format"] != _FORMAT:
                raise ValueError(f"its format is {self.texts['format']!r:.60}, and this Treewise reads '{_FORMAT}'")
            self.arrays = {name.removesuffix(".npy"): _array(packed) for name, packed in content.items()}

    def close(self) -> None:
        """Nothing is open."""

    @contextmanager
    def decoding(self) -> Iterator[None]:
        """Around what makes sense of what was read: what makes none becomes a StoreError."""
        try:
            yield
        except _DAMAGED as error:
            raise StoreError(
                f"{self.path} is not a whole archive of matches ({describe(error)}); it was left as it is"
            ) from error

    def asked(self) -> list[Asked]:
        """Everything that was asked, the first stored first."""
        with self.decoding():
            return [Asked(**each) for each in self.texts["experiments"]]

    def written(self, actions: bool = True) -> Iterator[StoredMatch]:
        """All records as they were written, in the order in which they were finished, with their actions or without."""
        matches = self._matches(actions)
        while True:
            with self.decoding():
                found = next(matches, None)
            if found is None:
                return
            yield found

    def _matches(self, with_actions: bool) -> Iterator[StoredMatch]:
        games, searches = self.texts["games"], self.texts["searches"]
        origins = [Origin(**each) for each in self.texts["origins"]]
        steps = [self._steps(game) if with_actions else iter(()) for game in range(len(games))]
        seats = self._rows(_SEAT)
        for row, replay in zip(self._rows(_MATCH), self._replays(), strict=True):
            game, players, seed, opening, reuse, length, cut, count, origin, finished, score = row
            search, returns, moves, simulations, seconds = zip(*itertools.islice(seats, players), strict=True)
            planned = PlannedMatch(games[game], tuple(searches[each] for each in search), seed, opening, reuse)
            actions = tuple(itertools.islice(steps[game], count))
            if len(search) < players or (with_actions and len(actions) < count):
                raise ValueError("its columns end before its matches")
            points = None if math.isnan(score) else score
            record = MatchRecord(returns, length, seconds, simulations, actions, seed, cut, moves, points)
            yield StoredMatch(planned, record, origins[origin], finished, replay)
        if any(next(rest, None) is not None for rest in (seats, *steps)):
            raise ValueError("its matches end before its columns")

    def _rows(self, names: Iterable[str]) -> Iterator[tuple[Any, ...]]:
        return zip(*(self.arrays[name].tolist() for name in names), strict=True)

    def _replays(self) -> Iterator[Replay | None]:
        engines = self.texts.get("engines", [])
        if not engines:
            return itertools.repeat(None, len(self.arrays["game"]))
        return (Replay(bool(same), engines[by]) if same >= 0 else None for same, by in self._rows(_REPLAY))

    def _steps(self, game: int) -> Iterator[Step]:
        actions: Iterator[int] = iter(self.arrays[f"actions/{game}"].tolist())
        joint = self.arrays.get(f"joint/{game}")
        if joint is None:
            return actions
        return (tuple(itertools.islice(actions, width)) if width else next(actions) for width in joint.tolist())


def _unpacked(file: zipfile.ZipFile) -> dict[str, bytes]:
    """The content of every member, each checked by its checksum."""
    size = sum(member.file_size for member in file.infolist())
    if size > _MOST_BYTES:
        raise ValueError(f"{size:,} bytes when unpacked, and {_MOST_BYTES:,} are the most")
    return {member.filename: file.read(member) for member in file.infolist()}


def _array(packed: bytes) -> Any:
    return np.load(io.BytesIO(packed), allow_pickle=False)


def open_records(path: str | Path) -> Records:
    """A store, or an archive, which may be read in its place."""
    return Archive(path) if Path(path).suffix == ARCHIVE else Store(path)


def import_archive(archive: str | Path, target: str | Path) -> int:
    """Makes a store of an archive, and returns how many matches it has. Keys and digests are computed anew."""
    if Path(target).exists():
        raise StoreError(f"{target} is there already: name a file that is not")
    with Archive(archive) as source, replacing(target) as place, Store(place, write=True) as store:
        with store.database.transaction() as db:
            for asked in source.asked():
                store.keep(db, asked)
            recorded = [store.record(db, match) for match in source.written()]
        if not all(recorded):
            raise StoreError(f"{archive} has a match twice")
        return len(recorded)
