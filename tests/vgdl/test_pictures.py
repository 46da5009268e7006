"""Sprites' pictures from a folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from small_games import small_game

from treewise.cli import main
from treewise.vgdl.drawing import picture
from treewise.vgdl.pictures import Pictures

RED, CLEAR = (200, 10, 20, 255), (0, 0, 0, 0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "set").mkdir()
    Image.new("RGBA", (4, 4), RED).save(tmp_path / "set" / "box.png")
    Image.new("RGBA", (4, 4), CLEAR).save(tmp_path / "set" / "ghost_0.png")
    return tmp_path


def test_pictures_take_the_place_of_squares(folder: Path) -> None:
    game = small_game("x > Passive img=set/box\ny > Passive img=set/ghost\nz > Passive img=set/none", "Axyz")
    state = game.initial_state()
    drawn, plain = picture(state, 8, Pictures(folder)), picture(state, 8)
    assert (drawn[:, 8:16] == RED[:3]).all()
    assert (drawn[:, 16:24] == drawn[0, 16]).all()  # nothing to be seen but the ground
    assert (drawn[:, :8] == plain[:, :8]).all()
    assert (drawn[:, 24:] == plain[:, 24:]).all()


def test_pictures_are_inherited() -> None:
    game = small_game("g > Passive img=a/b\n  x >\n  y > img=c.png", "Axy")
    assert [kind.image for kind in game.program.types][2:] == ["a/b", "a/b", "c.png"]


@pytest.mark.parametrize("name", ["../outside", "/etc/passwd", "set", ""])
def test_only_files_of_the_folder(name: str, folder: Path) -> None:
    Image.new("RGBA", (4, 4), RED).save(folder / "outside.png")
    assert Pictures(folder / "set").of(name, 8) is None


def test_what_is_no_picture(folder: Path) -> None:
    (folder / "broken.png").write_bytes(b"no picture")
    with pytest.raises(ValueError, match=r"broken\.png is no picture"):
        Pictures(folder).of("broken", 8)
    with pytest.raises(ValueError, match="no such folder"):
        Pictures(folder / "nowhere")


def test_in_gifs_and_environments(folder: Path) -> None:
    pytest.importorskip("gymnasium", reason="needs Gymnasium: pip install 'treewise[gym]'")
    from treewise.vgdl.gym import VideoGame

    description = "BasicGame\n  SpriteSet\n    x > Passive img=set/box\n  LevelMapping\n    x > x\n"
    (folder / "mine.txt").write_text(description)
    (folder / "mine_lvl0.txt").write_text("A.x\n")
    path = str(folder / "mine.txt")
    env = VideoGame(path=path, render_mode="rgb_array", pictures=folder)
    env.reset(seed=1)
    assert (np.asarray(env.render())[:, -20:] == RED[:3]).all()
    gif = folder / "mine.gif"
    assert main(["vgdl", "record", path, str(gif), "--ticks", "2", "--pictures", str(folder), "--cell", "16"]) == 0
    with Image.open(gif) as first:
        assert first.convert("RGB").getpixel((40, 8)) == RED[:3]
