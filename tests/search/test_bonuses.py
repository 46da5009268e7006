"""The quality-based bonuses in searches: every kind of search feeds them what it should, and backs up what they say."""

from __future__ import annotations

import copy
import itertools

import numpy as np
import pytest
from python_game import Nim

import treewise
from bonus_reference import BREAKTHROUGH, SEARCHES, Fan, Recorder, Simulation, check, late, rewards
from treewise import Search, backup, bonus, limit, parallel, parse_search, playout, proof, selection
from treewise.part import Part

PARTS: list[Part] = [
    bonus.RelativeBonus(k=2.2),
    bonus.RelativeBonus(a="online"),
    bonus.QualityBonus(k=1.6),
    bonus.QualityBonus(a="online"),
    bonus.CombinedBonus(),
]

# ---- what a search backs up


@pytest.mark.parametrize("part", [*PARTS, bonus.QualityOnly()], ids=lambda part: part.text())
@pytest.mark.parametrize("copies", [1, 3])
def test_the_value_of_an_action_is_its_altered_reward(part: Part, copies: int) -> None:
    """Every way is taken once, in the order of the children; a leaf team plays each to its end three times."""
    kind = parallel.One() if copies == 1 else parallel.Leaf(copies)
    ways = len(Fan.ends)
    result = Search(bonus=[part], parallel=kind, limit=limit.Simulations(copies * ways)).run(Fan(), seed=3)
    order = [child.action for child in result.children]
    assert order != sorted(order)
    seen = []
    for winner, steps, quality in (Fan.ends[action] for action in order):
        seen += [Simulation(winner, 1 + steps, quality)] * copies
    added = np.mean(np.reshape(rewards(part, seen, 0, copies * ways), (ways, copies)), axis=1)
    assert np.count_nonzero(added) > 3
    for action, gain in zip(order, added, strict=True):
        reward = {None: 0.0, 0: 1 + gain, 1: -1 - gain}[Fan.ends[action][0]]
        assert result.values[action] == pytest.approx(reward, abs=1e-9)


# ---- whole searches against the reference


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.text())
@pytest.mark.parametrize("text", SEARCHES.values(), ids=SEARCHES)
def test_every_search_rewards_by_the_equations(part: Part, text: str) -> None:
    search = parse_search(text).replace(limit=limit.Simulations(300))
    added = check(search, part, late(6), expected=300)
    assert not any(added[:15]), "the first twentieth"
    assert np.count_nonzero(added) > 20


def test_what_a_solver_knows_gets_no_bonus() -> None:
    """Wins that the game lists are proven without being reached; other terminal states in the tree are reached."""
    for one_ply in (True, False):
        recorder = Recorder()
        search = Search(bonus=[bonus.RelativeBonus(warm_up=0.0), recorder], proof=proof.Solver(one_ply))
        search.replace(limit=limit.Simulations(300)).run(late(8), seed=1)
        known = [r for r in recorder.records if r.length == r.tree_steps]
        assert len(known) > 3
        assert {r.finished for r in known} == {not one_ply}
        assert any(r.values != r.outcome for r in known) == (not one_ply)


def test_a_malus_is_not_lifted_by_a_proven_loss() -> None:
    """Player 1 must go on to a state in which player 0 loses at once (proven, worth 0) or after three more steps.

    A loss with a malus, -0.4, is still a loss: the solver must not put the proven 0 in its place on the way up.
    """

    class Lost(Fan):
        ends = [(1, 1, 0.0), (1, 4, 0.0), (1, 5, 0.0)]

        def current_player(self) -> int:
            return 1 if self.steps < 0 else 0

        def legal_actions(self) -> list[int]:
            return [0] if self.steps < 0 else super().legal_actions()

        def apply(self, action: int) -> None:
            if self.steps < 0:
                self.steps = 0
            else:
                super().apply(action)

        def clone(self) -> Lost:
            return Lost(self.way, self.steps)

    class Malus(Recorder):
        def result(self, record: bonus.Record) -> list[float]:
            self.records.append(record)
            return [-0.4, 1.4] if record.finished else record.values

    malus = Malus()
    search = Search(bonus=[malus], proof=proof.Solver(), limit=limit.Simulations(6))
    result = search.run(Lost(None, -1), seed=1)
    assert sum(record.finished for record in malus.records) == len(malus.records)
    assert result.value == pytest.approx(1.8), "1.4 on the scale [-1, 1]"


@pytest.mark.parametrize("players", [2, 3])
def test_any_number_of_players(players: int) -> None:
    state = treewise.load_game(f"chinese_checkers(players={players})").initial_state()
    search = Search(playout=playout.GamePolicy(), limit=limit.Simulations(200))
    for part in (bonus.RelativeBonus(a="online"), bonus.CombinedBonus()):
        added = check(search, part, state, expected=200)
        assert np.count_nonzero(added) > 100


def test_the_player_to_move_is_the_one_who_searches() -> None:
    state = BREAKTHROUGH.initial_state()
    state.apply(state.legal_actions()[0])
    added = check(Search(limit=limit.Simulations(200)), bonus.CombinedBonus(), state, expected=200, player=1)
    assert any(added)


def test_draws_are_left_alone() -> None:
    recorder = Recorder()
    search = Search(bonus=[bonus.RelativeBonus(), recorder], limit=limit.Simulations(400))
    search.run(treewise.load_game("tic_tac_toe").initial_state(), seed=1)
    draws = [record for record in recorder.records if record.winner is None]
    assert len(draws) > 10
    assert all(record.values == record.outcome == [0.5, 0.5] for record in draws)
    assert recorder.added() == pytest.approx(rewards(bonus.RelativeBonus(), recorder.simulations(), 0, 400))


def test_both_bonuses_add_up() -> None:
    one, other = bonus.RelativeBonus(k=3.0), bonus.QualityBonus(k=4.0, a="online")
    recorder = Recorder()
    search = Search(bonus=[one, other, recorder], limit=limit.Simulations(200))
    search.run(BREAKTHROUGH.initial_state(), seed=1)
    seen = recorder.simulations()
    both = np.add(rewards(one, seen, 0, 200), rewards(other, seen, 0, 200))
    assert recorder.added() == pytest.approx(both, abs=1e-9)
    results = [
        search.replace(bonus=list(order)).run(BREAKTHROUGH.initial_state(), seed=1)
        for order in itertools.permutations([one, other, bonus.QualityOnly()])
    ]
    for result in results[1:]:
        assert result.visits == results[0].visits, "in any order"


# ---- runs


def test_every_run_starts_afresh() -> None:
    part = bonus.CombinedBonus(warm_up=0.0)
    recorder = Recorder()
    session = Search(bonus=[part, recorder], limit=limit.Simulations(120)).session(seed=1)
    state = BREAKTHROUGH.initial_state()
    for player in (0, 1, 0):
        recorder.records.clear()
        state.apply(session.run(state).action)
        assert recorder.added() == pytest.approx(rewards(part, recorder.simulations(), player), abs=1e-9)


@pytest.mark.parametrize("kind", [parallel.One(), parallel.Root(3), parallel.Leaf(2)], ids=lambda kind: kind.text())
def test_the_same_seed_gives_the_same_tree(kind: Part) -> None:
    search = Search(bonus=[bonus.CombinedBonus()], parallel=kind, limit=limit.Simulations(900), proof=proof.Solver())
    state = BREAKTHROUGH.initial_state()
    first, again, other = (search.run(state, seed=seed) for seed in (1, 1, 2))
    assert first.values == again.values != other.values
    assert first.visits == again.visits
    assert first.values != search.replace(bonus=()).run(state, seed=1).values


def test_every_worker_learns_for_itself() -> None:
    """One simulation a worker: none has a deviation, so none alters anything. Together they would have."""
    search = Search(bonus=[bonus.RelativeBonus(warm_up=0.0)], parallel=parallel.Root(8), limit=limit.Simulations(8))
    plain = search.replace(bonus=())
    state = BREAKTHROUGH.initial_state()
    assert search.run(state, seed=1).values == plain.run(state, seed=1).values
    alone = search.replace(parallel=parallel.One())
    assert alone.run(state, seed=1).values != plain.replace(parallel=parallel.One()).run(state, seed=1).values


def test_threads_on_one_tree() -> None:
    search = Search(bonus=[bonus.CombinedBonus()], parallel=parallel.Tree(3), limit=limit.Simulations(5000))
    result = search.run(treewise.load_game("breakthrough").initial_state(), seed=1)
    assert result.stats.simulations == 5000
    assert sum(result.visits.values()) == 5000


def test_values_may_leave_the_range() -> None:
    """All ways are won by player 0, some faster: the best are worth more than a win, and nothing minds."""

    class Won(Fan):
        ends = [(0, 2 + i, 0.5) for i in range(6)]

        def clone(self) -> Won:
            return Won(self.way, self.steps)

    rules = (selection.UCB1(), selection.UCB1Tuned(), selection.PUCT())
    for rule, steps in itertools.product(rules, (backup.Mean(), backup.Discounted(gamma=1.0))):
        search = Search(selection=rule, backup=steps, bonus=[bonus.RelativeBonus(a=1.0)])
        result = search.replace(limit=limit.Simulations(600)).run(Won(), seed=1)
        assert result.action == 0
        assert 1 < result.values[0] <= 2
        assert 0 <= result.values[5] < 1


# ---- what does not fit


@pytest.mark.parametrize("part", [bonus.QualityBonus(), bonus.CombinedBonus(), bonus.QualityOnly()])
def test_a_game_without_quality_is_refused(part: Part) -> None:
    search = Search(bonus=[bonus.RelativeBonus(), part])
    message = f"bonus: '{part.name}' needs the capability 'quality', which hex does not have; choose another bonus"
    with pytest.raises(ValueError, match=message):
        search.run(treewise.load_game("hex").initial_state())
    with pytest.raises(ValueError, match=message):
        search.check(treewise.load_game("hex"))


def test_where_nobody_wins_the_bonuses_are_refused() -> None:
    search = Search(bonus=[bonus.RelativeBonus()])
    with pytest.raises(ValueError, match="'relative_bonus' rewards the winner, but same_game has one player"):
        search.run(treewise.load_game("same_game").initial_state())

    class Rewarded(Fan):
        def rewards(self) -> list[float]:
            return self.returns() if self.is_terminal() else [0.0, 0.0]

        def clone(self) -> Rewarded:
            return Rewarded(self.way, self.steps)

    with pytest.raises(ValueError, match="'relative_bonus' needs to know who won, but discounted results are sums"):
        search.replace(backup=backup.Discounted()).run(Rewarded())
    assert search.replace(limit=limit.Simulations(50)).run(Rewarded()).stats.simulations == 50


class Unfinished(Nim):
    """Nobody can say what a match of it brings before it is over, which games need not."""

    num_players = 2

    def returns(self) -> list[float]:
        if not self.is_terminal():
            raise AssertionError("asked for the returns of a state that is not terminal")
        return super().returns()

    def clone(self) -> Unfinished:
        return copy.deepcopy(self)


@pytest.mark.parametrize("part", [bonus.RelativeBonus(), bonus.RelativeResult()], ids=lambda part: part.name)
def test_results_are_asked_for_at_the_end_only(part: Part) -> None:
    Search(bonus=[part], limit=limit.Simulations(50)).run(Unfinished(), seed=1)


def test_clipping_asks_for_the_score_of_the_root() -> None:
    with pytest.raises(ValueError, match="needs the capability 'score'"):
        Search(bonus=[bonus.ClippedResult()]).run(BREAKTHROUGH.initial_state())


# ---- what takes the place of the result


class Uneven:
    """One action for player 0, and results of which one player's loss is not the other's gain."""

    min_utility, max_utility = 0.0, 1.0
    ends = ([1.0, 0.75], [0.5, 0.0], [0.25, 0.75])

    def __init__(self, action: int | None = None) -> None:
        self.action = action

    def current_player(self) -> int:
        return 0

    def legal_actions(self) -> list[int]:
        return [0, 1, 2]

    def apply(self, action: int) -> None:
        self.action = action

    def is_terminal(self) -> bool:
        return self.action is not None

    def returns(self) -> list[float]:
        return [0.0, 0.0] if self.action is None else self.ends[self.action]

    def quality(self) -> float:
        return 0.5

    def clone(self) -> Uneven:
        return Uneven(self.action)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([], [1.0, 0.5, 0.25]),
        ([bonus.RelativeResult()], [0.625, 0.75, 0.25]),
        ([bonus.QualityOnly()], [0.75, 0.75, 0.25]),
        ([bonus.RelativeResult(), bonus.QualityOnly()], [0.75, 0.75, 0.25]),
        ([bonus.QualityOnly(), bonus.RelativeResult()], [0.75, 0.75, 0.25]),
        ([bonus.RelativeResult(), bonus.RelativeResult()], [0.625, 0.75, 0.25]),
    ],
    ids=lambda value: "+".join(part.name for part in value if isinstance(part, Part)) or None,
)
def test_what_takes_the_place_of_the_result_is_taken_from_what_is_there(
    parts: list[Part], expected: list[float]
) -> None:
    """The second of two does not take the result away again. Of a relative result, nothing is left to compare."""
    result = Search(bonus=parts, limit=limit.Simulations(30)).run(Uneven(), seed=1)
    assert [result.values[action] for action in range(3)] == pytest.approx(expected)


# ---- qualities that make no sense


@pytest.mark.parametrize("quality", [1e308, -1e308, 1.1e6])
@pytest.mark.parametrize("part", [bonus.QualityBonus(clip=False), bonus.CombinedBonus(), bonus.QualityOnly()])
def test_qualities_beyond_measure_are_refused(part: Part, quality: float) -> None:
    class Absurd(Fan):
        ends = [(winner, steps, quality) for winner, steps, _ in Fan.ends]

        def clone(self) -> Absurd:
            return Absurd(self.way, self.steps)

    with pytest.raises(ValueError, match=r"quality\(\) gave -?1\.?1?e\+\d+; qualities lie in \[0, 1\]"):
        Search(bonus=[part], limit=limit.Simulations(50)).run(Absurd(), seed=1)
