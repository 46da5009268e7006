"""Whatever the compiler lets through can be played: nothing crashes, and what the contract says holds."""

from __future__ import annotations

import random

from descriptions import descriptions, levels
from hypothesis import given
from hypothesis import strategies as st
from vgdl_fuzzing import fuzz

from treewise import _core
from treewise.vgdl import Source, VGDLError, make_game, observe
from treewise.vgdl.drawing import picture, screen
from treewise.vgdl.load import VGDLGame

TICKS = 30
CROWD = 1500
"""Sprites after which a game is left: where all meet all, a tick takes as long as their square."""


def made(description: str, level: str, **options: bool) -> VGDLGame | None:
    try:
        return make_game(Source(description, level), **options)
    except VGDLError:
        return None


@fuzz
@given(descriptions(), levels(), st.integers(0, 2**32), st.booleans(), st.booleans(), st.booleans())
def test_random_games(text: str, level: str, seed: int, shown: bool, shared: bool, old: bool) -> None:
    game = made(text, level, hidden_shown=shown, shared_pull=shared, rules_2016=old)
    if game is None:
        return
    state = _core.vgdl_state(game, seed)
    rng = random.Random(seed)
    total, known = 0.0, len(game.program.types)
    for _ in range(TICKS):
        if state.is_terminal() or len(_core.vgdl_sprites(state)) > CROWD:
            break
        action = rng.choice(state.legal_actions())
        before = str(state)
        copy = state.clone()
        assert str(copy) == before
        state.apply(action)
        total += state.rewards()[0]
        seen = observe(state)
        sprites = _core.vgdl_sprites(state)
        assert len({number for _, _, number, _, _ in sprites}) == len(sprites) <= 10_000
        assert all(0 <= kind < known for _, kind, _, _, _ in sprites)
        assert all(len(column) == seen.height for column in seen.grid)
        assert picture(state, cell=2).shape == (2 * seen.height, 2 * seen.width, 3)
        assert len(screen(state)) == seen.height * (2 * seen.width + 1)
        if not shared:
            copy.apply(action)  # draws what its original drew
            assert _core.vgdl_sprites(copy) == sprites
            assert observe(copy).score == seen.score
    assert state.returns()[0] == total


@fuzz
@given(descriptions(), levels(), st.integers(0, 2**32))
def test_hidden_sprites_are_never_seen(text: str, level: str, seed: int) -> None:
    game = made(text, level)
    if game is None:
        return
    state = _core.vgdl_state(game, seed)
    hidden = {number for number, kind in enumerate(game.program.types) if kind.hidden}
    while not state.is_terminal() and observe(state).tick < 10 and len(_core.vgdl_sprites(state)) <= CROWD:
        assert hidden.isdisjoint(sprite.type for sprite in observe(state).sprites)
        state.apply(state.legal_actions()[0])
