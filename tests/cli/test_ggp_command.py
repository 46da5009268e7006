"""`treewise ggp`."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from treewise.cli import main
from treewise.ggp.client import ask

COIN = """
(role me) (role you) (init s)
(<= (legal ?r heads) (role ?r)) (<= (legal ?r tails) (role ?r))
(<= (next (showed ?r ?m)) (does ?r ?m))
(<= terminal (not (true s)))
(<= (goal ?r 100) (true (showed ?r heads))) (<= (goal ?r 0) (true (showed ?r tails)))
"""


@pytest.fixture
def sheet(tmp_path: Path) -> str:
    file = tmp_path / "coin.kif"
    file.write_text(COIN)
    return str(file)


def test_a_table(sheet: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--players", "legal", "uct(simulations=200)", "--matches", "2", "--play-clock", "5"]
    assert main(["ggp", "match", sheet, *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert "coin: 2 of 2 matches" in captured.out
    for word in ("player", "against", "W", "D", "L", "score %", "goals", "faults", "legal", "100.0"):
        assert word in captured.out


def test_one_match_says_how_it_ended(sheet: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ggp", "match", sheet, "--players", "legal", "legal"]) == 0
    assert "1 step; goals me 100, you 100" in capsys.readouterr().out


def test_json_records_and_store(sheet: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = ["--record", str(tmp_path / "records"), "--store", str(tmp_path / "lab.sqlite"), "--json"]
    players = ["--players", "random", "legal", "--matches", "4", "--seed", "3", "--scramble", "--failed", "first"]
    assert main(["ggp", "match", sheet, *players, *outputs]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["player"], row["against"], row["matches"]) for row in rows] == [
        ("random", "legal", 4),
        ("legal", "random", 4),
    ]
    assert rows[1]["goals"][0] == 100.0
    assert rows[0]["wins"] == 0
    assert len(list((tmp_path / "records").iterdir())) == 4
    assert main(["lab", "report", str(tmp_path / "lab.sqlite")]) == 0
    assert "legal" in capsys.readouterr().out


def test_json_of_a_game_for_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "alone.kif"
    file.write_text("(role me) (init s) (legal me go) (<= terminal (not (true s))) (goal me 30)")
    assert main(["ggp", "match", str(file), "--players", "legal", "--matches", "2", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert [row[key] for key in ("matches", "wins", "draws", "losses", "score")] == [2, None, None, None, None]
    assert row["goals"][0] == 30.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ggp", "match", "no_such_sheet", "--players", "legal"], "no rulesheet 'no_such_sheet'"),
        (["ggp", "match", "SHEET", "--players", "legal"], "is for 2 players: name at least 2"),
        (["ggp", "match", "SHEET", "--players", "legal", "lgeal"], "unknown search 'lgeal'"),
        (["ggp", "match", "SHEET"], "--players"),
        (["ggp", "player", "--search", "nothing()"], "unknown search 'nothing'"),
        (["ggp", "player", "--host", "192.0.2.1", "--port", "0"], "it cannot listen at 192.0.2.1:0: "),
        (["ggp", "player", "--host", "..", "--port", "0"], "choose another --port, or an address of this machine"),
        (["ggp"], "ACTION"),
    ],
)
def test_errors_are_one_line(
    sheet: str, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main([sheet if argument == "SHEET" else argument for argument in arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_a_match_that_cannot_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "round.kif"
    file.write_text("(role a) (init s) (legal a go) (<= (next s) (true s)) (<= terminal (true t)) (goal a 0)")
    assert main(["ggp", "match", str(file), "--players", "legal", "--longest", "5"]) == 1
    assert "did not let them end: 1." in capsys.readouterr().out


def test_the_player_is_open_to_others_only_if_it_is_told_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ggp", "player", "--help"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "Only programs on this machine reach it, unless --host opens it to others" in text
    assert "0.0.0.0: all, open to other machines (default: 127.0.0.1, closed to them)" in text


def test_the_player_as_a_program(tmp_path: Path) -> None:
    log = tmp_path / "player.log"
    command = [sys.executable, "-m", "treewise", "ggp", "player", "--port", "0"]  # for this machine only
    command += ["--name", "tester", "--log", str(log)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        found = re.search(r"tester listens at 127.0.0.1:(\d+)", process.stderr.readline())
        assert found is not None
        port = int(found[1])
        assert ask("127.0.0.1", port, "(INFO)", 20) == "((name tester) (status available))"
        assert ask("127.0.0.1", port, f"(START m me ({COIN}) 1 1)", 20) == "ready"
        assert ask("127.0.0.1", port, "(PLAY m NIL)", 20) == "heads"
        assert ask("127.0.0.1", port, "(STOP m (heads tails))", 20) == "done"
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
    text = log.read_text()
    assert "(PLAY m NIL) -> heads" in text
    assert "goals [100, 0], over: True" in text
    assert "2 replies" in text
    assert "0 late" in text
