"""The frame of the command line: help, version, wrong input, pipes, Ctrl-C."""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import treewise
from treewise.cli import _parser, main


def parsers(parser: argparse.ArgumentParser, *names: str) -> dict[tuple[str, ...], argparse.ArgumentParser]:
    """The parsers of all commands and of their own commands, by their names."""
    found = {names: parser} if names else {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                found |= parsers(inner, *names, name)
    return found


PARSERS = parsers(_parser())
COMMANDS = sorted(PARSERS)
DOING = [command for command in COMMANDS if PARSERS[command].get_default("run")]
"""The commands without commands of their own."""


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"treewise {treewise.__version__}\n"


def test_help_without_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    out = capsys.readouterr().out
    top = [command[0] for command in COMMANDS if len(command) == 1]
    assert {"games", "lab", "tune", "reproduce", "gdl", "ggp", "vgdl"} < set(top)
    assert all(re.search(rf"^    {command}\b", out, re.MULTILINE) for command in top)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_teaches_by_example(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--help"]) == 0
    out = capsys.readouterr().out
    assert "examples:" in out
    assert out.count(f"  treewise {' '.join(command)}") >= (2 if len(command) == 1 else 1)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_unknown_options_are_named(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--no-such-option"]) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert captured.err.startswith("treewise")
    assert captured.err.endswith(f" (see treewise {' '.join(command)} --help)\n")


def test_unknown_arguments_name_the_help_that_lists_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, command in (
        (["games", "hex", "--seconds", "1"], "treewise games"),
        (["gdl", "check", "--repairs", "x"], "treewise gdl check"),
        (["gdl", "--repair", "check", "x"], "treewise gdl"),
        (["--json", "games"], "treewise"),
    ):
        assert main(arguments) == 2
        shown = capsys.readouterr().err
        assert shown.startswith(f"{command}: unrecognized arguments: --"), shown
        assert shown.endswith(f" (see {command} --help)\n")


@pytest.mark.parametrize("command", DOING, ids=" ".join)
def test_arguments_that_mean_nothing(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """Neither a game nor a search, a file or a paper: the first that is read is named, or how to call the command."""
    count = sum(not action.option_strings for action in PARSERS[command]._actions)
    assert main([*command, *["no such thing"] * max(1, count)]) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert captured.err.startswith(f"treewise {command[0]}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["matc"], "invalid choice: 'matc'"),
        (["games", "hexx("], "cannot read 'hexx('"),
        (["games", "breakthrogh"], "did you mean 'breakthrough'?"),
        (["games", "breakthrough(rows=99)"], "rows"),
        (["parts", "masst"], "unknown part 'masst'; did you mean 'mast'?"),
        (["search", "tic_tac_toe", "--search", "uctt"], "unknown search 'uctt'; did you mean 'uct'?"),
        (["search", "tic_tac_toe", "--search", "uct(c=-1)"], "c must be between"),
        (["search", "tic_tac_toe", "--search", f"mcts({'1, ' * 22})"], "too many values: mcts takes "),
        (["search", "tic_tac_toe", "--search", "uct(1, 2, 3)"], "too many values: uct takes 2, not 3"),
        (["search", "tic_tac_toe", "--simulations", "0"], "0 is less than 1"),
        (["search", "tic_tac_toe", "--simulations", "many"], "'many' is not a whole number"),
        (["search", "tic_tac_toe", "--seconds", "-1"], "more than 0"),
        (["search", "tic_tac_toe", "--seconds", "soon"], "not a number of seconds"),
        (["search", "tic_tac_toe", "--seconds", "1", "--simulations", "1"], "not allowed with"),
        (["search", "tic_tac_toe", "--board", "xx"], ""),
        (["search", "tic_tac_toe", "--board", "xx./oo./...", "--player", "7"], "expected 0 to 1"),
        (["search", "tic_tac_toe", "--player", "1"], "give both"),
        (["search", "tic_tac_toe", "--actions", "a1,q7"], "no legal action 'q7'"),
        (["search", "tic_tac_toe", "--actions", "a1,b1,a2,b2,a3,b3"], "the match is over before 'b3'"),
        (["search", "tic_tac_toe", "--actions", "a1,b1,a2,b2,a3"], "nothing to search"),
        (["search", "vgdl('zelda')", "--board", "0 0"], "vgdl has no text form of positions"),
        (["search", "phantom_tic_tac_toe", "--search", "uct"], "hides information"),
        (["search", "\udcff"], "not valid text"),
        (["play", "tic_tac_toe", "--seat", "2"], "the players of tic_tac_toe are 0 to 1"),
        (["play", "pig", "--search", "mcts(playout=game_policy)"], "needs the capability 'policy'"),
        (["match", "tic_tac_toe", "uct", "uct", "--matches", "0"], "0 is less than 1"),
        (["match", "tic_tac_toe", "uct(x=1)"], "unknown parameter 'x'"),
        (["match", "tic_tac_toe", "mcts(playout=random)"], "unknown playout 'random'; did you mean 'uniform'?"),
        (["match", "tic_tac_toe", "--seed", "9" * 5000], "999…' is too large"),
        (["match", "tic_tac_toe", "--seed", "9" * 500], "999… is too large"),
        (["match", "tic_tac_toe", "--opening", "9", "--processes", "1"], "opening"),
        (["bench", "nothing_like_it"], "unknown game 'nothing_like_it'"),
        (["check", "no_such_file.py:Game"], "no file no_such_file.py"),
        (["check", "no_such_file.py"], "no_such_file.py:NAME"),
    ],
)
def test_wrong_input_is_one_line_and_status_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("treewise")
    assert captured.err.count("\n") == 1
    assert message in captured.err


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "treewise", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        env={**os.environ, **environment},
    )


def test_as_a_program() -> None:
    done = run("games")
    assert (done.returncode, done.stderr) == (0, "")
    assert "breakthrough" in done.stdout
    failed = run("games", "nothing_like_it")
    assert (failed.returncode, failed.stdout, failed.stderr.count("\n")) == (2, "", 1)


def test_terminal_without_unicode() -> None:
    done = run("search", "tic_tac_toe", "--simulations", "50", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, "")


def test_reader_that_leaves_early() -> None:
    command = f'"{sys.executable}" -m treewise games | head -n 1'
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""


@pytest.mark.parametrize("processes", ["1", "2"])
def test_ctrl_c_during_a_match_prints_what_was_played(processes: str) -> None:
    arguments = ["match", "tic_tac_toe", "--matches", "1000000", "--processes", processes, "--simulations", "20"]
    program = subprocess.Popen(
        [sys.executable, "-m", "treewise", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )
    time.sleep(2.5)
    os.killpg(program.pid, signal.SIGINT)
    out, err = program.communicate(timeout=120)
    assert program.returncode == 130
    assert "Verdict: " in out or out == "no match was finished\n"
    assert "Traceback" not in err


SCRIPT = "import sys\nfrom treewise.cli import main\nsys.exit(main())\n"


@pytest.mark.parametrize("script", ["", "treewise", "other.py"])
def test_ctrl_c_while_python_imports(script: str, tmp_path: Path) -> None:
    """A module that the package imports sends the signal; only other people's programs see where they were."""
    (tmp_path / "numpy.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nwhile True: pass\n")
    if script:
        (tmp_path / script).write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, *([str(tmp_path / script)] if script else ["-m", "treewise"]), "games"],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)])},
    )
    if script == "other.py":
        assert done.returncode == -signal.SIGINT
        assert done.stderr.endswith("KeyboardInterrupt\n")
    else:
        assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


def test_ctrl_c_while_a_command_imports(tmp_path: Path) -> None:
    """After the package itself, what the command line needs."""
    (tmp_path / "argparse.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nwhile True: pass\n")
    done = subprocess.run(
        [sys.executable, "-m", "treewise", "games"],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)])},
    )
    assert (done.returncode, done.stderr) == (130, "interrupted\n")
