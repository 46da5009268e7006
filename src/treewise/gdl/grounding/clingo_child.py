"""The process that grounds: reads a program on standard input, writes its ground rules in bytes on standard output.

Run by path, not as a part of the package, which it needs nothing of. Arguments: most bytes of memory, most seconds of
the processor, most rules. Output: a line with the numbers of rules, of literals and of bytes of names; then, as
32-bit numbers, the heads, the lengths of the bodies and the literals; then the names, a line `number text` each.
"""

from __future__ import annotations

import os
import sys
from array import array
from collections.abc import Sequence
from typing import Any

TOO_MANY_RULES = 3
"""The exit status where there are more rules than allowed."""


def main() -> None:
    """Grounds the program."""
    memory, seconds, most = map(int, sys.argv[1:4])
    _limit(memory, seconds)
    from clingo import Control

    kept = Kept(most)
    control = Control(["--warn=none"], logger=lambda code, message: print(message, file=sys.stderr))
    control.register_observer(_observer(kept), replace=True)
    control.add("base", [], sys.stdin.read())
    control.ground([("base", [])])
    kept.write()


class Kept:
    """The rules but for choices, and the names."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.heads, self.lengths, self.literals = array("i"), array("i"), array("i")
        self.shown: list[str] = []

    def add(self, head: int, body: Sequence[int]) -> None:
        """Keeps a rule; ends the process if it is one too many."""
        self.heads.append(head)
        self.lengths.append(len(body))
        self.literals.extend(body)
        if len(self.heads) > self.most:
            os._exit(TOO_MANY_RULES)

    def write(self) -> None:
        """Hands everything over."""
        names = "\n".join(self.shown).encode()
        out = sys.stdout.buffer
        out.write(f"{len(self.heads)} {len(self.literals)} {len(names)}\n".encode())
        for part in (self.heads, self.lengths, self.literals):
            part.tofile(out)
        out.write(names)


def _observer(kept: Kept) -> Any:
    from clingo import Observer

    class Reader(Observer):
        def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
            if not choice:
                kept.add(head[0], body)

        def output_atom(self, symbol: Any, atom: int) -> None:
            kept.shown.append(f"{atom} {symbol}")

    return Reader()


def _limit(memory: int, seconds: int) -> None:
    """Where the system can: there is no `resource` on Windows, and no limit of memory on a Mac."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    except (ImportError, ValueError, OSError):
        pass


if __name__ == "__main__":
    main()
