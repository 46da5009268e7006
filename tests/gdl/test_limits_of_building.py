"""What building the fast machine may cost, wherever a rulesheet is named, and what happens where it costs more."""

from __future__ import annotations

from pathlib import Path

import pytest

from treewise import game_text, load_game
from treewise.gdl import GDLError, load_machine, load_sheet, machine_of, parse_for_play
from treewise.gdl.grounder import ground
from treewise.gdl.grounding.limits import Budget, Limits, TooLarge
from treewise.gdl.net_machine import NetMachine

NUMBERS = " ".join(f"(init (n {i}))" for i in range(60))
PAIRS = f"""(role x) {NUMBERS} (legal x go) (<= (next (pair ?a ?b ?c)) (true (n ?a)) (true (n ?b)) (true (n ?c)))
(<= terminal (true (pair 1 2 3))) (goal x 1)"""
BROKEN = """(role x) (init a) (legal x go) (<= terminal (true a)) (goal x 1) (<= (list (f ?x)) (list ?x))
(<= (list ?x) (list (g ?x)))"""


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    file = tmp_path / "pairs.kif"
    file.write_text(PAIRS)
    return file


@pytest.mark.parametrize(
    ("limit", "why"),
    [
        ("ground_rules=1000", "more than 1,000 rules"),
        ("ground_seconds=0.001", "longer than 0.001 s of the processor"),
        ("ground_megabytes=1", "more than 1 MB of memory"),
    ],
)
def test_text_forms_have_limits(sheet: Path, limit: str, why: str) -> None:
    with pytest.raises(GDLError, match=why) as caught:
        load_game(f"gdl('{sheet}', {limit})")
    assert "ground_seconds=" in str(caught.value), "says what to do"
    assert "\n" not in str(caught.value)


def test_limits_stay_in_the_text_form() -> None:
    game = load_game("gdl('tic_tac_toe', ground_seconds=5, ground_rules=100000)")
    assert game_text(game) == "gdl(path='tic_tac_toe', ground_seconds=5, ground_rules=100000)"
    assert game_text(load_game("gdl('tic_tac_toe', ground_seconds=40.0)")) == "gdl(path='tic_tac_toe')"
    assert "ground" not in game_text(load_game("gdl('tic_tac_toe')"), full=True)


@pytest.mark.parametrize("limit", ["ground_seconds=0", "ground_seconds=-1.5", "ground_rules=0", "ground_megabytes=-3"])
def test_limits_that_make_no_sense(limit: str) -> None:
    with pytest.raises(ValueError, match="expected more than 0"):
        load_game(f"gdl('tic_tac_toe', {limit})")


def test_auto_falls_back_on_the_prover(sheet: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert load_machine(sheet, limits=Limits(rules=1000)).kind == "prover"
    assert "played by the prover" in caplog.text


def test_the_circuit_counts(sheet: Path) -> None:
    found, _ = parse_for_play(PAIRS)
    program = ground(found)
    with pytest.raises(TooLarge, match="s of the processor"):
        NetMachine(found, program, budget=Budget(Limits(seconds=0)))


def test_every_step_counts() -> None:
    found, _ = parse_for_play(PAIRS)
    with pytest.raises(TooLarge):
        ground(found, Limits(seconds=0))
    budget = Budget(Limits(rules=10))
    with pytest.raises(TooLarge, match="more than 10 rules"):
        ground(found, budget)


# ---- rules that cannot be played


def test_dropped_rules_are_an_error(tmp_path: Path) -> None:
    file = tmp_path / "broken.kif"
    file.write_text(BROKEN)
    _, findings = parse_for_play(BROKEN)
    assert any(finding.code == "dropped" for finding in findings), "the test needs a rule that cannot be played"
    for load in (load_sheet, load_machine):
        with pytest.raises(GDLError, match=r"broken\.kif:\d+:\d+: a rule cannot be played"):
            load(file)
    with pytest.raises(GDLError, match="drop_rules=True"):
        load_game(f"gdl('{file}')")


def test_dropped_rules_can_be_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "broken.kif"
    file.write_text(BROKEN)
    assert load_game(f"gdl('{file}', drop_rules=True)").initial_state().is_terminal()
    assert load_machine(file, drop_rules=True).kind == "net"
    assert "drop_rules=True" in game_text(load_game(f"gdl('{file}', drop_rules=True)"))


def test_machines_of_sheets_in_hand_take_limits() -> None:
    found, _ = parse_for_play(PAIRS)
    with pytest.raises(TooLarge):
        machine_of(found, "net", limits=Limits(rules=100))
