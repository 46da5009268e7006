"""Features of video games: proximities of pairs of types, and what counts as a floor."""

from __future__ import annotations

from typing import Any

import pytest
from small_games import small_game

from treewise import _core, load_game
from treewise.playout import TrueOnlineSarsa

FLOORS = {"missilecommand", "portals", "sokoban", "survivezombies"}
SPRITES = "g > Immovable\nk > Immovable\nm > Missile speed=0"


def kept(game: _core.VgdlGame, floors: bool = False, **more: Any) -> int:
    """How many features a learning playout has."""
    state = game.initial_state()
    probe = _core.PlayoutProbe(game, TrueOnlineSarsa(floors=floors, **more).core())
    probe.start(state)
    return len(probe.weights)


@pytest.mark.parametrize(
    ("level", "pairs"),
    [
        ("Bgg\nggk\nmgg", 3),  # g is under the avatar and in seven of nine cells: pairs of avatar, k, m are left
        ("Agg\nggk\nmgg", 6),  # not under the avatar
        ("Bg.\n.gk\nm.g", 6),  # in four of nine
    ],
)
def test_a_floor_is_nearly_everywhere_and_under_the_avatar(level: str, pairs: int) -> None:
    game = small_game(SPRITES, level, mapping="B > g avatar")
    assert kept(game, floors=True) == 6
    assert kept(game) == pairs


@pytest.mark.parametrize("level", range(5))
def test_floors_of_the_shipped_games(level: int) -> None:
    for name in ("aliens", "boulderdash", "butterflies", "chase", "frogs", "zelda", *FLOORS):
        game = load_game(f"vgdl(game='{name}', level={level})")
        assert isinstance(game, _core.VgdlGame)
        assert (kept(game) < kept(game, floors=True)) == (name in FLOORS), name
        assert (kept(game, discover=200) < kept(game, floors=True, discover=200)) == (name in FLOORS), name


WALLED = "w.Ak\nw.gm"  # of walls, avatar, k, g and m, walls stay for ever, and g as long as nobody takes it


@pytest.mark.parametrize(("rules", "staying"), [("", 3), ("g avatar > killSprite", 2)])
def test_kinds_that_stay_where_they_are(rules: str, staying: int) -> None:
    game = small_game(SPRITES, WALLED, rules, mapping="w > wall")
    types, mobile = 5, 5 - staying
    assert kept(game) == types * (types - 1) // 2
    assert kept(game, fixed="not_together") == kept(game) - staying * (staying - 1) // 2
    assert kept(game, fixed="left_out") == mobile * (mobile - 1) // 2


def test_hidden_kinds_count_where_they_show_unless_they_are_not_wanted() -> None:
    text = SPRITES.replace("g > Immovable", "g > Immovable hidden=True")
    assert kept(small_game(text, "Agk\n..m")) == 3
    shown = small_game(text, "Agk\n..m", hidden_shown=True)
    assert kept(shown) == 6
    assert kept(shown, hidden=False) == 3


def test_kinds_are_found_one_by_one() -> None:
    # The key is gone when the door is there.
    sprites = "key > Immovable\ndoor > Immovable\navatar > HorizontalAvatar"
    game = small_game(sprites, "kA..", "key avatar > transformTo stype=door", mapping="k > key")
    assert kept(game, discover=50) == 2
    assert kept(game, discover=50, discovers="kinds") == 3
