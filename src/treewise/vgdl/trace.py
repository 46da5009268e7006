"""Recorded trajectories of the framework, to check the machine tick by tick.

A trajectory is one JSON object: what the level is at the start, then `steps`, each with the action, everything that a
player could see of the result, and what sprites were added, moved and deleted. `docs/vgdl.md` lists the fields.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from treewise import _core, spec
from treewise.files import is_file, is_folder, read_bytes, shown
from treewise.game import State
from treewise.vgdl.files import Source, read_text
from treewise.vgdl.load import VGDLGame, make_game
from treewise.vgdl.program import Action
from treewise.wording import shortened

Trace = dict[str, Any]
_MOST_BYTES = 64_000_000
"""Of a trajectory, unpacked."""
Sprites = dict[int, tuple[int, int, int]]
"""Type and place of every sprite, by its id."""


@dataclass(frozen=True)
class Difference:
    """The first thing that a machine does otherwise; `tick` is the number after the tick, 0 for the start.

    >>> print(Difference(12, "score", 3, 4))
    tick 12, field score: 3, in the trace 4
    """

    tick: int
    field: str
    ours: object
    theirs: object

    def __str__(self) -> str:
        return f"tick {self.tick}, field {self.field}: {self.ours}, in the trace {self.theirs}"


def trace_files(given: Sequence[Path]) -> list[Path]:
    """The files of trajectories in folders, and those that are named."""
    found: list[Path] = []
    for path in given:
        if is_folder(path):
            inside = sorted(file for file in path.iterdir() if file.name.endswith((".json", ".json.gz")))
            if not inside:
                raise ValueError(f"no trajectories (.json, .json.gz) in {path}")
            found += inside
        else:
            found.append(path)
    return found


def read_trace(path: Path) -> Trace:
    """One trajectory."""
    data = read_bytes(path, _MOST_BYTES, "trajectory")
    try:
        trace = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{shown(path)} is no trajectory: {error}") from error
    if not isinstance(trace, dict) or not {"game", "seed", "steps", "initial"} <= trace.keys():
        raise ValueError(f"{shown(path)} is no trajectory: expected an object with game, seed, initial and steps")
    return trace


def is_finished(trace: Trace) -> bool:
    """Whether a trajectory goes on to the end of its match.

    >>> is_finished({"steps": [{"win": -1}, {"win": 1}]})
    True
    """
    steps = trace.get("steps")
    with _reading(len(steps) if isinstance(steps, list) else 0):
        return bool(trace["steps"][-1]["win"] >= 0)


def difference(trace: Trace, games: Path, levels: Path) -> Difference | None:
    """Plays a trajectory with the machine; the first difference, if any. `level_file` names a level in `levels`.

    ValueError says at which tick a trajectory is not in its form.
    """
    return difference_in(_trace_game(trace, games, levels), trace)


def difference_in(game: VGDLGame, trace: Trace) -> Difference | None:
    """The same for a game that was loaded already, with chance as the framework draws it."""
    return next(_differences(game, trace), None)


def _trace_game(trace: Trace, games: Path, levels: Path) -> VGDLGame:
    name = shortened(str(trace["game"]), 255)
    if not trace.keys() & {"level", "level_file"}:
        raise ValueError("the trajectory has neither level nor level_file")
    level = (
        levels / f"{trace['level_file']}.txt" if "level_file" in trace else games / f"{name}_lvl{trace['level']}.txt"
    )
    path = games / f"{name}.txt"
    for file in (path, level):
        if not is_file(file):
            raise ValueError(f"no file {shown(file)}, which a trajectory of '{name}' needs: see --games and --levels")
    return make_game(Source(read_text(path), read_text(level), str(path), str(level)), java_random=True)


def _differences(game: VGDLGame, trace: Trace) -> Iterator[Difference]:
    with _reading(0):
        state = _core.vgdl_state(game, read_seed(trace["seed"]))
        expected: Sprites = {number: (kind, x, y) for number, kind, x, y in trace["initial"]}
        yield from _of_start(game, trace)
        yield from _of_sprites(0, state, expected)
        rows = sprite_rows(expected)
        yield from _compared(0, [("initial_crc", checksum(rows), trace.get("initial_crc", checksum(rows)))])
        steps = list(trace["steps"])
        if not steps:
            raise ValueError("there are no steps to compare")
    for number, step in enumerate(steps, start=1):
        with _reading(number):
            if state.is_terminal():
                yield Difference(step["tick"], "tick", "the match is over", step["tick"])
                return
            _core.vgdl_advance(state, read_action(step["a"]))
            _follow(step, expected, rows)
            tick = int(step["tick"])
            yield from _of_player(tick, state, step)
            yield from _of_sprites(tick, state, expected)
            yield from _compared(tick, [("crc", checksum(rows), step["crc"])])


@contextmanager
def _reading(tick: int) -> Iterator[None]:
    """Says which tick of a trajectory it was that could not be read."""
    try:
        yield
    except (KeyError, TypeError, IndexError, OverflowError, ValueError) as error:
        reason = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise ValueError(f"tick {tick} is not in the form of docs/vgdl.md: {reason}") from error


def read_seed(given: object) -> int:
    """A seed as the machine takes it: Java's whole numbers have a sign, ours do not."""
    if type(given) is not int or not -(2**63) <= given < 2**63:
        raise ValueError(f"seed {shortened(repr(given))}: expected a whole number from -2^63 to 2^63 - 1")
    return given % 2**64


def read_action(name: str) -> Action:
    """An action by its name."""
    if name not in Action.__members__:
        shown_name = shortened(repr(name))
        raise ValueError(f"unknown action {shown_name}; {spec.suggest(shown_name, Action.__members__)}")
    return Action[name]


def _of_start(game: VGDLGame, trace: Trace) -> Iterator[Difference]:
    program = game.program
    names = [kind.name for kind in program.types]
    ours = {
        "block": program.block,
        "grid": [program.width, program.height],
        "types": {name: number for number, name in enumerate(names)},
        "update_order": [names[kind] for kind in program.update_order],
        "actions_available": [action.name for action in program.actions],
        "categories": {kind.name: kind.category for kind in program.types if kind.name in trace.get("categories", ())},
    }
    yield from _compared(0, [(field, value, trace[field]) for field, value in ours.items() if field in trace])


def _of_player(tick: int, state: State, step: Trace) -> Iterator[Difference]:
    seen = _core.vgdl_observation(state)
    avatar = seen["avatar"]
    if avatar is None:
        yield Difference(tick, "av", "none", step["av"])
        return
    resources = {str(kind): amount for kind, amount in avatar["resources"].items()}
    whole = [avatar["id"], avatar["type"], *avatar["position"], *avatar["orientation"]]
    fields: list[tuple[str, object, object]] = [
        ("tick", seen["tick"], step["tick"]),
        ("score", seen["score"], step["score"]),
        ("win", seen["winner"], step["win"]),
        ("av", whole, step["av"]),
        ("hp", avatar["health"], step["hp"]),
        ("res", resources, step["res"]),
        ("alive", avatar["alive"], step["alive"]),
    ]
    yield from _compared(tick, fields)


def _of_sprites(tick: int, state: State, expected: Sprites) -> Iterator[Difference]:
    ours = sprites_of(state)
    if ours != expected:
        number = min(key for key in ours.keys() | expected.keys() if ours.get(key) != expected.get(key))
        yield Difference(tick, f"sprite {number} (type, x, y)", ours.get(number, "none"), expected.get(number, "none"))


def _compared(tick: int, fields: Sequence[tuple[str, object, object]]) -> Iterator[Difference]:
    for field, ours, theirs in fields:
        if ours != theirs:
            yield Difference(tick, field, ours, theirs)


def _follow(step: Trace, expected: Sprites, rows: dict[int, str]) -> None:
    """Applies a step's changes. New sprites have higher ids than all before, so both stay in ascending order."""
    for number, kind, x, y in step.get("add", ()):
        expected[number] = (kind, x, y)
        rows[number] = _row(number, kind, x, y)
    for number, x, y in step.get("mov", ()):
        expected[number] = (expected[number][0], x, y)
        rows[number] = _row(number, *expected[number])
    for number in step.get("del", ()):
        del expected[number], rows[number]


def sprites_of(state: State) -> Sprites:
    """All sprites of a state, in ascending order of their ids."""
    return {
        number: (kind, x, y)
        for number, kind, x, y in sorted(each[2:3] + each[1:2] + each[3:] for each in _core.vgdl_sprites(state))
    }


def sprite_rows(sprites: Sprites) -> dict[int, str]:
    """The lines that the checksum is made of, by the sprites' ids."""
    return {number: _row(number, *place) for number, place in sprites.items()}


def _row(number: int, kind: int, x: int, y: int) -> str:
    return f"{number}:{kind}:{x}:{y};"


def checksum(rows: dict[int, str]) -> int:
    """Of all sprites, as trajectories have it."""
    return zlib.crc32("".join(rows.values()).encode())
