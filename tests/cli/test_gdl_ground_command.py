"""`treewise gdl ground`."""

from pathlib import Path

import pytest

from treewise.cli import main
from treewise.gdl import parse_sheet

SHEET = """
(role White) (init (at 1)) (succ 1 2) (succ 2 3)
(<= (legal white (to ?n)) (true (at ?m)) (succ ?m ?n))
(<= (next (at ?n)) (does white (to ?n))) (<= terminal (true (at 3))) (<= (goal white 100) terminal)
"""


@pytest.fixture
def sheet(tmp_path: Path) -> str:
    path = tmp_path / "walk.kif"
    path.write_text(SHEET)
    return str(path)


def test_prints_a_sheet_without_variables(sheet: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gdl", "ground", sheet]) == 0
    out, err = capsys.readouterr()
    rules = parse_sheet(out).rules
    assert "?" not in out
    assert "(<= (legal White (to 2)) (true (at 1)))" in out
    assert {rule.head.name for rule in rules} == {"role", "init", "legal", "next", "goal", "terminal"}
    assert "3 facts, 2 actions" in err


def test_sizes_only(sheet: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gdl", "ground", sheet, "--sizes", "--plain"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert [line.split()[0] for line in err.splitlines()] == ["step", "ground", "3"]


def test_limits(sheet: str, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = "(init (n 1)) (init (n 2)) (<= (next (pair ?a ?b)) (true (n ?a)) (true (n ?b)) (true (at ?m)))"
    Path(sheet).write_text(SHEET + pairs)
    assert main(["gdl", "ground", sheet, "--rules", "2"]) == 2
    assert "more than 2 rules" in capsys.readouterr().err
