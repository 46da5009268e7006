"""After a PLAY that cannot be true, the player finds its way back by the next one that can."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import lru_cache

import pytest
from sheets import LAMPS, NIM, PENNIES
from talking import quick_settings, say

from treewise.gdl import load_machine, prover_machine
from treewise.gdl.load import read_sheet
from treewise.gdl.machine import Machine
from treewise.ggp.player import Player
from treewise.ggp.position import Position
from treewise.ggp.reasoning import Reasoning
from treewise.ggp.tracking import Tracker, Worlds
from treewise.limit import Simulations

Broken = Callable[[Position, random.Random], list[str]]

SHEETS = {"nim": NIM, "pennies": PENNIES, "lamps": LAMPS}
GAMES = ("nim", "pennies", "lamps", "tic_tac_toe", "connect_four", "battle")
MORE_GAMES = ("breakthrough", "chinook", "quad", "hex", "chinesecheckers", "merrills")


@lru_cache
def rules(name: str) -> tuple[str, Machine]:
    text = SHEETS.get(name) or read_sheet(name)
    return text, prover_machine(text) if name in SHEETS else load_machine(name)


# ---- messages that cannot be true


def too_few(position: Position, rng: random.Random) -> list[str]:
    return joint(position, rng)[1:]


def too_many(position: Position, rng: random.Random) -> list[str]:
    return [*joint(position, rng), "noop"]


def unknown(position: Position, rng: random.Random) -> list[str]:
    moves = joint(position, rng)
    moves[rng.randrange(len(moves))] = "(fly me to the moon)"
    return moves


def variables(position: Position, rng: random.Random) -> list[str]:
    moves = joint(position, rng)
    moves[rng.randrange(len(moves))] = rng.choice(["?x", "(mark ?x ?y)", "(move ?a ?b ?c ?d)"])
    return moves


def illegal(position: Position, rng: random.Random) -> list[str]:
    """Moves that are legal later in the game, if not here."""
    elsewhere = position
    for _ in range(20):
        if elsewhere.machine.is_terminal(elsewhere.state):
            break
        moves = joint(elsewhere, rng)
        if not position.allows(moves):
            return moves
        elsewhere = elsewhere.after(moves)
    return ["gone"] * len(position.machine.roles)


KINDS = (too_few, too_many, unknown, variables, illegal)


def joint(position: Position, rng: random.Random) -> list[str]:
    return [rng.choice(position.legal_texts(role)) for role in range(len(position.machine.roles))]


# ---- whole matches

_MOST_WRONG = 3


class Match:
    """A server that knows where the match stands, and the player in it."""

    def __init__(self, name: str, role: int, seed: int) -> None:
        text, machine = rules(name)
        self.rng = random.Random(seed)
        self.role = role
        self.truth = Position(machine)
        self.player = Player(quick_settings(limit=Simulations(4), first=lambda sheet: machine, seed=seed), Reasoning)
        self.wrong = 0
        """Replies that were not legal where the match stood."""
        assert say(self.player, f"(START m {machine.roles[role]} ({text}) 1 60)") == "ready"

    @property
    def worlds(self) -> Worlds:
        assert self.player._match is not None
        assert isinstance(self.player._match.reasoner, Reasoning)
        assert self.player._match.reasoner.worlds is not None
        return self.player._match.reasoner.worlds

    def tell(self, moves: list[str] | None) -> str:
        """The player's reply to a PLAY, which must be legal in one of the states that it holds possible."""
        reply = say(self.player, f"(PLAY m {'NIL' if moves is None else '(' + ' '.join(moves) + ')'})")
        assert any(reply in position.legal_texts(self.role) for position in self.worlds.positions), reply
        return reply

    def ask(self, moves: list[str] | None) -> list[str]:
        """Tells what was played, and returns what is played next."""
        reply = self.tell(moves)
        legal = self.truth.legal_texts(self.role)
        self.wrong += reply not in legal
        following = joint(self.truth, self.rng)
        following[self.role] = reply if reply in legal else legal[0]
        return following

    def holds_the_truth(self) -> bool:
        facts = self.truth.machine.facts(self.truth.state)
        return any(position.machine.facts(position.state) == facts for position in self.worlds.positions)

    def over(self) -> bool:
        return self.truth.machine.is_terminal(self.truth.state)


def play(match: Match, when: int, broken: Broken, replaces: bool) -> None:
    """To the end. After so many steps one PLAY is broken: it comes before the true one, or in its place."""
    told, before = None, match.truth
    for step in range(1000):
        nonsense = broken(before, match.rng) if step == when else None
        if nonsense is not None and not replaces:
            match.tell(nonsense)
        following = match.ask(nonsense if nonsense is not None and replaces else told)
        assert match.holds_the_truth()
        told, before, match.truth = following, match.truth, match.truth.after(following)
        if match.over():
            break
    assert say(match.player, f"(STOP m ({' '.join(told or [])}))") == "done"


def check(name: str, broken: Broken, replaces: bool, seeds: int) -> None:
    roles = len(rules(name)[1].roles)
    for seed in range(seeds):
        match = Match(name, seed % roles, seed)
        first = 2 if broken is too_few else 1  # nothing told is what the first message tells
        play(match, first + seed, broken, replaces)
        # In its place, nobody can know what was played before later messages say so.
        assert match.wrong <= _MOST_WRONG * replaces, seed
        match.player.close()


@pytest.mark.parametrize("replaces", [False, True])
@pytest.mark.parametrize("broken", KINDS)
@pytest.mark.parametrize("name", GAMES)
def test_a_whole_match_after_one_broken_message(name: str, broken: Broken, replaces: bool) -> None:
    check(name, broken, replaces, seeds=2)


@pytest.mark.long
@pytest.mark.parametrize("replaces", [False, True])
@pytest.mark.parametrize("broken", KINDS)
@pytest.mark.parametrize("name", GAMES + MORE_GAMES)
def test_many_matches_after_one_broken_message(name: str, broken: Broken, replaces: bool) -> None:
    check(name, broken, replaces, seeds=10)


@pytest.fixture
def nim() -> tuple[Tracker, Worlds]:
    return Tracker(random.Random(1), seconds=60), Worlds([(1.0, Position(prover_machine(NIM)))])


def sticks(worlds: Worlds) -> list[str]:
    return [" ".join(position.machine.facts(position.state)) for position in worlds.positions]


def test_a_legal_joint_move_leaves_no_doubt(nim: tuple[Tracker, Worlds]) -> None:
    tracker, worlds = nim
    assert sticks(tracker.after(worlds, ["(TAKE  2)", "wait"])) == ["(sticks 3) (turn right)"]


def test_what_agrees_with_the_moves_that_can_be_true_is_possible(nim: tuple[Tracker, Worlds]) -> None:
    tracker, worlds = nim
    found = tracker.after(worlds, ["(take ?n)", "wait"])
    assert sorted(sticks(found)) == ["(sticks 3) (turn right)", "(sticks 4) (turn right)", "(sticks 5) (turn left)"]
    assert found.promising(role=0)[1] == ["wait"], "something was played, more likely than nothing"
    assert sticks(tracker.after(found, ["wait", "(take 2)"])) == ["(sticks 1) (turn left)", "(sticks 2) (turn left)"]
    assert sticks(tracker.after(found, ["(take 1)", "wait"])) == ["(sticks 4) (turn right)"]


def test_what_was_answered_was_played_if_nothing_else_is_told(nim: tuple[Tracker, Worlds]) -> None:
    tracker, worlds = nim
    assert sticks(tracker.after(worlds, ["(take ?n)", "wait"], (0, "(take 1)")))[0] == "(sticks 4) (turn right)"


def test_a_legal_answer_that_was_not_played_was_probably_not_legal() -> None:
    worlds = Worlds([(1.0, Position(load_machine("tic_tac_toe")).after(["(mark 2 2)", "noop"]))])
    tracker = Tracker(random.Random(1), seconds=60)
    found = tracker.after(tracker.after(worlds, ["noop", "(mark ?x ?y)"]), ["(mark 3 3)", "noop"], (0, "(mark 1 1)"))
    assert len(found) == 7
    assert "(cell 1 1 o)" in found.best.machine.facts(found.best.state)


def test_the_end_says_something_too(nim: tuple[Tracker, Worlds]) -> None:
    tracker, worlds = nim
    for moves in (["(take 2)", "wait"], ["wait", "(take 1)"]):
        worlds = tracker.after(worlds, moves)
    assert sorted(sticks(tracker.after(worlds, ["x"]))) == ["(sticks 1) (turn right)", "(sticks 2) (turn left)"]
    assert sticks(tracker.after(worlds, ["y"], over=True)) == ["(sticks 0) (turn right)"]


def test_the_last_joint_move_again_changes_nothing(nim: tuple[Tracker, Worlds]) -> None:
    tracker, worlds = nim
    after = tracker.after(worlds, ["(take 2)", "wait"])
    assert tracker.after(after, ["(take 2)", "wait"]) is after
    lost = tracker.after(after, ["nonsense"])
    assert len(lost) > 1
    assert tracker.after(lost, ["nonsense"]) is lost
