"""Compares the playouts of a game with figures that another implementation gave."""

from dataclasses import dataclass
from math import sqrt

import treewise


@dataclass(frozen=True)
class Figures:
    """What many playouts from the start gave; means come with their standard deviations."""

    playouts: int
    first_wins: float
    draws: float
    length: tuple[float, float]
    first_quality: tuple[float, float]
    second_quality: tuple[float, float]


def measure(game_text: str, policy: bool, playouts: int) -> Figures:
    """Plays from the start, uniformly or by the game's own policy, with seeds 0, 1, 2, …"""
    start = treewise.load_game(game_text).initial_state()
    lengths: list[float] = []
    qualities: tuple[list[float], list[float]] = ([], [])
    for seed in range(playouts):
        state = start.clone()
        lengths.append(state.playout(seed, policy=policy))
        first = state.returns()[0]
        if first != 0:
            qualities[first < 0].append(state.quality(clip=False))
    wins, losses = map(len, qualities)
    return Figures(
        playouts,
        wins / playouts,
        1 - (wins + losses) / playouts,
        moments(lengths),
        moments(qualities[0]),
        moments(qualities[1]),
    )


def moments(values: list[float]) -> tuple[float, float]:
    """Mean and standard deviation."""
    mean = sum(values) / len(values)
    return mean, sqrt(sum((value - mean) ** 2 for value in values) / len(values))


def assert_alike(ours: Figures, theirs: Figures, errors: float = 4) -> None:
    """Asserts that all figures agree within `errors` combined standard errors and the rounding of theirs."""
    both = 1 / ours.playouts + 1 / theirs.playouts
    second_wins = 1 - theirs.first_wins - theirs.draws
    rows = [
        ("first wins", ours.first_wins, theirs.first_wins, share_deviation(theirs.first_wins), both, 0.0005),
        ("draws", ours.draws, theirs.draws, share_deviation(theirs.draws), both, 0.0005),
        ("length", ours.length[0], *theirs.length, both, 0.05),
        ("first's quality", ours.first_quality[0], *theirs.first_quality, both / theirs.first_wins, 0.0005),
        ("second's quality", ours.second_quality[0], *theirs.second_quality, both / second_wins, 0.0005),
    ]
    for name, mine, other, deviation, inverse_count, rounding in rows:
        allowed = errors * deviation * sqrt(inverse_count) + rounding
        assert abs(mine - other) <= allowed, f"{name}: {mine:.4f}, expected {other} ± {allowed:.4f}"


def share_deviation(share: float) -> float:
    """The standard deviation of one yes-or-no result."""
    return sqrt(share * (1 - share))
