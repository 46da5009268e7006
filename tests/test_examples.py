"""The example programs run, with small budgets."""

import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
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


@pytest.mark.parametrize("name", PRINTS)
def test_examples_stay_short(name: str) -> None:
    assert len((EXAMPLES / f"{name}.py").read_text(encoding="utf-8").splitlines()) <= 50
