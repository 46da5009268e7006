"""How a tree grows: when leaves become nodes, and how deep."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import treewise
from treewise import Search, backup, expansion, limit, proof

BREAKTHROUGH = treewise.load_game("breakthrough")


# ---- expansion


@pytest.mark.parametrize("after", [1, 2, 5])
def test_leaves_become_nodes_after_some_evaluations(after: int) -> None:
    """A node was evaluated `after` times as a leaf; a leaf was visited at most that often."""
    state = treewise.load_game("breakthrough(rows=8, columns=8)").initial_state()
    tree = Search(expansion=expansion.All(after=after), limit=limit.Simulations(4000)).run(state, seed=1).tree
    nodes = 0
    for depth, node in tree.walk():
        nodes += 1
        below = sum(edge.visits for edge in node.edges)
        assert node.visits - below == (after if depth else 0)
        assert all(edge.visits <= after for edge in node.edges if edge.node is None)
    assert nodes == len(tree.columns["node_visits"])
    inner = tree.columns["child"] < 0xFFFFFFFE
    assert nodes == 1 + np.count_nonzero(inner)
    assert np.all((tree.columns["visits"] > after) == inner)


def test_one_expansion_adds_a_child_a_visit() -> None:
    """Every visit of a node takes a new child as long as there is one: they are visited before any is visited twice."""
    search = Search(expansion=expansion.One(), first_play=treewise.first_play.Constant(value=-10))
    state = BREAKTHROUGH.initial_state()
    for count in (5, 22, 23, 500):
        tree = search.replace(limit=limit.Simulations(count)).run(state, seed=1).tree
        for depth, node in tree.walk():
            visited = sum(edge.visits > 0 for edge in node.edges)
            below = sum(edge.visits for edge in node.edges)
            assert visited == min(len(node.edges), below), depth
            if depth:
                assert node.visits == below + 1


# ---- depth


class Chain:
    """One way, very long."""

    length = 50_000
    max_length = 60_000

    def __init__(self, at: int = 0) -> None:
        self.at = at

    def current_player(self) -> int:
        return self.at % 2

    def legal_actions(self) -> list[int]:
        return [0]

    def apply(self, action: int) -> None:
        self.at += 1

    def is_terminal(self) -> bool:
        return self.at == self.length

    def returns(self) -> list[float]:
        return [1.0, -1.0] if self.is_terminal() else [0.0, 0.0]

    def clone(self) -> Any:
        return Chain(self.at)


@pytest.mark.parametrize(
    "parts",
    [{}, {"proof": proof.Solver()}, {"backup": backup.Discounted(gamma=0.9999)}],
    ids=["uct", "proof", "discount"],
)
def test_lines_of_any_length(parts: dict[str, Any], tmp_path: Path) -> None:
    """Leaves become nodes at once, so one simulation makes a tree of 50 000 levels; nothing may call itself there."""
    search = Search(expansion=expansion.All(after=0), limit=limit.Simulations(2), **parts)
    session = search.session(seed=1)
    state = Chain()
    result = session.run(state)
    assert result.stats.max_depth == Chain.length
    assert len(result.line) == Chain.length
    assert sum(1 for _ in result.tree.walk()) == Chain.length
    assert (result.proof == [1.0, -1.0]) == ("proof" in parts)
    path = tmp_path / "chain.npz"
    result.tree.save(path)
    assert sum(1 for _ in treewise.SearchTree.load(path).walk()) == Chain.length
    session.advance(0)
    state.apply(0)
    again = session.run(state)
    assert again.stats.reused
    assert again.stats.nodes == Chain.length - 1
