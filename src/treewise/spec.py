"""The one text form of games and searches: a subset of Python expressions, `name(key=value, …)`.

Values are numbers, strings, `True`, `False`, `None`, `inf`, lists, and calls of the same form.
"""

from __future__ import annotations

import ast
import difflib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

MAX_TEXT = 20_000
"""Longer texts are refused: a search or a game never needs them."""


@dataclass(frozen=True)
class Call:
    """A parsed `name(key=value, …)`: what the text says, before anything is built from it.

    >>> parse("hex(size=7)")
    Call(name='hex', arguments={'size': 7})
    """

    name: str
    arguments: Mapping[str, Value] = field(default_factory=dict)


type_names = {bool: "True or False", int: "a whole number", float: "a number", str: "a text"}
Value = bool | int | float | str | None | list["Value"] | Call


def parse(text: str) -> Call:
    """Reads one call; a bare name is a call without arguments. ValueError says what is wrong and where.

    >>> parse("mcts(selection=ucb1(c=1.0))").arguments["selection"]
    Call(name='ucb1', arguments={'c': 1.0})
    """
    if len(text) > MAX_TEXT:
        raise ValueError(f"text of {len(text)} characters is too long (at most {MAX_TEXT})")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError(f"cannot read {_short(text)}: {_reason(error)}; write name(key=value, …)") from None
    try:
        value = _value(tree.body, text)
    except RecursionError:
        raise ValueError(f"cannot read {_short(text)}: nested too deeply") from None
    if not isinstance(value, Call):
        raise ValueError(f"cannot read {_short(text)}: expected name(key=value, …)")
    return value


def write(value: Value) -> str:
    """The text of a value; `parse(write(call)) == call`.

    >>> write(Call("hex", {"size": 7}))
    'hex(size=7)'
    """
    if isinstance(value, Call):
        inner = ", ".join(f"{key}={write(item)}" for key, item in value.arguments.items())
        return f"{value.name}({inner})" if inner else value.name
    if isinstance(value, list):
        return "[" + ", ".join(write(item) for item in value) + "]"
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return repr(value)


def suggest(name: str, known: Iterable[str]) -> str:
    """A phrase to end an error with: the nearest known name, or all of them."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if near:
        return f"did you mean '{near[0]}'?"
    return "known: " + ", ".join(names) if names else "none are known"


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "…")


def _reason(error: BaseException) -> str:
    return str(error.msg) if isinstance(error, SyntaxError) else str(error) or type(error).__name__


def _value(node: ast.expr, text: str) -> Value:
    match node:
        case ast.Constant(value=bool() | int() | float() | str() | None as constant):
            return constant
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            number = _value(operand, text)
            if isinstance(number, int | float) and not isinstance(number, bool):
                return -number
        case ast.Name(id="inf"):
            return math.inf
        case ast.Name(id=name):
            return Call(name)
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_value(item, text) for item in items]
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
            return _call(name, args, keywords, text)
    part = ast.get_source_segment(text.strip(), node) or text
    raise ValueError(f"cannot read {_short(part)}: expected a number, a text, a list or name(key=value, …)")


def _call(name: str, args: list[ast.expr], keywords: list[ast.keyword], text: str) -> Call:
    arguments: dict[str, Value] = {}
    for index, item in enumerate(args):
        arguments[str(index)] = _value(item, text)
    for keyword in keywords:
        if keyword.arg is None:
            raise ValueError(f"cannot read {_short(text)}: {name}: '**' is not known; write key=value")
        if keyword.arg in arguments:
            raise ValueError(f"cannot read {_short(text)}: {name}: '{keyword.arg}' is given twice")
        arguments[keyword.arg] = _value(keyword.value, text)
    return Call(name, arguments)
