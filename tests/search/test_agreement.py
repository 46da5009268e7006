"""UCT against exact play: with more simulations it chooses right more often, and what it proves is true."""

import random

import pytest

import treewise
from minimax import Minimax
from treewise import Search, first_play, limit, proof, selection

SMALL = {
    "tic_tac_toe": 2,
    "connect_four(rows=4, columns=4)": 7,
    "connect_four(rows=4, columns=5)": 10,
    "hex(size=3)": 1,
    "hex(size=4)": 7,
    "othello(size=4)": 4,
    "breakthrough(rows=5, columns=2)": 2,
    "breakthrough(rows=5, columns=3)": 10,
    "gomoku(size=3, line=3)": 2,
    "gomoku(size=4, line=3)": 8,
}
"""Games, and after how many random actions they are small enough to be solved in a moment."""


def positions(state: treewise.State, length: int, number: int, exact: Minimax) -> list[treewise.State]:
    """Different positions after about `length` random actions in which not every action is best."""
    rng = random.Random(7)
    found: dict[int, treewise.State] = {}
    for _ in range(1000):
        after = state.clone()
        for _ in range(length + rng.randrange(3)):
            if not after.is_terminal():
                after.apply(rng.choice(after.legal_actions()))
        if after.is_terminal() or after.hash() in found:
            continue
        if len(exact.best_actions(after)) < len(after.legal_actions()):
            found[after.hash()] = after
        if len(found) == number:
            break
    return list(found.values())


@pytest.mark.parametrize("text", SMALL)
def test_more_simulations_choose_better(text: str) -> None:
    exact = Minimax()
    states = positions(treewise.load_game(text).initial_state(), SMALL[text], 20, exact)
    assert len(states) >= 15
    right = []
    for simulations in (100, 1_000, 10_000):
        search = Search(selection=selection.UCB1(c=0.7), limit=limit.Simulations(simulations))
        right.append(sum(search.run(s, seed=i).action in exact.best_actions(s) for i, s in enumerate(states)))
    assert right == sorted(right)
    assert right[-1] >= 0.95 * len(states)


@pytest.mark.parametrize("text", SMALL)
def test_proven_positions_are_played_without_a_mistake(text: str) -> None:
    exact = Minimax()
    states = positions(treewise.load_game(text).initial_state(), SMALL[text], 20, exact)
    search = Search(proof=proof.Solver(), limit=limit.Simulations(50_000))
    proven = 0
    for seed, state in enumerate(states):
        result = search.run(state, seed=seed)
        if result.proof is None:
            continue
        proven += 1
        assert result.proof[0] == exact.value(state)
        assert result.action in exact.best_actions(state)
        assert result.value == pytest.approx(result.proof[state.current_player()])
    assert proven >= 0.9 * len(states)


def test_connect_four_endings_are_proven() -> None:
    """The full board with about twelve cells left: all are solved, and the values are those of full search."""
    exact = Minimax()
    states = positions(treewise.load_game("connect_four").initial_state(), 28, 12, exact)
    assert len(states) == 12
    assert {exact.value(state) for state in states} >= {-1.0, 1.0}
    for state in states:
        result = Search(proof=proof.Solver(), limit=limit.Simulations(300_000)).run(state, seed=1)
        assert result.stats.stopped == "proven"
        assert result.proof == [exact.value(state), -exact.value(state)]
        assert result.action in exact.best_actions(state)


@pytest.mark.parametrize("text", ["tic_tac_toe", "connect_four", "breakthrough", "hex(size=7)", "go(size=5)"])
def test_plain_uct_is_the_general_search(text: str) -> None:
    """Plain UCT has a way down the tree of its own. A great value of unvisited children means the same as infinity."""
    state = treewise.load_game(text).initial_state()
    plain = Search(limit=limit.Simulations(3000))
    general = plain.replace(first_play=first_play.Constant(1e4))
    a, b = plain.run(state, seed=3), general.run(state, seed=3)
    assert a.visits == b.visits
    assert a.values == b.values
    assert a.line == b.line
