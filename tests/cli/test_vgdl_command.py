"""`treewise vgdl check` and `treewise vgdl info`, and video games in the list of games."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treewise.cli import main
from treewise.vgdl.files import shipped_games

GAME = "BasicGame\n\tSpriteSet\n\t\tbox > Pasive\n\t\tball > Missile sped=1\n"


def write(folder: Path, text: str, name: str = "mygame.txt") -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def test_check_points_at_the_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, GAME)
    assert main(["vgdl", "check", file]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{file}:3:9: error: unknown class 'Pasive'; did you mean 'Passive'?",
        "                    box > Pasive",
        "                          ^",
        f"{file}:4:18: warning: unknown parameter 'sped' of 'ball'; did you mean 'speed'?",
        "                    ball > Missile sped=1",
        "                                   ^",
        "1 file: 1 error, 1 warning",
    ]


def test_check_of_levels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, GAME.replace("Pasive", "Passive").replace("sped", "speed"))
    good, odd, bad = (write(tmp_path, text, name) for text, name in (("A", "a.txt"), ("A?", "b.txt"), ("", "c.txt")))
    assert main(["vgdl", "check", file, good]) == 0
    assert main(["vgdl", "check", file, good, odd]) == 0
    assert "b.txt:1:2: warning: '?' stands for nothing" in capsys.readouterr().out
    assert main(["vgdl", "check", file, odd, "--strict"]) == 1
    assert main(["vgdl", "check", file, odd, "--strict", "--no-warnings"]) == 0
    assert main(["vgdl", "check", file, bad]) == 1
    assert "c.txt:1:1: error: a level of 0 by 1 cells" in capsys.readouterr().out


def test_check_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, GAME)
    assert main(["vgdl", "check", file, "--json"]) == 1
    first, second = json.loads(capsys.readouterr().out)
    assert (first["severity"], first["line"], first["column"], first["file"]) == ("error", 3, 9, file)
    assert second["severity"] == "warning"


@pytest.mark.parametrize("name", shipped_games())
def test_shipped_games_have_no_findings(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vgdl", "check", name, "--strict"]) == 0


def test_files_that_are_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vgdl", "check", "zeldo"]) == 2
    assert "did you mean 'zelda'?" in capsys.readouterr().err
    for command in ("check", "info"):
        assert main(["vgdl", command, "zelda", "no/such/level.txt"]) == 2
        expected = "treewise vgdl: cannot read no/such/level.txt: No such file or directory\n"
        assert capsys.readouterr().err == expected
    assert main(["vgdl", "check", "zelda", "."]) == 2
    assert "cannot read .: " in capsys.readouterr().err
    assert main(["vgdl", "info", "zelda", "--level", "9"]) == 2


def test_info(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vgdl", "info", "zelda", "--level", "2"]) == 0
    out = capsys.readouterr().out
    assert "13 by 9 cells of 61 pixels" in out
    assert "USE, LEFT, RIGHT, DOWN, UP" in out
    assert "avatar, wall, monsterSlow" in out
    assert any(
        line.split("│")[1:5] == ["  7 ", "     nokey         ", " ShootAvatar     ", " avatar   "]
        for line in out.splitlines()
    )
    assert "transformTo stype=withkey killSecond=1 scoreChange=1" in out


def test_info_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vgdl", "info", "aliens", "--json"]) == 0
    program = json.loads(capsys.readouterr().out)
    assert program["types"][5]["name"] == "sam"
    assert program["edge_rules"]


def test_games_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    out = capsys.readouterr().out
    assert all(f" vgdl('{name}') " in out for name in shipped_games())
    assert main(["games", "vgdl('sokoban')"]) == 0
    assert "treewise vgdl info" in capsys.readouterr().out
