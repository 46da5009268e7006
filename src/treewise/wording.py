"""How messages put things: numbers with their nouns, long texts, exceptions."""

from __future__ import annotations

import os
import re
import sysconfig
from pathlib import Path
from traceback import FrameSummary, extract_tb

_INSTALLED = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
_FOREIGN = tuple(folder + os.sep for folder in (str(Path(__file__).parent), *_INSTALLED))
_MOST_OF_WORD = 255
_PLAIN = (ValueError, OSError, ImportError, RuntimeError)
"""What this package raises on purpose: the message says it all."""

_UNPRINTABLE = re.compile(
    r"[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
"""Control characters, with which a text could steer a terminal, and marks that turn the direction of writing."""


def printable(text: str) -> str:
    """The text with `�` for characters that do something to a screen or a page instead of being seen there.

    >>> printable("bell \\a and escape \\033"), printable("日本\\n🎲")
    ('bell � and escape �', '日本\\n🎲')
    """
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "match"), counted(2000, "match"), counted(0, "step")
    ('1 match', '2,000 matches', '0 steps')
    """
    plural = noun + ("es" if noun.endswith("ch") else "s")
    return f"{number:,} {noun if number == 1 else plural}"


def approximately(value: float) -> str:
    """A measured number with three digits.

    >>> approximately(1234567), approximately(1.23456)
    ('1,230,000', '1.23')
    """
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if rounded >= 100 else f"{rounded:g}"


def shortened(text: str, most: int = 40) -> str:
    """A word as it is quoted in a message: never a page of it.

    >>> shortened("x" * 1000, most=4)
    'xxx…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def excerpt(line: str, column: int, most: int = 60) -> tuple[str, int]:
    """What stands around a column of a line (from 1), and the column in that: all of the line if it is short.

    >>> excerpt("a " * 1000 + "wrong" + " z" * 1000, 2001, most=20)
    ('… a a a a wrong z z…', 11)
    """
    if len(line) <= most:
        return line, column
    inner = most - 2
    begin = min(max(0, column - 1 - inner // 2), len(line) - inner)
    shown = line[begin : begin + inner]
    return "…" * (begin > 0) + shown + "…" * (begin + inner < len(line)), column - begin + (begin > 0)


def shortened_words(text: str) -> str:
    """A message in one line, of which no word fills it: such words are what somebody has written.

    >>> len(shortened_words("there is no " + "x" * 10_000))
    267
    """
    return " ".join(shortened(word, _MOST_OF_WORD) for word in text.split())


def reason(error: BaseException) -> str:
    """What an exception says: of the system's errors the words alone, with the file that they are about.

    >>> reason(FileNotFoundError(2, "No such file or directory", "a.txt"))
    'a.txt: No such file or directory'
    """
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    names = [name for name in (error.filename, error.filename2) if name is not None]
    return ": ".join([" -> ".join(map(_name, names)), error.strerror] if names else [error.strerror])


def _name(file: object) -> str:
    text = os.fsdecode(file) if isinstance(file, bytes | os.PathLike) else str(file)
    return shortened(text, _MOST_OF_WORD)


def describe(error: BaseException) -> str:
    """An exception in one line, with the place in the user's own file, if it passed through one.

    >>> def apply(action):
    ...     return {}[action]
    >>> try:
    ...     apply(7)
    ... except KeyError as error:
    ...     describe(error).split(", ")[0]
    'KeyError in apply()'
    >>> describe(ValueError("no such game"))
    'no such game'
    """
    kind, message = type(error).__name__, printable(shortened_words(reason(error)))
    place = own_place(error)
    if place is not None:
        function = "" if place.name == "<module>" else f"{place.name}(), "
        where = f"{kind} in {function}{Path(place.filename).name}:{place.lineno}"
        return f"{where}: {message}" if message else where
    if isinstance(error, _PLAIN) and message:
        return message
    return f"{kind}: {message}" if message else kind


def own_place(error: BaseException) -> FrameSummary | None:
    """The innermost place outside of this package, Python's library and what is installed."""
    frames = extract_tb(error.__traceback__)
    own = [frame for frame in frames if is_own(frame.filename)]
    return own[-1] if own else None


def is_own(file: str) -> bool:
    """Whether a file is the user's: outside of this package, Python's library and what is installed.

    >>> is_own(os.__file__), is_own("/home/me/nim.py")
    (False, True)
    """
    return not file.startswith((*_FOREIGN, "<frozen", "<string>"))
