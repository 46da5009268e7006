"""From an experiment file to its report, through the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_experiments import SMALL, printed, write


def test_report_and_comparison_of_a_small_experiment(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(write(tmp_path, SMALL + "[sprt]\np0 = 0.4\np1 = 0.9\n"))
    printed(capsys, "run", file, "--processes", "1")
    text = printed(capsys, "report", file)
    assert "Win rates against “base”" in text
    assert "An entrant against itself" in text
    assert "Sequential test" in text
    assert printed(capsys, "report", file) == text
    page = tmp_path / "small.html"
    printed(capsys, "report", file, "--format", "html", "--output", str(page))
    assert page.read_text(encoding="utf-8").count("<svg") > 5
    assert "# small" in printed(capsys, "report", file, "--format", "markdown")
    same = printed(capsys, "compare", file, file, "--format", "markdown")
    assert "# small, two runs" in same
    assert "igher in the second" not in same
