"""Parts in Python files of the user's, by their text form: `mcts(playout=my_parts.py:Greedy(epsilon=0.1))`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from treewise import spec
from treewise.own import call_with, find, named, plain, with_digest
from treewise.part import METHODS, CoreValue, Part, check_part, families_of, in_python, part_class

__all__ = ["OwnPart", "argument", "bare", "load_own_part", "with_texts"]


class OwnPart(Part):
    """A part whose text form says which Python file has it. `object` is what the search calls."""

    short: spec.Call
    full: spec.Call
    object: Any

    def __init__(self, family: str, short: spec.Call, full: spec.Call, made: Any) -> None:
        vars(self).update(family=family, name=short.name, short=short, full=full, object=made)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OwnPart) and (self.family, self.full) == (other.family, other.full)

    def __hash__(self) -> int:
        return hash((self.family, self.text(full=True)))

    def all_needs(self) -> set[str]:
        """None: a part written in Python looks at the states by itself."""
        return set()

    def call(self, full: bool = False) -> spec.Call:
        """The part as the text form writes it; `full` adds the digest of its source."""
        return self.full if full else self.short

    def shown_call(self) -> spec.Call:
        """The text form: it has one."""
        return self.short

    def core(self) -> tuple[str, dict[str, CoreValue]]:
        """What the engine takes."""
        return in_python(self.family, self.object)

    def __reduce__(self) -> tuple[Callable[..., Part], tuple[str, spec.Call]]:
        return load_own_part, (self.family, self.full)

    def __repr__(self) -> str:
        return f"<{self.family} {self.text()}>"


def load_own_part(family: str, call: spec.Call) -> Part:
    """The part that a call makes of what its file has: a class or function that makes it, or the object itself.

    What makes a part that comes with Treewise is that part, with the text form of its own.
    """
    file = find(call)
    call = named(file, call)
    values = {key: argument(f"{file.path}:{call.name}", family, key, value) for key, value in call.arguments.items()}
    made = file.get(call.name)
    if values or isinstance(made, type) or not _is_part(family, made):
        made = call_with(file, call, {key: bare(value) for key, value in values.items()})
    if isinstance(made, Part):
        return made
    check_part(f"{file.place(call.name)}: {call.name}", family, made)
    short, full = (with_texts(call, values, full) for full in (False, True))
    return OwnPart(family, short, with_digest(file, full), made)


def _is_part(family: str, thing: Any) -> bool:
    """Whether it is one, rather than what makes one."""
    return isinstance(thing, Part) or any(hasattr(thing, method) for method in METHODS.get(family, ()))


def argument(owner: str, family: str, key: str, value: spec.Value) -> Any:
    """What a value of a text form stands for: a part where it is the name of one.

    Of parts with the same name it is that of the parameter's own family, or else of the family that the whole is of.
    """
    if isinstance(value, list):
        return [argument(owner, family, key, item) for item in value]
    if not isinstance(value, spec.Call):
        return value
    known = list(METHODS) if value.file else families_of(value.name)
    wanted = [each for each in (key, family) if each in known] or known
    if not wanted:
        return plain(owner, key, value)
    if len(wanted) > 1 and wanted == known:
        text = spec.write(value)
        raise ValueError(f"{owner}: {key}: {text} may be of {' or '.join(known)}: call the parameter by its family")
    return load_own_part(wanted[0], value) if value.file else part_class(wanted[0], value.name).from_call(value)


def bare(value: Any) -> Any:
    """What a class or function of the user's gets: of parts of the user's the objects themselves."""
    if isinstance(value, list):
        return [bare(item) for item in value]
    return value.object if isinstance(value, OwnPart) else value


def with_texts(call: spec.Call, values: Mapping[str, Any], full: bool) -> spec.Call:
    """The call with these values, in their text forms, in place of its own."""
    return replace(call, arguments={key: _text(value, full) for key, value in values.items()})


def _text(value: Any, full: bool) -> spec.Value:
    if isinstance(value, list):
        return [_text(item, full) for item in value]
    return value.call(full) if isinstance(value, Part) else value
