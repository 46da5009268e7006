"""Small games for tests of the rules, and how their trajectories are written down.

Cells have ten pixels. A step is an action and what is the case after its tick: `RIGHT box 30,0 avatar 20,0 score=1`
names, for each sprite that is mentioned, the places of all that there are, in order of their ids (`box gone`: none).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from treewise import _core
from treewise.game import State
from treewise.vgdl.files import Source
from treewise.vgdl.load import VGDLGame, make_game
from treewise.vgdl.program import Action


@dataclass(frozen=True)
class Case:
    """A game and a trajectory that was worked out by hand from the rules."""

    name: str
    sprites: str
    level: str
    steps: str
    rules: str = ""
    ends: str = ""
    mapping: str = ""
    options: tuple[str, ...] = ()
    seed: int = 0


def small_game(
    sprites: str, level: str, rules: str = "", ends: str = "", mapping: str = "", **options: Any
) -> VGDLGame:
    """A game of which only what matters is written. A sprite with a name of one letter is mapped to it."""
    names = [line.split()[0] for line in sprites.splitlines() if ">" in line]
    mapped = [f"{name} > {name}" for name in names if len(name) == 1] + mapping.splitlines()
    sections = {
        "SpriteSet": sprites,
        "LevelMapping": "\n".join(mapped),
        "InteractionSet": rules,
        "TerminationSet": ends,
    }
    text = "BasicGame square_size=10\n"
    for title, lines in sections.items():
        text += f" {title}\n" + "".join(f"  {line}\n" for line in lines.splitlines())
    return make_game(Source(text, level), **options)


def play(case: Case) -> None:
    """Plays a case and compares every step."""
    options = dict.fromkeys(case.options, True)
    game = small_game(case.sprites, case.level, case.rules, case.ends, case.mapping, **options)
    state = _core.vgdl_state(game, case.seed)
    for number, step in enumerate(filter(None, map(str.strip, case.steps.splitlines())), start=1):
        action, *said = step.split()
        _core.vgdl_advance(state, Action[action])
        where = f"{case.name}, step {number} ({step})"
        expected, found = expectations(said), snapshot(game, state)
        for key, value in expected.items():
            assert found.get(key, []) == value, f"{where}: {key} is {found.get(key)}"


def expectations(words: list[str]) -> dict[str, object]:
    """What a step says: places by name, and numbers by key."""
    said: dict[str, Any] = {}
    name = ""
    for word in words:
        if "=" in word:
            key, _, value = word.partition("=")
            said[f"{key}="] = int(value)
        elif "," in word:
            said[name].append(tuple(map(int, word.split(","))))
        elif word != "gone":
            name = word
            said[name] = []
    return said


def snapshot(game: VGDLGame, state: State) -> dict[str, Any]:
    """The same of a state."""
    seen = _core.vgdl_observation(state)
    avatar = seen["avatar"]
    found: dict[str, Any] = {"score=": seen["score"], "win=": seen["winner"], "tick=": seen["tick"]}
    if avatar is not None:
        found |= {"hp=": avatar["health"], "alive=": int(avatar["alive"]), "type=": avatar["type"]}
        found |= {"facing=": "NULDR".index(FACING[tuple(avatar["orientation"])])}
        found |= {f"{game.program.types[kind].name}.held=": held for kind, held in avatar["resources"].items()}
    for _, kind, _, x, y in sorted(_core.vgdl_sprites(state), key=lambda sprite: sprite[2]):
        found.setdefault(game.program.types[kind].name, []).append((x, y))
    return found


FACING = {(0, 0): "N", (0, -1): "U", (-1, 0): "L", (0, 1): "D", (1, 0): "R"}
