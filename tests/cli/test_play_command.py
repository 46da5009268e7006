"""`treewise play`, driven by what a person might type."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

import treewise
from treewise.cli import main


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    def typed(text: str, *arguments: str) -> tuple[int, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        status = main(["play", *arguments, "--simulations", "50", "--seed", "1"])
        captured = capsys.readouterr()
        assert captured.err == ""
        return status, captured.out.replace("your action> ", "your action>\n")

    return typed


def test_whole_match_by_numbers(play) -> None:  # type: ignore[no-untyped-def]
    status, out = play("1\n" * 5, "tic_tac_toe", "--search", "uct")
    assert status == 0
    assert "player 1 plays " in out
    assert any(word in out.splitlines()[-1] for word in ("You win: ", "You lose: ", "A draw: "))


def test_names_numbers_and_nonsense(play) -> None:  # type: ignore[no-untyped-def]
    status, out = play("b2\nzz\n\nactions\nquit\n", "tic_tac_toe")
    assert status == 0
    assert "no legal action 'zz'" in out
    assert "Goodbye" in out
    assert re.search(r"^ 2 [.o] x [.o]$", out, re.MULTILINE)


def test_help_and_hint(play) -> None:  # type: ignore[no-untyped-def]
    _, out = play("help\nhint\nq\n", "tic_tac_toe")
    assert "take back your last action" in out
    assert "50 simulations" in out


def test_undo_returns_to_the_same_decision_with_the_same_dice(play) -> None:  # type: ignore[no-untyped-def]
    _, out = play("undo\nroll\nundo\nroll\n", "pig")
    assert "There is nothing to take back." in out
    rolls = [line for line in out.splitlines() if line.startswith("chance: ")]
    assert rolls[0] == rolls[1]
    shown = [line for line in out.splitlines() if line.startswith("scores ")]
    assert shown[0] == shown[2] == "scores 0 0, turn total 0, player 0 to choose"
    assert shown[1] == shown[3]


def test_second_seat(play) -> None:  # type: ignore[no-untyped-def]
    _, out = play("q\n", "tic_tac_toe", "--seat", "1")
    assert "player 0 plays " in out
    assert out.index("player 0 plays ") < out.index("your action>")


def test_end_of_input_is_polite(play) -> None:  # type: ignore[no-untyped-def]
    status, out = play("", "breakthrough")
    assert status == 0
    assert out.endswith("The match ends here. Goodbye.\n")


def test_ctrl_c_is_polite(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    assert main(["play", "tic_tac_toe"]) == 130
    captured = capsys.readouterr()
    assert captured.out.endswith("The match ends here. Goodbye.\n")
    assert captured.err == ""


def test_hidden_things_stay_hidden(play) -> None:  # type: ignore[no-untyped-def]
    _, out = play("b2\nq\n", "phantom_tic_tac_toe")
    state = treewise.load_game("phantom_tic_tac_toe").initial_state()
    assert state.observation(0).strip() in out
    assert "player 1 plays" not in out


def test_players_who_act_at_once(play) -> None:  # type: ignore[no-untyped-def]
    status, out = play("1\n2\n3\n4\n", "goofspiel(cards=4)")
    assert status == 0
    assert out.count("player 0: 1, player 1: ") == 1
    assert out.count(", player 1: ") >= 3


def test_a_number_that_is_a_name_is_nothing_else(play) -> None:  # type: ignore[no-untyped-def]
    """The cards of goofspiel are numbers: what was played before is not the first of the rest."""
    _, out = play("1\n1\nq\n", "goofspiel(cards=4)")
    assert "1   2   3   4\n" in out
    assert "2   3   4\n" in out.split("player 0: 1, ", 1)[1]
    assert "no legal action '1'; legal: 2, 3, 4" in out
    assert "player 0: 2" not in out


def test_a_name_wins_over_a_command(play) -> None:  # type: ignore[no-untyped-def]
    _, out = play("h\nq\n", "connect_four(columns=8)")
    assert "take back your last action" not in out
    assert "player 1 plays " in out


def test_long_nonsense_is_shortened(play) -> None:  # type: ignore[no-untyped-def]
    _, out = play("9" * 5000 + "\nq\n", "tic_tac_toe")
    assert re.search("no legal action '9{20,60}…'; legal: a3, ", out)


@pytest.mark.parametrize("game", ["dice_games.py:Ladder", "pig"])
def test_the_seed_says_how_the_dice_fall(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def shown(seed: int) -> list[str]:
        monkeypatch.setattr("sys.stdin", io.StringIO("2\n" * 10 if "Ladder" in game else "roll\n" * 4 + "q\n"))
        assert main(["play", path, "--search", "uct", "--simulations", "20", "--seed", str(seed)]) == 0
        return capsys.readouterr().out.splitlines()[1:]

    path = str(Path(__file__).parents[1] / game) if game.endswith("Ladder") else game
    assert shown(1) == shown(1)
    assert len({tuple(shown(seed)) for seed in range(6)}) > 3


def test_three_players_and_one(play) -> None:  # type: ignore[no-untyped-def]
    _, out = play("hold\n" * 400, "pig(players=3, goal=12)", "--seat", "2")
    assert "player 2" in out.splitlines()[-1]
    _, out = play("1\n" * 400, "same_game(rows=4, columns=4)")
    assert "The match is over with " in out


def test_as_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "treewise", "play", "tic_tac_toe", "--simulations", "20"],
        input="b2\nquit\n",
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "seed " in done.stdout


def test_video_games_are_sent_to_their_own_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "vgdl('aliens', level=2)"]) == 2
    assert """treewise vgdl play "vgdl(game='aliens', level=2)\"""" in capsys.readouterr().err


def test_ctrl_c_stops_the_thinking_and_not_the_match(play, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    run = treewise.Session.run
    interrupted: list[int] = []

    def interrupt(session: treewise.Session, state: treewise.State) -> treewise.Result:
        found = run(session, state)
        if not interrupted:
            interrupted.append(int(found.action))  # type: ignore[arg-type]
            raise treewise.SearchInterrupted(found)
        return found

    monkeypatch.setattr(treewise.Session, "run", interrupt)
    status, out = play("b2\nq\n", "tic_tac_toe")
    assert status == 0
    assert "stopped after 50 simulations\nplayer 1 plays " in out
    assert out.count("your action>") == 2


def test_the_opponents_action_is_marked_on_the_board(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("b2\nq\n"))
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    assert main(["play", "tic_tac_toe", "--simulations", "50", "--seed", "1"]) == 0
    marks = re.findall("\x1b\\[1;7m(.)\x1b\\[0m", capsys.readouterr().out)
    assert marks == ["o"]


def test_an_opponent_with_too_few_simulations_says_so_once(play) -> None:  # type: ignore[no-untyped-def]
    _, out = play("a1\nb1\nq\n", "go", "--search", "enhanced")
    assert out.count("player 1 does not search well: ") == 1
    assert " simulations for 8" in out
