"""What a player sees: the grid, categories, events; and what it does not."""

from __future__ import annotations

import dataclasses

import pytest
from small_games import small_game

from treewise import load_game
from treewise.vgdl import observe, record_events, shipped_games
from treewise.vgdl.program import Action

SPRITES = """f > Immovable hidden=True
m > Missile orientation=RIGHT speed=0.5
k > Resource limit=3
d > Door
r > RandomNPC cons=99
avatar > ShootAvatar stype=s healthPoints=2 limitHealthPoints=5
s > Flicker limit=5"""
LEVEL = "fAfk.\nm..d.\nr...w"


def test_the_start() -> None:
    seen = observe(small_game(SPRITES, LEVEL).initial_state())
    assert (seen.tick, seen.score, seen.winner, seen.is_over) == (0, 0, -1, False)
    assert (seen.width, seen.height, seen.block) == (5, 3, 10)
    assert seen.actions == (Action.USE, Action.LEFT, Action.RIGHT, Action.DOWN, Action.UP)
    avatar = seen.avatar
    assert avatar is not None
    assert (avatar.position, avatar.orientation, avatar.type) == ((10, 0), (1, 0), 1)
    assert (avatar.health, avatar.max_health, avatar.limit_health, avatar.alive) == (2, 2, 5, True)
    assert (avatar.speed, avatar.resources, avatar.last_action) == (1.0, {}, Action.NIL)
    assert seen.events == ()


def test_it_cannot_be_changed() -> None:
    seen = observe(small_game(SPRITES, LEVEL).initial_state())
    with pytest.raises(dataclasses.FrozenInstanceError):
        seen.tick = 3  # type: ignore[misc]


def test_hidden_sprites_are_nowhere() -> None:
    game = small_game(SPRITES, LEVEL)
    state = game.initial_state()
    for _ in range(2):
        assert "f" not in {game.program.types[sprite.type].name for sprite in observe(state).sprites}
        state.apply(Action.RIGHT)


def test_the_defect_shows_hidden_sprites_in_advanced_states_but_not_in_copies() -> None:
    game = small_game(SPRITES, LEVEL, hidden_shown=True)
    state = game.initial_state()
    hidden = next(number for number, kind in enumerate(game.program.types) if kind.name == "f")
    assert hidden not in {sprite.type for sprite in observe(state).sprites}
    state.apply(Action.RIGHT)
    assert hidden in {sprite.type for sprite in observe(state).sprites}
    assert hidden not in {sprite.type for sprite in observe(state.clone()).sprites}


def test_categories() -> None:
    game = small_game(SPRITES, LEVEL)
    state = game.initial_state()
    state.apply(Action.USE)
    seen = observe(state)
    names = [kind.name for kind in game.program.types]
    listed = {
        category: [names[kind] for kind in seen.by_category(category)]
        for category in ("avatar", "resource", "portal", "npc", "static", "from avatar", "movable")
    }
    assert listed == {
        "avatar": ["avatar"],
        "resource": ["k"],
        "portal": ["d"],
        "npc": ["r"],
        "static": ["wall"],
        "from avatar": ["s"],
        "movable": ["m"],
    }
    with pytest.raises(ValueError, match="unknown category 'walls'"):
        seen.by_category("walls")


def test_categories_by_distance() -> None:
    seen = observe(small_game("m > Missile speed=0\nk > Resource limit=1", "mA.m\nkm.k\n.m.m").initial_state())
    assert [sprite.id for sprites in seen.by_category("movable").values() for sprite in sprites] == sorted(
        sprite.id for sprites in seen.by_category("movable").values() for sprite in sprites
    )
    (sorted_by_distance,) = seen.by_category("movable", near=(10, 0)).values()
    assert [(sprite.x, sprite.y) for sprite in sorted_by_distance] == [(0, 0), (10, 10), (30, 0), (10, 20), (30, 20)]
    assert list(seen.by_category("resource", near=(30, 30)).values()) == [
        tuple(reversed(next(iter(seen.by_category("resource").values()))))
    ]


def test_the_grid_lists_a_sprite_in_every_cell_that_it_covers() -> None:
    game = small_game("m > Missile orientation=RIGHT speed=0.5\nn > Missile orientation=LEFT speed=0.5", "A..\nn.m")
    state = game.initial_state()
    for _ in range(2):
        state.apply(Action.UP)
    names = [kind.name for kind in game.program.types]
    seen = observe(state)
    cells = {
        (column, row): sorted(names[sprite.type] for sprite in cell)
        for column, cells in enumerate(seen.grid)
        for row, cell in enumerate(cells)
        if cell
    }
    # m is at 25, beyond the last cell's edge; n at -5, cut towards the first cell; the avatar at -20 is nowhere
    assert cells == {(2, 1): ["m"], (0, 1): ["n"]}


def test_events_are_kept_where_they_are_asked_for() -> None:
    game = small_game(SPRITES, "Akk", "k avatar > collectResource")
    state = game.initial_state()
    state.apply(Action.RIGHT)
    assert observe(state).events == ()
    record_events(state)
    state.apply(Action.RIGHT)
    (event,) = observe(state).events
    assert (event.tick, event.from_avatar, event.active_type, event.passive_type) == (1, False, 1, 4)
    assert event.position == (20, 0)
    assert observe(state.clone()).events == ()


def test_events_are_ordered_by_tick_and_types() -> None:
    sprites = "a > Immovable\nb > Immovable\ns > Flicker\navatar > FlakAvatar stype=s"
    rules = "avatar b > killSprite\ns b > killSprite\navatar a > killSprite"
    game = small_game(sprites, "x", rules, mapping="x > avatar a b")
    state = game.initial_state()
    record_events(state)
    state.apply(Action.USE)
    keys = [(event.tick, event.from_avatar, event.passive_type) for event in observe(state).events]
    assert keys == [(0, True, 3), (0, False, 2), (0, False, 3)]


def test_two_events_of_one_kind_in_a_tick_are_one() -> None:
    game = small_game("k > Immovable", "A2", "avatar k > killSprite", mapping="2 > k k")
    state = game.initial_state()
    record_events(state)
    state.apply(Action.RIGHT)
    (event,) = observe(state).events
    assert (event.tick, event.from_avatar, event.active_type, event.passive_type) == (0, False, 1, 2)
    assert event.position == (10, 0)


def test_what_the_avatar_made_has_events_of_its_own() -> None:
    game = small_game("avatar > ShootAvatar stype=s\ns > Flicker\nk > Immovable", "Ak", "k s > killSprite")
    state = game.initial_state()
    record_events(state)
    state.apply(Action.USE)
    (event,) = observe(state).events
    assert (event.from_avatar, event.active_type, event.passive_type) == (True, 2, 3)


def test_after_the_end() -> None:
    state = small_game("", "A.", ends="Timeout limit=0 win=True").initial_state()
    state.apply(Action.RIGHT)
    seen = observe(state)
    assert (seen.winner, seen.is_over, seen.actions) == (1, True, ())
    assert seen.avatar is not None
    assert (seen.avatar.position, seen.avatar.orientation, seen.avatar.speed) == ((-1, -1), (-1, -1), 0.0)


def test_resources() -> None:
    state = small_game(SPRITES, "A.k", "k avatar > collectResource").initial_state()
    for action in (Action.RIGHT, Action.RIGHT):
        state.apply(action)
    avatar = observe(state).avatar
    assert avatar is not None
    assert avatar.resources == {4: 1}
    assert avatar.last_action == Action.RIGHT


@pytest.mark.parametrize("name", shipped_games())
def test_shipped_games_are_seen_as_their_description_says(name: str) -> None:
    game = load_game(f"vgdl(game='{name}')")
    state = game.initial_state()
    for _ in range(10):
        for sprite in observe(state).sprites:
            kind = game.program.types[sprite.type]
            assert not kind.hidden
            assert sprite.category in {kind.category, 5 if kind.category == 6 else kind.category}
        state.apply(state.legal_actions()[0])


def test_only_states_of_video_games() -> None:
    with pytest.raises(ValueError, match="not a state of a video game"):
        observe(load_game("hex").initial_state())
