"""Video games as Gymnasium environments: those that come with the package by ids such as `treewise/zelda-v0`, one's own
by `gymnasium.make("treewise/vgdl-v0", path="mygame.txt", level=2)`.

Importing this module makes the ids known, as does `gymnasium.make("treewise.vgdl.gym:treewise/zelda-v0")`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from treewise.extras import how_to_install

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError:
    raise ModuleNotFoundError(f"environments need Gymnasium: {how_to_install('gym')}") from None

from treewise import _core
from treewise.vgdl.drawing import picture
from treewise.vgdl.files import shipped_games
from treewise.vgdl.load import load_vgdl
from treewise.vgdl.observation import observe
from treewise.vgdl.pictures import Pictures
from treewise.vgdl.program import Action

WIN_VALUE = 10.0
"""What winning adds to the reward and losing takes from it."""


class VideoGame(gymnasium.Env):  # type: ignore[misc]  # skipped by mypy: it is not typed to its standards
    """One video game with one level.

    Actions are 0 to 5 (none, up, left, down, right, use); what the avatar has not is none. An observation has a plane
    for each type of sprite, 1 in the cells where one is: `observation[type, row, column]`; hidden types are never seen.
    The reward is the change of the score, at the end with `win_value` added or taken.

    >>> env = gymnasium.make("treewise/zelda-v0", level=1)
    >>> observation, info = env.reset(seed=3)
    >>> observation.shape, info["tick"]
    ((13, 9, 13), 0)
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["rgb_array", "ansi"], "render_fps": 15}

    def __init__(
        self,
        game: str = "",
        level: int = 0,
        path: str | Path = "",
        level_path: str | Path = "",
        win_value: float = WIN_VALUE,
        render_mode: str | None = None,
        pictures: str | Path | None = None,
    ) -> None:
        """A shipped game, or the description at `path` with its level of that number or the one at `level_path`.

        `pictures` is a folder of sprites' pictures for `rgb_array`, by the names that the description has (`img`).
        """
        named = {"game": game, "level": level, "path": str(path), "level_path": str(level_path)}
        made = load_vgdl({**named, "win_value": float(win_value)})
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"unknown render_mode '{render_mode}'; known: {', '.join(self.metadata['render_modes'])}")
        self.render_mode = render_mode
        self.pictures = None if pictures is None else Pictures(pictures)
        self.game = made
        program = made.program
        self.action_space = spaces.Discrete(len(Action))
        self.observation_space = spaces.Box(0, 1, (len(program.types), program.height, program.width), np.uint8)
        self.state = made.initial_state()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins a match. Without a seed it is another one each time, as the seeds before say."""
        super().reset(seed=seed)
        self.state = self.game.initial_state()
        self.state.reseed(int(self.np_random.integers(2**63)))
        return self._seen()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """One tick."""
        if not self.action_space.contains(action):
            raise ValueError(f"action {action!r} given, expected 0 to {len(Action) - 1}")
        _core.vgdl_advance(self.state, int(action))
        observation, info = self._seen()
        return observation, self.state.rewards()[0], self.state.is_terminal(), False, info

    def render(self) -> Any:
        """A picture as an array, or the level as text."""
        if self.render_mode == "ansi":
            return str(self.state)
        return picture(self.state, pictures=self.pictures) if self.render_mode == "rgb_array" else None

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        seen = observe(self.state)
        planes = np.zeros(self.observation_space.shape or (), np.uint8)
        for column, cells in enumerate(seen.grid):
            for row, cell in enumerate(cells):
                for sprite in cell:
                    planes[sprite.type, row, column] = 1
        return planes, {"score": seen.score, "tick": seen.tick, "winner": seen.winner, "actions": seen.actions}


for _game in shipped_games():
    gymnasium.register(f"treewise/{_game}-v0", entry_point="treewise.vgdl.gym:VideoGame", kwargs={"game": _game})
gymnasium.register("treewise/vgdl-v0", entry_point="treewise.vgdl.gym:VideoGame")
