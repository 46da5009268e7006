"""The programs that compare machines: they find what differs, go on where they stopped, and write their page."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from treewise.gdl import parse_sheet
from treewise.gdl.prover.machine import ProverMachine

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
COUNT = "(role x) (init (at 0)) (after 0 1) (after 1 2) (<= (legal x go) (true (at ?n))) (<= terminal (true (at 2)))"
NEXT = "(<= (next (at ?b)) (true (at ?a)) (after ?a ?b) (does x go)) (goal x 100)"


def run(script: str, *arguments: str | Path) -> None:
    command = [sys.executable, str(BENCHMARKS / script), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_page_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "count.kif").write_text(COUNT + NEXT)
    (tmp_path / "blind.kif").write_text(COUNT + NEXT + "(sees x nothing)")
    results, agreement, page = (tmp_path / name for name in ("sheets.jsonl", "agreement.jsonl", "page.md"))
    for _ in range(2):  # a second run has nothing to do
        run("gdl_sheets.py", tmp_path, "--results", results, "--states", "20")
        run("gdl_agreement.py", tmp_path / "count.kif", "--states", "9", "--results", agreement)
    assert [found["machine"] for found in lines(results)] == ["prover", "net"]
    assert [(found["agree"], found["states"]) for found in lines(agreement)] == [(True, 9)]
    run("gdl_sheets_page.py", results, agreement, page)
    text = page.read_text()
    assert "Of **2** sheets the fast machine builds **1**" in text
    assert "It agrees with the prover in all of them**, along 20 states" in text
    assert "All agree in every state." in text


def test_differences_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    agreement = importlib.import_module("gdl_agreement")
    one, same, other = (
        agreement.OfMachine(ProverMachine(parse_sheet(COUNT + NEXT + more))) for more in ("", "", "(legal x stay)")
    )
    for machine in (one, same, other):
        machine.begin()
    assert agreement._agreed(one, [same]) is not None
    assert agreement._agreed(one, [same, other]) is None
