"""Experiment files: which keys there are and what they hold. Every error names the file and the place."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from treewise import spec
from treewise.lab.outcome import Sprt

__all__ = ["Document", "GameEntry", "read_document"]

PAIRINGS = ("head_to_head", "round_robin", "gauntlet", "sweep")
_ABOUT = ["name", "title", "description", "source"]
_PLAY = ["seed", "pairing", "base", "matches", "opening", "reuse", "control", "sweep", "sprt"]
_TOP = [*_ABOUT, *_PLAY, "budgets", "values", "entrants", "games"]
_GAME = ["game", "label", "values", "budgets", "matches", "entrants", "reference"]
_NUMBER = (int, float)
_MISSING = object()


@dataclass(frozen=True)
class GameEntry:
    """One `[[games]]` entry of an experiment file, with what the file says for all games filled in."""

    place: str
    game: str
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
    entrants: Mapping[str, str]
    games: tuple[GameEntry, ...]
    parameter: str
    sweep: tuple[Any, ...]
    sprt: Sprt | None


def read_document(path: str | Path) -> Document:
    """Reads and checks an experiment file.

    >>> read_document("no_such_file.toml")
    Traceback (most recent call last):
    ValueError: no_such_file.toml: there is no such file
    """
    file = Path(path)
    try:
        read = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"{path}: there is no such file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: not a TOML file: {error}") from None
    return _document(_Table(str(path), read, _TOP))


class _Table:
    """A table of the file, with the place that errors name."""

    def __init__(self, place: str, values: dict[str, Any], known: list[str] | None = None) -> None:
        self.place, self.values = place, values
        for key in values:
            if known is not None and key not in known:
                raise ValueError(f"{place}: unknown key '{key}'; {spec.suggest(key, known)}")

    def get(self, key: str, kinds: tuple[type, ...], default: Any = _MISSING) -> Any:
        """The value of a key, in one of the kinds; `default` if it is not there."""
        value = self.values.get(key, default)
        if value is _MISSING:
            raise ValueError(f"{self.place}: '{key}' is missing")
        if key in self.values and (not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds)):
            wanted = " or ".join(_KIND_NAMES[kind] for kind in kinds)
            raise ValueError(f"{self.place}: '{key}' must be {wanted}, not {value!r}")
        return value

    def whole(self, key: str, low: int, default: Any = _MISSING) -> int:
        """A whole number of at least `low`."""
        number = self.get(key, (int,), default)
        if number < low:
            raise ValueError(f"{self.place}: '{key}' must be at least {low}, not {number}")
        return int(number)

    def table(self, key: str, known: list[str] | None = None) -> _Table:
        """The table under a key; empty if it is not there."""
        return _Table(f"{self.place}: {key}", self.get(key, (dict,), {}), known)

    def each(self, *kinds: type) -> dict[str, Any]:
        """All values of the table, each of one of the kinds."""
        return {key: self.get(key, kinds) for key in self.values}


_KIND_NAMES = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}
_KIND_NAMES |= {dict: "a table", list: "a list"}


def _document(top: _Table) -> Document:
    entrants = top.table("entrants").each(str)
    if not entrants:
        raise ValueError(f"{top.place}: [entrants] is missing: name at least one search")
    pairing = top.get("pairing", (str,), "head_to_head")
    if pairing not in PAIRINGS:
        raise ValueError(f"{top.place}: pairing: unknown '{pairing}'; {spec.suggest(pairing, PAIRINGS)}")
    control = top.get("control", (bool, int), False)
    parameter, sweep = _sweep(top, pairing)
    return Document(
        file=top.place,
        name=_name(top),
        title=top.get("title", (str,), top.get("name", (str,))),
        description=top.get("description", (str,), ""),
        source=top.get("source", (str,), ""),
        seed=top.whole("seed", 0, 0),
        opening=top.whole("opening", 0, 0),
        reuse=top.get("reuse", (bool,), False),
        pairing=pairing,
        base=_base(top, pairing, entrants, bool(control)),
        control=control if control is True else max(0, control),
        entrants=entrants,
        games=_games(top, entrants),
        parameter=parameter,
        sweep=sweep,
        sprt=_sprt(top),
    )


def _name(top: _Table) -> str:
    name = str(top.get("name", (str,)))
    if not name.strip() or len(name) > 100:
        raise ValueError(f"{top.place}: 'name' must have 1 to 100 characters")
    return name


def _base(top: _Table, pairing: str, entrants: Mapping[str, str], control: bool) -> str:
    base = top.get("base", (str,), "base" if "base" in entrants else "")
    if base and base not in entrants:
        raise ValueError(f"{top.place}: base: unknown entrant '{base}'; {spec.suggest(base, entrants)}")
    if not base and (pairing in ("gauntlet", "sweep") or control):
        why = f"pairing = '{pairing}'" if pairing in ("gauntlet", "sweep") else "control"
        raise ValueError(f"{top.place}: {why} needs base = '…', one of the entrants")
    if pairing == "head_to_head" and len(entrants) != 2:
        raise ValueError(
            f"{top.place}: head_to_head needs two entrants; for more, pairing = 'round_robin' or 'gauntlet'"
        )
    return str(base)


def _sweep(top: _Table, pairing: str) -> tuple[str, tuple[Any, ...]]:
    table = top.table("sweep", ["parameter", "values"])
    if pairing != "sweep":
        if table.values:
            raise ValueError(f"{table.place}: only for pairing = 'sweep', not '{pairing}'")
        return "", ()
    parameter, values = table.get("parameter", (str,)), table.get("values", (list,))
    if not values or not all(isinstance(value, (*_NUMBER, str)) for value in values):
        raise ValueError(f"{table.place}: 'values' must be a list of numbers or texts")
    for label, text in top.table("entrants").values.items():
        if (f"{{{parameter}}}" in text) == (label == top.values.get("base", "base")):
            verb = "must not have" if label == top.values.get("base", "base") else "has no"
            raise ValueError(f"{top.place}: entrants: '{label}' {verb} {{{parameter}}}, which the sweep varies")
    return str(parameter), tuple(values)


def _sprt(top: _Table) -> Sprt | None:
    if "sprt" not in top.values:
        return None
    known = [field.name for field in fields(Sprt)]
    table = top.table("sprt", known)
    sprt = Sprt(**{key: float(value) for key, value in table.each(*_NUMBER).items()} | _needed(table, ("p0", "p1")))
    if not 0 < sprt.p0 < sprt.p1 < 1 or not 0 < sprt.alpha < 0.5 or not 0 < sprt.beta < 0.5:
        raise ValueError(f"{table.place}: it needs 0 < p0 < p1 < 1, and alpha and beta between 0 and 0.5")
    return sprt


def _needed(table: _Table, keys: tuple[str, ...]) -> dict[str, float]:
    return {key: float(table.get(key, _NUMBER)) for key in keys}


def _games(top: _Table, entrants: Mapping[str, str]) -> tuple[GameEntry, ...]:
    listed = top.get("games", (list,))
    if not listed or not all(isinstance(entry, dict) for entry in listed):
        raise ValueError(f"{top.place}: 'games' must be tables: [[games]]")
    return tuple(
        _game(top, _Table(f"[[games]] {number} ({entry.get('label', entry.get('game', '?'))})", entry), entrants)
        for number, entry in enumerate(listed, start=1)
    )


def _game(top: _Table, entry: _Table, entrants: Mapping[str, str]) -> GameEntry:
    entry = _Table(f"{top.place}: {entry.place}", entry.values, _GAME)
    text = entry.get("game", (str,))
    budgets = entry.table("budgets").each(str) or top.table("budgets").each(str)
    if not budgets:
        raise ValueError(f'{entry.place}: \'budgets\' is missing: budgets = {{ "1 s" = "simulations(3000)" }}')
    chosen = entry.get("entrants", (list,), list(entrants))
    for label in chosen:
        if label not in entrants:
            raise ValueError(f"{entry.place}: entrants: unknown '{label}'; {spec.suggest(str(label), entrants)}")
    return GameEntry(
        place=entry.place.removeprefix(f"{top.place}: "),
        game=text,
        label=entry.get("label", (str,), text),
        values=top.table("values").values | entry.table("values").values,
        budgets=budgets,
        matches={budget: _matches(top, entry, budget, budgets) for budget in budgets},
        entrants=tuple(chosen),
        reference=_references(entry, entrants, budgets),
    )


def _matches(top: _Table, entry: _Table, budget: str, budgets: Mapping[str, str]) -> int:
    """The game's number for the budget, the game's number, or the same of the whole file."""
    for table in (entry, top):
        given = table.get("matches", (int, dict), {})
        if isinstance(given, int):
            return table.whole("matches", 1)
        if unknown := sorted(set(given) - set(budgets)) if table is entry else []:
            raise ValueError(f"{table.place}: matches: no budget '{unknown[0]}'; {spec.suggest(unknown[0], budgets)}")
        if budget in given:
            return table.table("matches").whole(budget, 1)
    raise ValueError(f"{entry.place}: 'matches' is missing for the budget '{budget}'")


def _references(
    entry: _Table, entrants: Mapping[str, str], budgets: Mapping[str, str]
) -> dict[str, dict[str, tuple[float, float]]]:
    table = entry.table("reference", list(entrants))
    return {label: _figures(table.table(label, list(budgets))) for label in table.values}


def _figures(table: _Table) -> dict[str, tuple[float, float]]:
    figures = {}
    for budget, pair in table.each(list).items():
        if len(pair) != 2 or not all(isinstance(number, _NUMBER) for number in pair):
            raise ValueError(f"{table.place}: '{budget}' must be [rate, half width] in per cent, not {pair}")
        figures[budget] = (float(pair[0]), float(pair[1]))
    return figures
