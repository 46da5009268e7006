"""The prover against recorded answers of other reasoners, where they are: sheets, traces and perft counts."""

import json
from pathlib import Path
from typing import Any

import pytest

from treewise.game import perft
from treewise.gdl import load_machine
from treewise.gdl.trace import first_difference, read_traces

GAMES = [
    "01_zhadu",
    "02_ttcc4",
    "03_skirmish",
    "04_sheepwolf",
    "05_quad",
    "06_merrills",
    "07_knightthrough",
    "08_connect5",
    "09_checkers",
    "10_breakthrough",
    "11_tictactoe3d",
    "12_chinesecheckers2",
    "13_battle",
    "14_chinook",
]
SHORT = 12
OURS = "test_case_3a.kif"
"""There `(p)` and `p` are two things to the recorded reasoner, and one to us."""


def sheet(shared_gdl: Path, name: str) -> Path:
    return next((shared_gdl / "games" / name).glob("*.kif"))


def trace(shared_gdl: Path, name: str) -> Path:
    return shared_gdl / "golden" / f"{name}.trace.jsonl.gz"


@pytest.mark.parametrize("name", GAMES)
def test_golden_traces_begin_alike(shared_gdl: Path, name: str) -> None:
    entries = [entry for entry in read_traces(trace(shared_gdl, name)) if entry["step"] < SHORT]
    assert first_difference(load_machine(sheet(shared_gdl, name)), entries) is None


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_golden_traces_are_alike(shared_gdl: Path, name: str) -> None:
    machine = load_machine(sheet(shared_gdl, name))
    assert first_difference(machine, read_traces(trace(shared_gdl, name))) is None


def recorded_perft(shared_gdl: Path) -> dict[str, list[dict[str, int]]]:
    lines = (shared_gdl / "golden" / "perft.jsonl").read_text(encoding="utf-8").splitlines()
    return {record["game"]: record["perft"] for record in map(json.loads, lines)}


def _check_perft(shared_gdl: Path, name: str, most: int) -> None:
    file = sheet(shared_gdl, name)
    counts = recorded_perft(shared_gdl)[file.name]
    state = load_machine(file).game.initial_state()
    for count in counts:
        if count["paths"] <= most:
            assert perft(state, count["depth"]) == count["paths"], f"depth {count['depth']}"


@pytest.mark.parametrize("name", GAMES)
def test_short_perft(shared_gdl: Path, name: str) -> None:
    _check_perft(shared_gdl, name, 700)


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_perft(shared_gdl: Path, name: str) -> None:
    _check_perft(shared_gdl, name, 60_000)


def test_conformance_sheets(shared_gdl: Path) -> None:
    folder = shared_gdl / "conformance"
    recorded = json.loads((folder / "expected_ggpbase.json").read_text(encoding="utf-8"))
    assert len(recorded) > 20
    for record in recorded:
        if record["file"] != OURS:
            _follow(folder / record["file"], record["states"])


def _follow(file: Path, states: list[dict[str, Any]]) -> None:
    moves = [{**state, "trace": 0, "step": step, "move": state.get("move_taken")} for step, state in enumerate(states)]
    difference = first_difference(load_machine(file, drop_rules=True), moves)
    assert difference is None, f"{file.name}: {difference}"


def test_both_forms_of_a_proposition_are_one(shared_gdl: Path) -> None:
    machine = load_machine(shared_gdl / "conformance" / OURS)
    state = machine.game.initial_state()
    assert [machine.action_text(0, action) for action in machine.legal(state, 0)] == ["(move correct_correct)"]


def test_ending_of_the_left_recursive_sheet(shared_gdl: Path) -> None:
    machine = load_machine(shared_gdl / "conformance" / "test_case_5e.kif")
    assert len(machine.legal(machine.game.initial_state(), 0)) == 7
