"""States and long lists on the screen."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import zip_longest

from rich.console import Console
from rich.text import Text

from treewise.game import State

_CHANGED = "bold reverse"


def drawing(state: State) -> str:
    """A state as a person reads it; one of a rulesheet as boards, where its facts are boards.

    >>> import treewise
    >>> print(drawing(treewise.load_game("gdl('tic_tac_toe')").initial_state()))
    cell
    3  .  .  .
    2  .  .  .
    1  .  .  .
       1  2  3
    (control xplayer)
    """
    text = str(state).rstrip("\n")
    if state.game.name != "gdl":
        return text
    from treewise.gdl.drawing import draw_facts
    from treewise.gdl.net_machine import NetGame

    return draw_facts(text.splitlines(), state.game.facts) if isinstance(state.game, NetGame) else text


def marked(before: str | None, now: str) -> Text:
    """A drawing, with what differs from the one before marked; nothing where they have not the same form.

    >>> marked("a . c", "a b .").spans
    [Span(2, 3, 'bold reverse'), Span(4, 5, 'bold reverse')]
    """
    shown = Text(now)
    if before is None or [len(line) for line in before.split("\n")] != [len(line) for line in now.split("\n")]:
        return shown
    for place, (old, new) in enumerate(zip_longest(before, now)):
        if old != new:
            shown.stylize(_CHANGED, place, place + 1)
    return shown


def print_pages(out: Console, lines: Sequence[str]) -> None:
    """Prints lines, a screen at a time where a person reads them on one."""
    page = max(1, out.height - 2)
    screen = out.is_terminal and sys.stdin.isatty()
    for start in range(0, len(lines), page if screen else max(1, len(lines))):
        end = start + page if screen else len(lines)
        out.print("\n".join(lines[start:end]))
        if end < len(lines):
            typed = input(f"-- {len(lines) - end} more lines: Enter goes on, q leaves the list -- ")
            if typed.strip().lower().startswith("q"):
                return
