"""The messages between a game server and its players, and what they answer.

A message is one group of GDL. Keywords are compared without case; names are kept as they were received, because some
servers compare the moves of a reply with case, and others replace every name by a word of their own.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from treewise.gdl.syntax import MOST_NESTED, Form, GDLError, Group, Symbol, read
from treewise.wording import excerpt

__all__ = [
    "Abort",
    "Info",
    "Message",
    "MessageError",
    "Ping",
    "Play",
    "PlayerInfo",
    "Preview",
    "Start",
    "Stop",
    "fold",
    "is_start",
    "read_info",
    "read_message",
    "read_move",
]

_MOST_PIECES = 1_000_000
"""Words and parentheses of a message, those in comments included: two seconds and a hundred megabytes to read. The
largest public rulesheet has 7,000."""
_PIECE = re.compile(r"[()]|[^\s()]+")
_START = re.compile(r"\s*\(\s*start\s", re.IGNORECASE)
_WITH_RULES = re.compile(r"\s*\(\s*(start|preview)\s", re.IGNORECASE)
_MARK = re.compile(r"[()]|;[^\r\n]*")
_AROUND_RULES = 2
_MOST_NESTED = MOST_NESTED + _AROUND_RULES
"""Parentheses inside each other: those of a message around its rules and moves come to those of a sheet."""
_LONGEST_CLOCK = 10**7  # seconds; a longer one would overflow what waits for it


class MessageError(ValueError):
    """A message or reply that cannot be understood."""


@dataclass(frozen=True, slots=True)
class Info:
    """Is somebody there, and free?"""

    def __str__(self) -> str:
        return "(INFO)"


@dataclass(frozen=True, slots=True)
class Ping:
    """The same in the words of older servers."""

    def __str__(self) -> str:
        return "(PING)"


@dataclass(frozen=True, slots=True)
class Start:
    """A match begins: its rules, the role to play, and the clocks in seconds.

    >>> message = read_message("(START m1 white ((role white) (role black)) 30 0.5)")
    >>> message.role, message.rules, message.play_clock
    ('white', '(role white) (role black)', 0.5)
    """

    match: str
    role: str
    rules: str
    """As they came: reading them may take longer than the clock."""
    start_clock: float
    play_clock: float

    def __str__(self) -> str:
        clocks = f"{_number(self.start_clock)} {_number(self.play_clock)}"
        return f"(START {self.match} {self.role} ({self.rules}) {clocks})"


@dataclass(frozen=True, slots=True)
class Preview:
    """Rules to look at before a match."""

    rules: str
    clock: float

    def __str__(self) -> str:
        return f"(PREVIEW ({self.rules}) {_number(self.clock)})"


@dataclass(frozen=True, slots=True)
class _Turn:
    match: str
    moves: tuple[str, ...] | None
    """What every role just did, or what the receiver perceived where the rules hide something; none at first."""
    turn: int | None = None
    """The number of the step: only in the form for hidden information, as are the next two."""
    last: str | None = None
    """What the receiver itself just did."""
    percepts: tuple[str, ...] | None = None

    def _text(self, keyword: str) -> str:
        if self.turn is None:
            return f"({keyword} {self.match} {_list(self.moves)})"
        return f"({keyword} {self.match} {self.turn} {self.last or 'NIL'} {_list(self.percepts)})"


@dataclass(frozen=True, slots=True)
class Play(_Turn):
    """Tells the last joint move and asks for the next.

    >>> read_message("(play m1 ((mark 1  1) noop))").moves
    ('(mark 1 1)', 'noop')
    >>> str(Play("m1", None))
    '(PLAY m1 NIL)'
    """

    def __str__(self) -> str:
        return self._text("PLAY")


@dataclass(frozen=True, slots=True)
class Stop(_Turn):
    """Tells the last joint move of a match that is over."""

    def __str__(self) -> str:
        return self._text("STOP")


@dataclass(frozen=True, slots=True)
class Abort:
    """The match is called off."""

    match: str

    def __str__(self) -> str:
        return f"(ABORT {self.match})"


Message = Info | Ping | Start | Preview | Play | Stop | Abort


def read_message(text: str) -> Message:
    """The message of a text; MessageError says what is wrong with it. The rules in it are not read.

    >>> read_message("( abort M1 )")
    Abort(match='M1')
    """
    if next(itertools.islice(_PIECE.finditer(text), _MOST_PIECES, None), None) is not None:
        raise MessageError(f"the message has more than {_MOST_PIECES:,} words and parentheses")
    try:
        outline, rules = _without_rules(text) if _WITH_RULES.match(text) else (text, "")
        forms = read(outline, _MOST_NESTED)
        if len(forms) != 1:
            raise MessageError(f"a message is one group in parentheses, but here are {len(forms)} forms")
        return _message(forms[0], rules)
    except GDLError as error:
        raise MessageError(str(error)) from None
    except RecursionError:
        raise MessageError("the message is nested too deeply") from None


def is_start(text: str) -> bool:
    """Whether a message is a START, without reading the rules.

    >>> is_start("( Start m1 white ("), is_start("(PLAY start NIL)")
    (True, False)
    """
    return _START.match(text) is not None


def _without_rules(text: str) -> tuple[str, str]:
    """A message with nothing between the parentheses of its longest group, and what stood there."""
    opened: list[int] = []
    suspect = 0
    longest = slice(0, 0)
    for found in _MARK.finditer(text):
        if found[0] == "(":
            opened.append(found.end())
            if len(opened) > _AROUND_RULES + 1 and not suspect and text.startswith("<=", found.end()):
                suspect = opened[_AROUND_RULES]
            if len(opened) > _MOST_NESTED:
                raise _misplaced(text, found.start(), f"more than {_MOST_NESTED} parentheses inside each other")
        elif found[0] == ")":
            if not opened:
                raise _misplaced(text, found.start(), "this ')' closes nothing")
            begin = opened.pop()
            if len(opened) == 1 and found.start() - begin > longest.stop - longest.start:
                longest = slice(begin, found.start())
    if opened:
        # A rule inside of another: where that begins, a parenthesis is missing. Those of the message close it.
        raise _misplaced(text, (suspect or opened[-1]) - 1, "this '(' is never closed")
    return text[: longest.start] + text[longest.stop :], text[longest]


def _misplaced(text: str, place: int, what: str) -> MessageError:
    return MessageError(f"{what}, near {' '.join(excerpt(text, place + 1)[0].split())}")


def _message(form: Form, rules: str) -> Message:
    items = form.items if isinstance(form, Group) else (form,)
    keyword = items[0].text.lower() if items and isinstance(items[0], Symbol) else ""
    arguments = items[1:]
    match keyword:
        case "info":
            return Info()
        case "ping":
            return Ping()
        case "start":
            _at_least(5, arguments, "START id role (rules) start-clock play-clock")
            clocks = _clock(arguments[3]), _clock(arguments[4])
            return Start(str(arguments[0]), str(arguments[1]), _rules(arguments[2], rules), *clocks)
        case "preview":
            _at_least(2, arguments, "PREVIEW (rules) clock")
            return Preview(_rules(arguments[0], rules), _clock(arguments[1]))
        case "play":
            return Play(*_turn(arguments))
        case "stop":
            return Stop(*_turn(arguments))
        case "abort":
            _at_least(1, arguments, "ABORT id")
            return Abort(str(arguments[0]))
    raise MessageError(f"unknown message {str(items[0])[:40] if items else '()'}")


def _at_least(count: int, arguments: tuple[Form, ...], form: str) -> None:
    if len(arguments) < count:
        raise MessageError(f"the message is too short; expected ({form})")


def _rules(form: Form, text: str) -> str:
    if not isinstance(form, Group):
        raise MessageError("the rules must be one list in parentheses")
    return " ".join(map(str, form.items)) or text


def _clock(form: Form) -> float:
    try:
        seconds = float(str(form))
    except ValueError:
        raise MessageError(f"a clock is a number of seconds, not {str(form)[:40]}") from None
    if not 0 <= seconds <= _LONGEST_CLOCK:
        raise MessageError(f"a clock of {seconds:g} seconds is out of range")
    return seconds


def _number(seconds: float) -> str:
    """A clock as servers write it."""
    return str(int(seconds)) if seconds == int(seconds) else str(seconds)


_Moves = tuple[str, ...] | None


def _turn(arguments: tuple[Form, ...]) -> tuple[str, _Moves, int | None, str | None, _Moves]:
    """The fields of PLAY and STOP, `(id moves)` or, with hidden information, `(id turn last-move percepts)`."""
    _at_least(1, arguments, "PLAY id moves")
    match = str(arguments[0])
    if len(arguments) < 4:
        return match, _moves(arguments[1]) if len(arguments) > 1 else None, None, None, None
    turn = str(arguments[1])
    if not turn.isdecimal() or len(turn) > 9:
        raise MessageError(f"the number of the turn must be a whole number, not {turn[:40]}")
    last = None if _nil(arguments[2]) else str(arguments[2])
    return match, None, int(turn), last, _moves(arguments[3])


def _nil(form: Form) -> bool:
    return str(form).lower() in ("nil", "[]", "()")


def _moves(form: Form) -> _Moves:
    if _nil(form):
        return None
    return tuple(map(str, form.items)) if isinstance(form, Group) else (str(form),)


def _list(moves: _Moves) -> str:
    return f"({' '.join(moves)})" if moves is not None else "NIL"


# ---- replies


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    """What a player says of itself.

    >>> str(PlayerInfo("treewise", "available"))
    '((name treewise) (status available))'
    """

    name: str
    status: str

    def __str__(self) -> str:
        return f"((name {self.name}) (status {self.status}))"


def read_info(text: str) -> PlayerInfo:
    """What a player answered to INFO; a bare word is its status.

    >>> read_info("( ( name Random ) ( status busy ) )")
    PlayerInfo(name='Random', status='busy')
    """
    form = _one_form(text)
    if isinstance(form, Symbol):
        return PlayerInfo("", form.text.lower())
    found = {}
    for item in form.items:
        if isinstance(item, Group) and len(item.items) > 1:
            found[str(item.items[0]).lower()] = " ".join(map(str, item.items[1:]))
    return PlayerInfo(found.get("name", ""), found.get("status", "").lower())


def read_move(text: str) -> str:
    """The move of a reply to PLAY, blanks made uniform. What very old players add behind it is left out.

    >>> read_move(" ( mark 2 2 )\\n"), read_move("((mark 1 1) (explanation because))")
    ('(mark 2 2)', '(mark 1 1)')
    """
    form = _one_form(text)
    if isinstance(form, Group) and form.items and isinstance(form.items[0], Group):
        form = form.items[0]
    return str(form)


def _one_form(text: str) -> Form:
    try:
        forms = read(text)
        if len(forms) != 1:
            raise MessageError(f"expected one term, but the reply has {len(forms)}")
        str(forms[0])
        return forms[0]
    except GDLError as error:
        raise MessageError(str(error)) from None
    except RecursionError:
        raise MessageError("the reply is nested too deeply") from None


def fold(text: str) -> str:
    """A term in the form that is compared: blanks uniform, no case.

    >>> fold("( Mark 1  1 )")
    '(mark 1 1)'
    """
    return str(_one_form(text)).lower()
