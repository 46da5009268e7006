"""`treewise match`."""

from __future__ import annotations

import json
from argparse import Namespace
from typing import Any

import pytest

import treewise
from treewise import limit, parse_search
from treewise.cli import main
from treewise.cli.options import fitted, read_search


def match_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["match", *arguments, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert isinstance(printed, dict)
    return printed


def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["tic_tac_toe", "uct(simulations=200)", "uct(simulations=2)", "--matches", "20", "--processes", "1"]
    assert main(["match", *arguments]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert "tic_tac_toe: 20 of 20 matches" in captured.out
    assert "Verdict: A is better." in captured.out
    for row in ("wins", "draws", "win rate", "95 % interval", "as player 0", "as player 1", "simulations a second"):
        assert row in captured.out


def test_one_match_is_no_plural(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "tic_tac_toe", "uct", "uct", "--matches", "1", "--simulations", "20"]) == 0
    assert "tic_tac_toe: 1 of 1 match " in capsys.readouterr().out


def test_defaults_are_enhanced_against_uct_at_1000_simulations(capsys: pytest.CaptureFixture[str]) -> None:
    printed = match_json(capsys, "--matches", "2", "--processes", "1")
    assert printed["game"] == "breakthrough"
    assert printed["a"] == treewise.enhanced(simulations=1000).text()
    assert printed["b"] == treewise.uct(simulations=1000).text()


def test_equal_simulations_and_equal_time_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "tic_tac_toe", "uct(c=1.0)", "uct", "--matches", "2", "--processes", "1"]) == 0
    out = capsys.readouterr().out
    assert "tic_tac_toe: 2 and 2 of 2 matches" in out
    for words in ("A, 1,000 simulations", "B, 1,000", "A, 0.01 s", "B, 0.01 s"):
        assert words in out
    assert "Verdict at 1,000 simulations: " in out
    assert "Verdict at 0.01 s: " in out
    assert "A: mcts(selection=ucb1(c=1.0))\nB: mcts\n" in out


@pytest.mark.parametrize(
    ("arguments", "limits"),
    [
        ([], ["simulations(count=1000)", "cpu_seconds(seconds=0.01)"]),
        (["--simulations", "50"], ["simulations(count=50)"]),
        (["--seconds", "0.001"], ["seconds(seconds=0.001)"]),
        (["--simulations", "50", "--seconds", "0.001"], ["simulations(count=50)", "seconds(seconds=0.001)"]),
    ],
)
def test_what_is_equal_can_be_chosen(
    arguments: list[str], limits: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    printed = match_json(capsys, "tic_tac_toe", *arguments, "--matches", "2", "--processes", "1")
    played = [printed, printed["equal_time"]] if "equal_time" in printed else [printed]
    assert [parse_search(one["b"]) for one in played] == [parse_search(f"mcts(limit={text})") for text in limits]


def test_searches_that_say_how_long_they_search_are_compared_once(capsys: pytest.CaptureFixture[str]) -> None:
    printed = match_json(capsys, "tic_tac_toe", "uct(simulations=20)", "uct", "--matches", "2", "--processes", "1")
    assert "equal_time" not in printed
    assert (printed["a"], printed["b"]) == (treewise.uct(simulations=20).text(), treewise.uct(simulations=1000).text())


def test_too_few_simulations_are_remarked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "go(size=5)", "uct", "uct(simulations=2)", "--matches", "2", "--processes", "1"]) == 0
    out = capsys.readouterr().out
    assert "B: 2 simulations for 26 actions, so that most are never tried" in out
    assert "A: 1,000" not in out


def test_json_is_the_comparison_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    printed = match_json(
        capsys,
        "tic_tac_toe",
        "uct(c=1.0)",
        "uct",
        "--matches",
        "6",
        "--simulations",
        "30",
        "--seed",
        "4",
        "--opening",
        "1",
    )
    a, b = treewise.uct(c=1.0, simulations=30), treewise.uct(simulations=30)
    result = treewise.compare("tic_tac_toe", a, b, matches=6, seed=4, opening=1)
    expected = json.loads(json.dumps(result.to_dict()))
    for key in ("wins", "draws", "losses", "win_rate", "interval", "verdict", "seat_rates", "mean_length"):
        assert printed[key] == expected[key]


@pytest.mark.parametrize(
    "game", ["phantom_tic_tac_toe", "goofspiel(cards=5)", "pig(players=3, goal=15)", "same_game(rows=5)"]
)
def test_defaults_fit_every_kind_of_game(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", game, "--matches", "2", "--simulations", "20", "--processes", "1"]) == 0
    assert "Verdict: " in capsys.readouterr().out


def test_limits() -> None:
    def read(text: str, simulations: int | None = None, seconds: float | None = None) -> limit.Limit:
        options = Namespace(simulations=simulations, seconds=seconds)
        return read_search(text, options, limit.Simulations(1000)).limit

    assert read("uct") == limit.Simulations(1000)
    assert read("uct(1.0, 10000)") == read("uct(simulations=10000)") == limit.Simulations(10_000)
    assert read("td_mcts(playouts=25)") == limit.Simulations(25)
    assert read("gvgai_sample(seconds=0.04)") == limit.Seconds(0.035)
    assert read("mcts(limit=seconds(2))") == limit.Seconds(2)
    assert read("mcts(limit=seconds(2))", simulations=5) == limit.Simulations(5)
    assert read("uct(simulations=7)", seconds=0.5) == limit.Seconds(0.5)


@pytest.mark.parametrize(("name", "dear"), [("go", True), ("amazons", True), ("hex", False), ("othello", False)])
def test_defaults_leave_out_parts_that_are_too_dear(name: str, dear: bool) -> None:
    search = fitted(treewise.enhanced(), treewise.load_game(name))
    assert search.playout == (treewise.playout.Uniform() if dear else treewise.enhanced().playout)
    assert search.proof == treewise.enhanced().proof


@pytest.mark.parametrize("name", treewise.game_names())
def test_fitted_defaults_pass_the_check(name: str) -> None:
    game = treewise.load_game(name)
    for search in (treewise.uct(), treewise.enhanced()):
        fitted(search, game).check(game)
