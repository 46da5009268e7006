"""The values of parameters: numbers, truths, directions, and names of types and effects."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field

from treewise import spec
from treewise.vgdl.finding import Report
from treewise.vgdl.program import Direction
from treewise.vgdl.syntax import Word
from treewise.vgdl.vocabulary import EFFECTS, LEFT_OUT, NOT_TAKEN, OTHER_EFFECTS, VISUAL, Parameter
from treewise.wording import shortened

_NUMBER = {
    "whole": re.compile(r"[+-]?[0-9]{1,18}"),
    "real": re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"),
}
_OF_LEAVES = {"made": "is to be made", "resource": "is held"}


@dataclass(frozen=True)
class Names:
    """The sprites of a game by name; `groups` have others below them and are never made or held themselves."""

    ids: Mapping[str, int]
    groups: Set[str] = frozenset()
    resources: Set[str] = frozenset()


@dataclass
class Values:
    """Parameters by what the machine takes them as."""

    numbers: dict[str, float] = field(default_factory=dict)
    types: dict[str, tuple[int, ...]] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)


def read_values(
    given: Mapping[str, Word], declared: Mapping[str, Parameter], names: Names, owner: Word, report: Report
) -> Values:
    """What the `key=value` words in `given` say, by the declaration; defaults are filled in.

    >>> from treewise.vgdl.finding import Place
    >>> word = Word("limit=3", Place(1, 1))
    >>> declared = {"limit": Parameter("whole"), "prob": Parameter("real", 1.0)}
    >>> read_values({"limit": word}, declared, Names({}), word, Report())
    Values(numbers={'limit': 3.0, 'prob': 1.0}, types={}, words={})
    """
    values = Values()
    for key, parameter in declared.items():
        word = given.get(key)
        if word is None:
            if parameter.required:
                report.error(f"'{owner.text}' needs {key}=…", owner.place)
            elif parameter.kind in ("whole", "real", "truth"):
                values.numbers[key] = parameter.default
        elif parameter.kind in ("type", "made", "resource", "types"):
            values.types[key] = _types(word, parameter.kind, names, report)
        elif parameter.kind == "effect":
            values.words[key] = _effect(word, report)
        else:
            values.numbers[key] = _number(word, parameter, report)
    return values


def keyed(words: Iterable[Word], report: Report) -> dict[str, Word]:
    """The `key=value` words by key; the last of several wins, as it does in the framework."""
    found: dict[str, Word] = {}
    for word in words:
        pair = word.split()
        if pair is None or not pair[0] or not pair[1]:
            report.error(f"'{shortened(word.text)}' is no parameter: write key=value, without blanks", word.place)
        else:
            found[pair[0]] = word
    return found


def warn_of_unknown(
    given: Iterable[tuple[str, Word]], known: Iterable[str], owners: Iterable[str], what: str, report: Report
) -> None:
    """One warning for each key that nothing takes; an error if the rules would be others without it.

    `owners` are the classes or the effect that might take it.
    """
    known, owners = set(known), list(owners)
    for key, word in given:
        if key not in known and any(key in NOT_TAKEN.get(owner, ()) for owner in owners):
            report.error(f"parameter '{key}' is known, but not supported", word.place)
        elif key not in known and any(key in LEFT_OUT.get(owner, ()) for owner in owners):
            report.warning(f"parameter '{key}' is known, but not supported: played without it", word.place)
        elif key not in known | VISUAL:
            report.warning(f"unknown parameter '{shortened(key)}' of {what}; {spec.suggest(key, known)}", word.place)


def _direction(word: Word, report: Report) -> Direction:
    text = _text(word)
    if text.upper() not in Direction.__members__:
        report.unknown("direction", text, Direction.__members__, word.place)
        return Direction.NONE
    return Direction[text.upper()]


def truth_of(word: Word, report: Report) -> bool:
    """Whether a value says true."""
    return bool(_number(word, Parameter("truth"), report))


def _number(word: Word, parameter: Parameter, report: Report) -> float:
    text = _text(word)
    if parameter.kind == "direction":
        return float(_direction(word, report))
    if parameter.kind == "truth":
        if text.lower() not in ("true", "false"):
            report.error(f"'{shortened(word.text)}': expected True or False", word.place)
        return float(text.lower() == "true")
    number = float(text) if _NUMBER[parameter.kind].fullmatch(text) else math.nan
    if not parameter.low <= number <= parameter.high:
        kind = "a whole number" if parameter.kind == "whole" else "a number"
        low, high = f"{parameter.low:,.12g}", f"{parameter.high:,.12g}"
        report.error(f"'{shortened(word.text)}': expected {kind} from {low} to {high}", word.place)
        return parameter.default
    return number


def _types(word: Word, kind: str, names: Names, report: Report) -> tuple[int, ...]:
    listed = _text(word).split(",")
    if kind != "types" and len(listed) > 1:
        report.error(f"'{shortened(word.text)}': expected one name", word.place)
    for name in listed:
        if name not in names.ids:
            report.unknown("sprite", name, names.ids, word.place)
        elif kind in _OF_LEAVES and name in names.groups:
            report.error(
                f"sprite '{shortened(name)}' only groups others: name the one that {_OF_LEAVES[kind]}", word.place
            )
        elif kind == "resource" and name not in names.resources:
            report.error(f"sprite '{shortened(name)}' is no resource: make it a Resource or name one", word.place)
    return tuple(names.ids.get(name, 0) for name in listed)


def _effect(word: Word, report: Report) -> str:
    name = _text(word)
    if name not in EFFECTS and name not in OTHER_EFFECTS:
        report.unknown("effect", name, EFFECTS, word.place)
    return name


def _text(word: Word) -> str:
    pair = word.split()
    return pair[1] if pair is not None else word.text
