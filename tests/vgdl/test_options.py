"""The options: the framework's older rules, off unless they are named."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_games import Case, play

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
