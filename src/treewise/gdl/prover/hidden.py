"""Rulesheets with hidden information (GDL-II): a player knows the rules, its own actions and what `sees` tells it.

A sheet hides information if it has a rule for `sees`. The worlds that fit a player's knowledge, with their
probabilities, are kept step by step: from worlds that fitted before, the others' actions are tried, and what the player
would have seen differently is thrown away. All actions are tried where that is little work, otherwise random ones until
`WORLDS` are found. The probabilities are those that follow if the others choose at random. Who is to move, whether the
match is over and what the player itself may do count as known.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from treewise.gdl.prover.game import ChanceState, ProverState
from treewise.gdl.prover.tabling import Situation

WORLDS = 100
"""Kept for each player and step, where not all fit into memory and time."""
_TRIES = 20 * WORLDS

Joint = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Worlds:
    """States that a player cannot tell apart, and how likely they are in comparison."""

    states: list[HiddenState]
    weights: list[float]

    def draw(self, rng: random.Random) -> HiddenState:
        """One of them, by its weight."""
        return rng.choices(self.states, self.weights)[0]


class Record:
    """One step as it was: every role's action, what each player then saw, and the state that it led to."""

    __slots__ = ("actions", "before", "seen", "state", "worlds")

    def __init__(
        self, before: Record | None, actions: Joint, seen: tuple[tuple[str, ...], ...], state: ProverState
    ) -> None:
        self.before = before
        self.actions = actions
        self.seen = seen
        self.state = state
        self.worlds: dict[int, Worlds] = {}
        """Of each player who has asked: states after this step that fit what the player knows."""


class HiddenState(ProverState):
    """A position of a rulesheet in which players see only what `sees` tells them."""

    record: Record | None = None
    """The last step; none in the initial state, which everybody knows."""

    def clone(self) -> HiddenState:
        """Another state with the same past."""
        copy = super().clone()
        assert isinstance(copy, HiddenState)
        copy.record = self.record
        return copy

    def _notice(self, step: Situation, joint: Sequence[int]) -> None:
        seen = tuple(self.game.percepts(step, role) for role in self.game.players)
        self.record = Record(self.record, tuple(joint), seen, ProverState(self.game, self.situation))

    def observation(self, player: int) -> str:
        """All that a player has done and seen, one line for each step."""
        role, names = self.game.players[player], self.game.texts
        lines = [names[self.pending[role]]] if self.pending is not None else []
        for record in reversed(_past(self.record)):
            lines.append(" ".join([f"{names[record.actions[role]]}:", *record.seen[player]]))
        return "\n".join(reversed(lines))

    def resample(self, player: int, seed: int) -> HiddenState:
        """A state that fits what the player knows. If none was found, the state itself, which always does."""
        rng, worlds = random.Random(seed), self._worlds(player)
        for _ in range(_TRIES):
            world = worlds.draw(rng).clone()
            if self.pending is None:
                return world
            if world.has_chance():  # in it, too, chance is to act after the players
                world.pending = world._draw(rng, self.game.players[player], self.pending)
                return world
        return self.clone()

    def _draw(self, rng: random.Random, role: int, known: Sequence[int]) -> Joint:
        """A joint action: the known one of a role, random ones of the others."""
        return tuple(known[each] if each == role else rng.choice(legal) for each, legal in enumerate(self.choices()))

    def _worlds(self, player: int) -> Worlds:
        """What fits after the last step; what fitted after earlier ones is found first where it is missing."""
        game = self.game
        worlds = Worlds([type(self)(game, game.prover.situation(game.prover.initial_ids))], [1.0])
        for number, record in enumerate(_past(self.record)):
            if player not in record.worlds:
                rng = random.Random(number * game.num_players + player)
                found = _advance(worlds, record, player, rng)
                record.worlds[player] = found if found.states else Worlds([self._truth(record)], [1.0])
            worlds = record.worlds[player]
        return worlds

    def _truth(self, record: Record) -> HiddenState:
        state = type(self)(self.game, record.state.situation)
        state.record = record
        return state


class HiddenChanceState(HiddenState, ChanceState):
    """The same with the role `random`."""


def _past(record: Record | None) -> list[Record]:
    """The steps so far, the first one first."""
    steps = []
    while record is not None:
        steps.append(record)
        record = record.before
    return steps[::-1]


def _advance(worlds: Worlds, record: Record, player: int, rng: random.Random) -> Worlds:
    """The worlds one step on that fit what the player saw in it."""
    role = record.state.game.players[player]
    count = sum(_num_joint(state, role) for state in worlds.states)
    steps = _all_steps(worlds, record, role) if count <= _TRIES else _some_steps(worlds, record, role, rng)
    found = Worlds([], [])
    tried: dict[tuple[int, Joint], HiddenState | None] = {}
    for place, joint, weight in steps:
        if (place, joint) not in tried:
            world = worlds.states[place].clone()
            world.take(joint)
            tried[place, joint] = world if _fits(world, record, player) else None
        fitting = tried[place, joint]
        if fitting is not None:
            found.states.append(fitting)
            found.weights.append(weight)
        if count > _TRIES and len(found.states) == WORLDS:
            break
    return found


def _num_joint(state: HiddenState, role: int) -> int:
    return math.prod(len(legal) for each, legal in enumerate(state.choices()) if each != role)


def _all_steps(worlds: Worlds, record: Record, role: int) -> Iterator[tuple[int, Joint, float]]:
    for place, (state, weight) in enumerate(zip(worlds.states, worlds.weights, strict=True)):
        choices = ([record.actions[role]] if each == role else legal for each, legal in enumerate(state.choices()))
        for joint in itertools.product(*choices):
            yield place, joint, weight / _num_joint(state, role)


def _some_steps(worlds: Worlds, record: Record, role: int, rng: random.Random) -> Iterator[tuple[int, Joint, float]]:
    for place in rng.choices(range(len(worlds.states)), worlds.weights, k=_TRIES):
        yield place, worlds.states[place]._draw(rng, role, record.actions), 1.0


def _fits(world: HiddenState, record: Record, player: int) -> bool:
    """Whether a player cannot tell a world from what happened."""
    assert world.record is not None
    same_seen = world.record.seen[player] == record.seen[player]
    return same_seen and _known(world, player) == _known(record.state, player)


def _known(state: ProverState, player: int) -> tuple[int, list[int]]:
    """Whose turn it is, and what the player itself may do."""
    return state.current_player(), state.choices()[state.game.players[player]]
