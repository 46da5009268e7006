"""The quality-based bonuses, equation by equation, fed by hand. Numbers are derived where they stand."""

from math import exp, sqrt

import numpy as np
import pytest

from bonus_reference import Simulation, rewards
from treewise import _core, bonus
from treewise.part import Part

WIN, LOSS, DRAW = [1.0, 0.0], [0.0, 1.0], [0.5, 0.5]


def probe(part: Part, players: int = 2) -> _core.BonusProbe:
    return _core.BonusProbe(part.core(), players)


def feed(part: Part, seen: list[Simulation], player: int = 0, expected: float = 0.0) -> list[float]:
    """What the part adds to the winner's reward for each simulation, on the scale [-1, 1]."""
    core = probe(part)
    core.start(player)
    found = []
    for s in seen:
        outcome = DRAW if s.winner is None else LOSS if s.winner else WIN
        values = core.result(outcome, s.length, s.quality, expected=expected)
        winner = s.winner or 0
        assert sum(values) == pytest.approx(1), "what one gains the other loses"
        found.append(2 * (values[winner] - outcome[winner]))
    return found


# ---- equations 2 and 4 to 8


def test_relative_bonus_by_hand() -> None:
    """Player 0 has won after 10 and 14 steps: mean 12, sample variance ((-2)^2 + 2^2) / 1 = 8.

    The next win takes 8: lambda = (12 - 8) / sqrt 8 = sqrt 2, b = -1 + 2 / (1 + e^(-2 sqrt 2)) = 0.8883856, so the
    reward is 1 + 0.25 b = 1.2220964 for the winner and -1.2220964 for the loser: 1.1110482 and -0.1110482 on [0, 1].
    Then mean 32 / 3 and variance 28 / 3; a win in 12 gives lambda = (32 / 3 - 12) / sqrt(28 / 3) = -2 / sqrt 21.
    """
    core = probe(bonus.RelativeBonus(k=2.0, a=0.25))
    assert core.result(WIN, 10) == WIN, "no deviation of nothing"
    assert core.result(WIN, 14) == WIN, "nor of one"
    assert core.result(WIN, 8) == pytest.approx([1.1110482, -0.1110482], abs=1e-7)
    b = -1 + 2 / (1 + exp(4 / sqrt(21)))
    assert core.result(WIN, 12) == pytest.approx([1 + b / 8, -b / 8], abs=1e-12)


def test_each_winner_has_statistics_of_its_own() -> None:
    core = probe(bonus.RelativeBonus(k=2.0, a=0.25))
    for length in (10, 14):
        core.result(WIN, length)
    assert core.result(LOSS, 30) == LOSS
    assert core.result(LOSS, 34) == LOSS
    # For player 1: mean 32, deviation sqrt 8, as far from 28 as 12 from 8 above.
    assert core.result(LOSS, 28) == pytest.approx([-0.1110482, 1.1110482], abs=1e-7)
    assert core.result(WIN, 8) == pytest.approx([1.1110482, -0.1110482], abs=1e-7), "player 0's are what they were"


def test_quality_bonus_by_hand() -> None:
    """Wins with q = 0.2 and 0.6: mean 0.4, variance 0.08. q = 0.6 gives lambda = 0.2 / sqrt 0.08 = 1 / sqrt 2,

    and with k = 4 b = -1 + 2 / (1 + e^(-4 / sqrt 2)) = 0.8883856 again; with a = 0.5 the reward is 1.4441928.
    """
    core = probe(bonus.QualityBonus(k=4.0, a=0.5))
    for q in (0.2, 0.6):
        assert core.result(LOSS, 7, q) == LOSS
    assert core.result(LOSS, 9, 0.6) == pytest.approx([-0.2220964, 1.2220964], abs=1e-7)


def test_the_bonus_is_bounded() -> None:
    part = bonus.RelativeBonus(k=1000.0, a=0.25)
    seen = [Simulation(0, 10), Simulation(0, 12), Simulation(0, 1), Simulation(0, 10**9)]
    assert feed(part, seen) == pytest.approx([0, 0, 0.25, -0.25])


def test_quality_only_by_hand() -> None:
    """The reward is q for the winner and -q for the others; a draw stays 0. On [0, 1]: (1 + q) / 2, (1 - q) / 2."""
    core = probe(bonus.QualityOnly())
    assert core.result(WIN, 7, 0.3) == pytest.approx([0.65, 0.35])
    assert core.result(LOSS, 7, 0.0) == pytest.approx([0.5, 0.5])
    assert core.result(DRAW, 7, 0.9) == DRAW
    assert core.result(WIN, 7, 0.9, finished=False) == WIN


def test_qualities_are_clipped_unless_told_otherwise() -> None:
    assert probe(bonus.QualityOnly()).result(WIN, 7, -0.25) == pytest.approx([0.5, 0.5])
    assert probe(bonus.QualityOnly()).result(WIN, 7, 1.5) == pytest.approx([1, 0])
    assert probe(bonus.QualityOnly(clip=False)).result(WIN, 7, -0.25) == pytest.approx([0.375, 0.625])
    seen = [Simulation(0, 0, q) for q in (-0.5, 0.0, -0.25, 1.25, 2.0, 1.0)]
    assert feed(bonus.QualityBonus(), seen)[:3] == [0, 0, 0], "all zero when clipped"
    assert feed(bonus.QualityBonus(clip=False), seen)[2] == 0, "just the mean"
    assert feed(bonus.QualityBonus(clip=False), seen)[3] > 0.2


# ---- equations 9 and 10


def test_online_coefficient_by_hand() -> None:
    """Player 0 searches; Y = 10, 14, 8 and player 1 wins the last, so Y^w = 10, 14, 0; means 32 / 3 and 8.

    Sum of products of deviations: (-2/3)(2) + (10/3)(6) + (-8/3)(-8) = 40; of squares of Y: (4 + 100 + 64) / 9 = 56/3.
    a' = 40 / (56 / 3) = 15 / 7. Player 0 then wins in 10: mean 12, deviation sqrt 8, lambda = 1 / sqrt 2.
    """
    seen = [Simulation(0, 10), Simulation(0, 14), Simulation(1, 8), Simulation(0, 10)]
    b = -1 + 2 / (1 + exp(-2 / sqrt(2)))
    assert feed(bonus.RelativeBonus(k=2.0, a="online"), seen)[-1] == pytest.approx(15 / 7 * b, abs=1e-12)
    # For player 1, Y^w = 0, 0, 8 with mean 8/3: (-2/3 + 10/3)(-8/3) + (-8/3)(16/3) = -64/3, and |-64 / 56| = 8 / 7.
    assert feed(bonus.RelativeBonus(k=2.0, a="online"), seen, player=1)[-1] == pytest.approx(8 / 7 * b, abs=1e-12)


def test_no_online_bonus_without_variance() -> None:
    seen = [Simulation(0, 10), Simulation(0, 10), Simulation(0, 8)]
    assert feed(bonus.RelativeBonus(a="online"), seen) == [0, 0, 0]


@pytest.mark.parametrize("qualities", [(0.3, 0.1 + 0.2), (1.0, 1 + 2e-16), (2.0**-528, 2.0**-533, 0.0)])
@pytest.mark.parametrize(
    "part", [bonus.QualityBonus(a=0.25), bonus.QualityBonus(a="online"), bonus.CombinedBonus()], ids=Part.text
)
def test_numbers_that_differ_by_rounding_have_no_deviation(part: Part, qualities: tuple[float, ...]) -> None:
    seen = [Simulation(i % 3 % 2, 10, qualities[i % len(qualities)]) for i in range(40)]
    assert feed(part, seen) == [0] * 40


# ---- the covariance matrix


def test_combined_bonus_by_hand() -> None:
    """Length and quality in a square, so uncorrelated: (10, 0.2), (10, 0.6), (14, 0.2), (14, 0.6), all won by player 0.

    Then Y^w = Y, both coefficients are 1, and each bonus is that of its own: player 0's mean length 12, variance 16/3;
    mean quality 0.4, variance 0.16 / 3. The next win, (10, 0.6), has lambda = 2 / sqrt(16/3) = sqrt 0.75 and
    0.2 / sqrt(0.16 / 3) = sqrt 0.75.
    """
    seen = [Simulation(0, d, q) for d in (10, 14) for q in (0.2, 0.6)] + [Simulation(0, 10, 0.6)]
    by_length, by_quality = (-1 + 2 / (1 + exp(-k * sqrt(0.75))) for k in (1.0, 3.0))
    found = feed(bonus.CombinedBonus(k_length=1.0, k_quality=3.0), seen)[-1]
    assert found == pytest.approx(by_length + by_quality, abs=1e-12)


def test_joint_coefficients_by_hand() -> None:
    """Y = (10, 0.2) and (14, 0.6) won by player 0, (12, 0.2) by player 1. Deviations of d: -2, 2, 0; of q, times 15:

    -2, 4, -2. Of d^w = 10, 14, 0, mean 8: 2, 6, -8; of q^w = 0.2, 0.6, 0, mean 4/15, times 15: -1, 5, -4.
    dd = 8, dq = 12/15, qq = 24/225, determinant (8 * 24 - 144) / 225 = 48/225.
    d^w: with d -4 + 12 = 8, with q (-4 + 24 + 16) / 15 = 36/15; slope of d: (24 * 8 - 12 * 36) / 48 = -5.
    q^w: with d (2 + 10) / 15 = 12/15, with q (2 + 20 + 8) / 225 = 30/225; slope of q: (8 * 30 - 12 * 12) / 48 = 2.
    Apart they would be 8/8 = 1 and 30/24 = 1.25.
    """
    seen = [Simulation(0, 10, 0.2), Simulation(0, 14, 0.6), Simulation(1, 12, 0.2), Simulation(0, 8, 0.4)]
    by_length = -1 + 2 / (1 + exp(-2 * 4 / sqrt(8)))  # q = 0.4 is the mean of player 0's
    assert feed(bonus.CombinedBonus(), seen)[-1] == pytest.approx(5 * by_length, abs=1e-9)
    seen[-1] = Simulation(0, 12, 0.6)  # and so is d = 12
    by_quality = -1 + 2 / (1 + exp(-2 * 0.2 / sqrt(0.08)))
    assert feed(bonus.CombinedBonus(), seen)[-1] == pytest.approx(2 * by_quality, abs=1e-9)


def test_a_singular_matrix_gives_the_coefficients_apart() -> None:
    seen = [Simulation(i % 3 % 2, d, d / 32) for i, d in enumerate((10, 14, 8, 20, 12, 9))]
    both = feed(bonus.CombinedBonus(k_length=2.0, k_quality=1.0), seen)
    by_length = feed(bonus.RelativeBonus(k=2.0, a="online"), seen)
    by_quality = feed(bonus.QualityBonus(k=1.0, a="online"), seen)
    assert both == pytest.approx(np.add(by_length, by_quality), abs=1e-12)
    assert any(both)


# ---- one pass against two


def random_simulations(seed: int, count: int = 250, offset: int = 0) -> list[Simulation]:
    """Correlated in all ways: strong winners win faster and better. One in ten is a draw."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        strength = rng.normal()
        winner = None if rng.random() < 0.1 else int(strength + rng.normal() < 0.3)
        length = offset + int(60 - 5 * abs(strength) + 12 * rng.normal())
        found.append(Simulation(winner, length, float(0.3 + 0.1 * abs(strength) + 0.2 * rng.normal())))
    return found


PARTS = [
    bonus.RelativeBonus(k=2.2),
    bonus.RelativeBonus(k=8.0, a="online"),
    bonus.QualityBonus(k=1.6),
    bonus.QualityBonus(k=4.0, a="online"),
    bonus.QualityBonus(a="online", clip=False),
    bonus.CombinedBonus(k_length=2.2, k_quality=1.6),
    bonus.CombinedBonus(clip=False),
    bonus.QualityOnly(),
    bonus.QualityOnly(clip=False),
]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.text())
@pytest.mark.parametrize(("seed", "player", "expected"), [(1, 0, 0.0), (2, 1, 1000.0)])
def test_running_statistics_equal_two_passes(part: Part, seed: int, player: int, expected: float) -> None:
    seen = random_simulations(seed)
    theirs = rewards(part, seen, player, expected)
    assert feed(part, seen, player, expected) == pytest.approx(theirs, abs=1e-9)
    assert np.count_nonzero(theirs) > 150


def test_running_statistics_of_large_numbers() -> None:
    """Sums of squares would lose all digits here."""
    part = bonus.RelativeBonus(a="online")
    near, far = random_simulations(3), random_simulations(3, offset=10**6)
    assert feed(part, far) == pytest.approx(rewards(part, far), rel=1e-6)
    near_fixed, far_fixed = (feed(bonus.RelativeBonus(), seen) for seen in (near, far))
    assert far_fixed == pytest.approx(near_fixed, abs=1e-9), "only distances from the mean matter"


# ---- who gets a bonus, and when


def test_draws_and_ends_that_were_not_reached_change_nothing() -> None:
    part = bonus.CombinedBonus()
    plain, disturbed = probe(part), probe(part)
    for s in random_simulations(4, 60):
        if s.winner is None:
            continue
        outcome = LOSS if s.winner else WIN
        assert disturbed.result(DRAW, 1000, 0.9) == DRAW
        assert disturbed.result(WIN, 1, 1.0, finished=False) == WIN
        assert disturbed.result(outcome, s.length, s.quality) == plain.result(outcome, s.length, s.quality)


def test_of_many_players_one_wins_and_all_others_lose() -> None:
    core = probe(bonus.RelativeBonus(k=2.0, a=0.25), players=3)
    for length in (10, 14):
        core.result([0.2, 0.9, 0.3], length)
    gain = 0.1110482
    assert core.result([0.2, 0.9, 0.3], 8) == pytest.approx([0.2 - gain, 0.9 + gain, 0.3 - gain], abs=1e-7)
    assert core.result([0.9, 0.9, 0.0], 1) == [0.9, 0.9, 0.0], "a shared first place is a draw"
    assert core.result([0.2, 0.9, 0.3], 100)[1] < 0.9


@pytest.mark.parametrize("share", [0.0, 0.05, 0.5, 1.0])
def test_warm_up(share: float) -> None:
    """Without bonus at first, but not without learning: the first bonus already knows all that went before."""
    seen = random_simulations(5, 200)
    found = feed(bonus.QualityBonus(warm_up=share), seen, expected=200)
    always = feed(bonus.QualityBonus(warm_up=0.0), seen)
    first = int(200 * share)
    assert not any(found[:first])
    assert found[first:] == always[first:]


def test_no_bonus_before_the_first_estimate() -> None:
    seen = random_simulations(5, 50)
    assert not any(feed(bonus.QualityBonus(), seen, expected=float("inf")))
    assert any(feed(bonus.QualityBonus(warm_up=0.0), seen, expected=float("inf")))


def test_a_new_run_forgets() -> None:
    core = probe(bonus.CombinedBonus())
    runs = []
    for player in (0, 1, 0):
        core.start(player)
        runs.append([core.result(WIN if s.winner == 0 else LOSS, s.length, s.quality) for s in random_simulations(6)])
    assert runs[0] == runs[2] != runs[1]


# ---- what it is for


def graded(rng: np.random.Generator) -> tuple[list[float], int]:
    """A result whose size hangs on the length, as where a long match is won by more: 0.5 ± (0.25 + 0.1 z), 9 to 1."""
    z = min(max(rng.normal(), -2), 2)
    size = (0.25 + 0.1 * z) * (1 if rng.random() < 0.9 else -1)
    return [0.5 + size, 0.5 - size], round(1000 + 100 * z)


def action_means(part: Part | None, seed: int, results: bool) -> list[float]:
    """400 equal actions in turn, 60 simulations each: the mean of each, with the statistics of all, as in a search.

    A run's own mean taken from the run's own results would leave nothing to control.
    """
    rng = np.random.default_rng(seed)
    core = probe(part) if part else None
    values = []
    for _ in range(400 * 60):
        outcome, length = graded(rng)
        if results:
            outcome = WIN if outcome[0] > outcome[1] else LOSS
        values.append((core.result(outcome, length, expected=400 * 60) if core else outcome)[0])
    return [float(np.mean(values[action::400])) for action in range(400)]


CONTROL = bonus.RelativeBonus(k=2.0, a=0.25)


def test_a_correlated_reward_has_less_variance_with_the_bonus() -> None:
    """The variance is 0.25² + 0.1² - (0.8 * 0.25)² = 0.0325; without the term in z, 0.0225: two thirds are left."""
    plain, controlled = action_means(None, 7, False), action_means(CONTROL, 7, False)
    assert np.var(controlled) < 0.85 * np.var(plain)
    assert np.mean(controlled) == pytest.approx(np.mean(plain), abs=0.002), "and no bias"


def test_wins_and_losses_alone_keep_their_mean() -> None:
    """Centred for each winner, the bonus says nothing of who wins: no bias, and at most a² / 4 more variance."""
    plain, controlled = action_means(None, 8, True), action_means(CONTROL, 8, True)
    assert np.mean(controlled) == pytest.approx(np.mean(plain), abs=0.002)
    assert np.var(plain) < np.var(controlled) < np.var(plain) + 0.25**2 / 4 / 60
