"""Chance, simultaneous actions, hidden information, step rewards, several players."""

import itertools

import pytest

import treewise
from treewise import backup, information, limit


def expectimax(state: treewise.State) -> tuple[float, ...]:
    """Exact values of a small game with chance, each player taking their best."""
    if state.is_terminal():
        return tuple(state.returns())
    children = []
    if state.current_player() == treewise.CHANCE:
        total = [0.0] * state.game.num_players
        for action, p in state.chance_outcomes():
            child = state.clone()
            child.apply(action)
            total = [t + p * v for t, v in zip(total, expectimax(child), strict=True)]
        return tuple(total)
    for action in state.legal_actions():
        child = state.clone()
        child.apply(action)
        children.append(expectimax(child))
    return max(children, key=lambda values: values[state.current_player()])


@pytest.mark.parametrize("players", [2, 3])
def test_chance_converges_to_expectimax(players: int) -> None:
    state = treewise.load_game(f"pig(goal=4, sides=3, horizon=12, players={players})").initial_state()
    exact = expectimax(state)
    search = treewise.Search(selection=treewise.selection.UCB1(c=0.5), limit=limit.Simulations(60_000))
    result = search.run(state, seed=1)
    assert result.values[result.action] == pytest.approx(exact[0], abs=0.03)


def test_solver_takes_the_mean_over_chance() -> None:
    state = treewise.load_game("pig(goal=3, sides=2, horizon=10)").initial_state()
    result = treewise.Search(proof=treewise.proof.Solver(), limit=limit.Simulations(500_000)).run(state, seed=1)
    assert result.proof == pytest.approx(list(expectimax(state)), abs=1e-5)


def test_simultaneous_actions_have_statistics_for_each_player() -> None:
    state = treewise.load_game("goofspiel(cards=4, points_order='descending')").initial_state()
    result = treewise.Search(limit=limit.Simulations(2000)).run(state, seed=1)
    assert isinstance(result.action, list)
    for player in (0, 1):
        assert sum(visits for (p, _), visits in result.visits.items() if p == player) == 2000
        assert result.action[player] in state.legal_actions(player)
    state.apply(result.action)


def test_decoupled_selection_finds_a_dominant_action() -> None:
    """Goofspiel with two cards and prizes 2, 1: bidding the high card first is dominant for both."""
    state = treewise.load_game("goofspiel(cards=2, points_order='descending')").initial_state()
    if state.is_terminal() or state.current_player() != treewise.SIMULTANEOUS:
        pytest.fail("the first round must be simultaneous")
    result = treewise.Search(limit=limit.Simulations(4000)).run(state, seed=1)
    names = [state.action_name(action) for action in result.action]  # type: ignore[union-attr]
    best = state.action_name(max(state.legal_actions(0)))
    assert names == [best, best]


def test_hidden_information_must_be_addressed() -> None:
    state = treewise.load_game("phantom_tic_tac_toe").initial_state()
    with pytest.raises(ValueError, match="hides information"):
        treewise.uct().run(state)
    result = treewise.uct(simulations=500).replace(information=information.Open()).run(state)
    assert result.stats.simulations == 500


def test_determinization_adds_up_worlds() -> None:
    state = treewise.load_game("phantom_tic_tac_toe").initial_state()
    state.apply(4)
    search = treewise.uct(simulations=1000).replace(information=information.Determinization(worlds=10))
    result = search.run(state, seed=1)
    assert sum(result.visits.values()) == 1000
    # The second player does not know where the stone is: the centre is among the actions.
    assert set(result.visits) == set(range(9))


def test_determinization_does_not_peek() -> None:
    """What is searched depends on what was seen only: two states the player cannot tell apart give one answer."""
    game = treewise.load_game("phantom_tic_tac_toe")
    search = treewise.uct(simulations=500).replace(information=information.Determinization(worlds=10))
    answers = []
    for hidden in (4, 0):
        state = game.initial_state()
        state.apply(hidden)
        answers.append(search.run(state, seed=5).visits)
    assert answers[0] == answers[1]


def test_discount_by_hand() -> None:
    """A win in one is worth 1; a win two steps later gamma squared: the mean of a known line."""
    state = treewise.load_game("tic_tac_toe").parse_state("xx./oo./...", 0)
    search = treewise.Search(backup=backup.Discounted(gamma=0.9), limit=limit.Simulations(5))
    assert search.run(state, seed=1).values[2] == pytest.approx(1.0)
    tree = search.replace(limit=limit.Simulations(2000)).run(state, seed=1).tree
    checked = 0
    for edge in tree.root.edges:
        if edge.node is None or edge.action == 2:
            continue
        # No leaf lies directly below: every result passed through one level at least, |value| <= 0.9.
        below = [child for child in edge.node.edges if child.visits]
        total = sum(child.value * child.visits for child in below if child.value is not None)
        first = edge.visits - sum(child.visits for child in below)
        assert first == 1
        assert edge.value is not None
        assert abs(edge.value * edge.visits + 0.9 * total) <= 1.0 + 1e-9, "all but the first result is -0.9 times"
        checked += 1
    assert checked >= 3


def test_gamma_one_is_the_mean_bit_for_bit() -> None:
    state = treewise.load_game("breakthrough").initial_state()
    plain = treewise.uct(simulations=3000).run(state, seed=2)
    same = treewise.uct(simulations=3000).replace(backup=backup.Discounted(gamma=1)).run(state, seed=2)
    assert plain.visits == same.visits
    assert plain.values == same.values


def test_discounting_prefers_the_nearer_win() -> None:
    """Winning at once is worth 1; whatever wins later is worth at most 0.8 squared."""
    game = treewise.load_game("tic_tac_toe")
    state = game.parse_state("xx./oo./...", 0)
    search = treewise.Search(backup=backup.Discounted(gamma=0.8), limit=limit.Simulations(3000))
    result = search.run(state, seed=1)
    assert result.action == 2
    assert all(value < 0.65 for action, value in result.values.items() if action != 2)


def discounted_best(state: treewise.State, gamma: float) -> float:
    if state.is_terminal():
        return 0.0
    best = -1e9
    for action in state.legal_actions():
        child = state.clone()
        child.apply(action)
        best = max(best, child.rewards()[0] + gamma * discounted_best(child, gamma))
    return best


def test_step_rewards_with_discount() -> None:
    """A small same_game: the best discounted sum of rewards is approached from below."""
    state = treewise.load_game("same_game(rows=3, columns=3, colours=2, seed=3)").initial_state()
    exact = discounted_best(state, 0.9)
    search = treewise.Search(
        selection=treewise.selection.UCB1(c=0.002),
        backup=backup.Discounted(gamma=0.9),
        decision=treewise.decision.Max(),
        limit=limit.Simulations(50_000),
    )
    result = search.run(state, seed=1)
    assert result.values[result.action] == pytest.approx(exact, rel=0.05, abs=1.0)


def test_one_player_score() -> None:
    state = treewise.load_game("same_game(rows=5, columns=5, colours=3)").initial_state()
    search = treewise.Search(selection=treewise.selection.UCB1(c=0.01), limit=limit.Simulations(5000))
    score = 0.0
    session = search.session(seed=1)
    while not state.is_terminal():
        state.apply(session.run(state).action)
    score = state.returns()[0]
    random_scores = []
    for seed in range(200):
        other = state.game.initial_state()
        other.playout(seed)
        random_scores.append(other.returns()[0])
    assert score > sorted(random_scores)[180]


def test_three_players_each_maximise_their_own() -> None:
    """Chinese checkers for three is searched; every player's value is their own."""
    state = treewise.load_game("chinese_checkers(players=3, restrict='not_farther')").initial_state()
    result = treewise.Search(max_length=200, limit=limit.Simulations(200)).run(state, seed=1)
    assert result.player == 0
    assert result.action in state.legal_actions()


def test_root_statistics_are_consistent() -> None:
    """N(root) = simulations, and N(v) = 1 + the visits of its children, everywhere in the tree (catalogue B1)."""
    state = treewise.load_game("breakthrough").initial_state()
    tree = treewise.uct(simulations=3000).run(state, seed=1).tree
    assert tree.root.visits == 3000
    for depth, node in itertools.islice(tree.walk(), 500):
        children = sum(edge.visits for edge in node.edges)
        assert node.visits == children + (0 if depth == 0 else 1)
