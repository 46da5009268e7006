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
    from clingo import Control, Observer

    heads, lengths, literals = array("i"), array("i"), array("i")
    shown: list[str] = []

    class Reader(Observer):
        """Keeps the rules but for choices, and the names."""

        def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
            if not choice:
                heads.append(head[0])
                lengths.append(len(body))
                literals.extend(body)
                if len(heads) > most:
                    os._exit(TOO_MANY_RULES)

        def output_atom(self, symbol: Any, atom: int) -> None:
            shown.append(f"{atom} {symbol}")

    control = Control(["--warn=none"], logger=lambda code, message: print(message, file=sys.stderr))
    control.register_observer(Reader(), replace=True)
    control.add("base", [], sys.stdin.read())
    control.ground([("base", [])])
    names = "\n".join(shown).encode()
    out = sys.stdout.buffer
    out.write(f"{len(heads)} {len(literals)} {len(names)}\n".encode())
    for part in (heads, lengths, literals):
        part.tofile(out)
    out.write(names)


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
