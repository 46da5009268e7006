"""The horizon, and what a simulation that is cut there is worth."""

import pytest

import treewise
from dice_games import Ladder
from treewise import Search, backup, evaluator, limit, loop, parallel, playout, uct

SAME = treewise.load_game("same_game(rows=6, columns=6, colours=3)")


class Lengths:
    """A bonus that changes nothing and sees the lengths of all simulations."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int]] = []

    def result(self, record: playout.Record) -> list[float]:
        self.seen.append((record.tree_steps, record.length))
        return list(record.outcome)


@pytest.mark.parametrize("kind", [loop.Open(), loop.Closed()])
@pytest.mark.parametrize("horizon", [1, 2, 5])
def test_no_simulation_goes_further(kind: loop.Part, horizon: int) -> None:
    for state in (SAME.initial_state(), treewise.as_state(Ladder())):
        lengths = Lengths()
        search = uct(simulations=200).replace(horizon=horizon, loop=kind, bonus=[lengths])
        result = search.run(state, seed=1)
        assert result.stats.max_depth <= horizon
        assert {length for _, length in lengths.seen} == {horizon}
        assert all(in_tree <= horizon for in_tree, _ in lengths.seen)


def test_with_a_horizon_of_one_values_are_the_returns_of_each_action() -> None:
    """Nothing is played on after the action, so its value is what it gave."""
    result = uct(simulations=200).replace(horizon=1).run(SAME.initial_state(), seed=1)
    for action, value in result.values.items():
        state = SAME.initial_state()
        state.apply(action)
        assert value == pytest.approx(state.returns()[0])


def test_shorter_of_horizon_and_max_length() -> None:
    lengths = Lengths()
    uct(simulations=50).replace(horizon=9, max_length=2, bonus=[lengths]).run(SAME.initial_state(), seed=1)
    assert all(length <= min(9, in_tree + 2) for in_tree, length in lengths.seen)


def test_joint_actions_are_one_step() -> None:
    lengths = Lengths()
    state = treewise.load_game("goofspiel(cards=6, points_order='descending')").initial_state()
    uct(simulations=300).replace(horizon=3, bonus=[lengths]).run(state, seed=1)
    assert {length for _, length in lengths.seen} == {3}


def test_reused_trees_move_with_the_horizon() -> None:
    session = uct(simulations=300).replace(horizon=3).session(seed=1)
    state = SAME.initial_state()
    for _ in range(3):
        result = session.run(state)
        assert result.stats.max_depth == 3
        state.apply(result.action)


@pytest.mark.parametrize("threads", [parallel.Root(2), parallel.Leaf(2), parallel.Tree(2)])
def test_threads(threads: parallel.Part) -> None:
    lengths = Lengths()
    uct(simulations=100).replace(horizon=4, parallel=threads, bonus=[lengths]).run(SAME.initial_state(), seed=1)
    assert {length for _, length in lengths.seen} == {4}


def test_an_evaluator_judges_what_stands_at_the_horizon() -> None:
    search = Search(evaluator=evaluator.Playouts(), horizon=2, limit=limit.Simulations(400))
    state = treewise.load_game("tic_tac_toe").initial_state()
    assert search.run(state, seed=1).stats.max_depth == 2


# ---- what a playout that is cut counts


def test_what_was_collected_counts_where_steps_give_rewards() -> None:
    state = treewise.as_state(Ladder())
    result = uct(simulations=60).replace(max_length=1, loop=loop.Closed()).run(state, seed=1)
    assert all(0 <= value <= 2 + 2 * result.stats.max_depth for value in result.values.values())
    assert result.values[1] > result.values[0]


def test_the_middle_counts_where_nothing_is_collected() -> None:
    state = treewise.load_game("breakthrough").initial_state()
    result = uct(simulations=100).replace(max_length=1).run(state, seed=1)
    assert set(result.values.values()) == {0.0}


def test_a_given_value_counts_everywhere() -> None:
    result = uct(simulations=30).replace(horizon=2, cut_value=7.0).run(treewise.as_state(Ladder()), seed=1)
    assert list(result.values.values()) == pytest.approx([7.0, 7.0])


def test_evaluators_and_other_playouts_follow_the_same_rule() -> None:
    state = SAME.initial_state()
    one = uct(simulations=50).replace(horizon=1)
    expected = one.run(state, seed=1).values
    assert one.replace(playout=playout.MAST()).run(state, seed=1).values == pytest.approx(expected)
    judged = one.replace(evaluator=evaluator.Playouts(), max_length=1, playout=playout.Uniform())
    found = judged.run(state, seed=1).values
    assert all(found[action] > expected[action] for action in expected), "one step more was played"


def test_discounted_rewards_stop_there_too() -> None:
    search = uct(simulations=60).replace(horizon=1, backup=backup.Discounted(gamma=0.5))
    for action, value in search.run(SAME.initial_state(), seed=1).values.items():
        state = SAME.initial_state()
        state.apply(action)
        assert value == pytest.approx(state.rewards()[0])
