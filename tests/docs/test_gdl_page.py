"""The page on GDL: its game is a good one, its table is the code's, its report is what the command says."""

from __future__ import annotations

import re
from pathlib import Path

from treewise.gdl import parse_for_play, validate
from treewise.gdl.language.validate import CHECKS

PAGE = (Path(__file__).parents[2] / "docs" / "gdl.md").read_text(encoding="utf-8")


def test_the_game_of_the_page_is_valid() -> None:
    (sheet,) = re.findall(r"```gdl\n(.*?)```", PAGE, re.DOTALL)
    assert validate(sheet) == []
    prepared, warnings = parse_for_play(sheet)
    assert warnings == []
    assert list(map(str, prepared.roles)) == ["first", "second"]


def test_the_table_lists_every_check() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (error|warning) \| (.*) \|$", PAGE, re.MULTILINE)
    assert [(code, (severity, text)) for code, severity, text in rows] == list(CHECKS.items())


def test_the_report_is_what_the_checks_say() -> None:
    report, line = re.findall(r"^    mygame\.kif:(\d+:\d+: .*)\n        (.*)$", PAGE, re.MULTILINE)[0]
    sheet = f"(role x) (goal x 100) (init (phase end))\n(legal x go)\n(<= terminal (true (phase end)))\n{line}"
    assert [str(finding) for finding in validate(sheet)] == [report]
