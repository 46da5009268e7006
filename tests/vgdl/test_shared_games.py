"""Other people's descriptions: the ten load unchanged, the others load or say what is not supported."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from treewise.vgdl.compiler import compile_description, compile_level
from treewise.vgdl.finding import VGDLError
from treewise.vgdl.program import Program


def descriptions(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.txt") if "_lvl" not in path.stem)


def programs(path: Path) -> list[Program]:
    description = compile_description(path.read_text(errors="replace"), path.name)
    levels = sorted(path.parent.glob(f"{path.stem}_lvl*.txt"))
    assert levels
    return [description.program(compile_level(description, level.read_text(), level.name)[0]) for level in levels]


def test_the_ten_games_compile_without_a_word(shared_vgdl: Path) -> None:
    found = descriptions(shared_vgdl / "games")
    assert len(found) == 10
    for path in found:
        assert compile_description(path.read_text(), path.name).findings == ()
        assert len(programs(path)) == 5


SLIPS = {"themole"}
"""This one names sprites that it does not define, and defines one twice, each time otherwise."""


def test_other_games_compile_or_say_what_is_not_supported(shared_vgdl: Path) -> None:
    played = set()
    for path in descriptions(shared_vgdl / "more"):
        try:
            programs(path)
            played.add(path.stem)
        except VGDLError as error:
            messages = [finding.message for finding in error.findings if finding.severity == "error"]
            others = [text for text in messages if not re.search("is known, but|are known, but", text)]
            assert not others or path.stem in SLIPS, (path.stem, others)
    assert len(played) >= 43
    assert {"flower", "vortex"} <= played


@pytest.mark.parametrize("name", ["aliens", "zelda"])
def test_they_load_by_path(shared_vgdl: Path, name: str) -> None:
    from treewise import load_game

    game = load_game(f"vgdl(path='{shared_vgdl / 'games' / name}.txt', level=3)")
    assert game.initial_state().playout(seed=1) > 0
