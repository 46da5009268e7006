"""True online Sarsa(λ), fed by hand: the published equivalence, and every line of the update.

Line numbers are those of Algorithms 3 and 4 of İlhan & Etaner-Uyar 2017.
"""

import itertools
from typing import Any

import numpy as np
import pytest

from treewise import _core


def learner(features: int, alpha: float = 0.1, lam: float = 0.5, gamma: float = 0.9, **more: Any) -> _core.SarsaProbe:
    return _core.SarsaProbe(features, alpha, lam, gamma, **more)


# ---- the equivalence of van Seijen et al. 2016, section 3


def lambda_return(k: int, t: int, psi: Any, rewards: Any, bootstraps: Any, lam: float, gamma: float) -> float:
    """The λ-return of step k, cut off at the horizon t; `bootstraps[i]` are the weights that judge psi[i + 1]."""

    def steps(n: int) -> float:
        gained = sum(gamma**i * rewards[k + i] for i in range(n))
        return float(gained + gamma**n * bootstraps[k + n - 1] @ psi[k + n])

    inner = sum(lam ** (n - 1) * steps(n) for n in range(1, t - k))
    return (1 - lam) * inner + lam ** (t - k - 1) * steps(t - k)


def forward_view(psi: Any, rewards: Any, first: Any, alpha: float, lam: float, gamma: float) -> list[Any]:
    """The weights of the online λ-return algorithm after every step: at each, all updates so far are made anew."""
    after = [first]
    for t in range(1, len(rewards) + 1):
        weights = first.copy()
        for k in range(t):
            target = lambda_return(k, t, psi, rewards, after, lam, gamma)
            weights = weights + alpha * (target - weights @ psi[k]) * psi[k]
        after.append(weights)
    return after[1:]


@pytest.mark.parametrize(("lam", "gamma"), [(0.2, 0.99), (0.9, 0.8), (0.0, 0.9), (1.0, 1.0), (0.5, 0.0)])
def test_equals_the_online_lambda_return_algorithm(lam: float, gamma: float) -> None:
    rng = np.random.default_rng(5)
    table = rng.normal(size=(6, 4))  # six states in a chain, with jumps
    states = rng.integers(0, 6, size=13)
    psi, rewards = table[states], rng.normal(size=12)
    probe = learner(4, 0.07, lam, gamma, initial=1.0)
    probe.begin()
    for t, expected in enumerate(forward_view(psi, rewards, np.ones(4), 0.07, lam, gamma)):
        probe.learn(list(psi[t]), rewards[t], list(psi[t + 1]))
        np.testing.assert_allclose(probe.weights(), expected, rtol=0, atol=1e-9)


def test_a_second_episode_and_a_terminal_step_are_equal_too() -> None:
    rng = np.random.default_rng(6)
    weights = np.ones(3)
    probe = learner(3, 0.1, 0.7, 0.95)
    for _ in range(3):
        psi, rewards = np.vstack([rng.normal(size=(5, 3)), np.zeros((1, 3))]), rng.normal(size=5)
        probe.begin()
        for t in range(5):
            probe.learn(list(psi[t]), rewards[t], list(psi[t + 1]) if t < 4 else None)
        weights = forward_view(psi, rewards, weights, 0.1, 0.7, 0.95)[-1]
        np.testing.assert_allclose(probe.weights(), weights, rtol=0, atol=1e-9)


# ---- line by line, by hand: alpha 0.1, lambda 0.5, gamma 0.9


def test_line_38_the_trace_along_the_tree() -> None:
    probe = learner(2)
    probe.begin()
    probe.trace([1.0, 2.0])
    assert probe.traces() == [1.0, 2.0]
    # 0.45 * (1, 2) + (3, 1) - 0.1 * 0.45 * (1 * 3 + 2 * 1) * (3, 1) = (0.45, 0.9) + (3, 1) - 0.225 * (3, 1)
    probe.trace([3.0, 1.0])
    assert probe.traces() == pytest.approx([2.775, 1.675], abs=1e-15)
    assert probe.weights() == [1.0, 1.0]  # steps in the tree teach nothing by themselves
    probe.begin()
    assert probe.traces() == [0.0, 0.0]


def test_lines_64_to_70_one_step_and_the_next() -> None:
    probe = learner(2)
    probe.begin()
    # Q = 3, Q' = 4, delta = 2 + 0.9 * 4 - 3 = 2.6, e = (1, 2);
    # theta = (1, 1) + 0.1 * (2.6 + 3 - 0) * (1, 2) - 0.1 * (3 - 0) * (1, 2) = (1.26, 1.52)
    probe.learn([1.0, 2.0], 2.0, [3.0, 1.0])
    assert probe.traces() == [1.0, 2.0]
    assert probe.weights() == pytest.approx([1.26, 1.52], abs=1e-15)
    # Q = 5.3, Q' = 0 at the end, Q_old = 4, delta = -1 - 5.3 = -6.3, e = (2.775, 1.675) as above;
    # theta = (1.26, 1.52) + 0.1 * (-6.3 + 5.3 - 4) * e - 0.1 * (5.3 - 4) * (3, 1)
    probe.learn([3.0, 1.0], -1.0, None)
    assert probe.traces() == pytest.approx([2.775, 1.675], abs=1e-15)
    assert probe.weights() == pytest.approx([1.26 - 1.3875 - 0.39, 1.52 - 0.8375 - 0.13], abs=1e-14)


def test_a_trace_from_the_tree_is_carried_into_the_playout() -> None:
    probe = learner(2)
    probe.begin()
    probe.trace([1.0, 2.0])
    probe.begin_playout()  # line 53: Q_old = 0, the trace stays
    # Q = 4, delta = 1 - 4 = -3, e = (2.775, 1.675); theta = 1 + 0.1 * (-3 + 4) * e - 0.1 * 4 * (3, 1)
    probe.learn([3.0, 1.0], 1.0, None)
    assert probe.weights() == pytest.approx([1 + 0.2775 - 1.2, 1 + 0.1675 - 0.4], abs=1e-14)


def test_q_old_may_be_the_value_of_the_first_step() -> None:
    probe = learner(2, old_is_first=True)
    for _ in range(2):
        probe.begin()
        probe.trace([1.0, 2.0])
        probe.begin_playout()
        q = np.dot(probe.weights(), [3.0, 1.0])
        # Only the error of the step goes along the trace: theta + 0.1 * (1 - Q) * (2.775, 1.675)
        expected = np.array(probe.weights()) + 0.1 * (1.0 - q) * np.array([2.775, 1.675])
        probe.learn([3.0, 1.0], 1.0, None)
        assert probe.weights() == pytest.approx(list(expected), abs=1e-14)


def test_blocks_are_one_long_vector() -> None:
    rng = np.random.default_rng(7)
    blocks, whole = learner(3, blocks=4), learner(12)
    steps = [(int(rng.integers(4)), rng.normal(size=3)) for _ in range(9)]

    def spread(block: int, psi: Any) -> list[float]:
        long = np.zeros((4, 3))
        long[block] = psi
        return list(long.ravel())

    blocks.begin()
    whole.begin()
    blocks.trace(list(steps[0][1]), steps[0][0])
    whole.trace(spread(*steps[0]))
    for (block, psi), (next_block, next_psi) in itertools.pairwise(steps[1:]):
        blocks.learn(list(psi), 0.5, list(next_psi), block, next_block)
        whole.learn(spread(block, psi), 0.5, spread(next_block, next_psi))
    np.testing.assert_allclose(np.concatenate([blocks.weights(b) for b in range(4)]), whole.weights(), atol=1e-12)
    np.testing.assert_allclose(np.concatenate([blocks.traces(b) for b in range(4)]), whole.traces(), atol=1e-12)


def test_values_are_those_of_the_snapshot() -> None:
    probe = learner(1)
    probe.begin()
    probe.learn([1.0], 3.0, None)
    assert probe.weights() == pytest.approx([1.2])
    assert probe.value([2.0]) == 2.0
    probe.take_snapshot()
    assert probe.value([2.0]) == pytest.approx(2.4)


def test_without_lambda_it_is_sarsa() -> None:
    rng = np.random.default_rng(8)
    psi, weights, probe = rng.normal(size=(8, 3)), np.ones(3), learner(3, 0.1, 0.0, 1.0)
    probe.begin()
    for now, then in itertools.pairwise(psi):
        probe.learn(list(now), 1.0, list(then))
        weights = weights + 0.1 * (1.0 + weights @ then - weights @ now) * now
        np.testing.assert_allclose(probe.weights(), weights, atol=1e-12)


@pytest.mark.parametrize(("restarts", "low", "high"), [(True, 1e3, 1e8), (False, 1e90, 1e110)])
def test_weights_that_diverge_start_again(restarts: bool, low: float, high: float) -> None:
    probe, greatest, again = learner(1, alpha=10.0, lam=0.0, restarts=restarts), 0.0, False
    probe.begin()
    for _ in range(400):
        probe.learn([10.0], 2.0, [10.0])
        weight = abs(probe.weights()[0])
        again |= weight == 1.0 < greatest
        greatest = max(greatest, weight)
    assert low < greatest < high  # as published they do so only where numbers end
    assert again
