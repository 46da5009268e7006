"""What the figures were measured on."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import subprocess

from treewise.lab.origin import cpu_model


def describe() -> dict[str, str]:
    return {
        "cpu": cpu_model(),
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.release().partition('-')[0]}",  # not whose build of it
        "compiler": first_line([os.environ.get("CXX", "g++"), "--version"]),
        "python": platform.python_version(),
        "treewise": version("treewise"),
        "openspiel": version("open_spiel"),
        "numba": version("numba"),
    }


def first_line(command: list[str]) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "unknown"


def version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        if package == "treewise":
            import treewise

            return treewise.__version__
        return "not installed"
