"""Published figures of entrants that play alone, as experiment files give them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from treewise.lab.outcome import Figure, Published
from treewise.lab.toml_table import NUMBER, Table, is_number

__all__ = ["MARKS", "OVERALL", "read_published"]

OVERALL = "Overall"
"""The row of all games together."""
MARKS = ("=", "+", "++", "-", "--")


def read_published(table: Table, game: str, entrants: Iterable[str]) -> Iterator[Published]:
    """What each source says of a game: `{ paper = { vanilla = { wins = [35.6, 1.9], score = [25.5, 0.4, "--"] } } }`.

    >>> table = Table("file", {"paper": {"vanilla": {"wins": [35.6, 1.9]}}})
    >>> next(read_published(table, "Zelda", ["vanilla"])).wins
    Figure(value=35.6, error=1.9, mark='', too_large=False)
    """
    for source in table.values:
        told = table.table(source, entrants)
        for entrant in told.values:
            given = told.table(entrant, ["wins", "score"])
            figures: dict[str, Any] = {what: _figure(given, what) for what in given.values}
            yield Published(source, game, entrant, **figures)


def _figure(table: Table, what: str) -> Figure:
    """A number, or a list of the number, its standard error and, against the base, its mark.

    An error that is known to be too large is a text: `[50.5, "<1.9", "++"]`.
    """
    given = table.get(what, (*NUMBER, list))
    value, *rest = given if isinstance(given, list) and given else [given]
    error, mark = (*rest, *(None, "")[len(rest) :])[:2]
    bound = re.fullmatch(r"<\s*(\d+(?:\.\d+)?)", error) if isinstance(error, str) else None
    error = float(bound[1]) if bound else error
    numbers = [value] if error is None else [value, error]
    if not all(map(is_number, numbers)) or len(rest) > 2 or (mark and mark not in MARKS) or (error or 0) < 0:
        raise table.error(
            f"'{what}' must be [mean, standard error] or [mean, standard error, mark], with an error such as '<1.9' "
            f"where it is known to be too large, not {given}"
        )
    return Figure(float(value), None if error is None else float(error), mark, bound is not None)
