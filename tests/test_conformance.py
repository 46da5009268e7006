"""Every game of the catalogue keeps the contract, with its standard parameters and with others."""

import re
from pathlib import Path

import pytest

import treewise
from treewise.part import part_classes
from treewise.testing import check_game
from variants import VARIANTS


@pytest.mark.parametrize("text", [*treewise.game_names(), *VARIANTS])
def test_game(text: str) -> None:
    report = check_game(treewise.load_game(text), matches=3, seed=1)
    assert report.ok, str(report)


@pytest.mark.long
@pytest.mark.parametrize("text", [*treewise.game_names(), *VARIANTS])
def test_game_at_length(text: str) -> None:
    report = check_game(treewise.load_game(text), matches=100, seed=2)
    assert report.ok, str(report)


@pytest.mark.parametrize("name", treewise.game_names())
def test_every_parameter_has_a_variant(name: str) -> None:
    games = [treewise.load_game(text) for text in VARIANTS if text.split("(")[0] == name]
    standard = treewise.load_game(name).parameters
    for parameter, value in standard.items():
        assert any(game.parameters[parameter] != value for game in games), parameter


def test_the_games_page_explains_every_capability() -> None:
    page = (Path(__file__).parents[1] / "docs" / "games" / "index.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    needed = {need for parts in part_classes().values() for part in parts.values() for need in part.needs}
    had = {capability for name in treewise.game_names() for capability in treewise.load_game(name).capabilities}
    assert (needed | had) - {"stable_actions"} <= explained
