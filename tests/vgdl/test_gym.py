"""Gymnasium environments of the shipped games."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="needs the extra gym")

import gymnasium
from gymnasium.utils.env_checker import check_env

from treewise.vgdl import shipped_games
from treewise.vgdl.gym import VideoGame
from treewise.vgdl.program import Action


@pytest.mark.parametrize("game", shipped_games())
def test_environments_keep_gymnasiums_rules(game: str) -> None:
    env = gymnasium.make(f"treewise/{game}-v0", render_mode="rgb_array").unwrapped
    check_env(env, skip_render_check=False)


def test_a_seed_fixes_a_match() -> None:
    def plays(seed: int) -> list[float]:
        env = gymnasium.make("treewise/aliens-v0", level=2)
        env.reset(seed=seed)
        return [float(env.step(Action.USE)[0].sum()) for _ in range(150)]

    assert plays(1) == plays(1)
    assert plays(1) != plays(2)


def test_a_match() -> None:
    env = gymnasium.make("treewise/sokoban-v0", level=3, win_value=7.0)
    observation, info = env.reset(seed=1)
    assert observation.shape == env.observation_space.shape == (5, 7, 7)
    assert observation[1].sum() == 1
    assert observation.dtype == np.uint8
    assert info == {"score": 0, "tick": 0, "winner": -1, "actions": (2, 4, 3, 1)}
    total, ended = 0.0, False
    while not ended:
        _, reward, ended, cut, info = env.step(Action.NIL)
        assert not cut
        total += float(reward)
    assert (total, info["winner"], info["tick"], info["actions"]) == (-7.0, 0, 2001, ())


def test_pictures_and_text() -> None:
    env = gymnasium.make("treewise/zelda-v0", render_mode="ansi")
    env.reset(seed=0)
    assert "#" in str(env.render())
    with pytest.raises(ValueError, match="unknown render_mode"):
        VideoGame("zelda", render_mode="oil")


def test_a_description_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("BasicGame\n  SpriteSet\n    box > Passive\n  LevelMapping\n    b > box\n")
    (tmp_path / "mine_lvl1.txt").write_text("A.b\n")
    (tmp_path / "other.txt").write_text("A...b\n")
    env = gymnasium.make("treewise/vgdl-v0", path=tmp_path / "mine.txt", level=1)
    check_env(env.unwrapped, skip_render_check=True)
    assert env.reset(seed=1)[0].shape == (3, 1, 3)
    other = gymnasium.make("treewise/vgdl-v0", path=str(tmp_path / "mine.txt"), level_path=tmp_path / "other.txt")
    assert other.reset(seed=1)[0].shape == (3, 1, 5)
    for wrong in ({}, {"game": "zelda", "path": "mine.txt"}):
        with pytest.raises(ValueError, match="which game"):
            gymnasium.make("treewise/vgdl-v0", **wrong)


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="no level 8"):
        gymnasium.make("treewise/zelda-v0", level=8)
    env = gymnasium.make("treewise/zelda-v0").unwrapped
    env.reset(seed=0)
    with pytest.raises(ValueError, match="expected 0 to 5"):
        env.step(6)
