"""Ranges: the values that a tuning may try for a name in braces."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from treewise import spec

__all__ = ["Choices", "Numbers", "Range", "Value", "check_places", "parse_range", "place_names"]

Value = float | int | str

_DIGITS = 4
"""Significant digits of a number that is tried: finer differences cannot be measured by matches."""
_MOST = 2.0**53
"""Whole numbers up to this one are exact."""
_FORMS = "LOW:HIGH, LOW:HIGH:int, LOW:HIGH:log or ONE|ANOTHER"


@dataclass(frozen=True)
class Numbers:
    """Numbers from `low` to `high`; whole ones, or evenly spread over orders of magnitude, if told."""

    low: float
    high: float
    whole: bool = False
    log: bool = False

    def suggest(self, trial: Any, name: str) -> Value:
        """What Optuna would try next, rounded."""
        if self.whole:
            return int(trial.suggest_int(name, int(self.low), int(self.high), log=self.log))
        number = float(f"{trial.suggest_float(name, self.low, self.high, log=self.log):.{_DIGITS}g}")
        return min(max(number, self.low), self.high)

    def ends(self) -> tuple[Value, ...]:
        """What is tried if all goes to the limits."""
        return (int(self.low), int(self.high)) if self.whole else (self.low, self.high)


@dataclass(frozen=True)
class Choices:
    """Texts, put into the search as they are."""

    texts: tuple[str, ...]

    def suggest(self, trial: Any, name: str) -> Value:
        """What Optuna would try next."""
        return str(trial.suggest_categorical(name, self.texts))

    def ends(self) -> tuple[Value, ...]:
        """All of them."""
        return self.texts


Range = Numbers | Choices


def parse_range(text: str) -> Range:
    """Reads the text form of a range.

    >>> parse_range("0.5:10:log")
    Numbers(low=0.5, high=10.0, whole=False, log=True)
    >>> parse_range("1:8:int")
    Numbers(low=1.0, high=8.0, whole=True, log=False)
    >>> parse_range("uniform|mast")
    Choices(texts=('uniform', 'mast'))
    """
    if "|" in text:
        texts = tuple(part.strip() for part in text.split("|"))
        if not all(texts) or len(set(texts)) < len(texts):
            raise ValueError(f"range '{text}': one of the choices is empty or there twice")
        return Choices(texts)
    low, *rest = text.split(":")
    if not rest or not set(rest[1:]) <= {"int", "log"}:
        raise ValueError(f"cannot read the range '{text}'; write {_FORMS}")
    return _numbers(text, low, rest[0], set(rest[1:]))


def _numbers(text: str, low: str, high: str, words: set[str]) -> Numbers:
    try:
        made = Numbers(float(low), float(high), "int" in words, "log" in words)
    except ValueError:
        raise ValueError(f"cannot read the range '{text}': its ends must be numbers; write {_FORMS}") from None
    if not (math.isfinite(made.low) and math.isfinite(made.high)):
        raise ValueError(f"range '{text}': its ends must be finite")
    if made.low >= made.high:
        raise ValueError(f"range '{text}': the first number must be less than the second")
    if made.whole and max(-made.low, made.high) > _MOST:
        raise ValueError(f"range '{text}': the ends of an int range must be between -2^53 and 2^53")
    if made.whole and not (made.low.is_integer() and made.high.is_integer()):
        raise ValueError(f"range '{text}': the ends of an int range must be whole numbers")
    if made.log and made.low <= 0:
        raise ValueError(f"range '{text}': a log range must begin above 0")
    return made


def place_names(text: str) -> list[str]:
    """The names in braces, each once, in their order.

    >>> place_names("mcts(selection=ucb1(c={c}), bonus=[relative_bonus(k={k}), quality_bonus(k={k})])")
    ['c', 'k']
    """
    return list(dict.fromkeys(re.findall(r"\{(\w+)\}", text)))


def check_places(text: str, ranges: Iterable[str]) -> None:
    """ValueError unless the names in braces are those that have ranges.

    >>> check_places("uct(c={c})", ["k"])
    Traceback (most recent call last):
    ValueError: no range for {c}: give one, such as c=0.5:10
    """
    names, given = place_names(text), list(ranges)
    if not names:
        raise ValueError("the search has nothing to tune: write a name in braces, such as relative_bonus(k={k})")
    for name in names:
        if name not in given:
            raise ValueError(f"no range for {{{name}}}: give one, such as {name}=0.5:10")
    for name in given:
        if name not in names:
            raise ValueError(f"a range for '{name}', but the search has no {{{name}}}; {spec.suggest(name, names)}")
