"""The options: the framework's older rules, off unless they are named."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_games import Case, play

DYING = Case("the avatar meets two at once", "e > Immovable", "A2", "", mapping="2 > e e")


def both(case: Case, rules: str, now: str, then: str) -> list[Case]:
    """A case by today's rules, and by those of 2016."""
    today = replace(case, rules=rules, steps=now)
    return [today, replace(today, name=f"{case.name}, in 2016", steps=then, options=("rules_2016",))]


CASES = [
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
