"""Decision rules on crafted roots."""

import pytest

import treewise
from treewise import _core, decision, limit

Child = tuple[int, float, float | None]


def choose(rule: decision.Part, children: list[Child], seed: int = 0) -> int:
    return _core.decide(rule.core(), children, seed)


def test_four_rules_four_answers() -> None:
    """max: 0; robust: 1; secure with a = 1: 2; max-robust falls back to robust when no child is both."""
    children: list[Child] = [(10, 0.90, None), (1000, 0.68, None), (900, 0.72, None), (950, 0.60, None)]
    assert choose(decision.Max(), children) == 0
    assert choose(decision.Robust(), children) == 1
    assert choose(decision.Secure(a=1), children) == 2
    assert choose(decision.MaxRobust(), children) == 1


def test_secure_child_is_a_lower_bound() -> None:
    """Erratum E9: 0.70 at n = 10 against 0.68 at n = 1000 with a = 1."""
    assert choose(decision.Secure(a=1), [(10, 0.70, None), (1000, 0.68, None)]) == 1


def test_proofs_come_first() -> None:
    assert choose(decision.Robust(), [(900, 0.8, None), (1, 1.0, 1.0)]) == 1
    assert choose(decision.Robust(), [(900, 0.0, 0.0), (1, 0.4, None)]) == 1
    assert choose(decision.Robust(), [(900, 0.0, 0.0), (1, 0.5, 0.5)]) == 1
    assert choose(decision.Robust(), [(9, 0.0, 0.0), (12, 0.0, 0.0)]) == 1
    assert choose(decision.Robust(), [(900, 0.2, None), (1, 0.5, 0.5)]) == 1, (
        "a sure draw is better than what looks bad"
    )
    assert choose(decision.Robust(), [(900, 0.7, None), (1, 0.5, 0.5)]) == 0


def test_proportional_follows_visits() -> None:
    children: list[Child] = [(300, 0.5, None), (100, 0.5, None)]
    counts = [0, 0]
    for seed in range(4000):
        counts[choose(decision.Proportional(), children, seed * 7919 + 1)] += 1
    assert counts[0] / 4000 == pytest.approx(0.75, abs=0.04)
    assert choose(decision.Proportional(temperature=0.01), children) == 0


def test_max_robust_extends_only_while_unsettled() -> None:
    """The search goes on exactly when the best value is not the most visited, and at most by the extension."""
    state = treewise.load_game("breakthrough").initial_state()
    extended = 0
    for seed in range(40):
        base = treewise.uct(c=0.1, simulations=300).run(state, seed=seed)
        best = max(base.values, key=lambda action: base.values[action])
        settled = base.values[base.action] >= base.values[best]
        search = treewise.uct(c=0.1, simulations=300).replace(decision=decision.MaxRobust(extension=0.5))
        more = search.run(state, seed=seed)
        if settled:
            assert more.stats.simulations == 300
        else:
            extended += 1
            assert 300 < more.stats.simulations <= 450
    assert 0 < extended < 40


def test_zero_simulations_still_answer() -> None:
    state = treewise.load_game("breakthrough").initial_state()
    result = treewise.Search(limit=limit.Simulations(0)).run(state, seed=1)
    assert result.action in state.legal_actions()
    assert result.stats.simulations == 0
