"""Matches as trajectories: the form in which the framework's own are compared with the machine (`treewise.vgdl.trace`).

A recorded match draws chance as the framework does, from the seed that it names: seed and actions are the whole match.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from treewise import _core, spec
from treewise.game import State
from treewise.vgdl.load import OPTIONS, GameText, VGDLGame, make_game
from treewise.vgdl.program import Action
from treewise.vgdl.trace import Trace, checksum, read_action, read_seed, sprite_rows, sprites_of

ENDINGS = (".json", ".json.gz")


def recordable(game: VGDLGame) -> VGDLGame:
    """The same game, with chance drawn as the framework draws it.

    >>> from treewise.vgdl.load import video_game
    >>> recordable(video_game("zelda", level=2))
    <Game vgdl(game='zelda', level=2)>
    """
    if game.text_form is None:
        raise ValueError("a match can be recorded in a game that has a text form: vgdl(game=…) or vgdl(path=…)")
    text = _text(game.text_form)
    made = make_game(text.source(), java_random=True, **{name: getattr(text, name) for name in OPTIONS})
    made.text_form, made.full_text_form = game.text_form, game.full_text_form
    return made


class Recorder:
    """Writes down a match, tick by tick.

    >>> from treewise.vgdl.load import video_game
    >>> game = recordable(video_game("zelda"))
    >>> recorder = Recorder(game, seed=1)
    >>> recorder.advance(Action.LEFT)
    >>> [step["a"] for step in recorder.trace["steps"]], recorder.trace["game"], recorder.state.is_terminal()
    (['LEFT'], 'zelda', False)
    """

    def __init__(self, game: VGDLGame, seed: int) -> None:
        self.state: State = _core.vgdl_state(game, seed)
        self._sprites = sprites_of(self.state)
        self.trace: Trace = {**_header(game, seed), **_start(game, self._sprites), "steps": []}

    def advance(self, action: Action) -> None:
        """One tick, and what became of it."""
        _core.vgdl_advance(self.state, action)
        before, now = self._sprites, sprites_of(self.state)
        self._sprites = now
        seen = _core.vgdl_observation(self.state)
        avatar = seen["avatar"]
        step: dict[str, Any] = {"a": action.name, "tick": seen["tick"], "score": seen["score"], "win": seen["winner"]}
        if avatar is not None:
            step["av"] = [avatar["id"], avatar["type"], *avatar["position"], *avatar["orientation"]]
            step["hp"], step["alive"] = avatar["health"], avatar["alive"]
            step["res"] = {str(kind): amount for kind, amount in avatar["resources"].items()}
        again = {number for number in now.keys() & before.keys() if now[number][0] == before[number][0]}
        step["add"] = [[number, *now[number]] for number in sorted(now.keys() - again)]
        step["mov"] = [[number, *now[number][1:]] for number in sorted(again) if now[number] != before[number]]
        step["del"] = sorted(before.keys() - now.keys())
        step["crc"] = checksum(sprite_rows(now))
        self.trace["steps"].append(step)


def write_trace(path: Path, trace: Trace) -> None:
    """Writes a trajectory; one that ends in .gz is compressed."""
    data = json.dumps(trace, separators=(",", ":")).encode()
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)


def check_name(path: Path) -> None:
    """ValueError unless a trajectory can be written there: before a match is played for it.

    >>> check_name(Path("match.txt"))
    Traceback (most recent call last):
    ValueError: match.txt: a match is recorded in a file that ends in .json or .json.gz
    """
    if not path.name.endswith(ENDINGS):
        raise ValueError(f"{path}: a match is recorded in a file that ends in {' or '.join(ENDINGS)}")
    if not path.parent.is_dir():
        raise ValueError(f"{path}: there is no folder {path.parent}")


def game_of(trace: Trace) -> VGDLGame:
    """The game that a recorded match names; ValueError where its files have changed, or where it names none."""
    if not isinstance(trace.get("text"), str):
        raise ValueError("the trajectory does not say where its game's files are: it was not recorded here")
    text = _text(trace["text"])
    source = text.source()
    if text.digest not in ("", source.digest):
        raise ValueError(f"the files of '{text.game or text.path}' have changed since the match was recorded")
    return make_game(source, java_random=True, **{name: getattr(text, name) for name in OPTIONS})


def replayed(trace: Trace) -> Iterator[State]:
    """The states of a recorded match, the first one included."""
    state = _core.vgdl_state(game_of(trace), read_seed(trace["seed"]))
    yield state
    for action in actions_of(trace):
        if state.is_terminal():
            return
        _core.vgdl_advance(state, action)
        yield state


def actions_of(trace: Trace) -> list[Action]:
    """The actions of a trajectory."""
    try:
        return [read_action(step["a"]) for step in trace["steps"]]
    except (TypeError, KeyError) as error:
        raise ValueError("the trajectory has steps without an action") from error


def _text(form: str) -> GameText:
    call = spec.parse(form)
    if call.name != "vgdl":
        raise ValueError(f"'{form}' is no video game")
    return GameText.read(call.arguments)


def _header(game: VGDLGame, seed: int) -> Trace:
    form = game.full_text_form or game.text_form or ""
    text = _text(form)
    name = text.game or Path(text.path).stem
    level = {"level_file": Path(text.level_path).stem} if text.level_path else {"level": text.level}
    return {"game": name, **level, "text": form, "seed": seed, "policy": "person"}


def _start(game: VGDLGame, sprites: dict[int, tuple[int, int, int]]) -> Trace:
    program = game.program
    names = [kind.name for kind in program.types]
    return {
        "block": program.block,
        "grid": [program.width, program.height],
        "types": {name: number for number, name in enumerate(names)},
        "update_order": [names[kind] for kind in program.update_order],
        "actions_available": [action.name for action in program.actions],
        "initial": [[number, *place] for number, place in sprites.items()],
        "initial_crc": checksum(sprite_rows(sprites)),
    }
