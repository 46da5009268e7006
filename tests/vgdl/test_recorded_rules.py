"""Rules that recordings of the framework show, beyond those of the ten games: each small, and then the recordings."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from small_games import Case, play, small_game, snapshot

from treewise import _core
from treewise.vgdl.program import Action
from treewise.vgdl.trace import difference, read_trace, trace_files

CASES = [
    Case(
        "undoAll takes back what a missile has just become, and it stays there",
        "m > Missile orientation=LEFT\nk > Passive\nx > Immovable", "x.m.\n...A",
        """
        NIL m 20,0 k gone
        NIL m 10,0 k gone
        NIL m gone k 10,0
        NIL k 10,0
        """,
        "m x > transformTo stype=k\nk x > undoAll",
    ),
    Case(
        "what a missile has become is not sent back where that came from in a later tick",
        "m > Missile orientation=LEFT\nk > Passive\nx > Immovable", "x.m.\n...A",
        """
        NIL m 20,0
        NIL m 10,0
        NIL m gone k 0,0
        NIL k 0,0
        """,
        "m x > transformTo stype=k\nk TIME > stepBack timer=3 nextExecution=3",
    ),
    Case(
        "TIME: in the first tick, then every so many", "avatar > MovingAvatar healthPoints=9", "A",
        """
        NIL hp=8 score=-1
        NIL hp=8
        NIL hp=8
        NIL hp=7 score=-2
        NIL hp=7
        NIL hp=7
        NIL hp=6
        """,
        "avatar TIME > subtractHealthPoints timer=3 repeating=True scoreChange=-1",
    ),
    Case(
        "TIME: once, in the first tick", "avatar > MovingAvatar healthPoints=9", "A",
        """
        NIL hp=8
        NIL hp=8
        NIL hp=8
        NIL hp=8
        """,
        "avatar TIME > subtractHealthPoints timer=2",
    ),
    Case(
        "TIME: with nextExecution, first after the timer", "avatar > MovingAvatar healthPoints=9", "A",
        """
        NIL hp=9
        NIL hp=9
        NIL hp=9
        NIL hp=8
        NIL hp=8
        NIL hp=8
        NIL hp=7
        """,
        "avatar TIME > subtractHealthPoints timer=3 nextExecution=1 repeating=True",
    ),
    Case(
        "TIME: what one rule makes waits for the others' next time",
        "a > Immovable\nb > Immovable\nc > Immovable", "Aa",
        """
        NIL a gone b 10,0 c gone
        NIL b 10,0
        NIL b gone c 10,0
        """,
        "a TIME > transformTo stype=b\nb TIME > transformTo stype=c timer=2 repeating=True",
    ),
    Case(
        "a Bomber without a speed stays", "p > Bomber stype=b total=1 prob=0\nb > Immovable", "p...\nA...",
        """
        NIL p 0,0
        NIL p 0,0
        NIL p 0,0
        """,
    ),
    Case(
        "OngoingAvatar turns in the first tick, and moves from the second on", "avatar > OngoingAvatar", "A...\n....",
        """
        RIGHT avatar 0,0 facing=4
        NIL   avatar 10,0
        NIL   avatar 20,0
        DOWN  avatar 20,10 facing=3
        """,
    ),
    Case(
        "transformToAll makes what is a singleton's although there is one",
        "w > singleton=True\n r > Immovable\n s > Missile orientation=LEFT\nx > Immovable", "x.s\n..A",
        """
        NIL s 20,0
        NIL s 10,0
        NIL s gone r 0,0
        NIL r 0,0
        """,
        "s x > transformToAll stype=s stypeTo=r",
        mapping="r > r\ns > s",
    ),
    Case(
        "transformIfCount, too", "w > singleton=True\n r > Immovable\n s > Immovable", "As",
        "RIGHT s gone r 10,0",
        "s avatar > transformIfCount stype=r stypeCount=w geq=1",
        mapping="s > s",
    ),
    Case(
        "transformTo does not", "w > singleton=True\n r > Immovable\n s > Immovable", "As", "RIGHT s 10,0 r gone",
        "s avatar > transformTo stype=r",
        mapping="s > s",
    ),
    Case(
        "spawns in the cells around are around the second sprite",
        "x > Immovable\na > Immovable\nb > Immovable\nc > Immovable\nd > Immovable\navatar > MovingAvatar speed=0.5",
        "...\n.xA\n...",
        "LEFT avatar 15,10 a 15,0 b 15,20 c 5,10 d 25,10",
        "x avatar > spawnAbove stype=a\nx avatar > spawnBelow stype=b\nx avatar > spawnLeft stype=c\n"
        "x avatar > spawnRight stype=d",
    ),
    Case(
        "stepBack with pixelPerfect goes back to where they touch",
        "m > Missile orientation=RIGHT speed=0.7\nn > Missile orientation=UP speed=0.7\nx > Immovable",
        "m.x.x\n.....\nA...n",
        """
        NIL m 0,0  n 40,20
        NIL m 7,0  n 40,13
        NIL m 10,0 n 40,10
        NIL m 10,0 n 40,10
        """,
        "m x > stepBack pixelPerfect=True\nn x > stepBack pixelPerfect=True",
    ),
    Case(
        "stepBack with pixelPerfect is the usual one where nothing moved by itself",
        "m > Missile orientation=LEFT speed=0.5\nx > Immovable", "x.m\n..A",
        """
        NIL m 20,0
        NIL m 15,0
        NIL m 15,0
        """,
        "x m > stepBack pixelPerfect=True\nm EOS > stepBack pixelPerfect=True\n"
        "m TIME > stepBack timer=2 nextExecution=2",
    ),
    Case(
        "spawns in the cells around are, with stepBack, around where the second sprite came from",
        "x > Immovable\na > Immovable\nb > Immovable\nc > Immovable\nd > Immovable", "....\n.xA.\n....",
        "LEFT avatar 20,10 a 20,0 b 20,20 c 10,10 d 30,10",
        "x avatar > spawnAbove stype=a stepBack=True\nx avatar > spawnBelow stype=b stepBack=True\n"
        "x avatar > spawnLeft stype=c stepBack=True\nx avatar > spawnRight stype=d stepBack=True\navatar x > stepBack",
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_rule(case: Case) -> None:
    play(case)


@pytest.mark.parametrize("seed", range(8))
def test_a_random_bomber_moves_before_it_makes_something(seed: int) -> None:
    game = small_game("b > Immovable\np > RandomBomber stype=b", ".....\n.....\n..p..\n.....\nA....")
    state = _core.vgdl_state(game, seed)
    walked = [(20, 20)]
    for _ in range(4):
        _core.vgdl_advance(state, Action.NIL)
        walked += snapshot(game, state)["p"]
    assert all(here != there for here, there in itertools.pairwise(walked))
    assert snapshot(game, state)["b"] == walked[1:]


class JavaRandom:
    """The generator that the Java API specifies."""

    def __init__(self, seed: int) -> None:
        self.state = (seed ^ 0x5DEECE66D) % 2**48

    def bits(self, number: int) -> int:
        self.state = (self.state * 0x5DEECE66D + 0xB) % 2**48
        return self.state >> (48 - number)

    def double(self) -> float:
        return ((self.bits(26) << 27) + self.bits(27)) / 2**53

    def real(self) -> float:
        return self.bits(24) / 2**24


@pytest.mark.parametrize(
    ("rule", "doubles"),
    [
        ("x avatar > spawn stype=n", 1),
        ("x avatar > spawn stype=n prob=0", 1),
        ("avatar x > spawnIfHasMore resource=r limit=5 stype=n", 1),
        ("avatar x > spawnIfHasLess resource=r limit=-1 stype=n", 1),
        ("x avatar > attractGaze", 1),
        ("x avatar > transformTo stype=n", 0),
    ],
)
def test_draws_of_effects_in_recordings(rule: str, doubles: int) -> None:
    """A spawn point beside them tells where the stream is: it draws one real in each tick."""
    sprites = "x > Immovable\nn > Immovable\nr > Resource\np > SpawnPoint stype=b prob=0.5\nb > Immovable"
    game = small_game(sprites, "Ax.\np..", rule, java_random=True)
    for seed in range(12):
        state, dice = _core.vgdl_state(game, seed), JavaRandom(seed)
        made = []
        for action in (Action.RIGHT, Action.LEFT, Action.NIL):
            made.append(dice.real() < 0.5)
            _core.vgdl_advance(state, action)
            if action == Action.RIGHT:
                for _ in range(doubles):
                    dice.double()
        assert len(snapshot(game, state).get("b", [])) == sum(made)


@pytest.mark.parametrize("seed", range(6))
def test_a_certain_spreader_draws_in_recordings(seed: int) -> None:
    game = small_game("s > Spreader limit=2 stype=n\nn > Immovable\np > SpawnPoint stype=b prob=0.5\nb > Immovable",
                      "....\n.s..\n...p\nA...", java_random=True)  # fmt: skip
    state, dice = _core.vgdl_state(game, seed), JavaRandom(seed)
    made = []
    for tick in range(4):
        made.append(dice.real() < 0.5)
        _core.vgdl_advance(state, Action.NIL)
        if tick == 1:
            for _ in range(4):
                dice.double()
    assert len(snapshot(game, state).get("b", [])) == sum(made)


CONTINUOUS = {"cont", "cont2"}
"""Small cases of continuous physics, which is not supported."""


def test_recordings_of_other_games(shared_vgdl: Path) -> None:
    for file in trace_files([shared_vgdl / "traces_more"]):
        assert difference(read_trace(file), shared_vgdl / "more", shared_vgdl / "more") is None, file


def test_recordings_of_single_rules(shared_vgdl: Path) -> None:
    for file in trace_files([shared_vgdl / "cases"]):
        trace = read_trace(file)
        if trace["game"] not in CONTINUOUS:
            assert difference(trace, shared_vgdl / "cases", shared_vgdl / "cases") is None, file
