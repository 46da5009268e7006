"""The grounder clingo in a process of its own, so that no rulesheet can hang or kill the caller."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from typing import IO

from treewise.gdl.syntax import GDLError

_CHILD = """
import sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]),) * 2)
    resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[2]),) * 2)
except (ImportError, ValueError, OSError):
    pass
from clingo.application import Application, clingo_main
class Grounder(Application):
    def main(self, control, files):
        control.load("-")
        control.ground([("base", [])])
        control.solve()
sys.exit(clingo_main(Grounder(), ["--mode=gringo", "--output=intermediate", "--warn=none"]))
"""
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """What grounding may cost. Whoever exceeds one of them gets a `TooLarge`."""

    seconds: float = 20.0
    megabytes: int = 1000
    rules: int = 3_000_000


class TooLarge(GDLError):
    """A rulesheet whose ground form exceeds the limits."""


def run_clingo(text: str, limits: Limits) -> bytes:
    """The ground program in the format aspif.

    >>> run_clingo("{a}. b :- a.", Limits()).splitlines()[1:3]
    [b'1 1 1 1 0 0', b'1 0 1 2 0 1 1']
    """
    if importlib.util.find_spec("clingo") is None:
        raise ModuleNotFoundError("grounding a rulesheet needs clingo: pip install 'treewise[gdl]'")
    address_space, cpu_seconds = limits.megabytes << 20, int(limits.seconds) + 2
    command = [sys.executable, "-P", "-c", _CHILD, str(address_space), str(cpu_seconds)]
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as errors:
        source.write(text.encode())
        source.seek(0)
        with subprocess.Popen(command, stdin=source, stdout=subprocess.PIPE, stderr=errors) as child:
            timer = threading.Timer(limits.seconds, child.kill)
            timer.start()
            try:
                data = _read(child, limits.rules)
            finally:
                late = not timer.is_alive()
                timer.cancel()
                child.kill()
        if not data.endswith(b"\n0\n"):
            raise _failure(errors, late, limits)
    return data


def _read(child: subprocess.Popen[bytes], most: int) -> bytes:
    assert child.stdout is not None
    parts, lines = [], 0
    while part := child.stdout.read(_CHUNK):
        parts.append(part)
        lines += part.count(b"\n")
        if lines > most:
            raise TooLarge(f"the ground program has more than {most:,} rules")
    return b"".join(parts)


def _failure(errors: IO[bytes], late: bool, limits: Limits) -> GDLError:
    if late:
        return TooLarge(f"grounding took longer than {limits.seconds:g} s")
    errors.seek(0)
    text = errors.read().decode(errors="replace").strip()
    if "bad_alloc" in text or "MemoryError" in text or not text:
        return TooLarge(f"grounding took more than {limits.megabytes:,} MB of memory")
    return GDLError(f"clingo refused the program: {text.splitlines()[0]}")
