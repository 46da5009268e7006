"""The commands that the pages and examples show for games and parts in files run as they are shown."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from treewise.cli import main
from treewise.lab import LocalExecutor, read_experiment, run

from .test_examples import ROOT

SHOWN = [
    "docs/python_games.md",
    "docs/tour.md",
    "docs/command_line.md",
    "examples/own_parts.py",
    "examples/python_game.py",
]
LINE = re.compile(r"^    (treewise .*examples/\w+\.py:.*)$", re.MULTILINE)
COMMANDS = sorted({line for path in SHOWN for line in LINE.findall((ROOT / path).read_text(encoding="utf-8"))})


def test_there_are_commands() -> None:
    assert {shlex.split(line)[1] for line in COMMANDS} == {"bench", "check", "match", "search", "tune"}


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the examples, to write in."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("line", COMMANDS)
def test_command(line: str, checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if "compiled" in line:
        pytest.importorskip("numba")
    _, command, *arguments = shlex.split(line)
    if command == "tune":
        pytest.importorskip("optuna")
        arguments += ["--budget", "simulations(20)"]
    if command == "match" and "--matches" not in arguments:
        arguments += ["--matches", "2", "--simulations", "20"]
    assert main([command, *arguments]) == 0, capsys.readouterr()


def test_the_experiment(checkout: Path) -> None:
    experiment = read_experiment("examples/experiments/own.toml")
    executor = LocalExecutor(processes=2)
    try:
        assert run(experiment, "own.sqlite", executor).complete
    finally:
        executor.close()
