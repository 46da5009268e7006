"""The options: the framework's older rules and its defects, off unless they are named."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_games import Case, play, small_game, snapshot

from treewise import _core
from treewise.game import State
from treewise.vgdl.program import Action

CROSSING = Case(
    "two that come from above and from below", "b >\n b1 > Missile orientation=UP speed=0.5\n"
    " b2 > Missile orientation=DOWN speed=0.5\nm > Immovable\nx > Immovable", "dA\nm.\nu.",
    "",
    mapping="d > b2\nu > b1",
)  # fmt: skip
DYING = Case("the avatar meets two at once", "e > Immovable", "A2", "", mapping="2 > e e")


def both(case: Case, rules: str, now: str, then: str) -> list[Case]:
    """A case by today's rules, and by those of 2016."""
    today = replace(case, rules=rules, steps=now)
    return [today, replace(today, name=f"{case.name}, in 2016", steps=then, options=("rules_2016",))]


CASES = [
    *both(  # the second types' sprites are met in the order of lists, b1 before b2; in 2016 from the top downwards
        CROSSING, "m b > killBoth",
        "NIL m 0,10\nNIL m gone b1 gone b2 0,5",
        "NIL m 0,10\nNIL m gone b1 0,15 b2 gone",
    ),
    *both(  # and so are the first types' sprites
        CROSSING, "b m > spawn stype=x",
        "NIL x gone\nNIL x 0,15 0,5",
        "NIL x gone\nNIL x 0,5 0,15",
    ),
    *both(DYING, "avatar e > killSprite scoreChange=-1", "RIGHT alive=0 score=-2", "RIGHT alive=0 score=-1"),
    *both(
        DYING, "avatar e > killSprite\ne avatar > killSprite scoreChange=1",
        "RIGHT alive=0 e gone score=2",
        "RIGHT alive=0 e 10,0 10,0 score=0",
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.name}: {case.rules.splitlines()[0]}")
def test_older_rules(case: Case) -> None:
    play(case)


RIVER = small_game(
    "l > Missile orientation=LEFT speed=0.1",
    ".....B",
    "avatar l > pullWithIt",
    mapping="B > avatar l",
    shared_pull=True,
)


def carried(state: State, ticks: int = 12) -> list[tuple[int, int]]:
    """Where the avatar is after some ticks in which it does nothing; at first it stands on a log at 50,0."""
    for _ in range(ticks):
        _core.vgdl_advance(state, Action.NIL)
    return list(snapshot(RIVER, state)["avatar"])


def test_shared_pull_is_disturbed_by_copies() -> None:
    state = RIVER.initial_state()
    copy = state.clone()
    assert carried(copy, 5) == [(46, 0)]
    assert carried(state, 5) == [(50, 0)]
    assert carried(state, 1) == [(49, 0)]  # beyond all that the copy has seen


def test_shared_pull_is_not_disturbed_by_other_matches() -> None:
    assert carried(RIVER.initial_state()) == [(39, 0)]
    assert carried(RIVER.initial_state()) == [(39, 0)]
    assert carried(_core.vgdl_state(RIVER, 1)) == [(39, 0)]
