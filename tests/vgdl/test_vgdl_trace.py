"""Recorded trajectories: every field that differs is named; the framework's own recordings have no difference."""

from __future__ import annotations

import copy
import gzip
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

from treewise.cli import main
from treewise.vgdl.trace import difference, read_trace, trace_files

GAME = """BasicGame square_size=10
  SpriteSet
    gem > Resource limit=3
    ball > Missile orientation=RIGHT
    avatar > MovingAvatar healthPoints=4
  LevelMapping
    g > gem
    b > ball
  InteractionSet
    gem avatar > collectResource scoreChange=2
  TerminationSet
    Timeout limit=2 win=True
"""
LEVEL = "Ag.\nb.."


def crc(*rows: tuple[int, int, int, int]) -> int:
    """Of sprites as (id, type, x, y)."""
    return zlib.crc32("".join("{}:{}:{}:{};".format(*row) for row in rows).encode())


def trajectory() -> dict[str, Any]:
    """Three ticks, worked out by hand."""
    avatar, gem, ball = (0, 1, 10, 0), (1, 2, 10, 0), (2, 3, 0, 10)
    seen = {"score": 2, "win": -1, "hp": 4, "res": {"2": 1}, "alive": True}
    return {
        "game": "tiny",
        "level": 0,
        "seed": 7,
        "block": 10,
        "grid": [3, 2],
        "types": {"wall": 0, "avatar": 1, "gem": 2, "ball": 3},
        "update_order": ["avatar", "ball", "gem", "wall"],
        "actions_available": ["LEFT", "RIGHT", "DOWN", "UP"],
        "categories": {"gem": 1, "ball": 6},
        "initial": [[0, 1, 0, 0], list(gem), list(ball)],
        "initial_crc": crc((0, 1, 0, 0), gem, ball),
        "steps": [
            {**seen, "a": "RIGHT", "tick": 1, "av": [0, 1, 10, 0, 0, 0], "mov": [[0, 10, 0]], "del": [1],
             "crc": crc(avatar, ball)},
            {**seen, "a": "NIL", "tick": 2, "av": [0, 1, 10, 0, 0, 0], "mov": [[2, 10, 10]],
             "crc": crc(avatar, (2, 3, 10, 10))},
            {**seen, "a": "LEFT", "tick": 3, "av": [0, 1, 0, 0, 0, 0], "mov": [[0, 0, 0], [2, 20, 10]], "win": 1,
             "crc": crc((0, 1, 0, 0), (2, 3, 20, 10))},
        ],
    }  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tiny.txt").write_text(GAME)
    (tmp_path / "tiny_lvl0.txt").write_text(LEVEL)
    (tmp_path / "drawn.txt").write_text(LEVEL)
    return tmp_path


def test_no_difference(folder: Path) -> None:
    assert difference(trajectory(), folder, folder) is None


@pytest.mark.parametrize(
    ("field", "value", "shown"),
    [
        ("block", 12, "field block: 10, in the trace 12"),
        ("grid", [2, 3], "field grid: [3, 2], in the trace [2, 3]"),
        ("types", {"wall": 0}, "field types"),
        ("update_order", [], "field update_order"),
        ("actions_available", ["USE"], "field actions_available"),
        ("categories", {"gem": 4}, "field categories: {'gem': 1}, in the trace {'gem': 4}"),
        ("initial", [[0, 1, 0, 0]], "field sprite 1 (type, x, y): (2, 10, 0), in the trace none"),
        ("initial_crc", 3, "field initial_crc"),
    ],
)
def test_differences_at_the_start(folder: Path, field: str, value: object, shown: str) -> None:
    found = difference({**trajectory(), field: value}, folder, folder)
    assert shown in str(found)
    assert str(found).startswith("tick 0, ")


@pytest.mark.parametrize(
    ("field", "value", "shown"),
    [
        ("tick", 5, "tick 5, field tick: 2, in the trace 5"),
        ("score", 3, "tick 2, field score: 2, in the trace 3"),
        ("win", 0, "tick 2, field win: -1, in the trace 0"),
        ("av", [0, 1, 20, 0, 0, 0], "tick 2, field av: [0, 1, 10, 0, 0, 0], in the trace [0, 1, 20, 0, 0, 0]"),
        ("hp", 3, "tick 2, field hp: 4, in the trace 3"),
        ("res", {}, "tick 2, field res: {'2': 1}, in the trace {}"),
        ("alive", False, "tick 2, field alive"),
        ("mov", [], "tick 2, field sprite 2 (type, x, y): (3, 10, 10), in the trace (3, 0, 10)"),
        ("add", [[5, 3, 0, 0]], "tick 2, field sprite 5 (type, x, y): none, in the trace (3, 0, 0)"),
        ("crc", 3, "tick 2, field crc"),
        ("a", "RIGHT", "tick 2, field av: [0, 1, 20, 0, 0, 0]"),
    ],
)
def test_differences_of_a_step(folder: Path, field: str, value: object, shown: str) -> None:
    trace = copy.deepcopy(trajectory())
    trace["steps"][1][field] = value
    assert str(difference(trace, folder, folder)).startswith(shown)


def test_a_trajectory_that_goes_on_after_the_end(folder: Path) -> None:
    trace = trajectory()
    trace["steps"].append({**trace["steps"][2], "tick": 4})
    assert str(difference(trace, folder, folder)) == "tick 4, field tick: the match is over, in the trace 4"


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ({}, "'a' is missing"),
        (None, ""),
        ({"a": "JUMP"}, "unknown action 'JUMP'"),
        ({"a": "NIL", "tick": "x"}, "invalid literal"),
        ({"a": "NIL", "tick": 2}, "'score' is missing"),
        ({"a": "NIL", "tick": 2, "mov": [[99, 0, 0]]}, "99 is missing"),
    ],
)
def test_steps_of_another_form(folder: Path, step: object, reason: str) -> None:
    first = trajectory()["steps"][0]
    with pytest.raises(ValueError, match=rf"^tick 2 is not in the form of docs/vgdl.md: .*{reason}"):
        difference({**trajectory(), "steps": [first, step]}, folder, folder)


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("seed", "x", "seed 'x': expected a whole number from -2^63 to 2^63 - 1"),
        ("seed", 2**63, "seed 9223372036854775808: expected"),
        ("seed", 1.5, "seed 1.5: expected"),
        ("initial", [[1]], ""),
        ("initial", 3, ""),
        ("steps", 4, ""),
        ("steps", [], "there are no steps to compare"),
    ],
)
def test_fields_of_another_form(
    folder: Path, field: str, value: object, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = {**trajectory(), field: value}
    with pytest.raises(ValueError, match=rf"^tick 0 is not in the form of docs/vgdl.md: {re.escape(reason)}"):
        difference(broken, folder, folder)
    file = folder / "broken.json"
    file.write_text(json.dumps(broken))
    assert main(["vgdl", "verify", str(file), "--games", str(folder)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"treewise vgdl: {file}: tick 0 is not in the form")


@pytest.mark.parametrize("seed", [-1, -(2**63), 2**63 - 1])
def test_seeds_have_a_sign(folder: Path, seed: int) -> None:
    assert difference({**trajectory(), "seed": seed}, folder, folder) is None


def test_a_trajectory_without_a_level(folder: Path) -> None:
    trace = trajectory()
    del trace["level"]
    with pytest.raises(ValueError, match="neither level nor level_file"):
        difference(trace, folder, folder)


def test_a_level_by_its_file(folder: Path) -> None:
    trace = {**trajectory(), "level_file": "drawn"}
    assert difference(trace, folder, folder) is None
    with pytest.raises(ValueError, match="which a trajectory of 'tiny' needs"):
        difference({**trace, "level_file": "other"}, folder, folder)


def test_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    traces = folder / "traces"
    traces.mkdir()
    (traces / "one.json").write_text(json.dumps(trajectory()))
    (traces / "two.json.gz").write_bytes(gzip.compress(json.dumps(trajectory()).encode()))
    assert main(["vgdl", "verify", str(traces), "--games", str(folder)]) == 0
    assert capsys.readouterr().out == "2 trajectories, 6 ticks, no difference\n"
    cut = trajectory()
    del cut["steps"][2]
    (folder / "cut.json").write_text(json.dumps(cut))
    assert main(["vgdl", "verify", str(traces), str(folder / "cut.json"), "--games", str(folder)]) == 0
    assert capsys.readouterr().out == "3 trajectories, 1 of them unfinished, 8 ticks, no difference\n"
    wrong = trajectory()
    wrong["steps"][2]["score"] = 9
    (traces / "three.json").write_text(json.dumps(wrong))
    assert main(["vgdl", "verify", str(traces), "--games", str(folder)]) == 1
    assert capsys.readouterr().out == f"{traces / 'three.json'}: tick 3, field score: 2, in the trace 9\n"


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"nonsense", b"\x1f\x8b broken", b"[" * 10**6])
def test_what_is_no_trajectory(folder: Path, data: bytes) -> None:
    for name in ("bad.json", "bad.json.gz"):
        (folder / name).write_bytes(data)
        with pytest.raises(ValueError, match=f"{name} is no trajectory"):
            read_trace(folder / name)


def test_a_folder_without_trajectories(folder: Path) -> None:
    with pytest.raises(ValueError, match="no trajectories"):
        trace_files([folder])


@pytest.mark.parametrize(("traces", "levels"), [("traces", "games"), ("traces_small", "levels_small")])
def test_the_frameworks_own_recordings(shared_vgdl: Path, traces: str, levels: str) -> None:
    for file in trace_files([shared_vgdl / traces]):
        assert difference(read_trace(file), shared_vgdl / "games", shared_vgdl / levels) is None, file
