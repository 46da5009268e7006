"""A person plays a video game in a terminal: keys in, coloured cells out."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Protocol

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from treewise import _core
from treewise.game import State
from treewise.vgdl import guide
from treewise.vgdl.drawing import legend, program_of, screen, status
from treewise.vgdl.program import Action, Program

QUIT, PAUSE, HELP = "quit", "pause", "help"
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
    "h": HELP,
    "?": HELP,
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


def play(
    state: State,
    keys: Keys,
    seconds: float | None,
    out: Console,
    advance: Callable[[Action], None] | None = None,
    explain: bool = False,
) -> str:
    """Plays to the end, a tick every so many seconds or, for None, with every key; what came of it, in a line.

    `advance` makes a tick, if somebody else is to do so. With `explain` the rules are shown before the first one.
    """
    program = program_of(state)
    step = advance or (lambda action: _core.vgdl_advance(state, action))
    with Live(_view(state, out), console=out, auto_refresh=False) as live:
        key: Action | str | None = HELP if explain else None
        while not state.is_terminal():
            while key in (PAUSE, HELP):
                if key == HELP:
                    live.update(_explained(program, out), refresh=True)
                key = keys.read(None)
                live.update(_view(state, out), refresh=True)
            if key is None:
                key = keys.read(seconds)
                if key in (PAUSE, HELP):
                    continue
            if key == QUIT:
                return f"{status(state)}   left"
            wanted = isinstance(key, Action) and key in (*program.actions, Action.NIL)
            step(key if wanted and isinstance(key, Action) else Action.NIL)
            key = None
            live.update(_view(state, out), refresh=True)
    return status(state)


def watch(states: Iterable[State], keys: Keys, seconds: float, out: Console) -> str:
    """Shows states one after the other, until they or the person end; the last one's line."""
    last = ""
    with Live(console=out, auto_refresh=False) as live:
        for state in states:
            live.update(_view(state, out), refresh=True)
            last = status(state)
            key = keys.read(seconds)
            if key == PAUSE:
                key = keys.read(None)
            if key == QUIT:
                return f"{last}   left"
    return last


def _colours(out: Console) -> str | None:
    return None if out.no_color else out.color_system


def _view(state: State, out: Console) -> Group:
    colours = _colours(out)
    return Group(
        screen(state, colours),
        legend(state, colours, out.width),
        Text(status(state), "bold"),
        Text(guide.keys(program_of(state)), "dim"),
    )


def _explained(program: Program, out: Console) -> Group:
    """Goals and rules, as many as there is room for."""
    lines = [*(f"The game is {goal}." for goal in guide.goals(program)), "", *guide.rules(program)]
    room = max(4, out.height - 3)
    if len(lines) > room:
        lines = [*lines[: room - 1], f"… and {len(lines) - room + 1} more rules: treewise vgdl info shows them"]
    return Group(Text("\n".join(lines)), Text(f"{guide.keys(program)}; any key goes on", "dim"))
