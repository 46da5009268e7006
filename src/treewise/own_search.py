"""Whole searches in Python files of the user's, by their text form: `my_search.py:build(c=0.5)`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from treewise import spec
from treewise.own import OwnFile, call_with, find, named, with_digest
from treewise.own_part import argument, bare, with_texts
from treewise.part import arguments_from, parameters_of, to_text_value
from treewise.search import Search

__all__ = ["OwnSearch", "load_own_search"]

_FAMILIES = {declared.name: declared.metadata["family"] for declared in parameters_of(Search)}


class OwnSearch(Search):
    """A search with parts that only its file can make; its text form has the file, and what is changed since.

    `replace` keeps it one: `my_search.py:build(c=0.5, limit=seconds(seconds=1.0))`.
    """

    _origin: _Origin

    @classmethod
    def of(cls, made: Search, origin: _Origin) -> OwnSearch:
        """The same search, which knows where it is from."""
        own = cls(**_fields(made))
        vars(own)["_origin"] = origin
        return own

    def call(self, full: bool = False) -> spec.Call:
        """As the text form writes it: what made the search, and the parts that are no longer as it made them.

        The full form has all parts but those that only the file can make, and the digest of its source.
        """
        origin = self._origin
        found = with_texts(origin.call, origin.values, full)
        changed = {key: value for key, value in _fields(self).items() if full or value != origin.made[key]}
        for key in origin.own_names & changed.keys():
            del changed[key]
        texts = {key: _text(key, value, origin.made[key], full) for key, value in changed.items()}
        arguments = {**found.arguments, **{key: text for key, text in texts.items() if text is not _FROM_FILE}}
        found = replace(found, arguments=arguments)
        return with_digest(origin.file, found) if full else found

    def shown_call(self) -> spec.Call:
        """The text form if it has one, else what it is made of."""
        try:
            return self.call()
        except ValueError:
            return super().shown_call()

    def replace(self, **changes: Any) -> Search:
        """The same search with some parts changed; what the file's function asks for by that name, it is given."""
        origin = self._origin
        given = {key: changes.pop(key) for key in origin.own_names & changes.keys()}
        if given:
            kept = {key: value for key, value in _fields(self).items() if value != origin.made[key]}
            anew = origin.load(given)
            different = [key for key, value in given.items() if getattr(anew, key) != value]
            if different:
                raise ValueError(f"{origin.owner} has a parameter '{different[0]}', and makes something else of it")
            return anew.replace(**{**kept, **changes})
        return OwnSearch.of(super().replace(**changes), origin)

    def __reduce__(self) -> tuple[Callable[[spec.Call], Search], tuple[spec.Call]]:
        return load_own_search, (self.call(full=True),)


_FROM_FILE = spec.Call("")
"""In place of the text of a part that only the file can make."""


def _text(key: str, value: Any, made: Any, full: bool) -> spec.Value:
    try:
        return to_text_value(Search.name, key, value, full)
    except ValueError:
        if value != made:
            raise
        return _FROM_FILE


@dataclass(frozen=True)
class _Origin:
    """How a search comes about: a call, without its arguments, and the values that they stand for."""

    file: OwnFile
    call: spec.Call
    values: Mapping[str, Any]

    @property
    def owner(self) -> str:
        """As messages name it."""
        return f"{self.file.path}:{self.call.name}"

    @cached_property
    def own_names(self) -> set[str]:
        """The parameters of the function; a search has none."""
        target = self.file.get(self.call.name)
        if isinstance(target, Search) or not callable(target):
            return set()
        try:
            return set(inspect.signature(target).parameters)
        except (TypeError, ValueError):
            return set()

    @cached_property
    def search(self) -> Search:
        """What the file makes."""
        made = self.file.get(self.call.name)
        if self.values or not isinstance(made, Search):
            made = call_with(self.file, self.call, {key: bare(value) for key, value in self.values.items()})
        if isinstance(made, Search):
            return made
        kind = made.__name__ if isinstance(made, type) else type(made).__name__
        place = self.file.place(self.call.name)
        raise ValueError(
            f"{place}: {self.call.name} is not a search, nor a function that returns one, but gives {kind}"
        )

    @cached_property
    def made(self) -> dict[str, Any]:
        """The parts of the search that the file makes."""
        return _fields(self.search)

    def load(self, given: Mapping[str, Any]) -> Search:
        """The search that is made with some values changed: one that knows its origin, where it needs it."""
        origin = replace(self, values={**self.values, **given})
        try:
            origin.search.text()
        except ValueError:
            return OwnSearch.of(origin.search, origin)
        return origin.search


def _fields(search: Search) -> dict[str, Any]:
    return {key: getattr(search, key) for key in _FAMILIES}


def load_own_search(call: spec.Call) -> Search:
    """The search that a call makes of what its file has: a search, or a function that returns one.

    Arguments that the function has not, and that are parts of a search, such as `limit`, take the place of those that
    the file has chosen. A search made only of what comes with Treewise is that search, with a text form of its own.
    """
    file = find(call)
    call = named(file, call)
    origin = _Origin(file, replace(call, arguments={}), {})
    of_search = {
        key: value for key, value in call.arguments.items() if key in _FAMILIES and key not in origin.own_names
    }
    own = {key: value for key, value in call.arguments.items() if key not in of_search}
    changes = arguments_from(origin.owner, _FAMILIES, replace(call, arguments=of_search))
    made = origin.load({key: argument(origin.owner, _FAMILIES.get(key, ""), key, value) for key, value in own.items()})
    return made.replace(**changes) if changes else made
