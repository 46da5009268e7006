"""The solver: what it proves is true, and it proves what it should."""

import random

import pytest

import treewise
from minimax import Minimax, tic_tac_toe_positions
from treewise import Search, decision, limit, parallel, proof


def solve(state: treewise.State, simulations: int = 100_000, **parts: object) -> treewise.Result:
    search = Search(proof=proof.Solver(), limit=limit.Simulations(simulations), **parts)
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
    search = Search(proof=proof.Solver(one_ply=one_ply), limit=limit.Simulations(3000))
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


class Tree:
    """Three levels of three actions; each end has other returns, none of which anybody has twice."""

    min_utility, max_utility = 0.0, 27.0

    def __init__(self, players: int) -> None:
        self.num_players = players
        self.path: list[int] = []

    def current_player(self) -> int:
        return treewise.TERMINAL if self.is_terminal() else len(self.path) % self.num_players

    def legal_actions(self) -> list[int]:
        return [0, 1, 2]

    def apply(self, action: int) -> None:
        self.path.append(action)

    def is_terminal(self) -> bool:
        return len(self.path) == 3

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * self.num_players
        end = 9 * self.path[0] + 3 * self.path[1] + self.path[2]
        return [float((end * factor + factor) % 27) for factor in (1, 2, 4, 5, 7, 8)[: self.num_players]]

    def clone(self) -> "Tree":
        copy = Tree(self.num_players)
        copy.path = self.path[:]
        return copy

    def best(self) -> list[float]:
        """By going through all of it: everybody takes what is best for them."""
        if self.is_terminal():
            return self.returns()
        children = []
        for action in self.legal_actions():
            child = self.clone()
            child.apply(action)
            children.append(child.best())
        return max(children, key=lambda values: values[self.current_player()])


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_up_to_six_players(players: int) -> None:
    game = Tree(players)
    result = Search(proof=proof.Solver(), limit=limit.Simulations(2_000)).run(game, seed=1)
    assert result.proof == pytest.approx(game.best(), abs=1e-4)
    for action in result.line:
        game.apply(action)
    assert game.best() == pytest.approx(result.proof, abs=1e-4), "the line leads there"


class Margins(Tree):
    """The same for two players, who win by margins and lose: it says which actions win at once, by however much."""

    min_utility, max_utility = -27.0, 27.0

    def __init__(self) -> None:
        super().__init__(players=2)

    def returns(self) -> list[float]:
        margin = super().returns()[0] - 13.0 if self.is_terminal() else 0.0
        return [margin, -margin]

    def winning_actions(self) -> list[int]:
        ends = {action: self.after(action) for action in self.legal_actions()} if len(self.path) == 2 else {}
        return [action for action, end in ends.items() if end.returns()[self.current_player()] > 0]

    def after(self, action: int) -> "Margins":
        end = self.clone()
        end.apply(action)
        return end

    def clone(self) -> "Margins":
        copy = Margins()
        copy.path = self.path[:]
        return copy


@pytest.mark.parametrize("one_ply", [True, False])
@pytest.mark.parametrize("path", [(), (0,), (1,), (2,), (0, 1), (2, 0), (2, 2)])
def test_a_win_that_might_be_greater_proves_nothing_yet(path: tuple[int, ...], one_ply: bool) -> None:
    game = Margins()
    game.path = list(path)
    result = Search(proof=proof.Solver(one_ply=one_ply), limit=limit.Simulations(2_000)).run(game, seed=1)
    assert result.proof == game.best()
    assert game.after(result.action).best() == game.best()


def test_one_player() -> None:
    """The best score of a small board."""
    board = treewise.load_game("same_game(rows=4, columns=4, colours=2)").initial_state()
    result = solve(board)
    assert result.proof is not None
    assert result.proof[0] == pytest.approx(best_score(board), abs=0.01)


def test_lines_lead_to_what_is_proven() -> None:
    game, chance = treewise.load_game("tic_tac_toe"), random.Random(2)
    exact = Minimax()
    for seed in range(30):
        state = game.initial_state()
        for _ in range(4):
            state.apply(chance.choice(state.legal_actions()))
        result = Search(proof=proof.Solver(), limit=limit.Simulations(5_000)).run(state, seed=seed)
        assert result.proof is not None
        for action in result.line:
            state.apply(action)
        assert exact.value(state) == result.proof[0]


def test_a_sure_draw_is_taken_before_what_looks_like_a_loss() -> None:
    class Choice(Tree):
        min_utility, max_utility = -1.0, 1.0

        def is_terminal(self) -> bool:
            return self.path[:1] == [0] or len(self.path) == 9

        def returns(self) -> list[float]:
            mine = 0.0 if self.path[:1] == [0] or not self.is_terminal() else 1.0 if sum(self.path) % 5 == 0 else -1.0
            return [mine, -mine]

        def clone(self) -> "Choice":
            copy = Choice(self.num_players)
            copy.path = self.path[:]
            return copy

    result = Search(proof=proof.Solver(), limit=limit.Simulations(1_000)).run(Choice(2), seed=1)
    assert result.action == 0
    assert result.value == 0


def test_a_proven_root_ends_an_extension() -> None:
    state = treewise.load_game("tic_tac_toe").initial_state()
    state.apply(1)
    state.apply(8)
    search = Search(
        decision=decision.MaxRobust(),
        proof=proof.Solver(),
        parallel=parallel.Root(2),
        limit=limit.Simulations(20_000),
    )
    assert search.run(state, seed=1).stats.stopped == "proven"


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
    search = Search(proof=proof.Solver(), information=treewise.information.Determinization())
    with pytest.raises(ValueError, match="says nothing about the others"):
        search.run(game.initial_state())


class Shares:
    """Three players choose one after the other; the sum of their choices says who gets how much."""

    num_players = 3

    def __init__(self, played: tuple[int, ...] = ()) -> None:
        self.played = played

    def current_player(self) -> int:
        return len(self.played)

    def legal_actions(self) -> list[int]:
        return [0, 1, 2]

    def apply(self, action: int) -> None:
        self.played += (action,)

    def is_terminal(self) -> bool:
        return len(self.played) == 3

    def returns(self) -> list[float]:
        shares = [-0.2, 0.1, 0.7]
        turn = sum(self.played) % 3
        return shares[turn:] + shares[:turn]

    def clone(self) -> "Shares":
        return Shares(self.played)


@pytest.mark.parametrize("one_ply", [True, False])
def test_proofs_are_exact(one_ply: bool) -> None:
    """As the game gives them, digit by digit: the last player takes 0.7, wherever that leaves the others."""
    result = Search(proof=proof.Solver(one_ply=one_ply), limit=limit.Simulations(1000)).run(Shares(), seed=1)  # type: ignore[arg-type]
    assert result.proof == [-0.2, 0.1, 0.7]
    assert result.value == -0.2
    assert set(result.values.values()) == {-0.2}
    assert {child.proven for child in result.children} == {-0.2}
    tree = result.tree
    assert set(tree.columns["proof"][tree.columns["proven"] == 1].ravel()) == {-0.2, 0.1, 0.7}


def test_ties_of_three_players_depend_on_the_seed() -> None:
    """Who chooses does not care which of the others gets the rest."""

    class Kingmaker(Shares):
        def is_terminal(self) -> bool:
            return len(self.played) == 1

        def returns(self) -> list[float]:
            return [0.5, *((-0.5, 0.0) if self.played[0] else (0.0, -0.5))]

        def clone(self) -> "Kingmaker":
            return Kingmaker(self.played)

    search = Search(proof=proof.Solver(), limit=limit.Simulations(50))
    found = [tuple(search.run(Kingmaker(), seed=seed).proof or ()) for seed in range(12)]
    assert set(found) == {(0.5, -0.5, 0.0), (0.5, 0.0, -0.5)}
