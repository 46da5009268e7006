"""The sample controller of the GVGAI framework, against itself written out from its description."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from math import log, sqrt
from typing import Any

import pytest

import treewise
from dice_games import Arena, Gamble, Ladder
from treewise import gvgai_sample, limit, parse_search, playout
from treewise.match import play_match
from treewise.testing import check_game

EPSILON, K, DEPTH = 1e-6, sqrt(2), 10

Visits = dict[tuple[int, ...], int]
"""Of the first actions, and of the pairs of the first two."""


@dataclass
class Node:
    """A node of the controller; `state` only in the closed loop."""

    state: Any = None
    depth: int = 0
    children: dict[int, Node] = field(default_factory=dict)
    visits: int = 0
    total: float = 0.0
    low: float = float("inf")
    high: float = float("-inf")


class Controller:
    """Written from the description alone: dictionaries, recursion, Python's own random numbers."""

    def __init__(self, loop: str, bounds: str, seed: int) -> None:
        self.loop, self.bounds, self.rng = loop, bounds, random.Random(seed)

    def copy(self, state: Any) -> Any:
        copy = state.clone()
        copy.reseed(self.rng.getrandbits(64))
        return copy

    def search(self, state: Any, playouts: int) -> Visits:
        root = Node(state)
        for _ in range(playouts):
            working, path = self.copy(state), [root]
            while not (path[-1].state or working).is_terminal() and path[-1].depth < DEPTH:
                working, new = self.descend(path, working, state)
                if new:
                    break
            if self.loop == "closed":
                working = self.copy(path[-1].state)
            for _ in range(path[-1].depth, DEPTH):
                if working.is_terminal():
                    break
                working.apply(self.rng.choice(working.legal_actions()))
            self.back_up(root, path, working.returns()[0])
        found = {(action,): child.visits for action, child in root.children.items()}
        for (action,) in list(found):
            below = root.children[action].children
            found |= {(action, reply): child.visits for reply, child in below.items()}
        return found

    def descend(self, path: list[Node], working: Any, root: Any) -> tuple[Any, bool]:
        node, actions = path[-1], root.legal_actions()
        untried = [action for action in actions if action not in node.children]
        action = self.rng.choice(untried) if untried else max(actions, key=lambda a: self.uct(path[0], node, a))
        if self.loop == "closed" and untried:
            working = self.copy(node.state)
        if self.loop == "open" or untried:
            working.apply(action)
        if untried:
            node.children[action] = Node(working if self.loop == "closed" else None, node.depth + 1)
        path.append(node.children[action])
        return working, bool(untried)

    def uct(self, root: Node, node: Node, action: int) -> float:
        child, seen = node.children[action], root if self.bounds == "global" else node
        value = child.total / (child.visits + EPSILON)
        if self.bounds != "none" and seen.low < seen.high:
            value = (value - seen.low) / (seen.high - seen.low)
        value += K * sqrt(log(node.visits + 1) / (child.visits + EPSILON))
        return (value + EPSILON) * (1 + EPSILON * (self.rng.random() - 0.5))

    def back_up(self, root: Node, path: list[Node], value: float) -> None:
        for node in path:
            node.visits += 1
            node.total += value
            node.low, node.high = min(node.low, value), max(node.high, value)


def visits_of(search: treewise.Search, state: Any, seed: int) -> Visits:
    found: Visits = {}
    for edge in search.run(state, seed=seed).tree.root.edges:
        found[edge.action,] = edge.visits
        for below in edge.node.edges if edge.node is not None else []:
            found[edge.action, below.action] = below.visits
    return found


def distance(ours: list[Visits], theirs: list[Visits]) -> float:
    """The greatest difference of mean visits, in standard errors."""
    return max(
        abs(a - b) / sqrt(a_error + b_error + 1e-9)
        for key in {key for sample in ours for key in sample}
        for (a, a_error), (b, b_error) in [(spread(ours, key), spread(theirs, key))]
    )


def spread(samples: list[Visits], key: tuple[int, ...]) -> tuple[float, float]:
    """Mean and squared standard error."""
    visits = [sample.get(key, 0) for sample in samples]
    mean = sum(visits) / len(visits)
    return mean, sum((v - mean) ** 2 for v in visits) / len(visits) / (len(visits) - 1)


KINDS = [(loop, bounds) for loop in ("closed", "open") for bounds in ("node", "none", "global")]


def both(kind: tuple[str, str], runs: int) -> tuple[list[Visits], list[Visits]]:
    """What many searches visit: ours, and those of the controller written out."""
    state = Arena()
    ours = [visits_of(gvgai_sample(*kind), state, seed) for seed in range(runs)]
    return ours, [Controller(*kind, seed).search(state, 50) for seed in range(runs)]


@pytest.mark.parametrize("kind", KINDS)
def test_agrees_with_the_description(kind: tuple[str, str]) -> None:
    assert distance(*both(kind, runs=100)) < 4.5


@pytest.mark.long
def test_agrees_with_no_other_description() -> None:
    samples = {kind: both(kind, runs=800) for kind in KINDS}
    for kind in KINDS:
        assert distance(*samples[kind]) < 3.5
        assert all(distance(samples[kind][0], samples[other][1]) > 4.5 for other in KINDS if other != kind)


def test_the_game_it_is_tested_on() -> None:
    report = check_game(Arena, matches=10)
    assert report.ok, report


def test_what_it_is_made_of() -> None:
    search = gvgai_sample()
    assert search.text() == (
        "mcts(selection=ucb1(bounds='node', epsilon=1e-06, offset=1.0), decision=robust(ties='noise'), "
        "limit=simulations(count=50), loop=closed, reuse=False, horizon=10)"
    )
    assert parse_search("gvgai_sample(loop=open, bounds='global', playouts=7, depth=3)") == gvgai_sample(
        "open", "global", 7, 3
    )
    assert gvgai_sample(loop=treewise.loop.Open()) == gvgai_sample("open")
    for wrong in ("gvgai_sample(loop='round')", "gvgai_sample(bounds='wide')", "gvgai_sample(depth=0)"):
        with pytest.raises(ValueError, match=r"did you mean|known|must be"):
            parse_search(wrong)


@pytest.mark.parametrize(
    ("wrong", "given"),
    [(playout.Uniform(), "uniform"), (playout.CutOff(depth=3), "cut_off"), (len, "builtin_function")],
)
def test_td_mcts_is_about_learning(wrong: object, given: str) -> None:
    with pytest.raises(ValueError, match=rf"^td_mcts: playout must be true_online_sarsa\(…\), not {given}"):
        treewise.td_mcts(playout=wrong)
    with pytest.raises(ValueError, match=r"must be true_online_sarsa"):
        parse_search("td_mcts(playout=uniform)")


def test_td_mcts_says_what_an_action_has_of_the_steps_after_it() -> None:
    text = "td_mcts(given='discounted', playout=true_online_sarsa(gamma=0.9))"
    assert parse_search(text).backup == treewise.backup.Discounted(gamma=0.9)
    assert treewise.td_mcts().backup == treewise.backup.Discounted(gamma=0.99, given="whole")


def test_a_match() -> None:
    record = play_match(Ladder, [gvgai_sample()], seed=1)
    assert record.length == 10
    assert record.simulations == (500,)
    assert record.returns[0] >= 12, "climbing ten times gives 15 in the mean"


def test_the_framework_may_look_at_the_clock_instead() -> None:
    result = gvgai_sample(seconds=0.02).run(Gamble(), seed=1)
    assert result.stats.simulations > 10
    for name in ("gvgai_sample", "td_mcts", "explorer"):
        for seconds, used in ((0.04, 0.035), (1.0, 0.995), (0.008, 0.007), (0.0, 0.0)):
            search = parse_search(f"{name}(seconds={seconds})")
            assert search == parse_search(name).replace(limit=limit.Seconds(used)), "five milliseconds are kept back"
        with pytest.raises(ValueError, match=r"seconds must be .* not -1"):
            parse_search(f"{name}(seconds=-1)")
