"""The ten games that come with the package: their rules are those of the framework's games, their levels are not."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from pathlib import Path

import pytest

from treewise.vgdl import compile_description, compile_game, compile_level, shipped_games, shipped_levels
from treewise.vgdl.program import Program

SHIPPED = Path(__file__).parents[2] / "src/treewise/vgdl/games"
SIZES = {
    "aliens": ["30x11"] * 5,
    "boulderdash": ["26x13"] * 5,
    "butterflies": ["28x11"] * 4 + ["28x12"],
    "chase": ["24x11"] * 5,
    "frogs": ["28x11"] * 4 + ["28x10"],
    "missilecommand": ["24x12"] * 5,
    "portals": ["19x11"] * 3 + ["19x10", "19x11"],
    "sokoban": ["13x9", "13x9", "11x9", "7x7", "9x8"],
    "survivezombies": ["19x11"] * 5,
    "zelda": ["13x9"] * 5,
}
LEVELS = [(game, level) for game in SIZES for level in range(5)]
GROUND = {"survivezombies": "+", "portals": "+", "frogs": "+"}
"""What an empty cell is drawn as, where it is not a point."""


@pytest.fixture(scope="module")
def originals(shared_vgdl: Path) -> Path:
    """The framework's own games, which are no part of the project."""
    return shared_vgdl / "games"


def rows(folder: Path, game: str, level: int) -> list[str]:
    return (folder / f"{game}_lvl{level}.txt").read_text().strip("\n").split("\n")


def program(folder: Path, game: str, level: Path) -> Program:
    return compile_game((folder / f"{game}.txt").read_text(), level.read_text())


def test_ten_games_come_with_the_package_with_five_levels_each() -> None:
    assert shipped_games() == sorted(SIZES)
    assert all(shipped_levels(game) == [0, 1, 2, 3, 4] for game in SIZES)


@pytest.mark.parametrize(("game", "level"), LEVELS)
def test_levels_have_their_size_one_avatar_and_no_findings(game: str, level: int) -> None:
    description = compile_description((SHIPPED / f"{game}.txt").read_text())
    made, findings = compile_level(description, (SHIPPED / f"{game}_lvl{level}.txt").read_text())
    assert not description.findings
    assert not findings
    assert f"{made.width}x{made.height}" == SIZES[game][level]
    assert {len(row) for row in rows(SHIPPED, game, level)} == {made.width}
    types = description.program(made, {}).types
    avatars = [kind for kind, _, _ in made.sprites if kind == 1 or 1 in types[kind].ancestors]
    assert len(avatars) == 1


@pytest.mark.parametrize("game", SIZES)
def test_rules_are_those_of_the_original(game: str, originals: Path) -> None:
    level = originals / f"{game}_lvl0.txt"
    ours, theirs = program(SHIPPED, game, level), program(originals, game, level)
    for part in fields(Program):
        assert getattr(ours, part.name) == getattr(theirs, part.name), part.name


@pytest.mark.parametrize(("game", "level"), LEVELS)
def test_levels_are_not_those_of_the_original(game: str, level: int, originals: Path) -> None:
    ours, theirs = rows(SHIPPED, game, level), rows(originals, game, level)
    ground = GROUND.get(game, ".")
    inner = [
        (mine, other)
        for mine_row, other_row in zip(ours[1:-1], theirs[1:-1], strict=True)
        for mine, other in zip(mine_row[1:-1], other_row[1:-1], strict=True)
    ]
    drawn = [(mine, other) for mine, other in inner if mine != ground or other != ground]
    assert sum(mine == other for mine, other in drawn) < 0.8 * len(drawn)


@pytest.mark.parametrize(("game", "level"), LEVELS)
def test_levels_hold_about_as_much_as_those_of_the_original(game: str, level: int, originals: Path) -> None:
    ours, theirs = (Counter("".join(rows(folder, game, level))) for folder in (SHIPPED, originals))
    for cell in set(ours) | set(theirs):
        assert abs(ours[cell] - theirs[cell]) <= 2 + 0.3 * theirs[cell], cell


def test_the_page_of_the_games_draws_their_first_levels() -> None:
    page = (SHIPPED.parents[3] / "docs/vgdl_games.md").read_text()
    for game in SIZES:
        assert (SHIPPED / f"{game}_lvl0.txt").read_text() in page, game
