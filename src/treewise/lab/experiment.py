"""Experiments: what an experiment file asks, resolved to cells with full text forms."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from treewise import limit, spec
from treewise._core import derive_seed
from treewise.game import Game, game_text, load_game
from treewise.lab.document import Document, GameEntry, read_document
from treewise.lab.outcome import Cell, Reference, Sprt
from treewise.part import part_class
from treewise.search import Search, parse_search

__all__ = ["Experiment", "read_experiment"]

Built = TypeVar("Built")


@dataclass(frozen=True)
class Experiment:
    """A question in numbers: which cells, and how their matches are played.

    `read_experiment` makes one from a file; `treewise.lab.run` plays it.
    """

    name: str
    title: str
    description: str
    seed: int
    opening: int
    reuse: bool
    pairing: str
    parameter: str
    sprt: Sprt | None
    cells: tuple[Cell, ...]


def read_experiment(path: str | Path) -> Experiment:
    """Reads an experiment file (TOML); ValueError says which file, which place and what to write instead.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "c.toml"
    ...     written = file.write_text('''
    ...         name = "c"
    ...         pairing = "head_to_head"
    ...         matches = 10
    ...         budgets = { few = "simulations(20)" }
    ...         entrants = { A = "uct(c=0.5)", B = "uct(c=2)" }
    ...         [[games]]
    ...         game = "tic_tac_toe"
    ...     ''')
    ...     experiment = read_experiment(file)
    >>> [(cell.a, cell.b, cell.budget, cell.matches) for cell in experiment.cells]
    [('A', 'B', 'few', 10)]
    """
    return resolve(read_document(path))


@dataclass(frozen=True)
class _Entrant:
    label: str
    text: str
    value: float | str | None = None


def resolve(document: Document) -> Experiment:
    """Builds every game and search of a document and lists its cells."""
    cells = [cell for entry in document.games for cell in _game_cells(document, entry)]
    doubled = {key for key, count in _count(map(_name, cells)).items() if count > 1}
    if doubled:
        game, budget, a, b = min(doubled)
        raise ValueError(f"{document.file}: '{a}' against '{b}' on '{game}' at '{budget}' is there twice: use labels")
    return Experiment(
        document.name,
        document.title,
        document.description,
        document.seed,
        document.opening,
        document.reuse,
        document.pairing,
        document.parameter,
        document.sprt,
        tuple(cells),
    )


def _name(cell: Cell) -> tuple[str, str, str, str]:
    return (cell.game_label, cell.budget, cell.a, cell.b)


def _count(names: Iterator[tuple[str, str, str, str]]) -> dict[tuple[str, str, str, str], int]:
    counts: dict[tuple[str, str, str, str], int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return counts


def _game_cells(document: Document, entry: GameEntry) -> Iterator[Cell]:
    where = f"{document.file}: {entry.place}"
    game = _explained(f"{where}: game", load_game, entry.game)
    for budget, text in entry.budgets.items():
        limited = _explained(f"{where}: budgets.{budget}", _read_limit, text)
        for a, b, control in _pairs(document, entry):
            searches = [_build(where, entry, entrant, limited, game) for entrant in (a, b)]
            matches = entry.matches[budget]
            if control and document.control is not True:
                matches = int(document.control)
            figure = entry.reference.get(a.label, {}).get(budget) if not control else None
            yield Cell(
                game=game_text(game, full=True),
                game_label=entry.label,
                budget=budget,
                kind=_kind(limited),
                a=a.label,
                b=b.label,
                a_text=searches[0].text(full=True),
                b_text=searches[1].text(full=True),
                matches=matches,
                reference=Reference(*figure, document.source) if figure else None,
                control=control,
                value=a.value,
                seed=_cell_seed(document.seed, game, searches),
                players=game.num_players,
            )


def _cell_seed(seed: int, game: Game, searches: list[Search]) -> int:
    """From the seed of the experiment and the cell's short texts: neither its place in the file, nor its labels, nor
    a parameter that a later version adds change the matches."""
    identity = json.dumps([game_text(game), *(search.text() for search in searches)])
    return derive_seed(seed % 2**64, int.from_bytes(hashlib.sha256(identity.encode()).digest()[:8], "big"))


def _pairs(document: Document, entry: GameEntry) -> Iterator[tuple[_Entrant, _Entrant, bool]]:
    entrants = {label: _Entrant(label, document.entrants[label]) for label in entry.entrants}
    base = entrants.get(document.base)
    if document.pairing in ("head_to_head", "round_robin"):
        ordered = [each for each in entrants.values() if document.pairing == "round_robin" or each != base]
        listed = [*ordered, base] if base is not None and document.pairing == "head_to_head" else ordered
        yield from ((a, b, False) for a, b in itertools.combinations(listed, 2))
    elif base is not None:
        for entrant in entrants.values():
            if entrant != base:
                yield from ((each, base, False) for each in _swept(document, entrant))
    if document.control and base is not None:
        yield base, base, True


def _swept(document: Document, entrant: _Entrant) -> Iterator[_Entrant]:
    if document.pairing != "sweep":
        yield entrant
    for value in document.sweep:
        shown = value if isinstance(value, str) else spec.write(value)
        label = f"{entrant.label}, {document.parameter} = {shown}"
        yield _Entrant(label, fill(entrant.text, {document.parameter: value}, partly=True), value)


def _build(where: str, entry: GameEntry, entrant: _Entrant, limited: limit.Limit, game: Game) -> Search:
    place = f"{where}: entrant '{entrant.label}'"

    def build(text: str) -> Search:
        search = parse_search(fill(text, entry.values)).replace(limit=limited)
        search.check(game)
        return search

    return _explained(place, build, entrant.text)


def fill(text: str, values: Mapping[str, Any], partly: bool = False) -> str:
    """Puts values where a text has their names in braces; `partly` leaves unknown names for later.

    >>> fill("uct(c={c})", {"c": 0.5})
    'uct(c=0.5)'
    """

    def value_of(found: re.Match[str]) -> str:
        name = found[1]
        if name not in values:
            if partly:
                return found[0]
            raise ValueError(f"no value for {{{name}}}; {spec.suggest(name, values)}")
        value = values[name]
        return value if isinstance(value, str) else spec.write(value)

    return re.sub(r"\{(\w+)\}", value_of, text)


def _read_limit(text: str) -> limit.Limit:
    call = spec.parse(text)
    built = part_class("limit", call.name).from_call(call)
    assert isinstance(built, limit.Limit)
    return built


def _kind(limited: limit.Limit) -> Literal["simulations", "seconds"]:
    inner = limited.limits if isinstance(limited, limit.Any | limit.All) else ()
    timed = isinstance(limited, limit.Seconds) or any(_kind(each) == "seconds" for each in inner)
    return "seconds" if timed else "simulations"


def _explained(place: str, build: Callable[[str], Built], text: str) -> Built:
    try:
        return build(text)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{place}: {error}") from error
