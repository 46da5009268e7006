"""What reports read: finished matches and the experiments that asked for them, whatever file they are kept in."""

from __future__ import annotations

import functools
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from treewise.compositions import parse_search
from treewise.game import game_text, load_game
from treewise.lab.database import StoreError
from treewise.lab.experiment import Experiment
from treewise.lab.origin import Origin
from treewise.lab.outcome import Cell, Figure, Published, Reference, Replay, Sprt
from treewise.lab.schedule import PlannedMatch
from treewise.match import MatchRecord
from treewise.processes import has_files

__all__ = ["Asked", "FinishedMatch", "Records", "StoredMatch", "as_written_today", "outdated", "read_definition"]


@dataclass(frozen=True)
class FinishedMatch:
    """What an executor gives for a planned match."""

    planned: PlannedMatch
    record: MatchRecord
    origin: Origin


@dataclass(frozen=True)
class StoredMatch(FinishedMatch):
    """A record as it is read back; `finished` in seconds since 1970."""

    finished: int
    replay: Replay | None = None
    """The last one, where `treewise lab verify` has drawn it."""

    def __repr__(self) -> str:
        return f"<StoredMatch: {self.planned!r}, {self.record!r}>"


@dataclass(frozen=True)
class Asked:
    """An experiment as it was asked once: resolved cells in JSON, the text of its file, and when, as `finished`."""

    name: str
    definition: str
    source: str
    stored: int

    def __repr__(self) -> str:
        return f"<Asked: '{self.name}', stored at {self.stored}>"


class Records(ABC):
    """Matches and experiments that can be read."""

    path: Path

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.path}>"

    @abstractmethod
    def close(self) -> None:
        """Closes the file."""

    @abstractmethod
    def asked(self) -> list[Asked]:
        """Everything that was asked, the first stored first. Of those with the same name the last counts."""

    @abstractmethod
    def written(self, actions: bool = True) -> Iterator[StoredMatch]:
        """All records as they were written, in the order in which they were finished, with their actions or without."""

    @abstractmethod
    def decoding(self) -> AbstractContextManager[None]:
        """Around what makes sense of what was read: what makes none becomes a StoreError."""

    def under_way(self) -> set[bytes]:
        """Keys of the matches that are being played now."""
        return set()

    def matches(self, actions: bool = True) -> Iterator[StoredMatch]:
        """All records, with texts as this version of the code writes them: a parameter that has been added since is
        there with its default, so that matches of before count for what is asked now."""
        for found in self.written(actions):
            yield replace(found, planned=as_written_today(found.planned))

    def names(self) -> list[str]:
        """The experiments, the first stored first."""
        return list(dict.fromkeys(each.name for each in self.asked()))

    def source(self, name: str) -> str:
        """The text of the file that an experiment was last played from; empty if it is not there, or had none."""
        return next((each.source for each in reversed(self.asked()) if each.name == name), "")

    def experiment(self, name: str | None = None) -> Experiment:
        """An experiment as it was last stored; without a name, the only one there is."""
        newest = {each.name: each.definition for each in self.asked()}
        if name is None and len(newest) == 1:
            name = next(iter(newest))
        if name not in newest:
            what = f"no experiment '{name}'" if name is not None else "several experiments"
            listed = ", ".join(f"'{each}'" for each in newest) or "none"
            raise StoreError(f"{self.path} has {what}; choose one of: {listed}")
        with self.decoding():
            return read_definition(newest[name])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def outdated(games: Iterable[str], searches: Iterable[str]) -> bool:
    """Whether this version of the code writes some of these texts in another way."""
    return any(_current_game(text) != text for text in games) or any(_current_search(text) != text for text in searches)


def as_written_today(planned: PlannedMatch) -> PlannedMatch:
    """The same match, with texts as this version of the code writes them."""
    searches = tuple(map(_current_search, planned.searches))
    found = replace(planned, game=_current_game(planned.game), searches=searches)
    return planned if planned == found else found  # whose key may be known


@functools.cache
def _current_search(text: str) -> str:
    """A stored search's full text as this version of the code writes it; as it is if it can no longer be read.

    What names a file of the user's is left as it is: to read a store must not run a program.

    >>> _current_search("mcts(selection=ucb1(c=1.0))") == parse_search("uct(c=1.0)").text(full=True)
    True
    """
    try:
        return text if has_files(text) else parse_search(text).text(full=True)
    except (ValueError, TypeError):
        return text


@functools.cache
def _current_game(text: str) -> str:
    """The same for a game."""
    try:
        return text if has_files(text) else game_text(load_game(text), full=True)
    except (ValueError, TypeError):
        return text


def read_definition(text: str) -> Experiment:
    """The experiment that was stored as this text; what it raises if the text makes no sense is one of `UNREADABLE`."""
    read: dict[str, Any] = json.loads(text)
    cells, published = tuple(map(_cell, read["cells"])), tuple(map(_published, read.get("published", [])))
    sprt = Sprt(**read["sprt"]) if read["sprt"] else None
    return Experiment(**read | {"cells": cells, "sprt": sprt, "published": published})


def _cell(read: dict[str, Any]) -> Cell:
    texts = {"game": _current_game(read["game"])}
    texts |= {key: _current_search(read[key]) for key in ("a_text", "b_text")}
    return Cell(**read | texts | {"reference": Reference(**read["reference"]) if read["reference"] else None})


def _published(read: dict[str, Any]) -> Published:
    return Published(**read | {what: Figure(**read[what]) for what in ("wins", "score") if read[what]})
