"""The one text form of games and searches: a subset of Python expressions, `name(key=value, …)`.

Values are numbers, strings, `True`, `False`, `None`, `inf`, lists, and calls of the same form. What is written in a
Python file has its path before its name, `my_game.py:Nim(heaps=[3, 4])`; a path with a colon, a comma, an equals sign
or brackets is put in quotes, `'games, mine/nim.py':Nim`. No other colon stands outside of quotes.
"""

from __future__ import annotations

import ast
import difflib
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from treewise.wording import shortened

MAX_TEXT = 100_000
"""Longer texts are neither read nor written: a search or a game never needs them."""
MAX_DEPTH = 100
"""Nor are those with more brackets in each other. Python itself reads 200."""


@dataclass(frozen=True)
class Call:
    """A parsed `name(key=value, …)`: what the text says, before anything is built from it.

    >>> parse("hex(size=7)")
    Call(name='hex', arguments={'size': 7}, file='')
    """

    name: str
    arguments: Mapping[str, Value] = field(default_factory=dict)
    file: str = ""
    """The Python file that has what the name stands for; empty for what comes with the package."""


type_names = {bool: "True or False", int: "a whole number", float: "a number", str: "a text"}
Value = bool | int | float | str | None | list["Value"] | Call


def parse(text: str) -> Call:
    """Reads one call; a bare name is a call without arguments. ValueError says what is wrong and where.

    >>> parse("mcts(selection=ucb1(c=1.0))").arguments["selection"]
    Call(name='ucb1', arguments={'c': 1.0}, file='')
    >>> parse("'my games/nim.py':Nim(7)")
    Call(name='Nim', arguments={'0': 7}, file='my games/nim.py')
    """
    if len(text) > MAX_TEXT:
        raise ValueError(f"text of {len(text):,} characters is too long (at most {MAX_TEXT:,})")
    _check_named(text)
    marked = _TOKEN.sub(_mark, text).strip()
    try:
        tree = ast.parse(marked, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        form = "name(key=value, …)" + (", or FILE.py:NAME for what is in a file of yours" if ":" in text else "")
        raise ValueError(f"cannot read {_short(text)}: {_reason(error)}; write {form}") from None
    try:
        value = _value(tree.body, marked)
    except RecursionError:
        raise ValueError(f"cannot read {_short(text)}: nested too deeply") from None
    if not isinstance(value, Call):
        raise ValueError(f"cannot read {_short(text)}: expected name(key=value, …)")
    return value


_OF = "@"
"""Between a file and a name where Python reads the text: an operator that stands for nothing else."""
_QUOTES = "'\""
_TEXT = r"""'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\""""
_WORD = r"[^\s'\"()\[\]{},=:#][^'\"()\[\]{},=:#]*"
_TOKEN = re.compile(
    rf"(?P<path>{_TEXT}|{_WORD}?\.py)\s*:\s*(?P<name>[^\W\d]\w*)"
    rf"|\'\'\'.*?\'\'\'|\"\"\".*?\"\"\"|{_TEXT}|['\"].*|#[^\n]*|{_WORD}",
    re.DOTALL,
)
"""`FILE.py:NAME`; and what is no such thing, though a colon may be inside: texts, comments, words."""


def _mark(token: re.Match[str]) -> str:
    """Writes `FILE.py:NAME` as Python can read it."""
    path, name = token["path"], token["name"]
    if path is None:
        return token[0] if token[0][0] in f"{_QUOTES}#" else token[0].replace(_OF, ":")  # which is an error
    return f"{path if path[0] in _QUOTES else repr(path)}{_OF}{name}"


def _check_named(text: str) -> None:
    """ValueError if a text is a file without a name."""
    if alone := re.fullmatch(rf"\s*({_WORD}\.py)\s*:?\s*", text):
        path = shortened(alone[1], 255)
        raise ValueError(f"{path}: say which object of the file: {path}:NAME")


def files(value: Value) -> Iterator[Call]:
    """All calls inside a value that name a file.

    >>> [call.name for call in files(parse("mcts(playout=a.py:P(inner=b.py:Q), bonus=[a.py:B])"))]
    ['P', 'Q', 'B']
    """
    if isinstance(value, list):
        for item in value:
            yield from files(item)
    elif isinstance(value, Call):
        if value.file:
            yield value
        for item in value.arguments.values():
            yield from files(item)


def write(value: Value) -> str:
    """The text of a value; `parse(write(call)) == call`. ValueError for a text that would not be read back.

    >>> write(Call("hex", {"size": 7}))
    'hex(size=7)'
    >>> write(Call("Nim", file="my games/nim.py"))
    "'my games/nim.py':Nim"
    """
    text = _written(value, MAX_DEPTH)
    if len(text) > MAX_TEXT:
        raise ValueError(f"{_short(text)} has {len(text):,} characters, and at most {MAX_TEXT:,} are read back")
    return text


def _written(value: Value, depth: int) -> str:
    if depth < 0:
        raise ValueError(f"parts are more than {MAX_DEPTH} deep in each other: such a text is not read back")
    if isinstance(value, Call):
        inner = ", ".join(_argument(key, item, depth - 1) for key, item in value.arguments.items())
        name = f"{_path(value.file)}:{value.name}" if value.file else value.name
        return f"{name}({inner})" if inner else name
    if isinstance(value, list):
        return "[" + ", ".join(_written(item, depth - 1) for item in value) + "]"
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return repr(value)


def _argument(key: str, value: Value, depth: int) -> str:
    text = _written(value, depth)
    return text if key.isdigit() else f"{key}={text}"


def _path(file: str) -> str:
    """In quotes, unless nothing in it could be taken for something else."""
    return file if re.fullmatch(r"[\w./~+-]+\.py", file) else repr(file)


def suggest(name: str, known: Iterable[str]) -> str:
    """A phrase to end an error with: the nearest known name, or all of them."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if near:
        return f"did you mean '{near[0]}'?"
    return "known: " + ", ".join(names) if names else "none are known"


def _short(text: str) -> str:
    return repr(shortened(text, 60))


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
        case ast.BinOp(left=ast.Constant(value=str() as file), op=ast.MatMult(), right=inner):
            called = _value(inner, text)
            if isinstance(called, Call) and file and not called.file:
                return replace(called, file=file)
    part = (ast.get_source_segment(text, node) or text).replace(_OF, ":")
    _check_named(part)
    raise ValueError(f"cannot read {_short(part)}: expected a number, a text, a list or name(key=value, …)")


def _call(name: str, args: list[ast.expr], keywords: list[ast.keyword], text: str) -> Call:
    arguments: dict[str, Value] = {}
    for index, item in enumerate(args):
        arguments[str(index)] = _value(item, text)
    for keyword in keywords:
        if keyword.arg is None:
            raise ValueError(f"cannot read {_short(text)}: {shortened(name)}: '**' is not known; write key=value")
        if keyword.arg in arguments:
            twice = shortened(keyword.arg)
            raise ValueError(f"cannot read {_short(text)}: {shortened(name)}: '{twice}' is given twice")
        arguments[keyword.arg] = _value(keyword.value, text)
    return Call(name, arguments)
