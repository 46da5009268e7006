"""What the tests of faults share."""

from collections.abc import Iterator

import numpy as np
import pytest

import treewise
from treewise import parallel

KINDS = [parallel.One(), parallel.Root(threads=2), parallel.Tree(threads=2), parallel.Leaf(threads=2)]
GAMES = treewise.game_names()
kinds = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


class Boom(Exception):
    pass


def positions(name: str) -> Iterator[treewise.State]:
    """A few states of a match that are not over: chance and joint ones included, where the game has them."""
    game = treewise.load_game(name)
    for length in (0, 1, 2, 5, 9):
        state = game.initial_state()
        state.playout(length, max_length=length)
        if not state.is_terminal():
            yield state


def tree_laws(session: treewise.Session, state: treewise.State) -> None:
    """A node has the visits of its edge, and at least those of its children; values are sums over visits."""
    tree = treewise.SearchTree.from_core(session._core, state, session.search)  # type: ignore[arg-type]
    visits, child = tree.columns["visits"], tree.columns["child"]
    inner = child < 0xFFFFFFFE
    assert np.array_equal(tree.columns["node_visits"][child[inner]], visits[inner])
    assert visits.min() >= 0
    assert np.all(tree.columns["value"] <= visits + 1e-9)
    assert tree.root.visits == sum(edge.visits for edge in tree.root.edges)
