"""True online Sarsa(λ): the equations, line by line, and what the playouts make of them.

Line numbers are those of Algorithms 3 and 4 of İlhan & Etaner-Uyar 2017.
"""

from typing import Any

import numpy as np
import pytest

from treewise import Search, _core, backup, limit, load_game, playout
from treewise.game import as_state
from treewise.playout import TrueOnlineSarsa
from treewise.search import parse_search


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


def test_blocks_are_one_long_vector() -> None:
    rng = np.random.default_rng(7)
    blocks, whole = learner(3, blocks=4), learner(12)
    steps = [(int(rng.integers(4)), rng.normal(size=3)) for _ in range(9)]

    def spread(block: int, psi: Any) -> list[float]:
        long = np.zeros((4, 3))
        long[block] = psi
        return list(long.ravel())

    blocks.begin(), whole.begin()
    blocks.trace(list(steps[0][1]), steps[0][0])
    whole.trace(spread(*steps[0]))
    for (block, psi), (next_block, next_psi) in zip(steps[1:], steps[2:], strict=False):
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
    for now, then in zip(psi[:-1], psi[1:], strict=True):
        probe.learn(list(now), 1.0, list(then))
        weights = weights + 0.1 * (1.0 + weights @ then - weights @ now) * now
        np.testing.assert_allclose(probe.weights(), weights, atol=1e-12)


def test_weights_that_diverge_start_again() -> None:
    probe = learner(1, alpha=10.0, lam=0.0)
    probe.begin()
    for _ in range(400):
        probe.learn([10.0], 1.0, [10.0])
        assert abs(probe.weights()[0]) < 1e105


# ---- the playouts


class Walk:
    """A corridor of cells 0 to `size - 1`; a step left or right; points lie in some cells, the ends end it."""

    num_players = 1
    min_utility, max_utility = -100.0, 100.0
    size = 9

    def __init__(self, cell: int = 4, points: float = 0.0, last: float = 0.0) -> None:
        self.cell, self.points, self.last = cell, points, last

    def current_player(self) -> int:
        return 0

    def legal_actions(self) -> list[int]:
        return [0, 1]

    def apply(self, action: int) -> None:
        self.cell += 2 * action - 1
        self.last = {1: 1.0, 5: 2.0, 6: 4.0}.get(self.cell, 0.0)
        self.points += self.last

    def is_terminal(self) -> bool:
        return self.cell in (0, self.size - 1)

    def won(self) -> float:
        return 50.0 if self.cell == self.size - 1 else -50.0 if self.cell == 0 else 0.0

    def returns(self) -> list[float]:
        return [self.points + self.won()]

    def rewards(self) -> list[float]:
        return [self.last + self.won()]

    def clone(self) -> "Walk":
        return type(self)(self.cell, self.points, self.last)

    def features(self) -> list[float]:
        return [self.cell / self.size, float(self.cell % 2), 0.0]


class Scored(Walk):
    """The same with its points as a score."""

    def score(self) -> float:
        return self.points


def reference(
    part: TrueOnlineSarsa, kind: type[Walk], tree: list[int], start: int, depth: int, theta: Any, snapshot: Any
) -> tuple[Any, float]:
    """ROLLOUT of Algorithm 4 in NumPy, always greedy, after `tree` steps from `start`: the weights and Q_s."""
    a, g, lam = part.alpha, part.gamma, part.lam
    blocks = part.psi == "action_blocks"

    def features(state: Walk, action: int) -> Any:
        if not blocks:
            state = state.clone()
            state.apply(action)
            return np.array(state.features())
        psi = np.zeros((2, 3))
        psi[action] = state.features()
        return psi.ravel()

    def best(state: Walk) -> int:
        return int(np.argmax([snapshot @ features(state, action) for action in (0, 1)]))

    e, state = np.zeros(len(theta)), kind(start)
    for action in tree:
        psi = features(state, action)
        e = g * lam * e + psi - a * g * lam * (e @ psi) * psi
        state.apply(action)
    old, total, t = 0.0, 0.0, 0
    psi = features(state, best(state))
    while not state.is_terminal() and t < depth:
        points, before = state.points, state.returns()[0]
        state.apply(best(state))
        reward = state.points - points if kind is Scored else state.returns()[0] - before
        total += g**t * (state.returns()[0] - before)
        then = np.zeros(len(theta)) if state.is_terminal() else features(state, best(state))
        q, q_then = theta @ psi, theta @ then
        delta = reward + g * q_then - q
        e = g * lam * e + psi - a * g * lam * (e @ psi) * psi
        theta = theta + a * (delta + q - old) * e - a * (q - old) * psi
        old, psi, t = q_then, then, t + 1
    if not state.is_terminal():
        total += g**t * max(snapshot @ features(state, action) for action in (0, 1))
    return theta, total


@pytest.mark.parametrize("psi", ["after_states", "action_blocks"])
@pytest.mark.parametrize("kind", [Walk, Scored])
@pytest.mark.parametrize(("tree", "depth"), [([], 3), ([1, 0], 2), ([1, 1], 20), ([1], 0)])
def test_a_playout_is_algorithm_4(psi: str, kind: type[Walk], tree: list[int], depth: int) -> None:
    part = TrueOnlineSarsa(epsilon=0, psi=psi)
    root = as_state(kind())
    probe = _core.PlayoutProbe(root.game, part.core())
    probe.start(root)
    if psi == "action_blocks":  # their values are equal at first, and which is taken is drawn
        for action in (0, 1):  # blocks are given out as actions are met
            probe.follow(as_state(kind(4 + 2 * action - 1), root.game), action)
        probe.play(root, 0, 3)
        probe.play(root, 3, 3)
    theta = np.array(probe.weights)
    for _ in range(3):  # searches
        probe.start(root)
        snapshot = theta  # and not what is learned on the way
        for _ in range(4):  # simulations
            state = root.clone()
            probe.begin()
            for action in tree:
                state.apply(action)
                probe.follow(state, action)
            theta, expected = reference(part, kind, tree, 4, depth, theta, snapshot)
            utilities, length, finished = probe.play(state, 0, depth, 0.99)
            assert utilities == pytest.approx([expected], rel=1e-12, abs=1e-12)
            assert length <= depth and (finished or length == depth)
            np.testing.assert_allclose(probe.weights, theta, atol=1e-12)


def test_results_are_returns_where_the_backup_does_not_ask_for_rewards() -> None:
    part = TrueOnlineSarsa(epsilon=0, gamma=1.0)
    state = as_state(Walk(6, points=7.0))
    probe = _core.PlayoutProbe(state.game, part.core())
    probe.start(state)
    assert probe.play(state) == ([57.0], 2, True)


def test_all_ties_are_taken_and_epsilon_is_a_probability() -> None:
    state = as_state(Walk())
    last = {}
    for epsilon, initial in [(0.0, 0.0), (0.3, 1.0)]:  # all values are equal; the step to the right is better
        part = TrueOnlineSarsa(alpha=0, epsilon=epsilon, initial=initial, gamma=1.0)
        probe = _core.PlayoutProbe(state.game, part.core())
        probe.start(state)
        ends = [probe.play(state, seed, 1, 1.0)[0][0] for seed in range(2000)]
        # Cell 5 gives two points; what is left is the value of the better cell beside the one reached.
        values = {side: [end for end in ends if (end >= 2) == side] for side in (True, False)}
        last[epsilon] = len(values[True]) / len(ends)
    assert last[0.0] == pytest.approx(0.5, abs=0.04)
    assert last[0.3] == pytest.approx(0.85, abs=0.03)
