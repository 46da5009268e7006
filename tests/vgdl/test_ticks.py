"""The order of a tick, terminations and the end of a match, on trajectories that were worked out by hand."""

from __future__ import annotations

import pytest
from small_games import Case, play, small_game

from treewise import _core
from treewise.vgdl.program import Action
from treewise.vgdl.vocabulary import TERMINATIONS

CASES = [
    Case(
        "the first of a pair must be alive, the second need not be", "a > Passive\nb > Passive\nc > Passive", "xA",
        "LEFT a gone b gone c gone score=6",
        "a avatar > killSprite scoreChange=2\nb a > killSprite scoreChange=4\na c > killBoth scoreChange=8\n"
        "c b > killSprite",
        mapping="x > a b c",
    ),
    Case(
        "effects of a pair are done where the pair first appears", "a > Passive\nb > Passive", "xA",
        "LEFT a gone score=6",
        "a avatar > stepBack scoreChange=2\nb a > killBoth\na avatar > killSprite scoreChange=4",
        mapping="x > a b",
    ),
    Case(
        "the edge comes before pairs", "m > Missile orientation=LEFT speed=0.5\nx > Immovable", "y.\n.A",
        """
        NIL m 0,0 x 0,0
        NIL m 5,0 x 0,0
        """,
        "m x > reverseDirection\nm EOS > wrapAround",
        mapping="y > m x",
    ),
    Case(
        "stepping back ends the other meetings of the same effect", "a > Passive\nb > Passive", "Ay",
        "RIGHT avatar 0,0 score=1",
        "avatar a b > stepBack scoreChange=1",
        mapping="y > a a b",
    ),
    Case(
        "a group's rule is for all below it", "g >\n a > Immovable\n b > Immovable", "aAb",
        """
        LEFT  a gone b 20,0 score=1
        RIGHT b 20,0
        RIGHT b gone score=2
        """,
        "g avatar > killSprite scoreChange=1",
        mapping="a > a\nb > b",
    ),
    Case(
        "touching is not meeting", "x > Immovable\nm > Missile orientation=RIGHT speed=0.5", "m.x\nA..",
        """
        NIL m 0,0
        NIL m 5,0
        NIL m 10,0
        NIL m gone
        """,
        "m x > killSprite",
    ),
    Case(
        "SpriteCounter: at most the limit", "x > Immovable", "Axx.x",
        """
        RIGHT win=-1 x 20,0 40,0
        RIGHT win=1 x 40,0 tick=2
        """,
        "x avatar > killSprite",
        "SpriteCounter stype=x limit=1 win=True",
    ),
    Case(
        "SpriteCounter does not count a dead avatar", "x > Immovable", "Ax",
        "RIGHT win=0",
        "avatar x > killSprite",
        "SpriteCounter stype=avatar win=False",
    ),
    Case(
        "MultiSpriteCounter: exactly the limit, over all", "a > Immovable\nb > Immovable\nc > Immovable", "Aab.c",
        """
        RIGHT win=-1
        RIGHT win=1
        """,
        "a avatar > killSprite\nb avatar > killSprite",
        "MultiSpriteCounter stype1=a stype2=b stype3=c limit=1 win=True",
    ),
    Case(
        "MultiSpriteCounter: fewer than the limit is not the limit", "p > Immovable", "Ap",
        """
        NIL   win=-1
        RIGHT win=-1
        """,
        "p avatar > killSprite",
        "MultiSpriteCounter stype1=p limit=2 win=True",
    ),
    Case(
        "SpriteCounterMore: at least the limit", "x > Immovable\nb > Immovable", "Axx",
        """
        RIGHT win=-1
        RIGHT win=1
        """,
        "x avatar > spawn stype=b",
        "SpriteCounterMore stype=b limit=2 win=True",
    ),
    Case(
        "Timeout", "", "A.",
        """
        NIL win=-1
        NIL win=-1
        NIL win=1 tick=3
        """,
        ends="Timeout limit=2 win=True",
    ),
    Case(
        "the first termination that holds decides", "x > Immovable", "Ax",
        "RIGHT win=1",
        "x avatar > killBoth",
        "SpriteCounter stype=x win=True\nSpriteCounter stype=avatar win=False",
    ),
    Case(
        "the first termination that holds decides, the other way", "x > Immovable", "Ax",
        "RIGHT win=0",
        "x avatar > killBoth",
        "SpriteCounter stype=avatar win=False\nSpriteCounter stype=x win=True",
    ),
    Case(
        "without `win` it is lost", "", "A",
        "NIL win=0",
        ends="Timeout limit=0",
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_tick(case: Case) -> None:
    play(case)


def test_every_termination_has_a_case() -> None:
    told = " ".join(case.ends for case in CASES)
    assert [name for name in TERMINATIONS if name not in told] == []


def test_a_match_is_lost_after_2001_ticks() -> None:
    state = _core.vgdl_state(small_game("", "A."), 0)
    for tick in range(2001):
        assert not state.is_terminal()
        _core.vgdl_advance(state, Action.NIL)
        assert _core.vgdl_observation(state)["tick"] == tick + 1
    assert state.is_terminal()
    assert _core.vgdl_observation(state)["winner"] == 0
    assert state.returns() == [-10_000_000.0]
    assert state.legal_actions() == []


def test_nothing_can_be_done_after_the_end() -> None:
    state = _core.vgdl_state(small_game("", "A", ends="Timeout limit=0 win=True"), 0)
    _core.vgdl_advance(state, Action.NIL)
    with pytest.raises(ValueError, match="over"):
        _core.vgdl_advance(state, Action.NIL)


@pytest.mark.parametrize(("win", "value"), [("True", 107.0), ("False", -93.0)])
def test_returns_are_score_and_what_the_result_is_worth(win: str, value: float) -> None:
    game = small_game(
        "x > Immovable",
        "Ax",
        "x avatar > killSprite scoreChange=7",
        f"SpriteCounter stype=x win={win}",
        win_value=100.0,
    )
    state = game.initial_state()
    state.apply(Action.RIGHT)
    assert state.returns() == [value]
    assert state.rewards() == [value]


def test_sprites_that_make_each_other_stay_within_the_bound() -> None:
    state = small_game("p > SpawnPoint stype=p", "p\nA").initial_state()
    for _ in range(20):
        _core.vgdl_advance(state, Action.NIL)
    assert len(_core.vgdl_sprites(state)) == 10_000
