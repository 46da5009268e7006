"""Tables of a TOML file, read key by key with errors that name the file and the place."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from treewise import spec
from treewise.files import exists, read_text, shown
from treewise.wording import shortened

__all__ = ["NUMBER", "Table", "is_number", "read_source", "read_toml"]

NUMBER = (int, float)
_MOST_BYTES = 1_000_000
_MISSING = object()
_KINDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", dict: "a table"}
_KINDS |= {list: "a list"}


def read_toml(path: str | Path, known: Iterable[str]) -> Table:
    """The outermost table of a file.

    >>> read_toml("no_such_file.toml", [])
    Traceback (most recent call last):
    ValueError: no_such_file.toml: there is no such file
    """
    text = read_source(path)
    try:
        read = tomllib.loads(text.removeprefix("\ufeff"))  # some editors begin files with a mark
    except RecursionError:
        raise ValueError(f"{path}: not an experiment file: its lists are too deep") from None
    except ValueError as error:  # of its text, or of a number with thousands of digits
        raise ValueError(f"{path}: not a TOML file: {error}") from None
    return Table(str(path), read, known)


def read_source(path: str | Path) -> str:
    """The text of an experiment file.

    >>> read_source("no_such_file.toml")
    Traceback (most recent call last):
    ValueError: no_such_file.toml: there is no such file
    """
    name = shown(path)
    if not exists(path):
        raise ValueError(f"{name}: there is no such file")
    try:
        return read_text(path, _MOST_BYTES, "experiment file", errors="strict")
    except UnicodeDecodeError as error:
        raise ValueError(f"{name}: not a TOML file: {error}") from None
    except ValueError as error:
        raise ValueError(f"{error}: name an experiment file (TOML)") from None


def is_number(value: object) -> bool:
    """Whether a value of a file is a number that can be computed with.

    >>> is_number(3), is_number(True), is_number(math.inf), is_number(10**400)
    (True, False, False, False)
    """
    try:
        return isinstance(value, NUMBER) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        return False


class Table:
    """A table and its place. With `known` keys, any other is an error."""

    def __init__(self, place: str, values: dict[str, Any], known: Iterable[str] | None = None) -> None:
        self.place, self.values = place, values
        if known is not None:
            for key in values:
                self.check_name("key", key, known)

    def error(self, what: str) -> ValueError:
        """An error at this place."""
        return ValueError(f"{self.place}: {what}")

    def check_name(self, what: str, name: str, known: Iterable[str]) -> None:
        """An error with a suggestion if a name is not among those known."""
        names = list(known)
        if name not in names:
            raise self.error(f"unknown {what} '{shortened(str(name))}'; {spec.suggest(str(name), names)}")

    def get(self, key: str, kinds: tuple[type, ...], default: Any = _MISSING) -> Any:
        """The value of a key, in one of the kinds; `default` if it is not there."""
        value = self.values.get(key, default)
        if value is _MISSING:
            raise self.error(f"'{key}' is missing")
        if key in self.values and (not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds)):
            wanted = " or ".join(_KINDS[kind] for kind in kinds if kind is not int or float not in kinds)
            raise self.error(f"'{key}' must be {wanted}, not {value!r}")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        """A text."""
        return str(self.get(key, (str,), _MISSING if default is None else default))

    def whole(self, key: str, low: int, default: int | None = None, high: float = math.inf) -> int:
        """A whole number of at least `low` and at most `high`."""
        number = self.get(key, (int,), _MISSING if default is None else default)
        if key in self.values and not low <= number <= high:
            wanted = f"at least {low}" if high == math.inf else f"from {low} to {high}"
            raise self.error(f"'{key}' must be {wanted}, not {shortened(str(number))}")
        return int(number)

    def table(self, key: str, known: Iterable[str] | None = None) -> Table:
        """The table under a key; empty if it is not there."""
        return Table(f"{self.place}: {key}", self.get(key, (dict,), {}), known)

    def each(self, *kinds: type) -> dict[str, Any]:
        """All values of the table, each of one of the kinds."""
        return {key: self.get(key, kinds) for key in self.values}
