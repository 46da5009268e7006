"""treewise gdl check: places, carets, exit status, JSON."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from treewise.cli import main

GOOD = "(role x)\n(legal x go)\n(goal x 100)\n(<= terminal (true done))\n(next done)\n"


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "sheet.kif"
    path.write_text(GOOD)
    return path


def test_help_teaches_by_example(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["gdl"], ["gdl", "check"]):
        assert main([*command, "--help"]) == 0
        out = capsys.readouterr().out
        assert "examples:" in out
        assert out.count(f"treewise {' '.join(command)} ") >= 3


def test_a_good_sheet(sheet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gdl", "check", str(sheet)]) == 0
    assert capsys.readouterr().out == "1 file: 0 errors, 0 warnings\n"


def test_an_error_as_a_compiler_says_it(sheet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet.write_text(GOOD + "(<=\t(legal ?p x)\tterminal)\r\n(unused 1)")
    assert main(["gdl", "check", str(sheet)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{sheet}:6:12: error: no positive condition binds ?p of the head: ")
    assert lines[0].endswith("[unsafe]")
    assert lines[1].index("?p") == lines[2].index("^")
    assert lines[3].startswith(f"{sheet}:7:1: warning: ")
    assert lines[-1] == "1 file: 1 error, 1 warning"


def test_warnings_alone_are_no_failure(sheet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet.write_text(GOOD + "(unused [1])")
    assert main(["gdl", "check", str(sheet)]) == 0
    assert "(unused [1])" in capsys.readouterr().out
    assert main(["gdl", "check", str(sheet), "--strict"]) == 1
    capsys.readouterr()
    assert main(["gdl", "check", str(sheet), "--no-warnings"]) == 0
    assert capsys.readouterr().out == "1 file: 0 errors, 0 warnings\n"


def test_what_has_no_place(sheet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet.write_text(GOOD.replace("(goal x 100)\n", ""))
    assert main(["gdl", "check", str(sheet)]) == 1
    assert capsys.readouterr().out.startswith(f"{sheet}: error: a game needs rules or facts for `goal`")


def test_files_that_cannot_be_read(sheet: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gdl", "check", str(tmp_path / "none.kif"), str(sheet), str(tmp_path)]) == 2
    captured = capsys.readouterr()
    assert captured.err.count("cannot read") == 2
    assert captured.out == "1 file: 0 errors, 0 warnings\n"


def test_bytes_that_are_no_text(sheet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet.write_bytes(b"\xef\xbb\xbf" + GOOD.encode() + b"(caf\xe9 \x00)")
    assert main(["gdl", "check", str(sheet)]) == 0
    assert "odd-character" in capsys.readouterr().out


def test_standard_input_as_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"(role x")))
    assert main(["gdl", "check", "-", "--json"]) == 1
    (report,) = json.loads(capsys.readouterr().out)
    assert report["file"] == "-"
    (finding,) = report["findings"]
    assert (finding["severity"], finding["line"], finding["column"], finding["code"]) == ("error", 1, 1, "syntax")


def test_play_says_how_errors_are_met(sheet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet.write_text(GOOD + "(<= (legal ?p x) (true done))")
    assert main(["gdl", "check", str(sheet), "--play"]) == 1
    assert "?p is bound by nothing: it ranges over the roles [repaired]" in capsys.readouterr().out
    sheet.write_text("(")
    assert main(["gdl", "check", str(sheet), "--play"]) == 1
