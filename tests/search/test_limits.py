"""Limits, alone and combined."""

import time
from typing import Any

import pytest

import treewise
from treewise import limit, parallel, proof


@pytest.fixture
def state() -> treewise.State:
    return treewise.load_game("breakthrough").initial_state()


def simulations(state: treewise.State, rule: limit.Limit) -> int:
    return treewise.Search(limit=rule).run(state, seed=1).stats.simulations


def test_simulations_are_exact(state: treewise.State) -> None:
    for count in (1, 2, 17, 1000):
        assert simulations(state, limit.Simulations(count)) == count


def test_any_and_all(state: treewise.State) -> None:
    assert simulations(state, limit.Simulations(50) | limit.Seconds(100)) == 50
    assert simulations(state, limit.Simulations(50) & limit.Simulations(70)) == 70
    assert simulations(state, (limit.Simulations(50) & limit.Simulations(70)) | limit.Simulations(60)) == 60
    assert simulations(state, limit.Simulations(10) & limit.Seconds(0.05)) > 10


def test_memory_limit_stops_the_search(state: treewise.State) -> None:
    result = treewise.Search(limit=limit.Memory(1) | limit.Simulations(10**7)).run(state, seed=1)
    assert 1e6 <= result.stats.memory_bytes < 2e6
    assert result.stats.simulations < 10**6


def test_seconds(state: treewise.State) -> None:
    assert treewise.Search(limit=limit.Seconds(0.05)).run(state).stats.seconds >= 0.05
    assert simulations(state, limit.Seconds(0)) == 0


class Slow:
    """A step that takes a while, and the match is over."""

    num_players = 1
    min_utility, max_utility = 0.0, 1.0
    seconds = 0.06

    def __init__(self, over: bool = False) -> None:
        self.over = over

    def current_player(self) -> int:
        return treewise.TERMINAL if self.over else 0

    def is_terminal(self) -> bool:
        return self.over

    def legal_actions(self) -> list[int]:
        return [] if self.over else [0, 1]

    def apply(self, action: int) -> None:
        time.sleep(self.seconds)
        self.over = True

    def returns(self) -> list[float]:
        return [1.0]

    def clone(self) -> "Slow":
        return Slow(self.over)


@pytest.mark.parametrize("share", [0.6, 0.9])
def test_a_second_simulation_is_not_begun_if_the_first_says_that_it_would_end_late(share: float) -> None:
    rule = limit.Seconds(Slow.seconds / share)
    assert treewise.Search(limit=rule).run(Slow(), seed=1).stats.simulations == 1


def test_seconds_of_the_processor(state: treewise.State) -> None:
    start = time.thread_time()
    assert treewise.Search(limit=limit.CpuSeconds(0.05)).run(state).stats.simulations > 0
    assert time.thread_time() - start >= 0.05
    assert simulations(state, limit.CpuSeconds(0)) == 0
    assert simulations(state, limit.CpuSeconds(100) | limit.Simulations(50)) == 50
    two = treewise.Search(limit=limit.CpuSeconds(0.05), parallel=treewise.parallel.Root(2)).run(state)
    assert two.stats.simulations > 0


def test_combinations_need_members() -> None:
    with pytest.raises(ValueError, match="at least one"):
        limit.Any(())
    with pytest.raises(ValueError, match="must be a limit"):
        limit.Any((1,))  # type: ignore[arg-type]


def test_memory_is_reached_where_the_tree_is_full() -> None:
    """The cap is just below: the tree stops growing before it has as much as the limit says."""
    search = treewise.Search(limit=limit.Memory(1) | limit.Simulations(10_000_000), memory_mb=1)
    stats = search.run(treewise.load_game("breakthrough").initial_state(), seed=1).stats
    assert stats.memory_full
    assert stats.simulations < 1_000_000


def test_memory_is_reached_where_the_tree_has_no_more_to_grow_by() -> None:
    """Six squares are free: there are fewer than two thousand states, and a megabyte will never be needed."""
    state = treewise.load_game("tic_tac_toe").parse_state("x../.o./..x", 1)
    stats = treewise.Search(limit=limit.Memory(1)).run(state, seed=1).stats
    assert stats.stopped == "limit"
    assert stats.memory_bytes < 1e5
    assert stats.simulations >= 10_000
    assert simulations(state, limit.Memory(1) & limit.Simulations(10)) >= 10_000


def test_waiting_for_a_proof_needs_a_solver(state: treewise.State) -> None:
    for rule in (limit.Proven(), limit.Any((limit.Proven(),)) & limit.Proven(), limit.Simulations(5) & limit.Proven()):
        with pytest.raises(
            ValueError, match="waits for a proof of the root, which this search never finds; add proof="
        ) as never:
            treewise.Search(limit=rule)
        assert suggested(never) == limit.Simulations(1000) | limit.Proven()
        assert treewise.Search(limit=rule, proof=proof.Solver()).limit == rule
    assert simulations(state, limit.Proven() | limit.Simulations(5)) == 5
    joint = treewise.load_game("goofspiel").initial_state()
    for rule in (limit.Proven(), limit.Simulations(5) & limit.Proven()):
        with pytest.raises(ValueError, match="such states are never proven") as never:
            treewise.Search(limit=rule, proof=proof.Solver()).run(joint)
        assert suggested(never) == limit.Simulations(1000) | limit.Proven()


def suggested(error: pytest.ExceptionInfo[ValueError]) -> object:
    """The limit whose text form an error ends with."""
    return treewise.parse_search(f"mcts(limit={str(error.value).partition('another limit: ')[2]})").limit


def test_until_stopped(state: treewise.State) -> None:
    stop = treewise.Stop()

    class Enough:
        """Sets the stop in the hundredth simulation."""

        seen = 0

        def result(self, record: Any) -> list[float]:
            self.seen += 1
            if self.seen == 100:
                stop.set()
            return list(record.values)

    bound = limit.UntilStopped(3.0)
    stats = treewise.Search(limit=bound, bonus=(Enough(),)).session().run(state, stop=stop).stats
    assert stats.stopped == "interrupted"
    assert stats.simulations >= 100
    assert simulations(state, bound | limit.Simulations(7)) == 7
    won = treewise.load_game("tic_tac_toe").parse_state("xx./oo./...", 0)
    assert treewise.Search(limit=bound, proof=proof.Solver()).run(won).proof == [1.0, -1.0]


def test_a_full_tree_that_proves_nothing_ends_the_wait(state: treewise.State) -> None:
    search = treewise.Search(limit=limit.Proven(), proof=proof.Solver(), memory_mb=0.05)
    stats = search.run(state, seed=1).stats
    assert stats.memory_full
    assert stats.stopped == "limit"


@pytest.mark.long
def test_counts_do_not_overflow() -> None:
    """Visits are kept in 32 bits."""
    state = treewise.load_game("tic_tac_toe").parse_state("xox/oxo/ox.", 0)
    search = treewise.Search(limit=limit.Simulations(2**33), parallel=parallel.Leaf(256))
    result = search.run(state, seed=1)
    assert 2**30 < sum(result.visits.values()) < 2**31
    assert result.stats.stopped == "limit"
