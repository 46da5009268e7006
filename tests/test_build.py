"""What a build says where something that it needs is missing: what it is, and how to install it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COMPILER = shutil.which("c++")
NEEDS_CMAKE = pytest.mark.skipif(shutil.which("cmake") is None, reason="needs CMake")


def configured(folder: Path, compiler: Path | str, fails: bool = True) -> str:
    """What CMake says to a user whose C++ compiler is this one, about a build without Python."""
    command = ["cmake", "-S", str(ROOT), "-B", str(folder / "build"), "-DTREEWISE_PYTHON=OFF", "-DTREEWISE_GAMES=pig"]
    environment = {**os.environ, "CXX": str(compiler)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    assert (done.returncode != 0) == fails, done.stdout + done.stderr
    return " ".join((done.stdout + done.stderr).split())


@NEEDS_CMAKE
def test_without_a_compiler(tmp_path: Path) -> None:
    said = configured(tmp_path, "/no/such/compiler")
    assert "CMake Error at cmake/requirements.cmake" in said
    assert (
        "Treewise is compiled while it is installed, and there is no C++ compiler. Install one, then try again:" in said
    )
    assert "Debian, Ubuntu: sudo apt install g++" in said
    assert "CMAKE_CXX_COMPILER" not in said, "nothing that a user would have to look up"
    if COMPILER is not None:  # installed meanwhile: the same folder must build now
        configured(tmp_path, COMPILER, fails=False)


@NEEDS_CMAKE
@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
def test_with_an_old_compiler(tmp_path: Path) -> None:
    assert COMPILER is not None
    old = tmp_path / "c++"
    passed = 'for word in "$@"; do case "$word" in -std=*2*) set -- "$@" -std=gnu++14;; esac; done'
    old.write_text(f'#!/bin/sh\n{passed}\nexec {COMPILER} "$@"\n', encoding="utf-8")
    old.chmod(0o755)
    said = configured(tmp_path, old)
    assert f"Treewise is written in C++20, which the compiler {old}" in said
    assert "Install a newer one, such as" in said
    configured(tmp_path, COMPILER, fails=False)


def test_a_failed_installation_ends_with_what_it_needs() -> None:
    """pip shows CMake's output in the middle of its own; this is the end of what the build says."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["scikit-build"]
    said = settings["messages"]["after-failure"]
    assert "It needs a C++20 compiler and Python's headers:" in said
    assert "sudo apt install g++ python3-dev" in said
