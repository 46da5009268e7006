"""Every class of sprites, and how they move, on trajectories that were worked out by hand or hold for every seed."""

from __future__ import annotations

import itertools

import pytest
from published_cases import CLASSES as PUBLISHED
from small_games import Case, play, small_game, snapshot

from treewise import _core
from treewise.vgdl.program import Action
from treewise.vgdl.vocabulary import CLASSES

CASES = [
    Case(
        "MovingAvatar", "", "...\n.A.\n...",
        """
        UP    avatar 10,0
        LEFT  avatar 0,0
        DOWN  avatar 0,10
        RIGHT avatar 10,10 facing=0
        NIL   avatar 10,10
        USE   avatar 10,10
        """,
    ),
    Case(
        "an avatar with a cooldown", "avatar > MovingAvatar cooldown=2", "A...",
        """
        RIGHT avatar 0,0
        RIGHT avatar 10,0
        RIGHT avatar 10,0
        RIGHT avatar 20,0
        """,
    ),
    Case(
        "FlakAvatar shoots from where it is, and a singleton shot is one at a time",
        "avatar > FlakAvatar stype=s\ns > Missile orientation=UP singleton=True", ".\n.\n.\nA",
        """
        USE s 0,30
        USE s 0,20
        USE s 0,10
        USE s 0,0
        USE s 0,-10
        """,
    ),
    Case(
        "FlakAvatar: actions that it has not are none", "avatar > FlakAvatar stype=s\ns > Passive", "...\n.A.",
        """
        UP    avatar 10,10
        DOWN  avatar 10,10
        LEFT  avatar 0,10
        RIGHT avatar 10,10 s gone
        """,
    ),
    Case(
        "MovingAvatar cannot shoot", "avatar > MovingAvatar stype=s\ns > Passive", "A.",
        "USE avatar 0,0 s gone",
    ),
    Case(
        "ShootAvatar turns first, then moves, and shoots ahead",
        "avatar > ShootAvatar stype=s\ns > Passive", "A..\n...\n...",
        """
        USE  s 10,0 facing=4
        DOWN avatar 0,0 facing=3
        DOWN avatar 0,10 facing=3
        USE  s 10,0 0,20
        """,
    ),
    Case(
        "ShootAvatar that does not turn in place",
        "avatar > ShootAvatar stype=s rotateInPlace=False\ns > Passive", "A.\n..",
        """
        DOWN avatar 0,10 facing=3
        USE  s 0,20
        """,
    ),
    Case(
        "a shot that has a direction gets the avatar's",
        "avatar > ShootAvatar stype=s\ns > Missile orientation=UP", "A...",
        """
        USE s 10,0
        NIL s 20,0
        NIL s 30,0
        """,
    ),
    Case(
        "Missile: no motion in the first tick, pixels are cut", "m > Missile orientation=DOWN speed=0.19", "m.\n.A",
        """
        NIL m 0,0
        NIL m 0,1
        NIL m 0,2
        """,
    ),
    Case(
        "Missile with a cooldown", "m > Missile orientation=RIGHT cooldown=2", "m..\nA..",
        """
        NIL m 0,0
        NIL m 10,0
        NIL m 10,0
        NIL m 20,0
        """,
    ),
    Case(
        "Missile without a direction stays", "m > Missile", "m..\nA..",
        """
        NIL m 0,0
        NIL m 0,0
        NIL m 0,0
        """,
    ),
    Case(
        "Immovable, Door, Passive, Resource and Portal stay",
        "a > Immovable orientation=UP speed=1\nb > Door speed=1\nc > Passive\nd > Resource\ne > Portal", "abcde\nA....",
        """
        NIL a 0,0 b 10,0 c 20,0 d 30,0 e 40,0
        NIL a 0,0 b 10,0 c 20,0 d 30,0 e 40,0
        NIL a 0,0 b 10,0 c 20,0 d 30,0 e 40,0
        """,
    ),
    Case(
        "Flicker is there for limit + 2 ticks, the last of which it does not survive",
        "avatar > ShootAvatar stype=s\ns > Flicker limit=2", "A.",
        """
        USE s 10,0
        NIL s 10,0
        NIL s 10,0
        NIL s gone
        """,
    ),
    Case(
        "Flicker acts in its last tick",
        "avatar > ShootAvatar stype=s\ns > Flicker limit=1\nm > Missile orientation=LEFT", "A..m",
        """
        USE s 10,0 m 30,0
        NIL s 10,0 m 20,0
        NIL s gone m gone
        """,
        "m s > killSprite",
    ),
    Case(
        "Flicker does not act a tick later",
        "avatar > ShootAvatar stype=s\ns > Flicker limit=1\nm > Missile orientation=LEFT", "A...m",
        """
        USE s 10,0 m 40,0
        NIL s 10,0 m 30,0
        NIL s gone m 20,0
        NIL s gone m 10,0
        """,
        "m s > killSprite",
    ),
    Case(
        "OrientedFlicker points where the avatar does",
        "avatar > ShootAvatar stype=s\ns > OrientedFlicker limit=3 speed=1", "A..",
        """
        USE s 10,0
        NIL s 20,0
        """,
    ),
    Case(
        "SpawnPoint: at ticks 0, c, 2c … until it has made its total",
        "p > SpawnPoint stype=b cooldown=3 total=2\nb > Immovable", "p.\nA.",
        """
        NIL b 0,0 p 0,0
        NIL b 0,0
        NIL b 0,0
        NIL b 0,0 0,0 p gone
        NIL b 0,0 0,0
        """,
    ),
    Case(
        "SpawnPoint of what never comes", "p > SpawnPoint stype=b prob=0\nb > Immovable", "p.\nA.",
        """
        NIL b gone
        NIL b gone
        """,
    ),
    Case(
        "SpawnPoint hands its direction to a sprite that has none, which moves in the tick after its first",
        "p > SpawnPoint stype=m total=1 orientation=RIGHT\nm > Missile", "p..\nA..",
        """
        NIL m 0,0
        NIL m 0,0
        NIL m 10,0
        """,
    ),
    Case(
        "what is defined before its maker is updated in the tick it is made",
        "m > Missile orientation=RIGHT\np > SpawnPoint stype=m total=1", "p..\nA..",
        """
        NIL m 0,0
        NIL m 10,0
        """,
    ),
    Case(
        "a singleton that exists is not made again",
        "p > SpawnPoint stype=b total=2\nb > Immovable singleton=True", "p.\nA.",
        """
        NIL b 0,0 p 0,0
        NIL b 0,0 p 0,0
        NIL b 0,0 p 0,0
        """,
    ),
    Case(
        "an ancestor's singleton counts the whole family",
        "p > SpawnPoint stype=c\nf > Immovable singleton=True\n b >\n c >", "pb\nA.",
        """
        NIL b 10,0 c gone
        NIL b 10,0 c gone
        """,
        mapping="b > b",
    ),
    Case(
        "Bomber moves and drops with the same cooldown",
        "m > Bomber stype=b cooldown=2 speed=1\nb > Immovable", "m...\nA...",
        """
        NIL m 0,0  b 0,0
        NIL m 10,0 b 0,0
        NIL m 10,0 b 0,0 10,0
        NIL m 20,0 b 0,0 10,0
        """,
    ),
    Case(
        "Chaser moves from the first tick on", "c > Chaser stype=avatar", "c..A",
        """
        NIL c 10,0
        NIL c 20,0
        NIL c 30,0
        """,
    ),
    Case(
        "Chaser with speed and cooldown", "c > Chaser stype=avatar cooldown=2 speed=0.5", "c..A",
        """
        NIL c 0,0
        NIL c 5,0
        NIL c 5,0
        NIL c 10,0
        """,
    ),
    Case(
        "Chaser takes descendants where there is none of the very type",
        "c > Chaser stype=t\nt >\n a > Immovable\n b > Immovable",
        "a.c..b\nA.....",
        """
        NIL c 10,0
        NIL c 0,0
        """,
        mapping="a > a\nb > b",
    ),
    Case(
        "RandomNPC with much patience stands", "r > RandomNPC cons=5", "r.\nA.",
        """
        NIL r 0,0
        NIL r 0,0
        NIL r 0,0
        NIL r 0,0
        NIL r 0,0
        """,
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES + PUBLISHED, ids=lambda case: case.name)
def test_class(case: Case) -> None:
    play(case)


@pytest.mark.parametrize("seed", range(12))
def test_random_npc_keeps_a_direction_for_its_patience_and_one_tick(seed: int) -> None:
    game = small_game("r > RandomNPC cons=2", ".......\n.......\n.......\n...r...\n.......\n......A")
    state = _core.vgdl_state(game, seed)
    places = [(30, 30)]
    for _ in range(8):
        _core.vgdl_advance(state, Action.NIL)
        places.append(snapshot(game, state)["r"][0])
    moves = [(x - a, y - b) for (a, b), (x, y) in itertools.pairwise(places)]
    assert moves[:2] == [(0, 0), (0, 0)]
    assert moves[2] in {(0, -10), (0, 10), (-10, 0), (10, 0)}
    assert moves[2:5] == [moves[2]] * 3
    assert moves[5:8] == [moves[5]] * 3


@pytest.mark.parametrize(("sprite", "ticks"), [("RandomNPC", 1), ("RandomMissile", 2), ("RandomBomber stype=wall", 1)])
def test_random_sprites_go_every_way(sprite: str, ticks: int) -> None:
    game = small_game(f"r > {sprite}", "...\n.r.\nA..")
    seen = set()
    for seed in range(40):
        state = _core.vgdl_state(game, seed)
        for _ in range(ticks):
            _core.vgdl_advance(state, Action.NIL)
        seen.add(snapshot(game, state)["r"][0])
    assert seen == {(0, 10), (20, 10), (10, 0), (10, 20)}


@pytest.mark.parametrize(("kind", "sign"), [("Chaser", -1), ("Fleeing", 1)])
def test_chasers_come_nearer_and_fleeing_sprites_go_away(kind: str, sign: int) -> None:
    game = small_game(f"r > {kind} stype=avatar", ".......\n.......\n.A.....\n.......\n...r...")
    for seed in range(10):
        state = _core.vgdl_state(game, seed)
        distances = [40]
        for _ in range(3):
            _core.vgdl_advance(state, Action.NIL)
            ((x, y),) = snapshot(game, state)["r"]
            distances.append(abs(x - 10) + abs(y - 20))
        assert [b - a for a, b in itertools.pairwise(distances)] == [10 * sign] * 3


def test_a_spawn_point_has_its_probability() -> None:
    game = small_game("p > SpawnPoint stype=b prob=0.25\nb > Immovable", "p.\nA.")
    state = _core.vgdl_state(game, 5)
    for _ in range(1000):
        _core.vgdl_advance(state, Action.NIL)
    assert 200 < len(snapshot(game, state)["b"]) < 300


def test_every_class_has_a_case() -> None:
    told = (
        " ".join(case.sprites for case in CASES + PUBLISHED)
        + "Fleeing MovingAvatar OngoingAvatar RandomMissile RandomBomber"
    )
    assert [name for name in CLASSES if name not in told] == []
