"""A person plays a video game in a terminal: keys in, coloured cells out."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from types import TracebackType
from typing import Any, Protocol

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from treewise import _core
from treewise.game import State
from treewise.vgdl.drawing import screen, status
from treewise.vgdl.program import Action

QUIT, PAUSE = "quit", "pause"
KEYS: dict[str, Action | str] = {
    "\x1b[A": Action.UP,
    "\x1b[B": Action.DOWN,
    "\x1b[C": Action.RIGHT,
    "\x1b[D": Action.LEFT,
    "\x1bOA": Action.UP,
    "\x1bOB": Action.DOWN,
    "\x1bOC": Action.RIGHT,
    "\x1bOD": Action.LEFT,
    "w": Action.UP,
    "a": Action.LEFT,
    "s": Action.DOWN,
    "d": Action.RIGHT,
    " ": Action.USE,
    ".": Action.NIL,
    "p": PAUSE,
    "q": QUIT,
    "\x03": QUIT,
    "\x04": QUIT,
}
_KEY = re.compile(r"\x1b\[\[?[0-9;?]*[@-~]|\x1bO.|\x1b.|.", re.DOTALL)
"""What a terminal sends for one key: a sequence that begins with an escape, or a character."""


class Keys(Protocol):
    """Where actions come from."""

    def read(self, seconds: float | None) -> Action | str | None:
        """The last key within a time (None: the next one, however long it takes); None if there was none."""
        ...


class Keyboard:
    """The keys of this terminal, as they are pressed."""

    def __init__(self) -> None:
        self._before: list[Any] | None = None

    def __enter__(self) -> Keyboard:
        if not sys.stdin.isatty() or os.name == "nt":
            raise ValueError("playing needs a terminal with a keyboard (on Windows: in WSL)")
        import termios
        import tty

        self._before = termios.tcgetattr(sys.stdin.fileno())
        tty.setcbreak(sys.stdin.fileno())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        import termios

        if self._before is not None:
            termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, self._before)

    def read(self, seconds: float | None) -> Action | str | None:
        """The last key within a time; keys that mean nothing are skipped."""
        end = None if seconds is None else time.monotonic() + seconds
        found: Action | str | None = None
        while end is None or (left := end - time.monotonic()) > 0:
            ready, _, _ = select.select([sys.stdin], [], [], None if end is None else left)
            if ready:
                typed = os.read(sys.stdin.fileno(), 64).decode(errors="replace")
                key = key_of(typed) if typed else QUIT
                found = found if key is None else key
                if found == QUIT or (end is None and found is not None):
                    return found
        return found


def key_of(typed: str) -> Action | str | None:
    """What the last key that means something, of some typed characters, means.

    >>> key_of("aa\\x1b[Cx"), key_of("x")
    (<Action.RIGHT: 4>, None)
    """
    keys = (key.lower() if len(key) == 1 else key for key in reversed(_KEY.findall(typed)))
    return next((KEYS[key] for key in keys if key in KEYS), None)


def play(state: State, keys: Keys, seconds: float | None, out: Console) -> str:
    """Plays to the end, a tick every so many seconds or, for None, with every key; what came of it, in a line."""
    colours = None if out.no_color else out.color_system
    with Live(_view(state, colours), console=out, auto_refresh=False) as live:
        while not state.is_terminal():
            key = keys.read(seconds)
            if key == PAUSE:
                key = keys.read(None)
            if key == QUIT:
                return f"{status(state)}   left"
            _core.vgdl_advance(state, key if isinstance(key, Action) else Action.NIL)
            live.update(_view(state, colours), refresh=True)
    return status(state)


def _view(state: State, colours: str | None) -> Group:
    return Group(
        screen(state, colours), Text(status(state), "bold"), Text("arrows move, space uses, p pauses, q ends", "dim")
    )
