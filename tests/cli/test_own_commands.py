"""`FILE.py:NAME` as a game and as a search, in every command that takes one."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from own_files import own
from treewise.cli import main

__all__ = ["own"]

GAMES = ["nim.py:Nim(heaps=[2, 1])", "nim.py:small", "nim.py:fixed", "countdown.py:Countdown"]


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command prints, which must not fail, nor say anything else."""
    assert main(list(arguments)) == 0, capsys.readouterr()
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def json_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(printed(capsys, *arguments, "--json"))
    return found


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("processes", ["1", "2"])
def test_match(game: str, processes: str, own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if game.startswith("countdown"):
        pytest.importorskip("numba")
    searches = ("my_parts.py:build(c=0.5)", "mcts(playout=my_parts.py:First)")
    arguments = ("match", game, *searches, "--matches", "2", "--simulations", "9", "--processes", processes)
    out = printed(capsys, *arguments)
    assert f"{game}: 2 of 2 matches" in out
    assert "A: my_parts.py:build(c=0.5, limit=simulations(count=9))\n" in out
    assert "B: mcts(playout=my_parts.py:First, limit=simulations(count=9))\n" in out
    assert json_of(capsys, *arguments)["game"] == game


def test_one_process_and_several_play_the_same_matches(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("numba")
    searches = ("mcts(playout=my_parts.py:Restless)", "uct")
    arguments = ("match", "countdown.py:Countdown", *searches, "--matches", "4", "--simulations", "20")
    one, two = (json_of(capsys, *arguments, "--processes", count) for count in ("1", "2"))
    for found in (one, two):
        del found["simulations_per_second"]
        for encounter in found["encounters"]:
            for record in encounter["records"]:
                del record["seconds"]
    assert one == two


def test_a_position_is_played_in_one_process(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json_of(capsys, "match", "built_in.py:position", "uct", "uct", "--matches", "2", "--simulations", "9")
    assert found["game"] == "built_in.py:position"
    assert json_of(capsys, "search", "built_in.py:position", "--simulations", "9")["game"] == "built_in.py:position"


@pytest.mark.parametrize("game", GAMES)
def test_search_bench_games_and_check(game: str, own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if game.startswith("countdown"):
        pytest.importorskip("numba")
    found = json_of(capsys, "search", game, "--search", "my_parts.py:search(reuse=False)")
    assert (found["game"], found["search"]) == (game, "my_parts.py:search(reuse=False)")
    assert found["stats"]["simulations"] == 50, "its own limit"
    measured = json_of(capsys, "bench", game, "--seconds", "0.01", "--repeats", "1")["games"]
    assert [each["game"] for each in measured] == [game]
    assert printed(capsys, "games", game).startswith(f"{game}: in a Python file of yours\n")
    assert ": no problems in 2 matches" in printed(capsys, "check", game, "--matches", "2")


def test_check_looks_at_the_rules_as_they_are(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (own / "nim.py").read_text(encoding="utf-8")
    (own / "nim.py").write_text(text.replace("copy = type(self)(self.heaps)", "copy = self"), encoding="utf-8")
    assert main(["check", "nim.py:Nim", "--matches", "2"]) != 0
    captured = capsys.readouterr()
    assert "clone" in captured.out + captured.err


def test_play(own: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 9))
    out = printed(capsys, "play", "nim.py:Nim(heaps=[1, 1])", "--search", "my_parts.py:search", "--seed", "1")
    assert out.endswith("You lose: player 0 -1, player 1 +1.\n")


def test_tune(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("optuna")
    search = ("my_parts.py:build(c={c})", "--against", "my_parts.py:search", "--range", "c=0.1:2")
    size = ("--trials", "2", "--matches", "2", "--budget", "simulations(9)", "--processes", "1")
    out = printed(capsys, "tune", "nim.py:Nim", *search, *size)
    assert "my_parts.py:build(c={c}) against my_parts.py:search" in out
    text = (own / "my_parts.py").read_text(encoding="utf-8")
    (own / "my_parts.py").write_text(text + "\n# changed\n", encoding="utf-8")
    assert main(["tune", "nim.py:Nim", *search, *size]) == 0
    note = "4 matches of tune.sqlite from before my_parts.py, or a file that it imports, was changed: kept, and not"
    assert capsys.readouterr().err == f"{note} counted\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", "nim.py:Nim(heap=3)"], "nim.py:Nim: unknown parameter 'heap'; did you mean 'heaps'?"),
        (["match", "nim.py:Nim", "my_parts.py:First", "uct"], "my_parts.py:7: First is not a search, nor a function"),
        (["play", "nim.py:nothing"], "nim.py:38: nothing: it is not a game: int is no state of a game: it has no"),
        (["bench", "nim.py:Nin"], "nim.py has no 'Nin'; did you mean 'Nim'?"),
        (["check", "nothing.py:Nim"], "no file nothing.py (looked for from "),
        (["search", "nim.py"], "nim.py: say which object of the file: nim.py:NAME"),
        (
            ["search", "tic_tac_toe", "--search", "mcts(playout=my_parts.py)"],
            "my_parts.py: say which object of the file: my",
        ),
    ],
)
def test_mistakes_take_one_line(
    arguments: list[str], message: str, own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(f"treewise {arguments[0]}: {message}")
    assert captured.err.count("\n") == 1
    assert captured.out == ""
