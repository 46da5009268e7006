"""Thousands of sprites in one cell: a tick has a bound."""

from __future__ import annotations

import pytest
from small_games import small_game, snapshot

from treewise import _core
from treewise.vgdl import record_events
from treewise.vgdl.program import Action

MOST_EFFECTS = 10_000_000


def crowd(number: int, rules: str) -> dict[str, object]:
    """Two ticks with so many missiles and blocks in one cell; the missiles move in the second."""
    sprites = "m > Missile orientation=RIGHT\nx > Immovable\ny > Immovable"
    game = small_game(sprites, "A\nc", rules, mapping=f"c > {'m ' * number}{'x ' * number}")
    state = _core.vgdl_state(game, 0)
    for _ in range(2):
        _core.vgdl_advance(state, Action.NIL)
    return snapshot(game, state)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("effect", "left"), [("undoAll", "mx"), ("killAll stype=x", "m"), ("transformToAll stype=x stypeTo=y", "my")]
)
def test_effects_on_everything_are_done_once_for_all_who_meet(effect: str, left: str) -> None:
    number = 2000
    found = crowd(number, f"m m > {effect} scoreChange=1")
    assert found["score="] == 2 * number * (number - 1)
    there = {name: found[name] for name in "mxy" if name in found}
    assert there == {name: [(10 if name == "m" and left != "mx" else 0, 10)] * number for name in left}


@pytest.mark.timeout(60)
def test_the_effects_of_a_tick_have_a_bound() -> None:
    number = 3500
    assert number * (number - 1) > MOST_EFFECTS
    assert crowd(number, "x x > stepBack scoreChange=1")["score="] == 2 * MOST_EFFECTS


@pytest.mark.timeout(60)
def test_what_the_avatar_made_is_recorded_once() -> None:
    game = small_game("m > Immovable\navatar > FlakAvatar stype=m", "c", "m m > stepBack", mapping="c > avatar")
    state = _core.vgdl_state(game, 0)
    record_events(state)
    for _ in range(5):
        _core.vgdl_advance(state, Action.USE)
    seen = [event[:4] for event in _core.vgdl_observation(state)["events"]]
    assert seen == [(tick, True, 2, 2) for tick in range(1, 5)]
