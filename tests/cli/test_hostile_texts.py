"""What files say never steers the terminal, and each of several errors has a line of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from treewise.cli import main

STEERING = "\x1b[2J\x07\u202e\x9b"
"""Clears the screen, rings, turns the direction of writing."""


@pytest.fixture
def description(tmp_path: Path) -> Path:
    path = tmp_path / "bad.txt"
    path.write_text(f"BasicGame\n  SpriteSet\n    a{STEERING}b > Immovible\n    b > Foo\n", encoding="utf-8")
    (tmp_path / "bad_lvl0.txt").write_text("wA\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("command", ["search", "match", "bench", "play", "vgdl check", "vgdl info", "vgdl play"])
def test_descriptions(command: str, description: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = command.startswith("vgdl ")
    assert main([*command.split(), str(description) if own else f"vgdl(path='{description}')"]) in (1, 2)
    captured = capsys.readouterr()
    shown = captured.out + captured.err
    assert not set(STEERING) - set("[2J") & set(shown)
    lines = [line for line in shown.splitlines() if ": error: " in line]
    assert len(lines) == 2
    assert all(line.startswith(f"{description}:") for line in lines)


def test_one_error_is_said_by_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("BasicGame\n  SpriteSet\n    b > Foo\n", encoding="utf-8")
    (tmp_path / "bad_lvl0.txt").write_text("wA\n", encoding="utf-8")
    assert main(["search", f"vgdl(path='{path}')"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("treewise search: ")
    assert error.count("\n") == 1


def test_rulesheets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.kif"
    path.write_text(f"(role a{STEERING}b) (init (b{STEERING}))", encoding="utf-8")
    for command in (["gdl", "check", str(path)], ["search", f"gdl('{path}')"], ["gdl", "info", str(path)]):
        main(command)
        captured = capsys.readouterr()
        assert not set(STEERING) - set("[2J") & set(captured.out + captured.err)


def test_games_and_their_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "loud.py"
    path.write_text(
        f"""
class Loud:
    num_players = 1
    def current_player(self): return 0
    def is_terminal(self): return False
    def legal_actions(self): return [0]
    def apply(self, action): raise ValueError({STEERING!r})
    def returns(self): return [0.0]
    def clone(self): return self
    def __str__(self): return {STEERING!r}
""",
        encoding="utf-8",
    )
    assert main(["search", f"{path}:Loud", "--simulations", "10"]) == 2
    captured = capsys.readouterr()
    assert not set(STEERING) - set("[2J") & set(captured.out + captured.err)
