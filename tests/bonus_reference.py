"""The quality-based bonuses once more, plainly: every equation from all that was seen so far, in two passes.

And what shows whether a search does the same: a recorder, and the searches and games to look at.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import exp
from typing import Any

import numpy as np
import pytest

import treewise
from treewise import Search, bonus
from treewise.part import Part


@dataclass(frozen=True)
class Simulation:
    """A simulation as a bonus sees it; nobody wins a draw, or what came to no end."""

    winner: int | None
    length: int = 0
    quality: float = 0.0


Quantity = Callable[[Simulation], float]


def rewards(part: bonus.Bonus, seen: list[Simulation], player: int = 0, expected: float = 0.0) -> list[float]:
    """What a bonus adds to the winner's reward, on the scale [-1, 1], for one simulation after the other."""
    return [added(part, seen[:i], seen[i], player, i >= warm_up(part) * expected) for i in range(len(seen))]


def warm_up(part: bonus.Bonus) -> float:
    return float(getattr(part, "warm_up", 0))


def added(part: bonus.Bonus, before: list[Simulation], now: Simulation, player: int, altered: bool) -> float:
    if now.winner is None or not altered:
        return 0.0
    before = [clipped(part, s) for s in before if s.winner is not None]
    now = clipped(part, now)
    if isinstance(part, bonus.RelativeBonus):
        return size(part.a, before, player, length) * -sigmoid(part.k, standardized(before, now, length))
    if isinstance(part, bonus.QualityBonus):
        return size(part.a, before, player, quality) * sigmoid(part.k, standardized(before, now, quality))
    if isinstance(part, bonus.QualityOnly):
        return now.quality - 1
    assert isinstance(part, bonus.CombinedBonus)
    by_length = -sigmoid(part.k_length, standardized(before, now, length))
    by_quality = sigmoid(part.k_quality, standardized(before, now, quality))
    sizes = joint_sizes(before, player)
    return sizes[0] * by_length + sizes[1] * by_quality


def length(simulation: Simulation) -> float:
    return simulation.length


def quality(simulation: Simulation) -> float:
    return simulation.quality


def clipped(part: bonus.Bonus, simulation: Simulation) -> Simulation:
    if not getattr(part, "clip", False):
        return simulation
    return replace(simulation, quality=min(max(simulation.quality, 0.0), 1.0))


def standardized(before: list[Simulation], now: Simulation, quantity: Quantity) -> float:
    """(y - mean) / deviation over what the same player won; 0 while there is no deviation. Equations 4 and 7."""
    values = [quantity(s) for s in before if s.winner == now.winner]
    deviation = np.std(values, ddof=1) if len(set(values)) > 1 else 0.0
    return float((quantity(now) - np.mean(values)) / deviation) if deviation > 0 else 0.0


def sigmoid(k: float, x: float) -> float:
    """Equation 5."""
    return -1 + 2 / (1 + exp(-k * x))


def size(a: float | str, before: list[Simulation], player: int, quantity: Quantity) -> float:
    """`a`, or equations 9 and 10."""
    if not isinstance(a, str):
        return a
    y = np.array([quantity(s) for s in before])
    won = np.array([quantity(s) if s.winner == player else 0.0 for s in before])
    if len(set(y)) < 2:
        return 0.0
    return float(abs(np.cov(won, y)[0, 1] / np.var(y, ddof=1)))


def joint_sizes(before: list[Simulation], player: int) -> tuple[float, float]:
    """The slopes along the own quantity when each Y^w is regressed on length and quality by least squares."""
    y = np.array([[s.length, s.quality] for s in before], dtype=float)
    if len(before) < 3 or np.linalg.matrix_rank(y - y.mean(axis=0), tol=1e-9) < 2:
        return size("online", before, player, length), size("online", before, player, quality)
    won = y * np.array([[s.winner == player] for s in before])
    design = np.column_stack([y, np.ones(len(y))])
    slopes = np.linalg.lstsq(design, won, rcond=None)[0]
    return abs(float(slopes[0, 0])), abs(float(slopes[1, 1]))


# ---- searches to compare with

BREAKTHROUGH = treewise.load_game("breakthrough(rows=5, columns=4)")

SEARCHES = {
    "plain": "mcts",
    "policy": "mcts(playout=mast(inner=game_policy))",
    "solver": "mcts(selection=ucb1(c=0.3), playout=mast(inner=game_policy), proof=solver)",
    "short": "mcts(max_length=8)",
    "evaluator": "mcts(selection=ucb1(c=0.2), evaluator=playouts)",
    "leaf": "mcts(parallel=leaf(threads=2), playout=game_policy)",
}


def late(steps: int) -> treewise.State:
    """A state some steps into a match on a small board."""
    state = BREAKTHROUGH.initial_state()
    state.playout(3, max_length=steps)
    return state


class Recorder:
    """Keeps every record as the bonuses before it left it, and changes nothing."""

    def __init__(self) -> None:
        self.records: list[bonus.Record] = []

    def result(self, record: bonus.Record) -> list[float]:
        self.records.append(record)
        return record.values

    def simulations(self) -> list[Simulation]:
        return [Simulation(r.winner, r.length, r.quality or 0.0) for r in self.records]

    def added(self) -> list[float]:
        """What the winner's reward was changed by; 0 without a winner. Everybody else's is changed by as much."""
        found = []
        for r in self.records:
            changes = [2 * (value - unaltered) for value, unaltered in zip(r.values, r.outcome, strict=True)]
            gain = 0.0 if r.winner is None else changes[r.winner]
            signs = [1 if player == r.winner else -1 for player in range(len(changes))]
            assert changes == pytest.approx([sign * gain for sign in signs], abs=1e-12)
            found.append(gain)
        return found


def check(search: Search, part: Part, state: Any, expected: float = 0.0, player: int = 0) -> list[float]:
    """Runs a search with the part and compares all that it did with the reference."""
    recorder = Recorder()
    search.replace(bonus=[part, recorder]).run(state, seed=5)
    added = recorder.added()
    assert added == pytest.approx(rewards(part, recorder.simulations(), player, expected), abs=1e-9)
    return added


class Fan:
    """Player 0 takes one of many ways; each has an end of its own, after `length` more steps without a choice."""

    ends = [(winner, 3 + 2 * i % 7, i % 5 / 4) for i, winner in enumerate((0, 1, 0, 0, 1, None, 0, 1, 1, 0, None, 0))]

    def __init__(self, way: int | None = None, steps: int = 0) -> None:
        self.way, self.steps = way, steps

    def current_player(self) -> int:
        return 0

    def legal_actions(self) -> list[int]:
        return list(range(len(self.ends))) if self.way is None else [0]

    def apply(self, action: int) -> None:
        if self.way is None:
            self.way = action
        else:
            self.steps += 1

    def is_terminal(self) -> bool:
        return self.way is not None and self.steps == self.ends[self.way][1]

    def returns(self) -> list[float]:
        winner = self.ends[self.way or 0][0]
        return [0.0, 0.0] if winner is None else [1.0 - 2 * winner, 2.0 * winner - 1]

    def quality(self) -> float:
        return self.ends[self.way or 0][2]

    def clone(self) -> Fan:
        return Fan(self.way, self.steps)
