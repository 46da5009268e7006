"""Every effect, on trajectories that were worked out by hand."""

from __future__ import annotations

import pytest
from published_cases import EFFECTS as PUBLISHED
from small_games import Case, play, small_game, snapshot

from treewise import _core
from treewise.vgdl.drawing import picture
from treewise.vgdl.program import Action
from treewise.vgdl.vocabulary import EFFECTS

CASES = [
    Case(
        "stepBack", "", "wA.w",
        """
        LEFT  avatar 10,0
        RIGHT avatar 20,0
        RIGHT avatar 20,0
        """,
        "avatar wall > stepBack",
    ),
    Case(
        "stepBack at the edge", "", "A.",
        """
        LEFT  avatar 0,0
        UP    avatar 0,0
        RIGHT avatar 10,0
        RIGHT avatar 10,0
        """,
        "avatar EOS > stepBack",
    ),
    Case(
        "killSprite", "x > Immovable", "A.x",
        """
        RIGHT avatar 10,0 x 20,0 score=0
        RIGHT avatar 20,0 x gone score=2
        """,
        "x avatar > killSprite scoreChange=2",
    ),
    Case(
        "killSprite of the avatar marks it dead: it stays and moves no more", "x > Immovable", "Ax.",
        """
        RIGHT avatar 10,0 alive=0 score=-1
        RIGHT avatar 10,0 alive=0 score=-2
        """,
        "avatar x > killSprite scoreChange=-1",
    ),
    Case(
        "killBoth", "m > Missile orientation=RIGHT\nx > Immovable", "m.x\nA..",
        """
        NIL m 0,0
        NIL m 10,0 x 20,0
        NIL m gone x gone score=1
        """,
        "m x > killBoth scoreChange=1",
    ),
    Case(
        "turnAround goes down by twice the speed and back", "m > Missile orientation=RIGHT speed=0.5", "..m\n...\nA..",
        """
        NIL m 20,0
        NIL m 20,10
        NIL m 15,10
        NIL m 10,10
        """,
        "m EOS > turnAround",
    ),
    Case(
        "reverseDirection does not move", "m > Missile orientation=RIGHT", "m.w\nA..",
        """
        NIL m 0,0
        NIL m 10,0
        NIL m 20,0
        NIL m 10,0
        NIL m 0,0
        """,
        "m wall > reverseDirection",
    ),
    Case(
        "reverseDirection is done once for each sprite that is met", "m > Missile orientation=RIGHT", "m.w\nA..",
        """
        NIL m 0,0
        NIL m 10,0
        NIL m 20,0
        NIL m 30,0
        """,
        "m wall > reverseDirection",
        mapping="w > wall wall",
    ),
    Case(
        "wrapAround to the left and to the right",
        "m > Missile orientation=RIGHT speed=0.5\nn > Missile orientation=LEFT speed=0.5", "n.m\nA..",
        """
        NIL m 20,0 n 0,0
        NIL m 0,0 n 20,0
        NIL m 5,0 n 15,0
        """,
        "m EOS > wrapAround\nn EOS > wrapAround",
    ),
    Case(
        "wrapAround up and down",
        "m > Missile orientation=UP speed=0.5\nn > Missile orientation=DOWN speed=0.5", "m\nA\nn",
        """
        NIL m 0,0 n 0,20
        NIL m 0,20 n 0,0
        NIL m 0,15 n 0,5
        """,
        "m EOS > wrapAround\nn EOS > wrapAround",
    ),
    Case(
        "cloneSprite: clones of a tick make none in it", "c > Immovable\nx > Immovable", ".b\nA.",
        """
        NIL c 10,0 10,0
        NIL c 10,0 10,0 10,0 10,0
        """,
        "c x > cloneSprite",
        mapping="b > c x",
    ),
    Case(
        "transformTo", "a > Immovable\nb > Immovable", "Aa",
        """
        NIL   a 10,0 b gone
        RIGHT a gone b 10,0 avatar 10,0 score=3
        """,
        "a avatar > transformTo stype=b scoreChange=3",
    ),
    Case(
        "transformTo with killSecond", "a > Immovable\nb > Immovable\nx > Immovable", "c.\nA.",
        "NIL a gone b 0,0 x gone",
        "a x > transformTo stype=b killSecond=True",
        mapping="c > a x",
    ),
    Case(
        "transformTo hands its direction to a sprite that has none",
        "m > Missile orientation=LEFT\nn > Missile\nx > Immovable",
        "..c\nA..",
        """
        NIL m gone n 20,0
        NIL n 20,0
        NIL n 10,0
        NIL n 0,0
        """,
        "m x > transformTo stype=n",
        mapping="c > m x",
    ),
    Case(
        "transformTo is refused where a singleton exists, and its score is added",
        "a > Immovable\nb > Immovable singleton=True",
        "Aab",
        "RIGHT a 10,0 b 20,0 score=1",
        "a avatar > transformTo stype=b scoreChange=1",
    ),
    Case(
        "transformTo of the avatar keeps what it holds, but faces as the new one does",
        "r > Resource limit=5\nk > Immovable\navatar > ShootAvatar healthPoints=7\n one >\n two >", "Ark..",
        """
        RIGHT one 10,0 r gone hp=7 type=4 r.held=1
        RIGHT one gone two 20,0 k gone hp=7 type=5 r.held=1 facing=4
        RIGHT two 30,0
        """,
        "r avatar > collectResource\none k > transformTo stype=two killSecond=True",
        mapping="A > one",
    ),
    Case(
        "a dead avatar is not transformed, and its score is added",
        "k > Immovable\nx > Immovable\navatar > MovingAvatar\n one >\n two >",
        "Ac",
        "RIGHT one 10,0 two gone alive=0 score=4",
        "one x > killSprite\none k > transformTo stype=two scoreChange=4",
        mapping="A > one\nc > k x",
    ),
    Case(
        "collectResource up to the limit", "r > Resource limit=2", "Arrr",
        """
        RIGHT r 20,0 30,0 r.held=1 score=1
        RIGHT r 30,0 r.held=2 score=2
        RIGHT r 30,0 r.held=2 score=2
        """,
        "r avatar > collectResource scoreChange=1",
    ),
    Case(
        "collectResource tops up", "r > Resource limit=3 value=2", "Arr",
        """
        RIGHT r.held=2
        RIGHT r.held=3 r gone
        """,
        "r avatar > collectResource",
    ),
    Case(
        "collectResource of 2016 takes all or nothing", "r > Resource limit=3 value=2", "Arr",
        """
        RIGHT r.held=2
        RIGHT r.held=2 r 20,0
        """,
        "r avatar > collectResource",
        options=("rules_2016",),
    ),
    Case(
        "killIfOtherHasMore means at least", "r > Resource limit=5\nd > Door", "dA.r.d",
        """
        LEFT  d 0,0 50,0 score=0
        RIGHT avatar 10,0
        RIGHT avatar 20,0
        RIGHT r.held=1
        RIGHT avatar 40,0
        RIGHT d 0,0 score=5
        """,
        "r avatar > collectResource\nd avatar > killIfOtherHasMore resource=r limit=1 scoreChange=5",
    ),
    Case(
        "killIfFromAbove", "b > Missile orientation=DOWN speed=0.5", "b.\n..\nA.",
        """
        NIL b 0,0
        NIL b 0,5
        NIL b 0,10 alive=1
        NIL b 0,15 alive=0 score=-1
        """,
        "avatar b > killIfFromAbove scoreChange=-1",
    ),
    Case(
        "killIfFromAbove spares who comes from the side", "b > Missile orientation=DOWN speed=0.5", "..\nb.\n.A\n..",
        """
        NIL  b 0,10
        NIL  b 0,15
        LEFT b 0,20 avatar 0,20 alive=1 score=0
        """,
        "avatar b > killIfFromAbove scoreChange=-1",
    ),
    Case(
        "killIfFromAbove of 2016 has no half cell", "b > Missile orientation=DOWN speed=0.5", "..\nb.\n.A\n..",
        """
        NIL  b 0,10
        NIL  b 0,15
        LEFT b 0,20 avatar 0,20 alive=0 score=-1
        """,
        "avatar b > killIfFromAbove scoreChange=-1",
        options=("rules_2016",),
    ),
    Case(
        "bounceForward pushes at the pusher's speed, undoAll takes everything back", "b > Passive", "wAb.w",
        """
        RIGHT avatar 20,0 b 30,0
        RIGHT avatar 20,0 b 30,0
        LEFT  avatar 10,0 b 30,0
        """,
        "b avatar > bounceForward\nb wall > undoAll",
    ),
    Case(
        "undoAll spares what it is told to", "b > Passive\nm > Missile orientation=RIGHT", "wAbw\nm...",
        """
        RIGHT avatar 10,0 b 20,0 m 0,10
        RIGHT avatar 10,0 b 20,0 m 10,10
        """,
        "b avatar > bounceForward\nb wall > undoAll notStype=m",
    ),
    Case(
        "teleportToExit", "e > Portal stype=x\nx > Immovable", "Ae.x",
        "RIGHT avatar 30,0",
        "avatar e > teleportToExit",
    ),
    Case(
        "teleportToExit without an exit kills", "e > Portal stype=x\nx > Immovable", "Ae..",
        "RIGHT avatar 10,0 alive=0",
        "avatar e > teleportToExit",
    ),
    Case(
        "shieldFrom and pullWithIt: who stands on a log is safe and carried, unless it moves itself",
        "r > Immovable\nl > Missile orientation=LEFT speed=0.1", "rrrB",
        """
        NIL  l 30,0 avatar 30,0 alive=1
        NIL  l 29,0 avatar 29,0 alive=1
        NIL  l 28,0 avatar 28,0 alive=1
        LEFT l 27,0 avatar 18,0 alive=1
        NIL  l 26,0 avatar 17,0 alive=1
        LEFT l 25,0 avatar 7,0 alive=0
        """,
        "avatar l > shieldFrom ftype=killSprite stype=r\navatar l > pullWithIt\navatar r > killSprite",
        mapping="B > avatar l r",
    ),
    Case(
        "pullWithIt of 2016 also carries who moved itself", "l > Missile orientation=LEFT speed=0.1", "...B",
        """
        NIL  l 30,0 avatar 30,0
        NIL  l 29,0 avatar 29,0
        LEFT l 28,0 avatar 18,0
        NIL  l 27,0 avatar 17,0
        """,
        "avatar l > pullWithIt",
        mapping="B > avatar l",
        options=("rules_2016",),
    ),
    Case(
        "addHealthPoints below the limit",
        "h > Passive\navatar > MovingAvatar healthPoints=1 limitHealthPoints=3", "Ahh",
        """
        RIGHT hp=2 h 20,0 score=1
        RIGHT hp=2 h 20,0 score=1
        """,
        "avatar h > addHealthPoints killSecond=True scoreChange=1",
    ),
    Case(
        "addHealthPoints by a value", "h > Passive\navatar > MovingAvatar healthPoints=1", "Ah",
        "RIGHT hp=6 h 10,0",
        "avatar h > addHealthPoints value=5",
    ),
    Case(
        "subtractHealthPoints: the fatal hit does not score",
        "z > Passive\navatar > MovingAvatar healthPoints=2", "Azz",
        """
        RIGHT hp=1 alive=1 score=-1
        RIGHT hp=0 alive=0 score=-1
        """,
        "avatar z > subtractHealthPoints scoreChange=-1",
    ),
    Case(
        "subtractHealthPoints: what the fatal hit scores can be said",
        "z > Passive\navatar > MovingAvatar healthPoints=5", "Az",
        "RIGHT hp=1 alive=0 score=-9",
        "avatar z > subtractHealthPoints value=4 limit=1 scoreChange=-1 scoreChangeIfKilled=-9",
    ),
    Case(
        "subtractHealthPoints of 2016 scores on the fatal hit",
        "z > Passive\navatar > MovingAvatar healthPoints=1", "Az",
        "RIGHT hp=0 alive=0 score=-1",
        "avatar z > subtractHealthPoints scoreChange=-1",
        options=("rules_2016",),
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES + PUBLISHED, ids=lambda case: case.name)
def test_effect(case: Case) -> None:
    play(case)


def test_flip_direction_draws_every_direction() -> None:
    game = small_game(
        "m > Missile orientation=RIGHT\nx > Immovable", "...\n.c.\nA..", "m x > flipDirection", mapping="c > m x"
    )
    seen = set()
    for seed in range(40):
        state = _core.vgdl_state(game, seed)
        _core.vgdl_advance(state, Action.NIL)
        _core.vgdl_advance(state, Action.NIL)
        seen.add(snapshot(game, state)["m"][0])
    assert seen == {(0, 10), (20, 10), (10, 0), (10, 20)}


def test_transform_to_random_child_makes_no_groups() -> None:
    sprites = "x > Immovable\nthing > Immovable\n a >\n  a1 >\n  a2 >\n b >"
    game = small_game(sprites, "Ax", "x avatar > transformToRandomChild stype=thing")
    seen = set()
    for seed in range(40):
        state = _core.vgdl_state(game, seed)
        _core.vgdl_advance(state, Action.RIGHT)
        seen |= snapshot(game, state).keys() & {"thing", "a", "a1", "a2", "b"}
        assert picture(state).any()
    assert seen == {"a1", "a2", "b"}


def test_every_effect_has_a_case() -> None:
    told = " ".join(case.rules for case in CASES + PUBLISHED) + "> flipDirection"
    assert [name for name in EFFECTS if f"> {name}" not in told] == []
