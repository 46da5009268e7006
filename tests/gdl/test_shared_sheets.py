"""The verdicts on rulesheets of others; skipped where they are absent."""

from __future__ import annotations

from pathlib import Path

import pytest
from naive import model

from treewise.gdl import parse_for_play, validate
from treewise.gdl.language.dependencies import Dependencies

REJECTED = {
    "test_case_3b": "unsafe",
    "test_case_3e": "unsafe",
    "test_case_3f": "unsafe",
    "test_clean_not_distinct": "negated-distinct",
}
WARNED = {
    "test_case_1a": "empty-body",
    "test_case_3a": "parentheses",
    "test_invalid_function_arities_differ": "arity",
    "test_invalid_sentence_arities_differ": "arity",
}
PASSED = ["connectFour", "simpleMutex", "ticTacToe"]
PASSED += [f"test_case_{name}" for name in ("1b", "2a", "2b", "2c", "3c", "3d", "4a", "5a", "5b", "5c")]
UNSTRATIFIED = {"futoshiki5", "hexPie", "hidato37", "nineBoardTicTacToePie", "queens08lg", "queens12ug", "queens31lg"}
"""`goal` reads its own negation, with other values; not GDL by the letter, and playable."""


def codes(path: Path, severity: str) -> set[str]:
    return {f.code for f in validate(path.read_text(encoding="utf-8")) if f.severity == severity}


@pytest.mark.parametrize(("name", "code"), REJECTED.items())
def test_rejected(shared_gdl: Path, name: str, code: str) -> None:
    assert codes(shared_gdl / "conformance" / f"{name}.kif", "error") == {code}


@pytest.mark.parametrize(("name", "code"), WARNED.items())
def test_warned(shared_gdl: Path, name: str, code: str) -> None:
    path = shared_gdl / "conformance" / f"{name}.kif"
    assert codes(path, "error") == set()
    assert code in codes(path, "warning")


@pytest.mark.parametrize("name", [*PASSED, "test_case_5d", "test_case_5e", "test_distinct_beginning_rule"])
def test_passed(shared_gdl: Path, name: str) -> None:
    path = shared_gdl / "conformance" / f"{name}.kif"
    assert codes(path, "error") == set()
    assert codes(path, "warning") <= {"undefined", "unused", "empty-body"}


def test_the_games_have_no_errors(shared_gdl: Path) -> None:
    sheets = sorted((shared_gdl / "games").rglob("*.kif"))
    assert len(sheets) >= 14
    for path in sheets:
        assert codes(path, "error") == set(), path
        assert codes(path, "warning") <= {"unused", "predicate-function"}, path


@pytest.mark.parametrize(
    ("name", "line", "words"),
    [
        ("05_quad/quad.kif", 175, "`pcol`"),
        ("13_battle/battle.kif", 219, "`sum`"),
        ("08_connect5/connect5.kif", 171, "`adjacent_cell`"),
        ("02_ttcc4/ttcc4_2player.kif", 23, "`cell` is a function here"),
        ("07_knightthrough/knightThrough.kif", 4, "`cell` is a function here"),
    ],
)
def test_known_slips_are_found(shared_gdl: Path, name: str, line: int, words: str) -> None:
    findings = validate((shared_gdl / "games" / name).read_text(encoding="utf-8"))
    assert any(f.line == line and words in f.message for f in findings)


def test_many_other_sheets(shared_gdl: Path) -> None:
    sheets = sorted((shared_gdl / "more").glob("*.kif"))
    assert len(sheets) > 100
    assert {path.stem for path in sheets if codes(path, "error")} == UNSTRATIFIED
    for path in sheets:
        sheet, warnings = parse_for_play(path.read_text(encoding="utf-8"))
        assert warnings == [], path
        assert not Dependencies.of(sheet.rules).negations_in_cycles(), path


def test_unsafe_sheets_are_played(shared_gdl: Path) -> None:
    sheet, warnings = parse_for_play((shared_gdl / "conformance" / "test_case_3f.kif").read_text(encoding="utf-8"))
    assert {f.code for f in warnings} == {"repaired"}
    found = {str(atom) for atom in model(sheet.rules)}
    assert {"(goal xplayer 100)", "(goal yplayer 0)", "(goal zplayer 100)", "(legal yplayer yplayer)"} <= found
    assert "(goal xplayer 0)" not in found
