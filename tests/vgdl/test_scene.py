"""The scene that parts see is the observation that players see, and no more."""

import random

import pytest

from treewise import load_game
from treewise.vgdl import observe, record_events

GAMES = ["aliens", "boulderdash", "butterflies", "chase", "frogs", "missilecommand", "portals", "sokoban",
         "survivezombies", "zelda"]  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_scenes_show_what_is_observed(name: str) -> None:
    state, rng = load_game(f"vgdl(game='{name}', level=1)").initial_state(), random.Random(7)
    record_events(state)
    seen_meetings = 0
    for _ in range(150):
        if state.is_terminal():
            break
        state.apply(rng.choice(state.legal_actions()))
        (width, height, kinds), body, met, struck, items = state.scene()
        seen = observe(state)
        assert (width, height) == (len(seen.grid), len(seen.grid[0]))
        expected = {
            (row * width + column, sprite.type)
            for column in range(width)
            for row in range(height)
            for sprite in seen.grid[column][row]
            if sprite.category != 0
        }
        assert set(items) == expected
        assert all(kind < kinds for _, kind in items)
        events = [event for event in seen.events if event.tick == seen.tick - 1]
        assert met == sorted({e.passive_type for e in events if not e.from_avatar})
        assert struck == sorted({e.passive_type for e in events if e.from_avatar})
        seen_meetings += len(met) + len(struck)
        if not state.is_terminal():
            half, (x, y) = seen.block / 2, seen.avatar.position
            assert body is not None
            assert body[0] == int((y + half) // seen.block) * width + int((x + half) // seen.block)
    assert seen_meetings > 0


def test_the_form_is_what_the_avatar_is_and_holds() -> None:
    forms = set()
    state, rng = load_game("vgdl(game='boulderdash', level=0)").initial_state(), random.Random(1)
    first = state.scene()[1]
    for _ in range(300):
        if state.is_terminal():
            break
        state.apply(rng.choice(state.legal_actions()))
        if state.scene()[1] is not None:
            forms.add((sum(observe(state).avatar.resources.values()), state.scene()[1][1]))
    assert len(forms) == len({held for held, _ in forms}) == len({form for _, form in forms})
    assert first is not None


def test_copies_have_the_scene_of_their_original() -> None:
    state = load_game("vgdl(game='zelda')").initial_state()
    state.apply(state.legal_actions()[1])
    assert state.clone().scene() == state.scene()
