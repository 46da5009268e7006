"""`treewise games`, `treewise parts` and `treewise check`."""

from __future__ import annotations

from pathlib import Path

import pytest

import treewise
from treewise import spec
from treewise.cli import main
from treewise.part import part_classes


def test_games_lists_every_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    out = capsys.readouterr().out
    assert all(f" {name} " in out for name in treewise.game_names())


@pytest.mark.parametrize("name", treewise.game_names())
def test_one_game(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", name]) == 0
    out = capsys.readouterr().out
    game = treewise.load_game(name)
    assert all(f" {capability} " in out for capability in game.capabilities)
    assert all(f" {parameter} " in out for parameter in game.parameters)


def test_every_capability_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    for name in (*treewise.game_names(), "vgdl('aliens')"):
        main(["games", name])
        rows = [line.split("│") for line in capsys.readouterr().out.splitlines() if line.startswith("│")]
        assert not [row for row in rows if row[2].strip() == "yes"], name


@pytest.mark.parametrize(("text", "first"), [("vgdl('aliens', level=2)", "level"), ("gdl('quad')", "max_length")])
def test_games_from_files_show_their_parameters(text: str, first: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", text]) == 0
    out = capsys.readouterr().out
    arguments = spec.parse(treewise.game_text(treewise.load_game(text), full=True)).arguments
    shown = {row[1].strip(): row[2].strip() for row in (line.split("│") for line in out.splitlines()) if len(row) == 5}
    assert shown == {key: str(value) for key, value in arguments.items() if key != "digest"}
    assert first in shown


def test_game_with_parameters_shows_values_and_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "breakthrough(rows=6)"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("breakthrough(rows=6): ")
    assert [line.split("│")[1:4] for line in out.splitlines() if line.startswith("│ rows ")] == [
        [" rows      ", " 6     ", " 8       "]
    ]


def test_parts_lists_every_part(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parts"]) == 0
    out = capsys.readouterr().out
    assert all(f" {name} " in out for parts in part_classes().values() for name in parts)
    assert all(f" {name} " in out for name in ("uct", "enhanced", "cadia"))


@pytest.mark.parametrize("family", sorted(set(part_classes()) - {"search"}))
def test_parts_of_a_family_and_each_by_name(family: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parts", family]) == 0
    out = capsys.readouterr().out
    for name, part in part_classes()[family].items():
        assert f" {name} " in out
        assert main(["parts", name]) == 0
        described = capsys.readouterr().out
        assert f"{name} ({family})" in described
        assert part.citation in " ".join(described.split())
        assert ">>>" not in described


def test_part_shows_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    main(["parts", "mast"])
    out = capsys.readouterr().out
    assert "Finnsson & Björnsson 2008" in out
    assert "probability of the inner policy's choice" in out
    assert "needs of the game: stable_actions" in out


def test_names_in_two_families_and_ready_searches(capsys: pytest.CaptureFixture[str]) -> None:
    main(["parts", "all"])
    out = capsys.readouterr().out
    assert "all (expansion)" in out
    assert "all (limit)" in out
    assert main(["parts", "uct"]) == 0
    assert "mcts(selection=ucb1(c=1.414" in capsys.readouterr().out


GOOD = """
class Count:
    def __init__(self, left=3, player=0):
        self.left, self.player = left, player
    def current_player(self):
        return -3 if self.is_terminal() else self.player
    def legal_actions(self):
        return [n for n in (1, 2) if n <= self.left]
    def apply(self, action):
        if action not in self.legal_actions():
            raise ValueError("illegal")
        self.left, self.player = self.left - action, 1 - self.player
    def is_terminal(self):
        return self.left == 0
    def returns(self):
        return [0.0, 0.0] if self.left else [1.0, -1.0] if self.player else [-1.0, 1.0]
    def clone(self):
        return Count(self.left, self.player)
    def action_name(self, action):
        return f"take {action}"
    def __str__(self):
        return f"{self.left} left, player {self.player}"
"""


def test_check_of_a_game_of_the_catalogue(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "tic_tac_toe", "--matches", "3"]) == 0
    assert capsys.readouterr().out.startswith("tic_tac_toe: no problems in 3 matches")


def test_check_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "count_game.py"
    file.write_text(GOOD)
    assert main(["check", f"{file}:Count", "--matches", "5"]) == 0
    assert "no problems in 5 matches" in capsys.readouterr().out
    file.write_text(GOOD.replace("return Count(self.left, self.player)", "return self"))
    assert main(["check", f"{file}:Count"]) == 1
    assert "clone" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (GOOD, "Cuont", "has no 'Cuont'; did you mean 'Count'?"),
        ("x = [", "x", "cannot be imported: SyntaxError"),
        ("raise RuntimeError('no')", "x", "cannot be imported: RuntimeError in wrong_game.py:1: no"),
        ("x = 17", "x", "is not a game: "),
    ],
)
def test_check_of_a_wrong_file(
    text: str, name: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "wrong_game.py"
    file.write_text(text)
    assert main(["check", f"{file}:{name}"]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
