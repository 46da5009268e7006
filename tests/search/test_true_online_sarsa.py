"""Playouts that learn by true online Sarsa(λ): what Algorithm 4 says, in every kind of game and composition."""

import time
from typing import Any

import numpy as np
import pytest

from feature_games import AtOnce, Blank, Coin, Guided, Race, Scored, Still, Walk
from treewise import Search, _core, backup, limit, load_game, playout
from treewise.compositions import parse_search
from treewise.game import as_state
from treewise.playout import TrueOnlineSarsa


def reference(
    part: TrueOnlineSarsa, kind: type[Walk], tree: list[int], start: int, depth: int, theta: Any, snapshot: Any
) -> tuple[Any, float]:
    """ROLLOUT of Algorithm 4 in NumPy, always greedy, after `tree` steps from `start`: the weights and Q_s."""
    a, g, lam = part.alpha, part.gamma, part.lam
    blocks, shared = part.psi.endswith("_blocks"), part.psi == "shared_blocks"

    def in_blocks(state: Walk, action: int) -> Any:
        psi = np.zeros((2 + shared, 3))
        psi[shared + action] = psi[0] = state.features()
        if action == 1 and not shared:
            psi[0] = 0
        return psi.ravel()

    def features(state: Walk, action: int) -> Any:
        if blocks:
            return in_blocks(state, action)
        state = state.clone()
        state.apply(action)
        return np.array(state.features())

    def end_features(state: Walk, last: int) -> Any:
        if part.ends == "zero":
            return np.zeros(len(theta))
        return in_blocks(state, last) if blocks else np.array(state.features())

    def best(state: Walk) -> int:
        chooses = snapshot if part.snapshot == "all" else theta
        return int(np.argmax([chooses @ features(state, action) for action in (0, 1)]))

    e, state = np.zeros(len(theta)), kind(start)
    for action in tree:
        psi = features(state, action)
        e = g * lam * e + psi - a * g * lam * (e @ psi) * psi
        state.apply(action)
    total, t = 0.0, 0
    action = best(state)
    psi = features(state, action)
    old = theta @ psi if part.q_old == "first" else 0.0
    while not state.is_terminal() and t < depth:
        points, before = state.points, state.returns()[0]
        state.apply(action)
        reward = state.points - points if kind is Scored else state.returns()[0] - before
        total += g**t * (state.returns()[0] - before)
        if state.is_terminal():
            then = end_features(state, action)
        else:
            action = best(state)
            then = features(state, action)
        q, q_then = theta @ psi, theta @ then
        delta = reward + g * q_then - q
        e = g * lam * e + psi - a * g * lam * (e @ psi) * psi
        theta = theta + a * (delta + q - old) * e - a * (q - old) * psi
        old, psi, t = q_then, then, t + 1
    if not state.is_terminal():
        judges = theta if part.snapshot == "none" else snapshot
        total += g**t * max(judges @ features(state, action) for action in (0, 1))
    return theta, total


@pytest.mark.parametrize("psi", ["after_states", "action_blocks", "shared_blocks"])
@pytest.mark.parametrize("kind", [Walk, Scored])
@pytest.mark.parametrize(
    ("q_old", "ends", "snapshot"),
    [
        ("first", "zero", "all"),
        ("zero", "zero", "all"),
        ("zero", "features", "all"),
        ("first", "features", "values"),
        ("first", "zero", "none"),
    ],
)
@pytest.mark.parametrize(("tree", "depth"), [([], 3), ([1, 0], 2), ([1, 1], 20), ([1], 0)])
def test_a_playout_is_algorithm_4(
    psi: str, kind: type[Walk], tree: list[int], depth: int, q_old: str, ends: str, snapshot: str
) -> None:
    part = TrueOnlineSarsa(epsilon=0, psi=psi, q_old=q_old, ends=ends, snapshot=snapshot)
    root = as_state(kind())
    probe = _core.PlayoutProbe(root.game, part.core())
    probe.start(root)
    if psi.endswith("_blocks"):  # their values are equal at first, and which is taken is drawn
        for action in (0, 1):  # blocks are given out as actions are met
            probe.follow(as_state(kind(4 + 2 * action - 1), root.game), action)
        probe.play(root, 0, 3)
        probe.play(root, 3, 3)
    theta = np.array(probe.weights)
    for _ in range(3):  # searches
        probe.start(root)
        before = theta  # and not what is learned on the way, unless the part says so
        for _ in range(4):  # simulations
            state = root.clone()
            probe.begin()
            for action in tree:
                state.apply(action)
                probe.follow(state, action)
            theta, expected = reference(part, kind, tree, 4, depth, theta, before)
            utilities, length, finished = probe.play(state, 0, depth, 0.99)
            assert utilities == pytest.approx([expected], rel=1e-12, abs=1e-12)
            assert length <= depth if finished else length == depth
            np.testing.assert_allclose(probe.weights, theta, atol=1e-12)


def test_with_the_same_weights_for_all_actions_steps_are_random_and_cuts_are_judged() -> None:
    state = as_state(Walk())
    part = TrueOnlineSarsa(alpha=0, epsilon=0, psi="states", gamma=1.0)
    probe = _core.PlayoutProbe(state.game, part.core())
    probe.start(state)
    ends = [probe.play(state, seed, 1, 1.0)[0][0] for seed in range(2000)]
    judged = {cell: sum(Walk(cell).features()) for cell in (3, 5)}
    assert set(ends) == {judged[3], 2 + judged[5]}
    assert ends.count(judged[3]) == pytest.approx(1000, abs=90)
    assert "stable_actions" not in part.all_needs()


def test_results_are_returns_where_the_backup_does_not_ask_for_rewards() -> None:
    part = TrueOnlineSarsa(epsilon=0, gamma=1.0)
    state = as_state(Walk(6, points=7.0))
    probe = _core.PlayoutProbe(state.game, part.core())
    probe.start(state)
    assert probe.play(state) == ([57.0], 2, True)


def test_all_ties_are_taken_and_epsilon_is_a_probability() -> None:
    state = as_state(Walk())
    last = {}
    for epsilon, initial in [(0.0, 0.0), (0.3, 1.0)]:  # all values are equal; the step to the right is better
        part = TrueOnlineSarsa(alpha=0, epsilon=epsilon, initial=initial, gamma=1.0)
        probe = _core.PlayoutProbe(state.game, part.core())
        probe.start(state)
        ends = [probe.play(state, seed, 1, 1.0)[0][0] for seed in range(2000)]
        # Cell 5 gives two points; what is left is the value of the better cell beside the one reached.
        values = {side: [end for end in ends if (end >= 2) == side] for side in (True, False)}
        last[epsilon] = len(values[True]) / len(ends)
    assert last[0.0] == pytest.approx(0.5, abs=0.04)
    assert last[0.3] == pytest.approx(0.85, abs=0.03)


def play_many(part: TrueOnlineSarsa, state: Any, playouts: int = 20) -> _core.PlayoutProbe:
    probe = _core.PlayoutProbe(state.game, part.core())
    probe.start(state)
    for seed in range(playouts):
        probe.begin()
        probe.play(state, seed, 30)
    return probe


def test_timed_playouts_learn_as_others_do() -> None:
    state = as_state(Walk())
    timed, again = (_core.PlayoutProbe(state.game, TrueOnlineSarsa().core()) for _ in range(2))
    seconds, steps = timed.time(state, 20, seed=3, max_length=30)
    assert seconds > 0
    assert 20 <= steps <= 20 * 30
    assert timed.weights != [1.0] * len(timed.weights)
    assert again.time(state, 20, seed=3, max_length=30)[1] == steps
    assert again.weights == timed.weights


def test_features_that_never_show_are_left_out() -> None:
    state = as_state(Walk())
    assert len(play_many(TrueOnlineSarsa(), state).weights) == 3
    assert len(play_many(TrueOnlineSarsa(discover=50), state).weights) == 2
    assert len(play_many(TrueOnlineSarsa(discover=50, discovers="kinds"), state).weights) == 2  # no kinds are told
    nothing = as_state(Walk(2))
    assert play_many(TrueOnlineSarsa(discover=1), nothing).weights  # the cell, if not its parity


@pytest.mark.parametrize("psi", ["after_states", "action_blocks"])
@pytest.mark.parametrize("discover", [0, 10])
def test_without_any_feature_playouts_are_random(psi: str, discover: int) -> None:
    probe = play_many(TrueOnlineSarsa(psi=psi, discover=discover), as_state(Blank()))
    assert set(probe.weights) <= {1.0}
    assert sarsa(playout=TrueOnlineSarsa(psi=psi, discover=discover)).run(Blank(), seed=1).action in (0, 1)


# ---- in searches


class Counted(Walk):
    """Counts the steps of all its states."""

    steps = 0

    def apply(self, action: int) -> None:
        type(self).steps += 1
        super().apply(action)


@pytest.mark.parametrize("text", ["one", "root(threads=2)", "leaf(threads=2)", "tree(threads=2)"])
def test_under_a_limit_in_time_discovering_stops(text: str) -> None:
    search = parse_search(f"mcts(playout=true_online_sarsa(discover=500), max_length=6, parallel={text})")
    for rule in (limit.Seconds(0), limit.CpuSeconds(0), limit.Seconds(0) | limit.Simulations(5)):
        Counted.steps = 0
        assert search.replace(limit=rule).run(Counted()).stats.simulations == 0
        assert Counted.steps < 5  # a game in Python is tried when it is first seen
    for rule in (limit.Simulations(1), limit.Seconds(0) & limit.Simulations(1)):
        Counted.steps = 0
        search.replace(limit=rule).run(Counted())
        assert Counted.steps >= 500


def test_getting_ready_counts_for_a_limit_in_time() -> None:
    class Slow(Walk):
        def features(self) -> list[float]:
            until = time.thread_time() + 0.02
            while time.thread_time() < until:
                pass
            return super().features()

    for rule in (limit.Seconds(0.01), limit.CpuSeconds(0.01)):
        assert sarsa(limit=rule).run(Slow()).stats.simulations == 0


def sarsa(**more: Any) -> Search:
    keys: dict[str, Any] = {"playout": TrueOnlineSarsa(), "max_length": 6, "limit": limit.Simulations(200)}
    return Search(backup=backup.Discounted(gamma=0.99), **(keys | more))


def test_it_walks_where_the_points_are() -> None:
    for psi in ("after_states", "action_blocks"):
        search = sarsa(playout=TrueOnlineSarsa(psi=psi))
        assert search.run(Walk(3), seed=1).action == 1


def test_the_same_seed_gives_the_same_tree() -> None:
    state = load_game("breakthrough").initial_state()
    for psi in ("after_states", "action_blocks"):
        search = sarsa(playout=TrueOnlineSarsa(psi=psi, discover=20), limit=limit.Simulations(100))
        runs = [search.run(state, seed=seed) for seed in (3, 3, 4)]
        assert runs[0].visits == runs[1].visits
        assert runs[0].value == runs[1].value
        assert runs[0].value != runs[2].value


def test_a_search_uses_the_snapshot_and_a_session_keeps_what_was_learned() -> None:
    part = TrueOnlineSarsa(epsilon=0)
    search = sarsa(playout=part, max_length=1, limit=limit.Simulations(20))
    session = search.session(seed=1)
    values = [session.run(Still()).value for _ in range(3)]
    depths = sum(0.99 ** (1 + depth) for depth in range(1, 21)) / 20  # one step deeper with every simulation
    assert values[0] == pytest.approx(depths)  # with the weight 1, whatever is learned meanwhile
    assert 0 < values[2] < values[1] < values[0]  # there is nothing to be had
    assert search.session(seed=2).run(Still()).value == pytest.approx(values[0])


def test_what_was_learned_may_be_dropped_with_every_action() -> None:
    part = TrueOnlineSarsa(epsilon=0, keep=False)
    session = sarsa(playout=part, max_length=1, limit=limit.Simulations(20)).session(seed=1)
    values = [session.run(Still()).value for _ in range(3)]
    assert values[0] == values[1] == values[2]


def test_as_published_values_grow_where_nothing_is_to_be_had() -> None:
    part = TrueOnlineSarsa(q_old="zero")
    session = sarsa(playout=part, max_length=1, limit=limit.Simulations(20)).session(seed=1)
    first, second, third = (session.run(Still()).value for _ in range(3))
    assert first < second < third


@pytest.mark.parametrize("psi", ["after_states", "action_blocks"])
@pytest.mark.parametrize("restart", [True, False])
def test_growing_values_start_again_unless_that_is_off(psi: str, restart: bool) -> None:
    part = TrueOnlineSarsa(q_old="zero", psi=psi, restart=restart)
    session = sarsa(playout=part, max_length=1, limit=limit.Simulations(20)).session(seed=1)
    values = [session.run(Still()).value for _ in range(300)]
    assert (max(values) > 1e20) != restart
    assert max(values) < 1e101


@pytest.mark.parametrize("text", ["one", "root(threads=2)", "leaf(threads=2)", "tree(threads=2)"])
def test_every_worker_learns_its_own(text: str) -> None:
    search = parse_search(
        f"mcts(playout=true_online_sarsa, max_length=8, parallel={text}, limit=simulations(count=300))"
    )
    result = search.run(load_game("breakthrough").initial_state(), seed=2)
    assert sum(result.visits.values()) >= 300
    assert -1.5 < result.value < 1.5


@pytest.mark.parametrize(
    "text",
    [
        "true_online_sarsa(inner=decisive)",
        "true_online_sarsa(inner=game_policy, psi='action_blocks')",
        "true_online_sarsa(inner=mast)",
        "cut_off(depth=5, inner=true_online_sarsa)",
        "true_online_sarsa(inner=decisive(inner=ngram(length=2)), lam=1.0, gamma=1.0)",
    ],
)
def test_other_playouts_inside_and_around(text: str) -> None:
    for kind in ("mean", "discounted(gamma=0.9)"):
        search = parse_search(f"mcts(playout={text}, max_length=9, backup={kind}, limit=simulations(count=60))")
        assert parse_search(search.text()) == search
        state = load_game("breakthrough(rows=5, columns=4)").parse_state("..../1.../..../...2/....", 0)
        assert search.run(state, seed=1).action in state.winning_actions()
        assert sum(search.run(Guided(6), seed=1).visits.values()) == 60


class Judge:
    """An evaluator that says 7, of the whole match."""

    def evaluate(self, states: list[Any]) -> list[list[float]]:
        return [[7.0] for _ in states]


def test_an_evaluator_around_it_judges_the_cut_alone() -> None:
    part = playout.CutOff(depth=1, inner=TrueOnlineSarsa(epsilon=0, gamma=1.0), evaluator=Judge())
    state = as_state(Walk())
    probe = _core.PlayoutProbe(state.game, part.core())
    assert probe.play(state) == ([7.0], 1, False)
    # Rewards from here on: two points for the step, and what is left of the judge's seven.
    assert probe.play(state, discount=1.0)[0] == [pytest.approx(7.0)]


@pytest.mark.parametrize("text", ["decisive", "mast", "ngram", "last_good_reply"])
def test_it_is_refused_where_it_would_never_play(text: str) -> None:
    with pytest.raises(ValueError, match=rf"true_online_sarsa\(inner={text}\)"):
        parse_search(f"mcts(playout={text}(inner=true_online_sarsa))")
    with pytest.raises(ValueError, match="inner must not be"):
        parse_search("mcts(playout=true_online_sarsa(inner=true_online_sarsa))")


def test_games_without_features_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="'true_online_sarsa' needs the capability 'features'"):
        sarsa().run(load_game("tic_tac_toe").initial_state())


def test_blocks_need_actions_that_mean_the_same() -> None:
    class Renamed(Walk):
        stable_actions = False

    with pytest.raises(ValueError, match="remembers actions by their ids"):
        sarsa(playout=TrueOnlineSarsa(psi="action_blocks")).run(Renamed())
    sarsa().run(Renamed())


def test_wrong_features_are_errors_that_name_the_class() -> None:
    class Growing(Walk):
        def features(self) -> list[float]:
            return [1.0] * self.cell

    with pytest.raises(ValueError, match=r"Growing.features\(\): \d numbers, expected one for each of 4"):
        sarsa().run(Growing())

    class Infinite(Walk):
        def features(self) -> list[float]:
            return [float("inf")]

    with pytest.raises(ValueError, match=r"Infinite.features\(\): a number that is not finite"):
        sarsa().run(Infinite())


# ---- several players


@pytest.mark.parametrize("players", [2, 3])
def test_every_player_learns_to_want_its_own_progress(players: int) -> None:
    probe = play_many(TrueOnlineSarsa(epsilon=0.5, initial=0.0, gamma=1.0), as_state(Race(players)), 400)
    weights = np.array(probe.weights)
    if players == 2:  # one value function, player 0's
        assert weights[0] > 0.3 > -0.3 > weights[1]
    else:  # one for each
        own = weights.reshape(3, 3)
        assert (np.argmax(own, axis=1) == np.arange(3)).all()


def test_the_second_player_takes_the_least() -> None:
    state = as_state(Race(2, turn=1))
    part = TrueOnlineSarsa(alpha=0, epsilon=0, gamma=1.0)  # all progress is good for player 0
    probe = _core.PlayoutProbe(state.game, part.core())
    probe.start(state)
    # The smallest step, and then player 0 would take the largest.
    assert probe.play(state, 0, 1)[0] == pytest.approx([1 / 12 + 3 / 12, -1 / 12 - 3 / 12])


@pytest.mark.parametrize("players", [2, 3])
def test_search_with_several_players(players: int) -> None:
    result = sarsa(limit=limit.Simulations(300)).run(Race(players, at=(9,) + (4,) * (players - 1)), seed=1)
    assert result.action == 3


@pytest.mark.parametrize("psi", ["after_states", "action_blocks"])
def test_chance_belongs_to_the_step_that_leads_to_it(psi: str) -> None:
    result = sarsa(playout=TrueOnlineSarsa(psi=psi), max_length=3).run(Coin(2, at=(9, 9)), seed=1)
    assert result.action == 3


@pytest.mark.parametrize("psi", ["after_states", "action_blocks"])
def test_who_chooses_at_once_chooses_at_random(psi: str) -> None:
    state = as_state(AtOnce())
    probe = play_many(TrueOnlineSarsa(psi=psi), state)
    assert set(probe.weights) == {1.0}
    assert probe.play(state, 0, 2) == ([0.0, 0.0], 2, False)
    result = sarsa(playout=TrueOnlineSarsa(psi=psi), max_length=None).run(AtOnce(2, (8, 8)), seed=1)
    assert isinstance(result.action, list)
