"""What a game is like, from random matches."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import fmean, pstdev
from typing import Any

from treewise.gdl.machine import Machine


@dataclass(slots=True)
class Probe:
    """Counts of random matches in which every role chooses uniformly among its legal actions."""

    players: list[int]
    """The roles other than `random`."""
    playouts: int = 0
    unfinished: int = 0
    """Matches that were cut: at the greatest length, or because there was no more time."""
    stuck: int = 0
    """Matches that stopped because a role had no legal action."""
    lengths: list[int] = field(default_factory=list)
    """Of the matches that ended."""
    goals: list[tuple[int, ...]] = field(default_factory=list)
    """Each role's at the ends."""
    choices: list[int] = field(default_factory=list)
    """How many actions a player could choose from, wherever it was more than one."""
    steps: int = 0
    simultaneous: int = 0
    """Steps in which several players had a choice."""
    facts: set[str] = field(default_factory=set)
    actions: list[set[int]] = field(default_factory=list)

    def summary(self) -> dict[str, Any]:
        """The counts in a form for people and for JSON."""
        sums = {sum(goals[player] for player in self.players) for goals in self.goals}
        columns: list[Sequence[int]] = list(zip(*self.goals, strict=True))
        return {
            "playouts": self.playouts,
            "unfinished_share": self.unfinished / max(1, self.playouts),
            "stuck_share": self.stuck / max(1, self.playouts),
            "length_mean": fmean(self.lengths) if self.lengths else None,
            "length_sd": pstdev(self.lengths) if self.lengths else None,
            "length_max": max(self.lengths, default=None),
            "branching_mean": fmean(self.choices) if self.choices else None,
            "branching_max": max(self.choices, default=None),
            "simultaneous_share": self.simultaneous / max(1, self.steps),
            "constant_sum": sums.pop() if len(sums) == 1 and len(self.players) > 1 else None,
            "goal_range": [[min(column), max(column)] for column in columns],
            "goal_mean": [fmean(column) for column in columns],
            "facts_seen": len(self.facts),
            "actions_seen": [len(actions) for actions in self.actions],
        }


def probe(
    machine: Machine,
    playouts: int = 50,
    seed: int = 0,
    max_length: int = 1000,
    over: Callable[[], bool] = lambda: False,
) -> Probe:
    """Plays random matches, until `over` says that there is no more time.

    >>> from treewise.gdl import load_machine
    >>> found = probe(load_machine("kuhn_poker"), playouts=20).summary()
    >>> found["length_max"], found["simultaneous_share"], found["branching_mean"]
    (4, 0.0, 2.0)
    """
    players = [place for place, role in enumerate(machine.sheet.roles) if role.name != "random"]
    found = Probe(players, actions=[set() for _ in machine.roles])
    rng = random.Random(seed)
    while found.playouts < playouts and not over():
        _play(machine, found, rng, max_length, over)
        found.playouts += 1
    return found


def _play(machine: Machine, found: Probe, rng: random.Random, max_length: int, over: Callable[[], bool]) -> None:
    state = machine.game.initial_state()
    for length in range(max_length + 1):
        found.facts.update(machine.facts(state))
        if machine.is_terminal(state):
            found.lengths.append(length)
            found.goals.append(tuple(machine.goals(state)))
            return
        if length == max_length or over():
            break
        legal = [machine.legal(state, role) for role in range(len(machine.roles))]
        if not all(legal):
            found.stuck += 1
            return
        choices = [len(legal[player]) for player in found.players if len(legal[player]) > 1]
        found.choices += choices
        found.steps += 1
        found.simultaneous += len(choices) > 1
        for seen, actions in zip(found.actions, legal, strict=True):
            seen.update(actions)
        state = machine.play(state, [rng.choice(actions) for actions in legal])
    found.unfinished += 1
