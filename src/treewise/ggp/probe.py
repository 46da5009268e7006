"""Random matches at the start: what kind of game is it?"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import fmean, pstdev

from treewise.gdl.machine import Machine

__all__ = ["Probe", "probe"]

_LONGEST = 1000


@dataclass
class Probe:
    """What random matches showed."""

    seconds: float = 0.0
    lengths: list[int] = field(default_factory=list)
    goals: list[tuple[int, ...]] = field(default_factory=list)
    choices: list[int] = field(default_factory=list)
    """The number of legal moves of each role that had more than one, at each step."""
    simultaneous: bool = False
    """Whether two roles had a choice at once."""

    @property
    def constant_sum(self) -> bool:
        """Whether the goals of all matches had the same sum."""
        return len({sum(goals) for goals in self.goals}) <= 1

    def __str__(self) -> str:
        if not self.lengths:
            return f"no random match was finished in {self.seconds:.1f} s"
        values = sorted({goal for goals in self.goals for goal in goals})
        kind = ("simultaneous" if self.simultaneous else "turn-taking") + (
            ", constant sum" if self.constant_sum else ", general sum"
        )
        branching = f"{fmean(self.choices):.1f} choices" if self.choices else "no choices"
        return (
            f"{len(self.lengths) / self.seconds:.1f} random matches a second, {fmean(self.lengths):.1f} "
            f"± {pstdev(self.lengths):.1f} steps, {branching}, goals {values[0]} to {values[-1]}, {kind}"
        )


def probe(machine: Machine, seconds: float, rng: random.Random, over: Callable[[], bool] = lambda: False) -> Probe:
    """Plays random matches for so many seconds, or until somebody says that it is over."""
    found = Probe()
    begun = time.monotonic()
    deadline = begun + seconds
    while _match(machine, lambda: over() or time.monotonic() > deadline, rng, found):
        pass
    found.seconds = time.monotonic() - begun
    return found


def _match(machine: Machine, over: Callable[[], bool], rng: random.Random, found: Probe) -> bool:
    """One match; False when the time is over, or the sheet leaves a role without a move."""
    state, length = machine.game.initial_state(), 0
    while not machine.is_terminal(state):
        legal = [machine.legal(state, role) for role in range(len(machine.roles))]
        if over() or length >= _LONGEST or not all(legal):
            return False
        choices = [len(actions) for actions in legal if len(actions) > 1]
        found.choices += choices
        found.simultaneous = found.simultaneous or len(choices) > 1
        state = machine.play(state, [rng.choice(actions) for actions in legal])
        length += 1
    found.lengths.append(length)
    found.goals.append(tuple(machine.goals(state)))
    return not over()
