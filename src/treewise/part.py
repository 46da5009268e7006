"""What every part is: a frozen record of parameters that declares them once.

The declaration is read by the constructor's checks, the text form, `treewise parts`, the documentation pages and the
engine's builder. A part written in Python needs none of this: any object with the family's methods will do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from importlib import import_module
from numbers import Integral, Real
from typing import Any, ClassVar, Self

from treewise import spec
from treewise.wording import shortened

CoreValue = Any
"""What the engine takes: a number, a text, None, (name, parameters), or a list of such pairs."""

_TOO_LARGE = 1e300
"""No parameter needs such numbers, and arithmetic with them overflows."""

METHODS: dict[str, tuple[str, ...]] = {
    "selection": ("score",),
    "playout": ("choose",),
    "evaluator": ("evaluate",),
    "bonus": ("score", "result"),
}
"""Families of which a part may be written in Python, by the methods of which it needs one."""

_REGISTRY: dict[str, dict[str, type[Part]]] = {}
_PARAMETERS: dict[type[Any], tuple[Field[Any], ...]] = {}


def parameter(
    default: Any,
    help: str,
    low: float = -math.inf,
    high: float = math.inf,
    choices: Sequence[str] = (),
    family: str = "",
    optional: bool = False,
    many: bool = False,
    whole: bool = False,
) -> Any:
    """Declares one parameter of a part: its default, a line of help, and what is allowed.

    `choices` beside a number as default are words that may stand in its place.
    """
    metadata = {
        "help": help,
        "low": low,
        "high": high,
        "choices": tuple(choices),
        "family": family,
        "optional": optional,
        "many": many,
        "whole": whole,
    }
    # Parts are frozen, so that one does for all.
    return field(default=default() if callable(default) else default, metadata=metadata)


def parameters_of(cls: type[Any]) -> tuple[Field[Any], ...]:
    """The declared parameters of a part, or of a search."""
    if cls not in _PARAMETERS:
        _PARAMETERS[cls] = fields(cls)
    return _PARAMETERS[cls]


@dataclass(frozen=True)
class Part:
    """One technique: a frozen record of parameters. Subclasses name their family, themselves and their needs."""

    family: ClassVar[str] = ""
    name: ClassVar[str] = ""
    needs: ClassVar[tuple[str, ...]] = ()
    citation: ClassVar[str] = ""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" in vars(cls):
            _REGISTRY.setdefault(cls.family, {})[cls.name] = cls

    def __post_init__(self) -> None:
        for declared in parameters_of(type(self)):
            value = check_value(self.name, declared, getattr(self, declared.name))
            object.__setattr__(self, declared.name, value)

    def all_needs(self) -> set[str]:
        """The capabilities that this part and the parts inside it require of the game."""
        needs = set(self.needs)
        for declared in parameters_of(type(self)):
            value = getattr(self, declared.name)
            for inner in value if isinstance(value, tuple) else (value,):
                if isinstance(inner, Part):
                    needs |= inner.all_needs()
        return needs

    def call(self, full: bool = False) -> spec.Call:
        """The part as the text form writes it; `full` keeps parameters that have their default values."""
        arguments: dict[str, spec.Value] = {}
        for declared in parameters_of(type(self)):
            value = getattr(self, declared.name)
            if full or value != default_of(declared):
                arguments[declared.name] = to_text_value(self.name, declared.name, value, full)
        return spec.Call(self.name, arguments)

    def text(self, full: bool = False) -> str:
        """The part's text form.

        >>> from treewise import selection
        >>> selection.UCB1(c=0.7).text()
        'ucb1(c=0.7)'
        """
        return spec.write(self.call(full))

    def shown(self) -> str:
        """The text form, for people: what is written in Python and has none is its class's name in angle brackets.

        >>> from treewise import playout
        >>> class First:
        ...     def choose(self, state, actions, rng): return actions[0]
        >>> playout.Decisive(inner=First()).shown()
        'decisive(inner=<First>)'
        """
        return spec.write(self.shown_call())

    def shown_call(self) -> spec.Call:
        """What `shown` writes."""
        given = {declared.name: getattr(self, declared.name) for declared in parameters_of(type(self))}
        changed = [d.name for d in parameters_of(type(self)) if given[d.name] != default_of(d)]
        return spec.Call(self.name, {name: _shown(given[name]) for name in changed})

    def core(self) -> tuple[str, dict[str, CoreValue]]:
        """The record from which the engine builds the part."""
        values = {d.name: to_core(d.metadata["family"], getattr(self, d.name)) for d in parameters_of(type(self))}
        return (self.name, values)

    @classmethod
    def from_call(cls, call: spec.Call) -> Self:
        """Builds the part from its parsed text; unknown keys are errors with a suggestion."""
        return cls(**arguments_from(cls.name, {d.name: d.metadata["family"] for d in parameters_of(cls)}, call))


def default_of(declared: Field[Any]) -> Any:
    """The default value of a declared parameter."""
    return None if declared.default is MISSING else declared.default


def check_value(owner: str, declared: Field[Any], value: Any) -> Any:
    """Checks one parameter against its declaration and returns it in its proper type."""
    rules, what = declared.metadata, f"{owner}: {declared.name}"
    if value is None and rules["optional"]:
        return None
    if rules["many"]:
        items = tuple(value) if isinstance(value, list | tuple) else (value,)
        return tuple(check_part(what, rules["family"], item) for item in items)
    if rules["family"]:
        return check_part(what, rules["family"], value)
    default = default_of(declared)
    if rules["choices"] and (isinstance(value, str) or isinstance(default, str)):
        if value not in rules["choices"]:
            hint = spec.suggest(str(value), rules["choices"])
            number = "" if isinstance(default, str) else "a number or "
            raise ValueError(f"{what} must be {number}one of {', '.join(map(repr, rules['choices']))}; {hint}")
        return value
    return _check_number(what, rules, default, value)


def _check_number(what: str, rules: Any, default: Any, value: Any) -> Any:
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise ValueError(f"{what} must be True or False, not {shortened(repr(value))}")
        return value
    whole = isinstance(default, int) or rules["whole"]
    if isinstance(value, bool) or not isinstance(value, Integral if whole else Real):
        raise ValueError(f"{what} must be a {'whole ' if whole else ''}number, not {shortened(repr(value))}")
    value = int(value) if isinstance(value, Integral) else float(value)  # numbers of NumPy become Python's own
    between = f"{what} must be between {rules['low']:g} and {rules['high']:g}"
    if abs(value) >= _TOO_LARGE:  # perhaps too long to print
        raise ValueError(between if rules["high"] < _TOO_LARGE else f"{what} is out of range")
    if value != value or not rules["low"] <= value <= rules["high"]:
        raise ValueError(f"{between}, not {value!r}")
    return value if whole else float(value) + 0.0  # no negative zero: equal parts have one text


def check_part(what: str, family: str, value: Any) -> Any:
    """The value if it can be a part of the family, one that comes with Treewise or one written in Python."""
    if isinstance(value, Part):
        if value.family != family:
            raise ValueError(f"{what} must be {_a(family)}, not the {value.family} '{value.name}'")
        return value
    known = f"one of {', '.join(sorted(_REGISTRY.get(family, {})))}"
    if value is None or isinstance(value, bool | Real | str | list | tuple | dict | type):
        given = f"the class {value.__name__}" if isinstance(value, type) else shortened(repr(value))
        raise ValueError(f"{what} must be {_a(family)} ({known}), not {given}")
    if family not in METHODS:
        raise ValueError(f"{what}: {_a(family)} cannot be written in Python; use {known}")
    methods = METHODS[family]
    if not any(hasattr(value, method) for method in methods):
        named = " or ".join(f"'{method}'" for method in methods)
        raise ValueError(
            f"{what}: {_a(family)} written in Python needs a method {named}, which {type(value).__name__} lacks; "
            f"or use {known}"
        )
    return value


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def to_core(family: str, value: Any) -> CoreValue:
    """A parameter's value as the engine takes it; objects written in Python are passed through by family."""
    if isinstance(value, Part):
        return value.core()
    if isinstance(value, tuple):
        return [to_core(family, item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return in_python(family, value)


def in_python(family: str, value: Any) -> tuple[str, dict[str, CoreValue]]:
    """An object written in Python as the engine takes it."""
    return ("python", {"family": family, "object": value})


def to_text_value(owner: str, key: str, value: Any, full: bool) -> spec.Value:
    """A parameter's value in the text form; ValueError if it is an object written in Python."""
    if isinstance(value, Part):
        return value.call(full)
    if isinstance(value, tuple):
        return [to_text_value(owner, key, item, full) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise ValueError(
        f"{owner}: {key} is written in Python ({type(value).__name__}) and has no text form; one that is loaded by its "
        f"file has, {owner}({key}=my_parts.py:{type(value).__name__})"
    )


def _shown(value: Any) -> spec.Value:
    if isinstance(value, Part):
        return value.shown_call()
    if isinstance(value, tuple):
        return [_shown(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return spec.Call(f"<{type(value).__name__}>")


def arguments_from(owner: str, families: Mapping[str, str], call: spec.Call) -> dict[str, Any]:
    """The keyword arguments that a parsed call gives; positions fill the parameters in their order.

    `families` has the family of every parameter that is a part, and an empty text for the others.
    """
    arguments: dict[str, Any] = {}
    names = list(families)
    places = sum(given.isdigit() for given in call.arguments)
    if places > len(names):
        raise ValueError(f"too many values: {owner} takes {len(names)}, not {places}")
    for given, value in call.arguments.items():
        key = names[int(given)] if given.isdigit() else given
        if key not in families:
            raise ValueError(f"{owner}: unknown parameter '{shortened(key)}'; {_hint(key, value, families)}")
        if key in arguments:
            raise ValueError(f"{owner}: parameter '{key}' is given twice")
        arguments[key] = _build(families[key], value)
    return arguments


def _hint(key: str, value: spec.Value, families: Mapping[str, str]) -> str:
    """What may be meant by a parameter that is none: a part by its name, as `simulations=200`, or another parameter."""
    for name, family in families.items():
        if key in _REGISTRY.get(family, {}):
            inner = "" if value is True or isinstance(value, spec.Call | list | None) else spec.write(value)
            return f"write {name}={key}({inner})"
    return spec.suggest(key, families)


def _build(family: str, value: spec.Value) -> Any:
    if isinstance(value, list):
        return tuple(_build(family, item) for item in value)
    if isinstance(value, spec.Call):
        if not family:
            wanted = "a number or a text is expected; texts have quotes"
            word = shortened(value.name)
            raise ValueError(f"{word} stands where {wanted}: '{word}'")
        if value.file:
            return import_module("treewise.own_part").load_own_part(family, value)
        return part_class(family, value.name).from_call(value)
    return value


_BETTER = {"random": "uniform"}
"""What others call a part, in no letter like its name."""


def part_class(family: str, name: str) -> type[Part]:
    """The part of a family by its name; ValueError with a suggestion."""
    known = _REGISTRY.get(family, {})
    if name not in known:
        hint = f"did you mean '{_BETTER[name]}'?" if _BETTER.get(name) in known else spec.suggest(name, known)
        raise ValueError(f"unknown {family} '{shortened(name)}'; {hint}")
    return known[name]


def families_of(name: str) -> list[str]:
    """The families that have a part of this name.

    >>> import treewise
    >>> families_of("ucb1"), families_of("all")
    (['selection'], ['expansion', 'limit'])
    """
    return sorted(family for family, parts in _REGISTRY.items() if name in parts)


def part_classes() -> dict[str, dict[str, type[Part]]]:
    """All parts that come with Treewise, by family and name."""
    return {family: dict(sorted(parts.items())) for family, parts in _REGISTRY.items()}
