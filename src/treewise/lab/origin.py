"""Where a match was played: the version of the code and the kind of machine, without names of hosts or paths."""

from __future__ import annotations

import functools
import hashlib
import platform
import subprocess
from dataclasses import dataclass
from pathlib import Path

from treewise import _core
from treewise.processes import cores
from treewise.version import __version__

__all__ = ["Origin", "cpu_model", "origin"]


@dataclass(frozen=True)
class Origin:
    """What a record says about the code and the machine."""

    version: str
    machine: str


@functools.cache
def origin() -> Origin:
    """Of this process.

    >>> origin().version.startswith(__version__)
    True
    """
    return Origin(" ".join([__version__, *_describe(), f"engine {_engine()}"]), _machine())


def _engine() -> str:
    """A fingerprint of the compiled engine, which no version in the sources can vouch for."""
    return hashlib.sha256(Path(str(_core.__file__)).read_bytes()).hexdigest()[:12]


def _describe() -> list[str]:
    """The commit, if the code runs from a checkout."""
    root = Path(__file__).parents[3]
    if not (root / ".git").exists() or not (root / "src" / "treewise" / "lab").exists():
        return []
    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        return [subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout.strip()]
    except (OSError, subprocess.SubprocessError):
        return []


def _machine() -> str:
    system = f"{platform.system()} {platform.machine()}"
    return f"{cpu_model()}; {cores()} cores; Python {platform.python_version()}; {system}"


def cpu_model() -> str:
    """The name of the processor, as far as the system tells it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
