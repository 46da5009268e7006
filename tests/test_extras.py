"""What messages say where a library is missing: a command that works, installed or not."""

from __future__ import annotations

import importlib.metadata
import re
import shlex
import shutil
import sys
import tomllib
from pathlib import Path

import pytest

from treewise import extras
from treewise.extras import how_to_install

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {
    extra: [line.partition(";")[0].strip() for line in lines]
    for extra, lines in PROJECT["optional-dependencies"].items()
}


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_libraries_are_named_themselves(extra: str) -> None:
    """The name of the package would be looked for where it may not be, or be another one."""
    words = shlex.split(how_to_install(extra))
    place = words.index("install")
    assert words[:place] in (["pip"], [sys.executable, "-m", "pip"])
    assert words[place + 1 :] == EXTRAS[extra]


def test_an_installed_package_says_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    listed = ["numpy>=1.26", *(f'{name}; extra == "{key}"' for key, names in EXTRAS.items() for name in names)]
    listed = [line.replace("atheris>=2.3; ", "atheris>=2.3; platform_machine == 'x86_64' and ") for line in listed]
    monkeypatch.setattr(importlib.metadata, "requires", lambda name: listed)
    here = [how_to_install(extra) for extra in EXTRAS]
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "another"', encoding="utf-8")
    for project in ("pyproject.toml", "no_such_file.toml"):
        monkeypatch.setattr(extras, "_PROJECT", tmp_path / project)
        assert [how_to_install(extra) for extra in EXTRAS] == here


def test_the_pip_is_that_of_the_python_that_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found: list[str | None] = [str(Path(sys.executable).parent / "pip"), None, str(tmp_path / "pip")]
    monkeypatch.setattr(shutil, "which", lambda name: found.pop(0))
    assert how_to_install("ray").startswith("pip install ")
    for _ in range(2):
        assert shlex.split(how_to_install("ray"))[:4] == [sys.executable, "-m", "pip", "install"]


def test_no_message_is_written_by_hand() -> None:
    for path in (ROOT / "src").rglob("*.py"):
        if path.name != "extras.py":
            assert not re.search(r"pip install|treewise\[", path.read_text(encoding="utf-8")), path
