"""From an experiment file to its report, through the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_experiments import SMALL, printed, write

from treewise.cli import main


def test_report_and_comparison_of_a_small_experiment(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(write(tmp_path, SMALL + "[sprt]\np0 = 0.4\np1 = 0.9\n"))
    printed(capsys, "run", file, "--processes", "1")
    text = printed(capsys, "report", file)
    assert "Win rates against “base”" in text
    assert "An entrant against itself" in text
    assert "Sequential test" in text
    assert printed(capsys, "report", file) == text
    page = tmp_path / "small.html"
    printed(capsys, "report", file, "--output", str(page))
    assert page.read_text(encoding="utf-8").count("<svg") > 5
    assert "# small" in printed(capsys, "report", file, "--format", "markdown")
    same = printed(capsys, "compare", file, file, "--format", "markdown")
    assert "# small, two runs" in same
    assert "igher in the second" not in same


@pytest.mark.parametrize(
    ("name", "arguments", "begins"),
    [
        ("small.HTML", [], "<!doctype html>"),
        ("small.md", [], "# small"),
        ("small.txt", [], "small\n"),
        ("small", [], "small\n"),
        ("small.md", ["--format", "terminal"], "small\n"),
    ],
)
def test_the_ending_says_the_form(
    name: str, arguments: list[str], begins: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, page = str(write(tmp_path, SMALL)), tmp_path / name
    printed(capsys, "run", file, "--processes", "1", "--most", "2")
    printed(capsys, "report", file, "--output", str(page), *arguments)
    assert page.read_text(encoding="utf-8").startswith(begins)


def test_an_unknown_ending_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, page = str(write(tmp_path, SMALL)), tmp_path / "small.pdf"
    printed(capsys, "run", file, "--processes", "1", "--most", "2")
    assert main(["lab", "report", file, "--output", str(page)]) == 2
    assert "ends in one of .txt, .md, .html, .htm; or say --format" in capsys.readouterr().err
    assert not page.exists()
