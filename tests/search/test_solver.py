"""The solver: what it proves is true, and it proves what it should."""

import pytest

import treewise
from minimax import Minimax, tic_tac_toe_positions
from treewise import limit, parallel, proof


def solve(state: treewise.State, simulations: int = 100_000, **parts: object) -> treewise.Result:
    search = treewise.Search(proof=proof.Solver(), limit=limit.Simulations(simulations), **parts)
    return search.run(state, seed=1)


def test_tic_tac_toe_is_drawn() -> None:
    result = solve(treewise.load_game("tic_tac_toe").initial_state())
    assert result.proof == [0.0, 0.0]
    assert result.stats.stopped == "proven"
    assert result.stats.simulations < 100_000


@pytest.mark.parametrize("one_ply", [True, False])
def test_no_wrong_proof_in_any_tic_tac_toe_position(one_ply: bool) -> None:
    """All 4 520 positions; every forced win is found, since 3 000 simulations exhaust most trees."""
    exact = Minimax()
    search = treewise.Search(proof=proof.Solver(one_ply=one_ply), limit=limit.Simulations(3000))
    positions = tic_tac_toe_positions()
    assert len(positions) == 4520
    proven = 0
    for state in positions:
        result = search.run(state, seed=1)
        if result.proof is not None:
            proven += 1
            assert result.proof[0] == exact.value(state)
            assert result.action in exact.best_actions(state)
    assert proven > 4400


def test_breakthrough_ending_is_won() -> None:
    """White on the seventh row wins whatever stands in the way; black one step behind does too late."""
    board = "......../...1..../......../......../......../......../2......./........"
    state = treewise.load_game("breakthrough").parse_state(board, 0)
    result = solve(state)
    assert result.proof == [1.0, -1.0]
    assert result.stats.simulations <= 1
    # With black to move, black reaches the last row first.
    lost = solve(treewise.load_game("breakthrough").parse_state(board, 1))
    assert lost.proof == [-1.0, 1.0]


def test_breakthrough_race_needs_counting() -> None:
    """Four steps against five with the first move: a forced win that a solver proves and a glance does not."""
    board = "......../......../......../.1....../......../.....2../......../........"
    state = treewise.load_game("breakthrough").parse_state(board, 0)
    exact = Minimax()
    result = solve(state)
    assert result.proof is not None
    assert result.proof[0] == exact.value(state)


def test_three_players_and_one_player() -> None:
    """A draw by horizon with three players; the best score of a small one-player board."""
    state = treewise.load_game("pig(goal=2, players=3, horizon=10)").initial_state()
    result = solve(state, 50_000)
    if result.proof is not None:
        assert sum(result.proof) == pytest.approx(0, abs=1e-6)
    board = treewise.load_game("same_game(rows=4, columns=4, colours=2)").initial_state()
    result = solve(board)
    assert result.proof is not None
    assert result.proof[0] == pytest.approx(best_score(board), abs=0.01)


def best_score(state: treewise.State) -> float:
    if state.is_terminal():
        return state.returns()[0]
    scores = []
    for action in state.legal_actions():
        child = state.clone()
        child.apply(action)
        scores.append(best_score(child))
    return max(scores)


def test_proofs_in_shared_trees() -> None:
    result = solve(treewise.load_game("tic_tac_toe").initial_state(), parallel=parallel.Tree(threads=2))
    assert result.proof == [0.0, 0.0]
    result = solve(treewise.load_game("tic_tac_toe").initial_state(), 200_000, parallel=parallel.Root(threads=2))
    assert result.proof == [0.0, 0.0]


def test_solver_is_refused_where_proofs_mean_nothing() -> None:
    game = treewise.load_game("phantom_tic_tac_toe")
    search = treewise.Search(proof=proof.Solver(), information=treewise.information.Determinization())
    with pytest.raises(ValueError, match="says nothing about the others"):
        search.run(game.initial_state())
