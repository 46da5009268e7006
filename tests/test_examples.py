"""The example programs run, with small budgets."""

import re
import runpy
import sys
from pathlib import Path

import pytest

from treewise.cli import main

EXAMPLES = Path(__file__).parents[1] / "examples"
GAMES = re.compile(r"^class (\w+):(?=(?:\n(?!\w).*)*\n    def legal_actions\()", re.MULTILINE)
"""Classes with the methods of a game, plain or compiled."""
PRINTS = {
    "first_search": "play ",
    "compose": "returns ",
    "general_game": "goals ",
    "python_evaluator": "simulations",
    "video_game": "score ",
    "watch_a_search": "simulations  value",
}


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_example(path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", [str(path), "200"])
    runpy.run_path(str(path), run_name="__main__")
    assert PRINTS.get(path.stem, "") in capsys.readouterr().out


def games() -> list[str]:
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.py"))}
    return [f"{path.name}:{name}" for path, text in texts.items() for name in GAMES.findall(text)]


def test_the_games_among_the_examples_are_found() -> None:
    assert {"python_game.py:Nim", "compiled_connect_four.py:ConnectFour"} < set(games())


@pytest.mark.parametrize("game", games())
def test_games_keep_the_contract(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    if game.startswith("compiled"):
        pytest.importorskip("numba")
    assert main(["check", f"{EXAMPLES}/{game}", "--matches", "5"]) == 0, capsys.readouterr().out
    assert ": no problems in 5 matches" in capsys.readouterr().out


@pytest.mark.parametrize("name", PRINTS)
def test_examples_stay_short(name: str) -> None:
    assert len((EXAMPLES / f"{name}.py").read_text(encoding="utf-8").splitlines()) <= 50
