"""Experiments: what an experiment file asks, resolved to cells with full text forms."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from treewise import limit, spec
from treewise._core import derive_seed
from treewise.compositions import parse_search
from treewise.game import Game, game_text, load_game
from treewise.lab.budget import check_measured, kind_of, read_limit
from treewise.lab.document import OWN_LIMITS, Document, GameEntry, read_document, swept_label
from treewise.lab.opening import check_opening
from treewise.lab.outcome import Cell, Published, Reference, Sprt
from treewise.search import Search
from treewise.wording import counted

__all__ = ["Experiment", "read_experiment"]

_MOST = 1_000_000
"""Matches of one file, all of whose schedule is kept in memory."""


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
    base: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)
    published: tuple[Published, ...] = ()

    def __repr__(self) -> str:
        matches = counted(sum(cell.matches for cell in self.cells), "match")
        return f"<Experiment '{self.name}': {counted(len(self.cells), 'cell')}, {matches}>"


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
    experiment = resolve(read_document(path))
    for cell in experiment.cells:
        if cell.a_text == cell.b_text and not cell.control and experiment.pairing != "sweep":
            raise ValueError(
                f"{path}: '{cell.a}' and '{cell.b}' are the same search on '{cell.title}' at '{cell.budget}', whose "
                "limit replaces their own: take one out; a search against itself is what 'control' is for"
            )
    _check_repeated(path, experiment.cells)
    asked = sum(cell.matches for cell in experiment.cells)
    if asked > _MOST:
        raise ValueError(f"{path}: {asked:,} matches: one file may ask for {_MOST:,}; ask for less, or split it")
    return experiment


def _check_repeated(path: str | Path, cells: Iterable[Cell]) -> None:
    """ValueError if two cells are the same question under different labels: its matches would be counted twice."""
    seen: dict[tuple[str, str, str], Cell] = {}
    for cell in cells:
        other = seen.setdefault((cell.game, cell.a_text, cell.b_text), cell)
        if other is not cell and other.control == cell.control:
            both = f"{_named(other)} and {_named(cell)}"
            raise ValueError(f"{path}: {both} are the same searches on the same game: take one out")


def _named(cell: Cell) -> str:
    """By what the file calls it."""
    return f"'{cell.a}' on '{cell.title}'" + ("" if cell.alone else f" at '{cell.budget}'")


@dataclass(frozen=True)
class _Entrant:
    label: str
    text: str
    value: float | str | None = None


def resolve(document: Document) -> Experiment:
    """Builds every game and search of a document and lists its cells."""
    cells = [cell for entry in document.games for cell in _game_cells(document, entry)]
    counts = Counter((cell.title, cell.budget, cell.a, cell.b) for cell in cells)
    for (game, budget, a, b), count in counts.items():
        if count > 1:
            who = f"'{a}' against '{b}'" if b else f"'{a}'"
            raise ValueError(f"{document.file}: {who} on '{game}' at '{budget}' is there twice")
    return Experiment(
        name=document.name,
        title=document.title,
        description=document.description,
        seed=document.seed,
        opening=document.opening,
        reuse=document.reuse,
        pairing=document.pairing,
        parameter=document.parameter,
        sprt=document.sprt,
        cells=tuple(cells),
        base=document.base,
        sources=document.sources,
        published=document.published,
    )


def _game_cells(document: Document, entry: GameEntry) -> Iterator[Cell]:
    if document.pairing == "alone":
        yield from _alone_cells(document, entry)
        return
    game = _load(document, entry, entry.games[0])
    pairs = [*_pairs(document, entry), *_controls(document)]
    if not pairs:
        raise ValueError(f"{entry.place}: nothing to play: name more entrants")
    _check_references(entry, {a.label for a, b in pairs if a is not b})
    for budget, text in entry.budgets.items():
        with _explained(f"{entry.place}: budgets: {budget}"):
            limited = read_limit(text)
        for a, b in pairs:
            searches = tuple(_build(entry, entrant, limited, game) for entrant in (a, b))
            yield _cell(document, entry, budget, game, (a, b), searches)


def _check_references(entry: GameEntry, compared: Collection[str]) -> None:
    for label in entry.reference:
        if label not in compared:
            raise ValueError(
                f"{entry.place}: reference: '{label}' is measured against nobody here, so that its figures would be "
                "compared with nothing: take them out"
            )


def _load(document: Document, entry: GameEntry, text: str) -> Game:
    """The game of a text, whose matches are not over after the opening."""
    with _explained(f"{entry.place}: game"):
        game = load_game(text)
    with _explained(entry.place):
        check_opening(game, document.opening)
    return game


def _alone_cells(document: Document, entry: GameEntry) -> Iterator[Cell]:
    """A cell for each entrant on each game of the row."""
    games = [_load(document, entry, text) for text in entry.games]
    texts = [game_text(game, full=True) for game in games]
    for number, (game, text) in enumerate(zip(games, texts, strict=True)):
        if game.num_players != 1:
            raise ValueError(f"{entry.place}: game: '{text}' has {game.num_players} players: nobody can play it alone")
        if text in texts[:number]:
            raise ValueError(f"{entry.place}: games: '{text}' is there twice")
        for label in entry.entrants:
            cell = _alone_cell(document, entry, game, label)
            yield replace(cell, part=number + 1) if len(games) > 1 else cell


def _alone_cell(document: Document, entry: GameEntry, game: Game, label: str) -> Cell:
    """Its seed is the game's alone: the same for all entrants."""
    search = _build(entry, _Entrant(label, document.entrants[label]), None, game)
    return Cell(
        game=game_text(game, full=True),
        game_label=entry.label,
        budget=OWN_LIMITS,
        kind=kind_of(search.limit),
        a=label,
        b="",
        a_text=search.text(full=True),
        b_text="",
        matches=entry.matches[OWN_LIMITS],
        seed=_cell_seed(document.seed, game, ()),
        players=1,
    )


def _cell(
    document: Document,
    entry: GameEntry,
    budget: str,
    game: Game,
    entrants: tuple[_Entrant, _Entrant],
    searches: tuple[Search, ...],
) -> Cell:
    (a, b), (a_search, b_search) = entrants, searches
    control = a is b
    figure = entry.reference.get(a.label, {}).get(budget)
    asked = entry.matches[budget]
    return Cell(
        game=game_text(game, full=True),
        game_label=entry.label,
        budget=budget,
        kind=kind_of(a_search.limit),
        a=a.label,
        b=b.label,
        a_text=a_search.text(full=True),
        b_text=b_search.text(full=True),
        matches=document.control if control and document.control is not True else asked,
        reference=Reference(*figure, document.source) if figure and not control else None,
        control=control,
        value=a.value,
        seed=_cell_seed(document.seed, game, searches),
        players=game.num_players,
    )


def _cell_seed(seed: int, game: Game, searches: tuple[Search, ...]) -> int:
    """From the seed of the experiment and the short texts of the game and the searches.

    So neither a cell's place in the file, nor its labels, nor a parameter that a later version adds, change its seeds.
    """
    identity = json.dumps([game_text(game), *(search.text() for search in searches)])
    return derive_seed(seed % 2**64, int.from_bytes(hashlib.sha256(identity.encode()).digest()[:8], "big"))


def _pairs(document: Document, entry: GameEntry) -> Iterator[tuple[_Entrant, _Entrant]]:
    entrants = [_Entrant(label, document.entrants[label]) for label in entry.entrants]
    others = [entrant for entrant in entrants if entrant.label != document.base]
    if document.pairing == "round_robin":
        yield from itertools.combinations(entrants, 2)
    elif document.pairing == "head_to_head":
        yield from itertools.combinations([*others, *(entrant for entrant in entrants if entrant not in others)], 2)
    else:
        base = _Entrant(document.base, document.entrants[document.base])
        yield from ((each, base) for entrant in others for each in _swept(document, entrant))


def _controls(document: Document) -> Iterator[tuple[_Entrant, _Entrant]]:
    if document.control:
        base = _Entrant(document.base, document.entrants[document.base])
        yield base, base


def _swept(document: Document, entrant: _Entrant) -> Iterator[_Entrant]:
    if document.pairing != "sweep":
        yield entrant
    for value in document.sweep:
        label = swept_label(entrant.label, document.parameter, value)
        yield _Entrant(label, fill(entrant.text, {document.parameter: value}, partly=True), value)


def _build(entry: GameEntry, entrant: _Entrant, limited: limit.Limit | None, game: Game) -> Search:
    with _explained(f"{entry.place}: entrant '{entrant.label}'"):
        search = parse_search(fill(entrant.text, entry.values))
        search = search if limited is None else search.replace(limit=limited)
        check_measured(search.limit)
        search.check(game)
        return search


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


@contextmanager
def _explained(place: str) -> Iterator[None]:
    try:
        yield
    except (ValueError, TypeError) as error:
        raise ValueError(f"{place}: {error}") from error
