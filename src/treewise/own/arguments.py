"""Making something of a user's class or function from the arguments of a text form."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import replace
from itertools import takewhile
from typing import Any

from treewise import spec
from treewise.own.files import OwnFile
from treewise.wording import describe

__all__ = ["call_with", "named", "plain", "with_digest"]


def named(file: OwnFile, call: spec.Call) -> spec.Call:
    """A call as texts have it, without the digest: the same for all ways to write the same path and arguments."""
    given = {key: value for key, value in call.arguments.items() if key != "digest"}
    names = _by_place(file.get(call.name))
    if sum(map(str.isdigit, given)) > len(names):
        names = []  # too many, which is told later
    by_name = {names[int(key)] if key.isdigit() and int(key) < len(names) else key: given[key] for key in given}
    if len(by_name) < len(given):
        raise ValueError(f"{file.path}:{call.name}: a parameter is given twice, by its place and by its name")
    return spec.Call(call.name, by_name, file.path)


def with_digest(file: OwnFile, call: spec.Call) -> spec.Call:
    """A call of `named` as the full text form has it: another one when the source is another."""
    return replace(call, arguments={**call.arguments, "digest": file.digest})


def call_with(file: OwnFile, call: spec.Call, values: Mapping[str, Any]) -> Any:
    """What the object that a call of `named` names makes of these values, in place of the call's own.

    ValueError says in one line which argument does not fit, or where in the user's own code something went wrong.
    """
    thing = file.get(call.name)
    if not callable(thing):
        kind = type(thing).__name__
        raise ValueError(f"{file.place(call.name)}: {call.name} is an object of {kind}, which takes no parameters")
    positional = [values[key] for key in values if key.isdigit()]
    by_name = {key: value for key, value in values.items() if not key.isdigit()}
    _check(file, call, thing, positional, by_name)
    try:
        return thing(*positional, **by_name)
    except Exception as error:
        raise ValueError(f"{file.path}:{call.name}: {describe(error)}") from error


def _by_place(thing: Any) -> list[str]:
    """The names of the first parameters, those that may be given by their places and by their names."""
    try:
        parameters = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return []
    return [each.name for each in takewhile(lambda each: each.kind == each.POSITIONAL_OR_KEYWORD, parameters)]


def plain(owner: str, key: str, value: spec.Value) -> Any:
    """A value that is a number, a text or a list of such; ValueError if it is the name of something.

    >>> plain("nim.py:Nim", "heaps", [3, 4])
    [3, 4]
    """
    if isinstance(value, list):
        return [plain(owner, key, item) for item in value]
    if isinstance(value, spec.Call):
        text = spec.write(value)
        raise ValueError(f"{owner}: {key} must be a number, a text in quotes or a list, not {text}")
    return value


def _check(file: OwnFile, call: spec.Call, thing: Any, positional: list[Any], by_name: dict[str, Any]) -> None:
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):  # nobody knows
        return
    if "digest" in signature.parameters:
        raise ValueError(f"{file.place(call.name)}: 'digest' means the source's digest in text forms: rename it")
    open_ended = any(each.kind == each.VAR_KEYWORD for each in signature.parameters.values())
    names = [
        each.name for each in signature.parameters.values() if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    ]
    for key in by_name:
        if key not in names and not open_ended:
            hint = spec.suggest(key, names) if names else "it has none"
            raise ValueError(f"{file.path}:{call.name}: unknown parameter '{key}'; {hint}")
    try:
        signature.bind(*positional, **by_name)
    except TypeError as error:
        raise ValueError(f"{file.place(call.name)}: {call.name}{signature}: {error}") from None
