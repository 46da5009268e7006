"""Cannon: what playouts draw from, and their statistics from the start."""

from collections import Counter
from math import sqrt

import pytest
from scipy import stats

import treewise

MIDDLE = ".....T..../2.2.2.2.../2.2.2....2/2.2.2.222./........../.......2.1/..11.11..1/..11.1..11/...1.1..../........t."


@pytest.mark.parametrize("text", ["cannon", "cannon(mate_rule=True)"])
@pytest.mark.parametrize(
    "board",
    [MIDDLE, "....T...../1.......2./.1......../..1......./" + "........../" * 5 + ".2..t....."],
)
def test_uniform_playouts_draw_every_action_alike(text: str, board: str) -> None:
    state = treewise.load_game(text).parse_state(board, 0)
    found: Counter[int] = Counter()
    for seed in range(400 * len(state.legal_actions())):
        copy = state.clone()
        copy.playout(seed, max_length=1)
        found[copy.history()[0]] += 1
    assert sorted(found) == sorted(state.legal_actions())
    if len(found) > 1:
        assert stats.chisquare(list(found.values())).pvalue > 1e-4


@pytest.mark.parametrize(
    ("n", "policy", "share", "length", "first", "second"),
    [
        (2000, True, 0.450, (71.5, 14.1), (0.339, 0.330), (0.409, 0.319)),
        # For uniform playouts there is only the sample of a generator with small defects.
        (3000, False, 0.500, (132.7, 42.8), (0.026, 0.188), (0.041, 0.187)),
    ],
)
def test_playout_statistics(
    n: int,
    policy: bool,
    share: float,
    length: tuple[float, float],
    first: tuple[float, float],
    second: tuple[float, float],
) -> None:
    """Agrees with other implementations within four standard errors of both samples together."""
    start = treewise.load_game("cannon(mate_rule=True, corners=True)").initial_state()
    lengths: list[float] = []
    qualities: tuple[list[float], list[float]] = ([], [])
    samples = 5000
    for seed in range(samples):
        state = start.clone()
        lengths.append(state.playout(seed, policy=policy))
        qualities[state.returns().index(1.0)].append(state.quality(clip=False))
    assert abs(len(qualities[0]) / samples - share) < 4 * sqrt(0.25 / n + 0.25 / samples)
    for values, (mean, sd), weight in [
        (lengths, length, 1.0),
        (qualities[0], first, share),
        (qualities[1], second, 1 - share),
    ]:
        error = sqrt(sd**2 / (n * weight) + sd**2 / len(values))
        assert abs(sum(values) / len(values) - mean) < 4 * error
