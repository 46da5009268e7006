"""Experiment files: which keys there are and what they hold."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from treewise import spec
from treewise.lab.outcome import Published, Sprt
from treewise.lab.published import OVERALL, read_published
from treewise.lab.toml_table import NUMBER, Table, is_number, read_toml

__all__ = ["Document", "GameEntry", "read_document", "swept_label"]

PAIRINGS = ("head_to_head", "round_robin", "gauntlet", "sweep", "alone")
OWN_LIMITS = "own limits"
"""The budget of entrants that play alone: each keeps the limit that its text has."""

_ABOUT = ["name", "title", "description", "source", "sources", "overall"]
_PLAY = ["seed", "pairing", "base", "matches", "opening", "reuse", "control", "sweep", "sprt", "folder"]
_TOP = [*_ABOUT, *_PLAY, "budgets", "values", "entrants", "games"]
_GAME = ["game", "games", "label", "values", "budgets", "matches", "entrants", "reference"]
_PAIRED_ONLY, _ALONE_ONLY = ("budgets", "control", "sprt", "source"), ("sources", "overall")


@dataclass(frozen=True)
class GameEntry:
    """One `[[games]]` entry of an experiment file, with what the file says for all games filled in."""

    place: str
    games: tuple[str, ...]
    """One, or those that make one row of a table where entrants play alone."""
    label: str
    values: Mapping[str, Any]
    budgets: Mapping[str, str]
    matches: Mapping[str, int]
    entrants: tuple[str, ...]
    reference: Mapping[str, Mapping[str, tuple[float, float]]]


@dataclass(frozen=True)
class Document:
    """An experiment file, its keys and types checked, before anything is built from its texts."""

    file: str
    name: str
    title: str
    description: str
    source: str
    seed: int
    opening: int
    reuse: bool
    pairing: str
    base: str
    control: bool | int
    """Whether the base also plays itself, or how often."""
    entrants: Mapping[str, str]
    games: tuple[GameEntry, ...]
    parameter: str
    sweep: tuple[Any, ...]
    sprt: Sprt | None
    sources: Mapping[str, str] = field(default_factory=dict)
    published: tuple[Published, ...] = ()
    folder: str = ""
    """The environment variable that names the folder of the games' files, where they are not part of the project."""


def read_document(path: str | Path) -> Document:
    """Reads and checks an experiment file; ValueError names the file, the place and what to write instead."""
    top = read_toml(path, _TOP)
    entrants = top.table("entrants").each(str)
    for label in entrants:
        _check_shown(top, f"the entrant {label!r}", label)
    if not entrants:
        raise top.error("[entrants] is missing: name at least one search")
    pairing = top.text("pairing", "head_to_head")
    top.check_name("pairing", pairing, PAIRINGS)
    _check_keys(top, pairing)
    has_switch = isinstance(top.values.get("control", False), bool)
    control = top.get("control", (bool,), False) if has_switch else top.whole("control", 1)
    base = _base(top, pairing, entrants, bool(control))
    parameter, sweep = _sweep(top, pairing, base, entrants)
    games = _games(top, entrants, parameter, sweep)
    return Document(
        file=top.place,
        name=_name(top),
        title=top.text("title", top.text("name")),
        description=top.text("description", ""),
        source=top.text("source", ""),
        seed=top.whole("seed", 0, 0, high=2**64 - 1),
        opening=top.whole("opening", 0, 0),
        reuse=top.get("reuse", (bool,), False),
        pairing=pairing,
        base=base,
        control=control,
        entrants=entrants,
        games=games,
        parameter=parameter,
        sweep=sweep,
        sprt=_sprt(top),
        sources=top.table("sources").each(str),
        published=tuple(_published(top, games, entrants)) if pairing == "alone" else (),
        folder=top.text("folder", ""),
    )


def swept_label(entrant: str, parameter: str, value: Any) -> str:
    """The label of an entrant with one value of the parameter that a sweep varies.

    >>> swept_label("RB", "k", 2)
    'RB, k = 2'
    """
    return f"{entrant}, {parameter} = {value if isinstance(value, str) else spec.write(value)}"


def _name(top: Table) -> str:
    name = top.text("name")
    if not name.strip() or len(name) > 100:
        raise top.error("'name' must have 1 to 100 characters")
    _check_shown(top, "'name'", name)
    return name


def _check_shown(table: Table, what: str, text: str) -> None:
    """An error if a terminal or a table could not show a text as it is: it has a control character, or two lines."""
    odd = next((character for character in text if unicodedata.category(character) in ("Cc", "Zl", "Zp")), None)
    if odd is not None:
        raise table.error(f"{what} has the character {odd!r}, which cannot be shown: leave it out")


def _check_keys(top: Table, pairing: str) -> None:
    for key in _PAIRED_ONLY if pairing == "alone" else _ALONE_ONLY:
        if key in top.values:
            hint = "entrants keep their own limits" if key == "budgets" else "see the other pairings"
            others = f"not for pairing = 'alone': {hint}" if pairing == "alone" else "only for pairing = 'alone'"
            raise top.error(f"'{key}' is {others}")


def _published(top: Table, games: Iterable[GameEntry], entrants: Mapping[str, str]) -> Iterator[Published]:
    """The figures of all sources for all games and for the whole."""
    sources = top.table("sources").each(str)
    for number, game in enumerate(games):
        table = Table(game.place, top.values["games"][number]).table("reference", sources)
        yield from read_published(table, game.label, entrants)
    yield from read_published(top.table("overall", sources), OVERALL, entrants)


def _base(top: Table, pairing: str, entrants: Mapping[str, str], control: bool) -> str:
    base = top.text("base", "base" if "base" in entrants else "")
    if base:
        top.check_name("base", base, entrants)
    elif pairing in ("gauntlet", "sweep") or control:
        why = f"pairing = '{pairing}'" if pairing in ("gauntlet", "sweep") else "control"
        raise top.error(f"{why} needs base = '…', one of the entrants")
    elif pairing == "alone":
        base = next(iter(entrants))
    if pairing == "head_to_head" and len(entrants) != 2:
        raise top.error("head_to_head needs two entrants; for more, pairing = 'round_robin' or 'gauntlet'")
    return base


def _sweep(top: Table, pairing: str, base: str, entrants: Mapping[str, str]) -> tuple[str, tuple[Any, ...]]:
    table = top.table("sweep", ["parameter", "values"])
    if pairing != "sweep":
        if table.values:
            raise table.error(f"only for pairing = 'sweep', not '{pairing}'")
        return "", ()
    parameter, values = table.text("parameter"), table.get("values", (list,))
    if not values or not all(isinstance(value, (*NUMBER, str)) for value in values):
        raise table.error("'values' must be a list of numbers or texts")
    for label, text in entrants.items():
        if (f"{{{parameter}}}" in text) == (label == base):
            verb = "must not have" if label == base else "has no"
            raise top.error(f"entrants: '{label}' {verb} {{{parameter}}}, which the sweep varies")
    return parameter, tuple(values)


def _sprt(top: Table) -> Sprt | None:
    if "sprt" not in top.values:
        return None
    table = top.table("sprt", [known.name for known in fields(Sprt)])
    given = table.each(*NUMBER) | {key: table.get(key, NUMBER) for key in ("p0", "p1")}
    sprt = Sprt(**{key: float(number) if is_number(number) else math.nan for key, number in given.items()})
    if not 0 < sprt.p0 < sprt.p1 < 1 or not 0 < sprt.alpha < 0.5 or not 0 < sprt.beta < 0.5:
        raise table.error("it needs 0 < p0 < p1 < 1, and alpha and beta between 0 and 0.5")
    return sprt


def _games(top: Table, entrants: Mapping[str, str], parameter: str, sweep: Iterable[Any]) -> tuple[GameEntry, ...]:
    listed = top.get("games", (list,))
    if not listed or not all(isinstance(entry, dict) for entry in listed):
        raise top.error("'games' must be tables: [[games]]")
    swept = [swept_label(label, parameter, value) for label in entrants for value in sweep]
    games = []
    for number, values in enumerate(listed, start=1):
        place = f"[[games]] {number} ({values.get('label', values.get('game', '?'))})"
        games.append(_game(top, Table(f"{top.place}: {place}", values, _GAME), entrants, swept or list(entrants)))
    for budget in top.values["matches"] if isinstance(top.values.get("matches"), dict) else ():
        top.check_name("budget in matches", budget, [label for game in games for label in game.budgets])
    return tuple(games)


def _game(top: Table, entry: Table, entrants: Mapping[str, str], labels: list[str]) -> GameEntry:
    alone = top.text("pairing", "") == "alone"
    games = _texts(entry, alone)
    budgets = entry.table("budgets").each(str) or top.table("budgets").each(str)
    if alone:
        budgets = {OWN_LIMITS: ""}
    if alone and entry.values.get("label") == OVERALL:
        raise entry.error(f"'{OVERALL}' is the row of all games: take another label")
    if not budgets:
        raise entry.error("'budgets' is missing, such as budgets = { few = \"simulations(1000)\" }")
    chosen = entry.get("entrants", (list,), list(entrants))
    for label in chosen:
        entry.check_name("entrant", label, entrants)
    for label in (entry.text("label", games[0]), *budgets):
        _check_shown(entry, f"the label {label!r}", label)
    return GameEntry(
        place=entry.place,
        games=games,
        label=entry.text("label", games[0]),
        values=_values(top, entry, entrants),
        budgets=budgets,
        matches={budget: _matches(top, entry, budget, budgets) for budget in budgets},
        entrants=tuple(chosen),
        reference={} if alone else _references(entry, top.text("pairing", ""), labels, budgets),
    )


def _texts(entry: Table, alone: bool) -> tuple[str, ...]:
    """The game, or the games of a row."""
    if "games" not in entry.values:
        return (entry.text("game"),)
    if not alone or "game" in entry.values:
        raise entry.error("'games' is for pairing = 'alone', and in place of 'game'")
    games = entry.get("games", (list,))
    if not games or not all(isinstance(text, str) for text in games):
        raise entry.error("'games' must be a list of text forms")
    entry.text("label")
    return tuple(games)


def _values(top: Table, entry: Table, entrants: Mapping[str, str]) -> dict[str, Any]:
    values = top.table("values").values | entry.table("values").values
    for name in values:
        if not any(f"{{{name}}}" in text for text in entrants.values()):
            raise entry.error(f"values: no entrant has {{{name}}}")
    return values


def _matches(top: Table, entry: Table, budget: str, budgets: Mapping[str, str]) -> int:
    """The game's number for the budget, the game's number, or the same of the whole file."""
    for table in (entry, top):
        given = table.get("matches", (int, dict), {})
        if isinstance(given, int):
            return table.whole("matches", 1)
        numbers = table.table("matches", budgets if table is entry else None)
        if budget in numbers.values:
            return numbers.whole(budget, 1)
    raise entry.error(f"'matches' is missing for the budget '{budget}'")


def _references(
    entry: Table, pairing: str, labels: list[str], budgets: Mapping[str, str]
) -> dict[str, dict[str, tuple[float, float]]]:
    table = entry.table("reference", labels)
    if table.values and pairing == "round_robin" and len(labels) > 2:
        raise table.error("an entrant of a round robin has several opponents: published figures need a base")
    return {label: _figures(table.table(label, budgets)) for label in table.values}


def _figures(table: Table) -> dict[str, tuple[float, float]]:
    figures = {}
    for budget, pair in table.each(list).items():
        if len(pair) != 2 or not all(map(is_number, pair)):
            raise table.error(f"'{budget}' must be [rate, half width] in per cent, not {pair}")
        if not (0 <= pair[0] <= 100 and 0 <= pair[1] <= 100):
            raise table.error(f"'{budget}': a rate and its half width are from 0 to 100 per cent, not {pair}")
        figures[budget] = (float(pair[0]), float(pair[1]))
    return figures
