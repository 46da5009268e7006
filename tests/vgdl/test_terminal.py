"""Playing in a terminal: what keys mean, ticks with and without them, and the command in a terminal of its own."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console
from small_games import small_game

from treewise.cli import main
from treewise.vgdl import observe
from treewise.vgdl.program import Action
from treewise.vgdl.terminal import PAUSE, QUIT, Keyboard, key_of, play


class Script:
    """Keys that are written down; what was asked for."""

    def __init__(self, *keys: Action | str | None) -> None:
        self.keys: Iterator[Action | str | None] = iter(keys)
        self.asked: list[float | None] = []

    def read(self, seconds: float | None) -> Action | str | None:
        self.asked.append(seconds)
        return next(self.keys)


def silent() -> Console:
    return Console(file=io.StringIO(), force_terminal=True, width=80)


@pytest.mark.parametrize(
    ("typed", "meaning"),
    [
        ("\x1b[A", Action.UP),
        ("\x1b[B", Action.DOWN),
        ("\x1b[C", Action.RIGHT),
        ("\x1b[D", Action.LEFT),
        ("\x1bOA", Action.UP),
        (" ", Action.USE),
        (".", Action.NIL),
        ("\x1b[A\x1b[A\x1b[D", Action.LEFT),
        ("D", Action.RIGHT),
        ("q", QUIT),
        ("p", PAUSE),
        ("\x03", QUIT),
        ("z", None),
        ("\x1b", None),
        ("\x1b[1;2D", None),  # with the shift key
        ("\x1b[1;2A", None),
        ("\x1bOQ", None),  # F2, F1, the same on a console, Alt with q
        ("\x1bOP", None),
        ("\x1b[[A", None),
        ("\x1bq", None),
        ("az", Action.LEFT),
        ("\x1b[C\x1b[1;2D", Action.RIGHT),
        ("\x1b[1;2Dq", QUIT),
    ],
)
def test_keys(typed: str, meaning: Action | str | None) -> None:
    assert key_of(typed) == meaning


def test_a_key_that_means_nothing_leaves_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    typed, clock = iter([b"a", b"z"]), iter([0.0, 0.1, 0.2, 0.4])
    with Path(os.devnull).open() as nothing, monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", nothing)
        patch.setattr("select.select", lambda *_: ([nothing], [], []))
        patch.setattr("os.read", lambda *_: next(typed))
        patch.setattr("time.monotonic", lambda: next(clock))
        key = Keyboard().read(0.3)
    assert key == Action.LEFT
    assert next(typed, None) is None


def test_a_match_to_its_end() -> None:
    state = small_game(
        "x > Immovable", "A.x", "x avatar > killSprite scoreChange=2", "SpriteCounter stype=x win=True"
    ).initial_state()
    keys = Script(Action.RIGHT, None, Action.RIGHT)
    assert play(state, keys, 0.1, silent()) == "score 2   tick 3   won"
    assert keys.asked == [0.1, 0.1, 0.1]


def test_without_colours_there_are_letters() -> None:
    state = small_game("b > Passive", "Ab.").initial_state()
    outs = [silent(), Console(file=io.StringIO(), force_terminal=True, width=80, no_color=True)]
    for out in outs:
        play(state, Script(QUIT), None, out)
    assert ["● b   " in out.file.getvalue() for out in outs] == [False, True]


def test_leaving() -> None:
    state = small_game("", "A..").initial_state()
    assert play(state, Script(Action.RIGHT, QUIT), None, silent()) == "score 0   tick 1   left"


def test_a_pause_lasts_until_the_next_key() -> None:
    state = small_game("", "A..").initial_state()
    keys = Script(PAUSE, Action.RIGHT, QUIT)
    play(state, keys, 0.1, silent())
    assert keys.asked == [0.1, None, 0.1]
    seen = observe(state)
    assert seen.avatar is not None
    assert (seen.tick, seen.avatar.position) == (1, (10, 0))


def test_without_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("q"))
    assert main(["vgdl", "play", "zelda"]) == 2
    assert "needs a terminal" in capsys.readouterr().err


def test_a_file_as_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("q"))
    file = tmp_path / "mygame.txt"
    file.write_text("BasicGame\n  SpriteSet\n    box > Passive\n")
    (tmp_path / "mygame_lvl2.txt").write_text("A")
    assert main(["vgdl", "play", str(file), "--level", "2"]) == 2
    assert "needs a terminal" in capsys.readouterr().err
    assert main(["vgdl", "play", str(file)]) == 2
    assert "no level 0 of mygame.txt" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no terminals of this kind")
def test_in_a_terminal_of_its_own(tmp_path: Path) -> None:
    import pty
    import subprocess

    controller, terminal = pty.openpty()
    command = [sys.executable, "-m", "treewise", "vgdl", "play", "sokoban", "--turns", "--seed", "1"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm-256color", "COLUMNS": "80"}
    with subprocess.Popen(
        command, stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment
    ) as child:
        time.sleep(0.1)
        os.write(controller, b"\x1b[C")
        for _ in range(600):  # a key that is typed before the terminal listens counts as well
            time.sleep(0.1)
            os.write(controller, b"q")
            if child.poll() is not None:
                break
        out = (child.stdout.read() if child.stdout else b"").decode()
    os.close(controller)
    os.close(terminal)
    assert child.returncode == 0
    assert "left   (seed 1)" in out
