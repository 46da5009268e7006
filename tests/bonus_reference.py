"""The quality-based bonuses once more, plainly: every equation from all that was seen so far, in two passes."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import exp

import numpy as np

from treewise import bonus


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
