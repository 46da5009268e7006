"""Pictures of states: pixels where sprites are, nothing of what is hidden; text for terminals; animations."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from rich.console import COLOR_SYSTEMS
from small_games import small_game

from treewise import load_game, uct
from treewise.cli import main
from treewise.cli.vgdl_record import played
from treewise.game import State
from treewise.vgdl import shipped_games, shipped_levels
from treewise.vgdl.animation import frame, write_gif
from treewise.vgdl.drawing import GROUND, WALL, colours, picture, screen, status
from treewise.vgdl.program import Action

SPRITES = "f > Immovable hidden=True\nm > Missile orientation=RIGHT speed=0.5\navatar > ShootAvatar healthPoints=2"


def test_picture() -> None:
    game = small_game(SPRITES, "wAf\nm..")
    state = game.initial_state()
    drawn = picture(state, cell=10)
    palette = colours(game.program)
    assert drawn.shape == (20, 30, 3)
    assert tuple(drawn[5, 5]) == WALL
    assert tuple(drawn[5, 15]) == palette[1]
    assert tuple(drawn[5, 25]) == GROUND  # what stands there is hidden
    assert tuple(drawn[15, 3]) == palette[3]
    for _ in range(2):
        state.apply(Action.USE)
    drawn = picture(state, cell=10)
    assert tuple(drawn[15, 3]) == GROUND
    assert tuple(drawn[15, 8]) == palette[3]  # half a cell on


def test_sprites_outside_are_cut() -> None:
    state = small_game("", "A.").initial_state()
    for action in (Action.LEFT, Action.UP):
        state.apply(action)
    assert (picture(state, cell=6) == np.array(GROUND, np.uint8)).all()


def test_visible_types_have_colours_of_their_own() -> None:
    for name in shipped_games():
        program = load_game(f"vgdl('{name}')").program
        shown = [c for c, kind in zip(colours(program), program.types, strict=True) if kind.leaf and not kind.hidden]
        assert len(set(shown)) == len(shown), name
        assert GROUND not in shown


def test_screen() -> None:
    game = small_game(SPRITES, "wAf\nm..")
    state = game.initial_state()
    text = screen(state)
    assert text.plain == "  ▶   \n      \n"
    shades = [str(span.style) for span in text.spans]
    assert shades[0].endswith("#787884")
    state.apply(Action.LEFT)
    assert screen(state).plain.startswith("  ◀ ")
    assert screen(state, None).plain == "# ◀   \nm     \n"
    assert screen(state, "standard").plain == "  ◀   \n      \n"


def cells(state: State, system: str | None) -> list[tuple[object, str]]:
    """What a terminal with these colours shows: of each cell the colour below, and the two characters."""
    text = screen(state, system)
    below = [
        span.style.bgcolor.downgrade(COLOR_SYSTEMS[system]).get_truecolor() if system else None for span in text.spans
    ]
    return [(colour, text.plain[span.start : span.end]) for colour, span in zip(below, text.spans, strict=True)]


@pytest.mark.parametrize("system", ["standard", "256", "truecolor", None])
@pytest.mark.parametrize("name", shipped_games())
def test_no_two_types_look_the_same_in_any_terminal(name: str, system: str | None) -> None:
    shown: dict[tuple[object, str], str] = {}
    for level in shipped_levels(name):
        state = load_game(f"vgdl('{name}', {level})").initial_state()
        for look, letter in zip(cells(state, system), str(state).replace("\n", ""), strict=True):
            assert shown.setdefault(look, letter) == letter, level
    assert len(shown) > 2


def test_letters_of_names_that_are_not_ascii() -> None:
    state = small_game("é > Immovable\nécran > Immovable", "A.é", mapping="1 > écran").initial_state()
    assert str(state) == "@.a\n"


def test_status() -> None:
    sprites = "r > Resource limit=9\navatar > MovingAvatar healthPoints=2"
    state = small_game(
        sprites, "Ar", "r avatar > collectResource scoreChange=3", "SpriteCounter stype=r win=True"
    ).initial_state()
    assert status(state) == "score 0   tick 0   health 2"
    state.apply(Action.RIGHT)
    assert status(state) == "score 3   tick 1   health 2   holds 1   won"


def test_only_video_games() -> None:
    with pytest.raises(ValueError, match="not a state of a video game"):
        picture(load_game("hex").initial_state())


def test_gif(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    game = load_game("vgdl('zelda', win_value=10)")
    frames = [frame(state, 8) for state in played(game, uct(simulations=3), seed=1, ticks=6)]
    path = tmp_path / "zelda.gif"
    write_gif(path, frames, fps=10)
    with image.open(path) as made:
        assert made.n_frames == 7
        assert made.size == (13 * 8, 9 * 8 + 18)
        assert made.info["duration"] == 100
        assert made.convert("RGB").getpixel((3, 3)) == WALL


@pytest.mark.parametrize(("fps", "delay"), [(15, 70), (30, 30), (50, 20), (0.01, 100_000)])
def test_delays_are_hundredths_of_a_second(fps: float, delay: int, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    frames = [frame(state, 16) for state in played(load_game("vgdl('zelda')"), uct(simulations=2), ticks=2)]
    write_gif(tmp_path / "zelda.gif", frames, fps)
    with image.open(tmp_path / "zelda.gif") as made:
        assert made.info["duration"] == delay
    for wrong in (0.0, 51.0, -1.0, float("nan")):
        with pytest.raises(ValueError, match=r"pictures a second: expected 0.01 to 50"):
            write_gif(tmp_path / "zelda.gif", frames, wrong)


@pytest.mark.parametrize("fps", ["51", "0.001", "nan", "1e9"])
def test_pictures_a_second_have_bounds(fps: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vgdl", "record", "aliens", str(tmp_path / "out.gif"), "--fps", fps]) == 2
    assert "the pictures a second must be more than 0.01, and at most 50" in capsys.readouterr().err


def test_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("PIL.Image")
    path = tmp_path / "out.gif"
    command = [
        "vgdl",
        "record",
        "aliens",
        str(path),
        "--ticks",
        "5",
        "--search",
        "uct",
        "--simulations",
        "3",
        "--cell",
        "6",
    ]
    assert main(command) == 0
    assert re.search(r"6 pictures, score \d   tick 5", capsys.readouterr().out)
    first = path.read_bytes()
    assert main(command) == 0
    assert path.read_bytes() == first


def test_record_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("PIL.Image")
    (tmp_path / "mygame.txt").write_text("BasicGame\n  SpriteSet\n    box > Passive\n")
    (tmp_path / "mygame_lvl1.txt").write_text("A..")
    options = ["--level", "1", "--ticks", "2", "--search", "uct(simulations=2)"]
    assert main(["vgdl", "record", str(tmp_path / "mygame.txt"), str(tmp_path / "out.gif"), *options]) == 0
    assert "3 pictures" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("game", "said"),
    [
        ("hex", "hex is no video game"),
        ("zelad", "did you mean 'zelda'?"),
        ("alien", "did you mean 'aliens'?"),
        ("no/such/file.txt", "neither a file nor a shipped game"),
        ("vgdl(game='zelda', level=9)", "no level 9"),
    ],
)
def test_record_of_what_is_no_video_game(
    game: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["vgdl", "record", game, str(tmp_path / "out.gif"), "--search", "uct"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("treewise vgdl: ")
    assert said in err


@pytest.mark.parametrize(
    ("file", "said"), [("out.mp4", "must end in .gif"), ("none/out.gif", "no folder"), ("folder.gif", "written")]
)
def test_where_no_gif_can_be_written_nothing_is_played(
    file: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "folder.gif").mkdir()
    monkeypatch.setattr("treewise.cli.vgdl_record.played", lambda *_: pytest.fail("a match was played"))
    assert main(["vgdl", "record", "aliens", str(tmp_path / file), "--search", "uct", "--ticks", "1"]) == 2
    assert said in capsys.readouterr().err
