"""Matches of a person: recorded, checked, shown again, exported."""

from __future__ import annotations

import io
import json
import random
import sys
from pathlib import Path

import pytest
from rich.console import Console

from treewise.cli import main
from treewise.vgdl.files import shipped_games
from treewise.vgdl.load import load_vgdl, video_game
from treewise.vgdl.program import Action
from treewise.vgdl.recording import Recorder, actions_of, game_of, recordable, replayed, write_trace
from treewise.vgdl.terminal import PAUSE, QUIT, watch
from treewise.vgdl.trace import difference_in, read_trace


def recorded(game: str, level: int = 0, ticks: int = 120, seed: int = 5) -> Recorder:
    recorder, rng = Recorder(recordable(video_game(game, level=level)), seed), random.Random(seed)
    while not recorder.state.is_terminal() and len(recorder.trace["steps"]) < ticks:
        recorder.advance(rng.choice(list(Action)))
    return recorder


@pytest.mark.parametrize("game", shipped_games())
def test_a_recorded_match_is_a_trajectory_without_a_difference(game: str, tmp_path: Path) -> None:
    recorder = recorded(game, level=1)
    write_trace(tmp_path / "match.json.gz", recorder.trace)
    trace = read_trace(tmp_path / "match.json.gz")
    assert difference_in(game_of(trace), trace) is None
    states = list(replayed(trace))
    assert len(states) == len(trace["steps"]) + 1
    assert str(states[-1]) == str(recorder.state)


def test_a_changed_action_is_a_difference() -> None:
    trace = recorded("sokoban").trace
    step = next(step for step in trace["steps"] if step["mov"])
    step["a"] = "NIL"
    found = difference_in(game_of(trace), trace)
    assert found is not None
    assert found.tick == step["tick"]


def test_options_and_own_files_are_kept(tmp_path: Path) -> None:
    description = tmp_path / "mine.txt"
    description.write_text("BasicGame\n  SpriteSet\n    box > RandomNPC\n  LevelMapping\n    b > box\n")
    (tmp_path / "other.txt").write_text("A.b\n...\n")
    game = load_vgdl({"path": str(description), "level_path": str(tmp_path / "other.txt"), "rules_2016": True})
    recorder = Recorder(recordable(game), seed=3)
    for _ in range(5):
        recorder.advance(Action.RIGHT)
    assert (recorder.trace["game"], recorder.trace["level_file"]) == ("mine", "other")
    assert game_of(recorder.trace).program.options["rules_2016"]
    assert difference_in(game_of(recorder.trace), recorder.trace) is None
    description.write_text(description.read_text() + "  # changed\n")
    with pytest.raises(ValueError, match="have changed since"):
        game_of(recorder.trace)


def test_other_trajectories_name_no_files() -> None:
    with pytest.raises(ValueError, match="was not recorded here"):
        game_of({"game": "zelda"})
    with pytest.raises(ValueError, match="is no video game"):
        game_of({"text": "hex(size=5)"})


class Script:
    def __init__(self, *keys: Action | str | None) -> None:
        self.keys = iter(keys)

    def read(self, seconds: float | None) -> Action | str | None:
        return next(self.keys, None)


def test_watching(tmp_path: Path) -> None:
    trace = recorded("zelda", ticks=6).trace
    out = Console(file=io.StringIO(), force_terminal=True, width=80)
    assert "tick 6" in watch(replayed(trace), Script(PAUSE, None), 0.01, out)
    assert watch(replayed(trace), Script(None, QUIT), 0.01, out).endswith("tick 1   left")


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Played, saved, verified, exported, drawn and shown, as a person would."""

    class Keyboard(Script):
        def __init__(self) -> None:
            super().__init__("help", Action.LEFT, Action.RIGHT, Action.USE, QUIT)

        def __enter__(self) -> Keyboard:
            return self

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr("treewise.vgdl.terminal.Keyboard", Keyboard)
    file = tmp_path / "mine.json.gz"
    assert main(["vgdl", "play", "zelda", "--turns", "--seed", "4", "--save", str(file)]) == 0
    assert f"saved in {file}" in capsys.readouterr().out
    assert [action.name for action in actions_of(read_trace(file))] == ["LEFT", "RIGHT", "USE"]
    assert main(["vgdl", "verify", str(file)]) == 0
    assert "3 ticks, no difference" in capsys.readouterr().out
    assert main(["vgdl", "replay", str(file), "--actions", str(tmp_path / "mine.act")]) == 0
    assert (tmp_path / "mine.act").read_text() == "LEFT\nRIGHT\nUSE\n"
    assert main(["vgdl", "replay", str(file), "--gif", str(tmp_path / "mine.gif")]) == 0
    assert (tmp_path / "mine.gif").read_bytes().startswith(b"GIF89a")
    monkeypatch.setattr("treewise.vgdl.terminal.Keyboard.read", lambda *_: None)
    capsys.readouterr()
    assert main(["vgdl", "replay", str(file), "--fps", "50"]) == 0
    assert "tick 3" in capsys.readouterr().out


def test_a_match_that_breaks_off_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Keyboard(Script):
        def __init__(self) -> None:
            super().__init__(Action.LEFT)

        def read(self, seconds: float | None) -> Action | str | None:
            key = super().read(seconds)
            if key is None:
                raise KeyboardInterrupt
            return key

        def __enter__(self) -> Keyboard:
            return self

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr("treewise.vgdl.terminal.Keyboard", Keyboard)
    file = tmp_path / "mine.json"
    assert main(["vgdl", "play", "zelda", "--turns", "--no-rules", "--save", str(file)]) == 130
    assert len(json.loads(file.read_text())["steps"]) == 1


@pytest.mark.parametrize("name", ["mine.txt", "nowhere/mine.json"])
def test_a_name_that_cannot_be_written_is_refused_first(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("q"))
    assert main(["vgdl", "play", "zelda", "--save", str(tmp_path / name)]) == 2
    assert "mine" in capsys.readouterr().err
