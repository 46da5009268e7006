"""Features of video games: proximities of pairs of types, and what counts as a floor."""

from __future__ import annotations

import pytest
from small_games import small_game

from treewise import _core, load_game
from treewise.playout import TrueOnlineSarsa

FLOORS = {"missilecommand", "portals", "sokoban", "survivezombies"}
SPRITES = "g > Immovable\nk > Immovable\nm > Missile speed=0"


def kept(game: _core.VgdlGame, floors: bool = False, discover: int = 0) -> int:
    """How many features a learning playout has."""
    state = game.initial_state()
    probe = _core.PlayoutProbe(game, TrueOnlineSarsa(floors=floors, discover=discover).core())
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
