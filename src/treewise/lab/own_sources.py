"""Python files of the user's that experiments name: have they changed since their matches were played?"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from treewise import spec
from treewise.lab.experiment import Experiment
from treewise.lab.outcome import Cell
from treewise.lab.store import Store
from treewise.own import source_digest

__all__ = ["changed_files", "left_behind"]

Sources = set[tuple[str, str]]
"""Paths, each with the digest of its source."""


def changed_files(experiment: Experiment) -> list[str]:
    """The files that are there and are no longer what a stored experiment was played by; nothing is imported.

    >>> from treewise.lab.experiment import Experiment
    >>> changed_files(Experiment("none", "", "", 0, 0, False, "alone", "", None, ()))
    []
    """
    changed = []
    for path, digest in sorted(_sources(_texts(experiment.cells))):
        with suppress(ValueError):  # not there: who looks at a store need not have them
            if source_digest(path) != digest:
                changed.append(path)
    return changed


def left_behind(store: Store, cells: Iterable[Cell]) -> dict[str, int]:
    """How many matches of a store were played by another source of the files that these cells name, file by file."""
    now = _sources(_texts(cells))
    paths = {path for path, _ in now}
    with store.database.reading() as db:
        found = dict.fromkeys(sorted(paths), 0)
        games = {number: _sources([text]) for number, text in db.execute("SELECT id, text FROM game")}
        searches = {number: _sources([text]) for number, text in db.execute("SELECT id, text FROM search")}
        query = "SELECT game, group_concat(DISTINCT search) FROM match JOIN seat ON match = id GROUP BY id"
        for game, seated in db.execute(query) if paths else ():
            used = games[game].union(*(searches[int(number)] for number in seated.split(",")))
            for path in {path for path, _ in used - now} & paths:
                found[path] += 1
    return {path: count for path, count in found.items() if count}


def _texts(cells: Iterable[Cell]) -> set[str]:
    return {text for cell in cells for text in (cell.game, cell.a_text, cell.b_text) if text}


def _sources(texts: Iterable[str]) -> Sources:
    return {
        (call.file, str(call.arguments.get("digest", ""))) for text in texts for call in spec.files(spec.parse(text))
    }
