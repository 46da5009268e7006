"""How to get libraries that only some parts of the package need."""

from __future__ import annotations

import importlib.metadata
import re
import shlex
import shutil
import sys
import tomllib
from pathlib import Path

__all__ = ["how_to_install"]

_PROJECT = Path(__file__).parents[2] / "pyproject.toml"
"""Where the package runs from a checkout."""


def how_to_install(extra: str) -> str:
    """The command that installs the libraries of an extra, however the package itself was installed, or was not.

    >>> "'optuna>=4'" in how_to_install("tune")
    True
    """
    return shlex.join([*_pip(), "install", *_requirements(extra)])


def _pip() -> list[str]:
    """The pip of the Python that runs; the first one of the path may belong to another."""
    found = shutil.which("pip")
    return ["pip"] if found and Path(found).parent == Path(sys.executable).parent else [sys.executable, "-m", "pip"]


def _requirements(extra: str) -> list[str]:
    """The libraries of an extra with their versions, by the project's own list or by what its installation says."""
    return [line.partition(";")[0].strip() for line in _listed(extra)]


def _listed(extra: str) -> list[str]:
    if _PROJECT.is_file():
        project = tomllib.loads(_PROJECT.read_text(encoding="utf-8")).get("project", {})
        if project.get("name") == "treewise":
            return list(project["optional-dependencies"][extra])
    try:
        required = importlib.metadata.requires("treewise") or []
    except importlib.metadata.PackageNotFoundError:  # neither installed nor a checkout: a copy of the folder
        return [f"treewise[{extra}]"]
    marker = re.compile(rf"""extra == ["']{re.escape(extra)}["']""")
    return [line for line in required if marker.search(line.partition(";")[2])]
