"""The text form: by name and from files, what it keeps, and what is refused."""

from __future__ import annotations

import logging
import pickle
from pathlib import Path

import pytest

import treewise
from treewise.cli import main
from treewise.processes import spawn_pool
from treewise.vgdl import Source, make_game
from treewise.vgdl.files import description_path, shipped_games, shipped_levels, summary
from treewise.vgdl.finding import VGDLError
from treewise.vgdl.load import video_game
from treewise.vgdl.program import Action

GAME = """BasicGame
  SpriteSet
    x > Immovable
  LevelMapping
    x > x
  InteractionSet
    x avatar > killSprite scoreChange=1
    avatar wall > stepBack
  TerminationSet
    SpriteCounter stype=x win=True
"""
LEVEL = "wwwww\nwA.xw\nwwwww\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    game, level = tmp_path / "mygame.txt", tmp_path / "mygame_lvl0.txt"
    game.write_text(GAME)
    level.write_text(LEVEL)
    return game, level


@pytest.mark.parametrize("name", shipped_games())
def test_shipped_games_load_by_name(name: str) -> None:
    for level in shipped_levels(name):
        game = treewise.load_game(f"vgdl(game='{name}', level={level})")
        assert game.num_players == 1
        assert game.initial_state().legal_actions()
        assert "rewards" in game.capabilities
        assert treewise.load_game(treewise.game_text(game)) is game
    assert summary(name)


def test_the_text_form_leaves_out_standard_values() -> None:
    game = treewise.load_game("vgdl('zelda', 0, win_value=10000000)")
    assert treewise.game_text(game) == "vgdl(game='zelda')"
    other = treewise.load_game("vgdl(game='zelda', level=2, win_value=100, rules_2016=True)")
    assert treewise.game_text(other) == "vgdl(game='zelda', level=2, win_value=100.0, rules_2016=True)"


def test_files(files: tuple[Path, Path]) -> None:
    game, level = files
    made = treewise.load_game(f"vgdl(path='{game}', level_path='{level}')")
    state = made.initial_state()
    for action in (Action.LEFT, Action.RIGHT, Action.RIGHT):
        state.apply(action)
    assert state.is_terminal()
    assert state.returns() == [10_000_001.0]
    assert treewise.game_text(made) == f"vgdl(path='{game}', level_path='{level}')"
    numbered = treewise.load_game(f"vgdl(path='{game}')")
    assert str(numbered.initial_state()) == str(made.initial_state())


def test_the_full_text_form_knows_a_changed_file(files: tuple[Path, Path]) -> None:
    game, level = files
    full = treewise.game_text(treewise.load_game(f"vgdl(path='{game}')"), full=True)
    assert treewise.game_text(treewise.load_game(full), full=True) == full
    level.write_text(LEVEL.replace("A.", ".A"))
    with pytest.raises(ValueError, match="have changed: their digest is"):
        treewise.load_game(full)


def test_games_and_states_survive_pickling() -> None:
    game = treewise.load_game("vgdl(game='sokoban', level=1)")
    assert pickle.loads(pickle.dumps(game)) is game
    state = game.initial_state()
    for action in (Action.LEFT, Action.UP, Action.UP, Action.RIGHT):
        state.apply(action)
    assert str(pickle.loads(pickle.dumps(state))) == str(state)


def test_a_pickled_game_has_its_texts(files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    game, level = files
    monkeypatch.chdir(game.parent)
    made = treewise.load_game("vgdl(path='mygame.txt', win_value=5, rules_2016=True)")
    state = made.initial_state()
    state.apply(Action.RIGHT)
    pickled = pickle.dumps((made, state))
    level.write_text(LEVEL.replace("A.", ".A"))
    game.unlink()
    monkeypatch.chdir(game.parent.parent)
    again, then = pickle.loads(pickled)
    assert again == made
    assert str(then) == str(state)
    with spawn_pool(1) as pool:
        assert pool.submit(str, state).result() == str(state)
        assert pool.submit(treewise.game_text, made, full=True).result() == treewise.game_text(made, full=True)


def test_a_game_from_texts_can_be_pickled() -> None:
    game = make_game(Source(GAME, LEVEL), win_value=3, java_random=True, rules_2016=True)
    state = game.initial_state()
    state.apply(Action.RIGHT)
    then = pickle.loads(pickle.dumps(state))
    assert str(then) == str(state)
    assert then.game.program == game.program
    then.apply(Action.RIGHT)
    assert then.returns() == [4.0]
    assert pickle.loads(pickle.dumps(state)).game is then.game


def test_a_file_does_not_shadow_a_shipped_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped = str(treewise.load_game("vgdl('zelda')").initial_state())
    (tmp_path / "zelda").write_text("")
    monkeypatch.chdir(tmp_path)
    assert str(treewise.load_game("vgdl('zelda')").initial_state()) == shipped
    assert str(video_game("zelda").initial_state()) == shipped
    assert description_path("zelda").is_absolute()
    assert main(["vgdl", "info", "zelda"]) == 0
    assert main(["search", "vgdl('zelda')", "--simulations", "5"]) == 0
    capsys.readouterr()
    (tmp_path / "zelda").write_text(GAME)
    (tmp_path / "zelda_lvl0.txt").write_text(LEVEL)
    own = [video_game("./zelda"), treewise.load_game("vgdl(path='zelda')")]
    assert all(str(game.initial_state()) == "#####\n#@.x#\n#####\n" for game in own)


def test_a_game_by_name_or_file_and_the_number_of_its_level(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    game, level = files
    monkeypatch.chdir(game.parent)
    level.with_name("mygame_lvl1.txt").write_text("wwwww\nwxA.w\nwwwww\n")
    assert treewise.game_text(video_game("mygame.txt")) == "vgdl(path='mygame.txt')"
    assert str(video_game("mygame.txt", 1).initial_state()) == "#####\n#x@.#\n#####\n"
    assert treewise.game_text(video_game("zelda", level=3)) == "vgdl(game='zelda', level=3)"
    odd = game.rename("my 'odd' game (1).txt")
    level.rename("my 'odd' game (1)_lvl0.txt")
    assert video_game(str(odd)).initial_state().legal_actions()
    game.write_text(GAME)
    with pytest.raises(ValueError, match=r"no level 2 of mygame.txt: beside it there are mygame_lvl1.txt"):
        video_game("mygame.txt", 2)
    with pytest.raises(ValueError, match="says its level itself"):
        video_game("vgdl('zelda')", 2)
    with pytest.raises(ValueError, match=r"'mygane.txt': neither a file nor a shipped game"):
        video_game("mygane.txt")


def test_warnings_go_to_the_log(files: tuple[Path, Path], caplog: pytest.LogCaptureFixture) -> None:
    game, level = files
    game.write_text(GAME.replace("Immovable", "Immovable sped=1"))
    level.write_text(LEVEL.replace("A.", "A?"))
    with caplog.at_level(logging.WARNING):
        treewise.load_game(f"vgdl(path='{game}')")
    assert [record.getMessage().partition(": ")[2] for record in caplog.records] == [
        "warning: unknown parameter 'sped' of 'x'; did you mean 'speed'?",
        "warning: '?' stands for nothing in the LevelMapping",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("vgdl", "which game?"),
        ("vgdl(level=1)", "which game?"),
        ("vgdl(game='zelda', path='x.txt')", "which game?"),
        ("vgdl(game='zeldo')", "unknown game 'zeldo'; did you mean 'zelda'?"),
        ("vgdl(game='../games/zelda')", "unknown game"),
        ("vgdl(game='zelda_lvl0')", "unknown game"),
        ("vgdl(game='zelda', level=7)", "no level 7 of zelda.txt: beside it there are zelda_lvl0.txt"),
        ("vgdl(game='zelda', level=-1)", "expected 0 to 999"),
        ("vgdl(game='zelda', level=True)", "must be a whole number"),
        ("vgdl(game='zelda', levl=1)", "unknown parameter 'levl'; did you mean 'level'?"),
        ("vgdl('zelda', game='zelda')", "given twice"),
        ("vgdl(game=3)", "must be a text"),
        ("vgdl(game='zelda', win_value=-1)", "expected 0 to 1e12"),
        ("vgdl(game='zelda', win_value=inf)", "expected 0 to 1e12"),
        ("vgdl(game='zelda', rules_2016=1)", "must be True or False"),
        ("vgdl(path='no/such/file.txt')", "no game 'no/such/file.txt'"),
        ("vgdl(path='zelda', level_path='no/such/file.txt')", "no file no/such/file.txt"),
        (f"vgdl(path='{'x' * 5000}')", "no game 'xxx"),
        (f"vgdl(path='zelda', level_path='{'x' * 5000}')", "no file xxx"),
        ("vgdl(path='x\\0y')", "no game 'x"),
        ("vgdl(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)", "must be a text"),
    ],
)
def test_wrong_text_forms(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=r"vgdl|no game|no level") as caught:
        treewise.load_game(text)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 500


def test_a_broken_description_is_told_with_its_file(files: tuple[Path, Path]) -> None:
    game, _ = files
    game.write_text(GAME.replace("killSprite", "kilSprite"))
    with pytest.raises(
        VGDLError, match=r"mygame.txt:7:16: error: unknown effect 'kilSprite'; did you mean 'killSprite'"
    ):
        treewise.load_game(f"vgdl(path='{game}')")


def test_bytes_that_are_no_text(files: tuple[Path, Path]) -> None:
    game, level = files
    level.write_bytes(b"wA\xff\xfe\x00w")
    assert treewise.load_game(f"vgdl(path='{game}')").initial_state().legal_actions()
    game.write_bytes(bytes(range(256)) * 40)
    with pytest.raises(VGDLError):
        treewise.load_game(f"vgdl(path='{game}')")


def test_a_huge_file_is_not_even_read(files: tuple[Path, Path]) -> None:
    game, _ = files
    with game.open("wb") as file:
        file.truncate(2**32)
    with pytest.raises(ValueError, match="is no description or level: it has more than 800,000 bytes"):
        treewise.load_game(f"vgdl(path='{game}')")
