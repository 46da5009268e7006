"""The text of a rulesheet: symbols and groups in parentheses, each with its place.

Knows nothing of rules. Reading never recurses, and refuses a text nested so deeply that whoever walks over its forms
would exhaust the stack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from treewise.wording import excerpt

# Rules of real games nest about ten deep.
MOST_NESTED = 200
_TOKEN = re.compile(r"[()]|[^\s();]+|;[^\n]*")


class GDLError(ValueError):
    """A rulesheet or message that is not GDL; `line` and `column` count from 1 (0: no place)."""

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(f"line {line}, column {column}: {message}" if line else message)
        self.message = message
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class Symbol:
    """One name or variable as it is written."""

    text: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Group:
    """What stands between two parentheses."""

    items: tuple[Form, ...]
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"({' '.join(map(str, self.items))})"


Form = Symbol | Group


def lines(text: str) -> list[str]:
    """The lines of a text as `read` counts them, whatever they end with."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


_LONGEST_LINE = 160
"""Of a line that a place in it says enough of. Rules in messages have no line ends at all."""


def near(text_lines: Sequence[str], line: int, column: int) -> str:
    """The words to add to a message about a place in a long line: what stands there; else none.

    >>> near(["(p)" * 100], 1, 150)[:20], near(["(p)"], 1, 1)
    (', near …(p)(p)(p)(p)', '')
    """
    if not 0 < line <= len(text_lines) or len(text_lines[line - 1]) <= _LONGEST_LINE:
        return ""
    return f", near {excerpt(text_lines[line - 1], column)[0].strip()}"


def read(text: str, most_nested: int = MOST_NESTED) -> tuple[Form, ...]:
    """The forms of a text, in order; an error if more than so many parentheses stand inside each other.

    >>> [str(form) for form in read("(role x) ; a comment\\n(<= (goal x 100) (true (a  b)))")]
    ['(role x)', '(<= (goal x 100) (true (a b)))']
    """
    text_lines = lines(text)
    open_groups: list[tuple[list[Form], int, int]] = []
    items: list[Form] = []

    def error(message: str, line: int, column: int) -> GDLError:
        return GDLError(message + near(text_lines, line, column), line, column)

    for token, line, column in _tokens("\n".join(text_lines)):
        if token == "(":
            if len(open_groups) == most_nested:
                raise error(f"more than {most_nested} parentheses inside each other: nest less", line, column)
            open_groups.append((items, line, column))
            items = []
        elif token != ")":
            items.append(Symbol(token, line, column))
        elif open_groups:
            outer, at_line, at_column = open_groups.pop()
            outer.append(Group(tuple(items), at_line, at_column))
            items = outer
        else:
            advice = "remove it, or add the '(' that is missing before it"
            raise error(f"this ')' closes nothing: {advice}", line, column)
    if open_groups:
        _, line, column = open_groups[-1]
        raise error("this '(' is never closed: add the ')' that is missing", line, column)
    return tuple(items)


def _tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """Parentheses, names and variables, each with line and column."""
    line, line_start, last = 1, 0, 0
    for match in _TOKEN.finditer(text):
        breaks = text.count("\n", last, match.start())
        if breaks:
            line += breaks
            line_start = text.rfind("\n", last, match.start()) + 1
        last = match.start()
        if not match.group().startswith(";"):
            yield match.group(), line, match.start() - line_start + 1
