"""`treewise gdl bench`: figures of the right shape, and the comparison with the prover."""

import json
from pathlib import Path

import pytest

from treewise.cli import main

LIAR = "(role x) (init a) (legal x go) (<= terminal (true b)) (<= (next b) (does x go)) (goal x 50)"


def test_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gdl", "bench", "tic_tac_toe", "--seconds", "0.01", "--check", "20", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["machine"] == "net"
    assert 5 <= facts["mean_length"] <= 9
    assert facts["playouts_per_second"] > 0
    assert facts["actions"] == 20


def test_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    sheet = tmp_path / "one.kif"
    sheet.write_text(LIAR)
    assert main(["gdl", "bench", str(sheet), "tic_tac_toe", "--seconds", "0.01", "--machine", "prover"]) == 0
    out = capsys.readouterr().out
    assert "prover" in out
    assert "1.0" in out


def test_a_difference_ends_it(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from treewise.gdl import net_machine

    monkeypatch.setattr(net_machine.NetMachine, "goals", lambda self, state: [1, 2])
    assert main(["gdl", "bench", "tic_tac_toe", "--seconds", "0.01", "--check", "1"]) == 1
    assert "goal" in capsys.readouterr().out


def test_wrong_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gdl", "bench", "no_such_sheet"]) == 2
    assert "no rulesheet" in capsys.readouterr().err
