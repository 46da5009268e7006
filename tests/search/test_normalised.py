"""Values normalised by what was seen: the formulas by hand, the ranges in the tree, and what they are good for."""

from math import log, sqrt

import pytest

import treewise
from dice_games import Chain, Ladder
from treewise import Search, _core, backup, decision, first_play, limit, parallel, selection, uct


def score(part: selection.UCB1, results: list[list[float]], seen: tuple[float, float], seed: int = 0) -> list[float]:
    """Scores of children with these results, in a game with utilities from -10 to 10."""
    visits = [len(each) for each in results]
    units = [sum((result + 10) / 20 for result in each) for each in results]
    return _core.score(part.core(), visits, units, sum(visits), 1e9, utilities=(-10, 10), seen=seen, seed=seed)[0]


def test_scores_by_hand() -> None:
    scores = score(selection.UCB1(c=0.5, bounds="node"), [[1, 2, 3], [5, 0]], (0, 5))
    assert scores[0] == pytest.approx(0.4 + 0.5 * sqrt(log(5) / 3))
    assert scores[1] == pytest.approx(0.5 + 0.5 * sqrt(log(5) / 2))


def test_without_a_range_utilities_stay_as_they_are() -> None:
    for bounds, seen in (("none", (0.0, 0.0)), ("node", (3.0, 3.0))):
        assert score(selection.UCB1(c=1, bounds=bounds), [[3], [3]], seen) == pytest.approx([3 + sqrt(log(2))] * 2)


def test_unvisited_children_have_the_first_play_value() -> None:
    assert score(selection.UCB1(bounds="node"), [[1, 2], []], (1, 2))[1] == 1e9


def test_the_sample_controllers_formula_to_the_last_digit() -> None:
    """Noise, epsilon in both denominators, one more in the logarithm; utilities of some size show all of them."""
    e, k = 1e-6, sqrt(2)
    rng = _core.Rng(77)
    results = [[8.0, 9.5], [10.0, 7.0, 9.0]]
    expected = []
    for each in results:
        x = (sum(each) / (len(each) + e) - 7) / (10 - 7)
        value = x + k * sqrt(log(5 + 1) / (len(each) + e))
        expected.append((value + e) * (1 + e * (rng.random() - 0.5)))
    part = selection.UCB1(bounds="node", epsilon=e, offset=1)
    assert score(part, results, (7, 10), seed=77) == pytest.approx(expected, rel=1e-13)


def test_bounds_of_the_game_and_no_noise_are_plain_ucb1() -> None:
    assert selection.UCB1() == selection.UCB1(bounds="game", epsilon=0, offset=0)
    noisy, plain = selection.UCB1(epsilon=1e-9), selection.UCB1()
    results = [[1.0, 2.0, 3.0], [5.0, 0.0]]
    assert score(noisy, results, (-10, 10)) == pytest.approx(score(plain, results, (-10, 10)))


# ---- ranges in the tree


def test_ranges_by_hand() -> None:
    """Chain: rewards 1, 2, 4, 8 and one action. Every simulation returns 15, less what is cut off at the horizon."""
    search = Search(selection=selection.UCB1(bounds="node"), limit=limit.Simulations(3), horizon=4)
    tree = search.replace(backup=backup.Discounted(gamma=0.5, given="whole")).run(Chain(), seed=1).tree
    low, high = (tree.columns[key] * 15 for key in ("low", "high"))
    # Edge 1 gets 1 + 6/2, then 1 + 8/4, then 1 + 8/8; edge 2 gets 3 + 8/2, then 3 + 8/4; edge 3 gets 7 + 8/2.
    assert (low[0], high[0]) == pytest.approx((2, 4))
    assert (low[1], high[1]) == pytest.approx((4, 7)), "what the leaf had before it became a node belongs to it"
    assert (low[2], high[2]) == pytest.approx((7, 11))


def test_ranges_of_the_nodes_contain_their_values() -> None:
    state = treewise.load_game("same_game(rows=5, columns=5)").initial_state()
    search = Search(selection=selection.UCB1(bounds="node"), limit=limit.Simulations(500))
    session = search.session(seed=1)
    for _ in range(2):  # the second time in a tree that was kept
        result = session.run(state)
        tree = result.tree
        for _, node in tree.walk():
            low, high = tree.columns["low"][node.index], tree.columns["high"][node.index]
            for edge in node.edges:
                if edge.visits:
                    mean = tree.columns["value"][edge.index] / edge.visits
                    assert low - 1e-12 <= mean <= high + 1e-12
        state.apply(result.action)


def test_global_bounds_outlive_the_tree_and_others_do_not() -> None:
    """The first root has results from 0 to 20, the second state only from 10 on: its own range explores less."""

    def visits(bounds: str) -> list[int]:
        session = Search(
            selection=selection.UCB1(c=0.5, bounds=bounds), reuse=False, limit=limit.Simulations(300)
        ).session(seed=1)
        low, high = Ladder(), Ladder()
        high.height, high.steps = 10, 8
        session.run(low)
        return sorted(session.run(high).visits.values())

    assert visits("global")[0] > 2 * visits("tree")[0], "a wide range makes differences small"


def test_bounds_make_the_range_of_the_game_unimportant() -> None:
    """The same game twice, once with bounds that are a million times too wide: the same search, bit for bit."""

    class Wide(Ladder):
        min_utility, max_utility = -(2.0**24), 2.0**24

    for bounds in ("node", "tree", "none"):
        search = Search(selection=selection.UCB1(c=1, bounds=bounds), limit=limit.Simulations(400))
        assert search.run(Ladder(), seed=3).visits == search.run(Wide(), seed=3).visits
    plain = uct(simulations=400)
    assert plain.run(Ladder(), seed=3).visits != plain.run(Wide(), seed=3).visits


@pytest.mark.parametrize("bounds", ["node", "tree", "global", "none"])
def test_any_game_can_be_searched(bounds: str) -> None:
    for name in ("tic_tac_toe", "pig(players=3)", "goofspiel(cards=4)"):
        state = treewise.load_game(name).initial_state()
        while state.current_player() == treewise.CHANCE:
            state.apply(state.legal_actions()[0])
        search = Search(selection=selection.UCB1(c=1, bounds=bounds), limit=limit.Simulations(500))
        assert search.run(state, seed=1).stats.simulations == 500
    won = treewise.load_game("tic_tac_toe").parse_state("xx./oo./...", 0)
    assert won.action_name(search.run(won, seed=1).action) == "c3"  # type: ignore[arg-type]


def test_threads_on_one_tree() -> None:
    state = treewise.load_game("tic_tac_toe").parse_state("xx./oo./...", 0)
    for bounds in ("node", "tree"):
        search = Search(selection=selection.UCB1(bounds=bounds), parallel=parallel.Tree(2, virtual_loss=3))
        assert search.run(state, seed=1).action == 2


def test_a_tree_with_ranges_is_saved_and_loaded(tmp_path: object) -> None:
    search = Search(selection=selection.UCB1(bounds="node"), limit=limit.Simulations(50))
    tree = search.run(Ladder(), seed=1).tree
    file = f"{tmp_path}/tree.npz"
    tree.save(file)
    loaded = treewise.SearchTree.load(file)
    assert (loaded.columns["low"] == tree.columns["low"]).all()


def test_first_play_values_must_be_on_the_same_scale() -> None:
    with pytest.raises(ValueError, match="bounds of ucb1"):
        Search(selection=selection.UCB1(bounds="node"), first_play=first_play.Parent())


# ---- the backup of TD-MCTS


def test_whole_rewards_by_hand() -> None:
    """Algorithm 3 with gamma = 1/2 on rewards 1, 2, 4, 8: G(v) + gamma X(v) / N(v), simulation by simulation."""
    search = Search(backup=backup.Discounted(gamma=0.5, given="whole"))
    # Q = 2 + 4/2 + 8/4 = 6; X = 6.
    assert search.replace(limit=limit.Simulations(1)).run(Chain(), seed=1).values[0] == pytest.approx(1 + 6 / 2)
    # Q = 4 + 8/2 = 8; X(v1) = 6 + 8/2, N = 2; X(v2) = 8.
    two = search.replace(limit=limit.Simulations(2)).run(Chain(), seed=1)
    assert two.values[0] == pytest.approx(1 + (6 + 4) / 2 / 2)
    below = two.tree.root.edges[0].node
    assert below is not None
    assert below.edges[0].value == pytest.approx(1 + 2 + 8 / 2)
    # Q = 8: X(v1) = 6 + 4 + 8/4, N = 3.
    three = search.replace(limit=limit.Simulations(3)).run(Chain(), seed=1)
    assert three.values[0] == pytest.approx(1 + (6 + 4 + 2) / 2 / 3)


def test_terminal_leaves_have_nothing_to_come() -> None:
    """The fourth simulation ends in the last state: Q = 0, and G is all there is."""
    search = Search(backup=backup.Discounted(gamma=0.5, given="whole"), limit=limit.Simulations(4))
    tree = search.run(Chain(), seed=1).tree
    node = tree.root
    for _ in range(3):
        below = node.edges[0].node
        assert below is not None
        node = below
    assert node.edges[0].value == pytest.approx(15)


def test_whole_and_discounted_differ_in_the_tree_only() -> None:
    for given, expected in (("discounted", 1 + (2 + (4 + 8 / 2) / 2) / 2), ("whole", 1 + 6 / 2)):
        search = Search(backup=backup.Discounted(gamma=0.5, given=given), limit=limit.Simulations(1))
        assert search.run(Chain(), seed=1).values[0] == pytest.approx(expected)
    state = treewise.load_game("tic_tac_toe").initial_state()
    one, other = (
        Search(backup=backup.Discounted(gamma=0.9, given=given), limit=limit.Simulations(300)).run(state, seed=1)
        for given in ("discounted", "whole")
    )
    assert one.values == other.values, "without step rewards there is nothing to tell apart"


# ---- the decision of the sample controller


def decide(children: list[tuple[int, float]], seed: int = 0) -> int:
    given = [(visits, value, None) for visits, value in children]
    return int(_core.decide(decision.Robust(ties="noise").core(), given, seed))


def test_most_visits_whatever_the_value() -> None:
    assert decide([(3, 0.1), (2, 0.9), (2, 0.8)]) == 0


def test_ties_are_broken_at_random() -> None:
    found = [decide([(3, 0.9), (3, 0.1), (2, 1.0)], seed) for seed in range(200)]
    assert set(found) == {0, 1}
    assert 60 < found.count(0) < 140


def test_the_value_decides_if_all_are_visited_equally() -> None:
    assert {decide([(3, 0.1), (3, 0.9), (3, 0.8)], seed) for seed in range(50)} == {1}
    assert {decide([(3, 0.1), (0, 0.0), (3, 0.2)], seed) for seed in range(50)} == {2}, "only those that were tried"
    assert set(decide([(3, 0.5), (3, 0.5)], seed) for seed in range(50)) == {0, 1}


def test_among_millions_the_noise_hides_a_few_points() -> None:
    assert {decide([(2, 1e7), (2, 1e7 + 3)], seed) for seed in range(100)} == {0, 1}
    assert {decide([(2, 1e7), (2, 1e7 + 30)], seed) for seed in range(100)} == {1}
