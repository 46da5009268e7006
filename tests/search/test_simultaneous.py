"""Decoupled UCT where several players choose at once: what it finds, what it keeps, and what learns there."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import treewise
from bonus_reference import Recorder
from treewise import Search, _core, backup, bonus, cadia, decision, limit, parallel, playout, selection

Matrix = list[list[tuple[float, ...]]]


class MatrixGame:
    """Both players choose once; `payoffs[row][column]` has what each of them gets."""

    simultaneous = True
    num_players = 2
    min_utility, max_utility, max_length = 0.0, 100.0, 1

    def __init__(self, payoffs: Matrix, played: tuple[int, ...] = ()) -> None:
        self.payoffs, self.played = payoffs, played

    def current_player(self) -> int:
        return treewise.SIMULTANEOUS

    def legal_actions(self, player: int) -> list[int]:
        return list(range(len(self.payoffs) if player == 0 else len(self.payoffs[0])))

    def apply(self, actions: list[int]) -> None:
        self.played = tuple(actions)

    def is_terminal(self) -> bool:
        return bool(self.played)

    def returns(self) -> list[float]:
        return list(self.payoffs[self.played[0]][self.played[1]]) if self.played else [0.0, 0.0]

    def clone(self) -> MatrixGame:
        return MatrixGame(self.payoffs, self.played)


def zero_sum(rows: list[list[float]]) -> Matrix:
    return [[(x, 100 - x) for x in row] for row in rows]


DILEMMA: Matrix = [[(60, 60), (0, 100)], [(100, 0), (20, 20)]]
"""To betray, action 1, is better whatever the other does, and worse for both together."""
PENNIES = zero_sum([[100, 0], [0, 100]])
DOMINANT = zero_sum([[20, 30, 10], [70, 60, 55], [60, 40, 20]])
"""Row 1 dominates; against it, column 2 is the best."""


def share(result: treewise.Result, player: int, action: int) -> float:
    return result.policy[(player, action)]


# ---- what it finds


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("search", [Search(selection=selection.UCB1(c=0.4)), cadia()], ids=["uct", "cadia"])
@pytest.mark.parametrize(("payoffs", "best"), [(DILEMMA, [1, 1]), (DOMINANT, [1, 2])], ids=["dilemma", "zero_sum"])
def test_dominant_actions_are_found(payoffs: Matrix, best: list[int], search: Search, seed: int) -> None:
    result = search.replace(limit=limit.Simulations(2000)).run(MatrixGame(payoffs), seed=seed)
    assert result.action == best
    assert share(result, 0, best[0]) > 0.5
    assert share(result, 1, best[1]) > 0.5


def test_matching_pennies_stay_near_one_half() -> None:
    """On average of the visits; and nobody wins, which takes ties that are not broken in one order for ever."""
    shares, values = [], []
    for seed in range(10):
        result = Search(selection=selection.UCB1(c=0.4), limit=limit.Simulations(3000)).run(MatrixGame(PENNIES), seed)
        shares += [share(result, player, 0) for player in (0, 1)]
        values.append(result.value)
    assert np.mean(shares) == pytest.approx(0.5, abs=0.02)
    assert np.ptp(shares) < 0.2
    assert values == pytest.approx([50] * 10, abs=8)


def test_every_pair_of_first_actions_is_tried() -> None:
    pairs = set()
    for seed in range(60):
        recorder = Recorder()
        Search(bonus=[recorder], limit=limit.Simulations(2)).run(MatrixGame(PENNIES), seed=seed)
        pairs.add(tuple(tuple(action for _, action in record.trace) for record in recorder.records))
    assert len(pairs) == 4, "who starts with which action, independently of the other"
    assert all(first[p] != second[p] for first, second in pairs for p in (0, 1)), "each tries both"


def test_each_player_has_its_own_value() -> None:
    result = Search(limit=limit.Simulations(50)).run(MatrixGame([[(100, 25)] * 2] * 2), seed=1)
    assert {key: pytest.approx({0: 100, 1: 25}[key[0]]) for key in result.values} == result.values  # type: ignore[index]


def test_who_has_no_choice_may_stand_beside_one_who_has() -> None:
    """The rows of turn-taking games: one player's only action is to do nothing."""
    result = Search(limit=limit.Simulations(300)).run(MatrixGame(zero_sum([[10], [90], [40]])), seed=1)
    assert result.action == [1, 0]
    assert result.visits[(1, 0)] == 300
    assert share(result, 0, 1) > 0.5


# ---- what is kept

GOOFSPIEL = treewise.load_game("goofspiel(cards=4, points_order='descending')")


@pytest.mark.parametrize("kind", [parallel.One(), parallel.Tree(2)], ids=lambda kind: kind.text())
def test_the_tree_below_a_joint_action_is_kept(kind: Any) -> None:
    """As many visits as simulations went through the joint action, less the one that ended there."""
    state = GOOFSPIEL.initial_state()
    recorder = Recorder()
    search = Search(bonus=[recorder], parallel=kind, playout=playout.NGram(), limit=limit.Simulations(400))
    session = search.session(seed=1)
    first = session.run(state)
    assert isinstance(first.action, list)
    through = sum([action for _, action in record.trace[:2]] == first.action for record in recorder.records)
    state.apply(first.action)
    second = session.run(state)
    assert second.stats.reused
    for player in (0, 1):
        visits = {key[1]: n for key, n in second.visits.items() if key[0] == player}  # type: ignore[index]
        assert sum(visits.values()) == 400 + through - 1
        assert set(visits) == set(state.legal_actions(player))


@pytest.mark.parametrize("game", ["goofspiel(cards=6)", "goofspiel(cards=5, players=3, points_order='ascending')"])
def test_whole_matches_with_a_kept_tree(game: str) -> None:
    """Joint actions and chance in turn; a session that is told and one that finds out by itself agree."""
    state = treewise.load_game(game).initial_state()
    told, finds_out = cadia(simulations=150).session(seed=2), cadia(simulations=150).session(seed=2)
    runs = 0
    while not state.is_terminal():
        if state.current_player() == treewise.CHANCE:
            step: Any = state.legal_actions()[0]
        else:
            results = [session.run(state) for session in (told, finds_out)]
            assert results[0].visits == results[1].visits
            assert results[0].stats.reused == (runs > 0)
            step = results[0].action
            runs += 1
        state.apply(step)
        if runs:
            told.advance(step)
    assert runs > 3


def test_states_in_python_are_kept_too() -> None:
    class Twice(MatrixGame):
        max_length = 2

        def is_terminal(self) -> bool:
            return len(self.played) == 4

        def apply(self, actions: list[int]) -> None:
            self.played += tuple(actions)

        def clone(self) -> Twice:
            return Twice(self.payoffs, self.played)

    state = Twice(DILEMMA)
    session = Search(limit=limit.Simulations(100)).session(seed=1)
    action = session.run(state).action
    assert isinstance(action, list)
    state.apply(action)
    session.advance(action)
    result = session.run(state)
    assert result.stats.reused
    assert sum(result.visits.values()) > 2 * 100


# ---- what learns


def probe(part: Any) -> _core.PlayoutProbe:
    return _core.PlayoutProbe(GOOFSPIEL, part.core())


def choices(policy: _core.PlayoutProbe, steps: list[tuple[int, int]], player: int) -> set[int]:
    state = GOOFSPIEL.initial_state()
    return {policy.choose(state, steps, seed, player)[0] for seed in range(20)}


def test_mast_learns_for_each_player() -> None:
    mast = probe(playout.MAST(epsilon=0, unseen=0))
    mast.learn([(0, 2), (1, 3)], [1, 1], at_once=True)
    assert choices(mast, [], 0) == {2}
    assert choices(mast, [], 1) == {3}


@pytest.mark.parametrize("player", [0, 1])
def test_ngrams_look_one_and_two_moments_back(player: int) -> None:
    """What follows the other's 0, and before that the own 1 of two moments ago; not the own of one moment ago."""

    def moments(*pairs: tuple[int, int]) -> list[tuple[int, int]]:
        """(own, other's) of each moment."""
        return [(p, own if p == player else others) for own, others in pairs for p in (0, 1)]

    def outcome(own: float) -> list[float]:
        return [own if p == player else 0.5 for p in (0, 1)]

    ngram = probe(playout.NGram(epsilon=0, unseen=0, min_visits=1))
    ngram.learn(moments((1, 2), (3, 0), (2, 0)), outcome(1), at_once=True)
    ngram.learn(moments((0, 2), (3, 0), (2, 0)), outcome(0), at_once=True)
    for _ in range(9):
        ngram.learn([(player, 0)], outcome(0.6))
        ngram.learn([(player, 1)], outcome(0))
    # 2 has a mean of 1/2, after the other's 0 as well, and of 1 or 0 by what the player did before: 2/3 or 1/3.
    assert choices(ngram, moments((1, 3), (1, 0)), player) == {2}
    assert choices(ngram, moments((0, 3), (1, 0)), player) == {0}
    assert choices(ngram, moments((1, 3), (0, 0)), player) == {2}


def test_last_good_replies_of_each_player() -> None:
    replies = probe(playout.LastGoodReply(length=1))
    replies.learn([(0, 0), (1, 1), (0, 2), (1, 3)], [1, 1], at_once=True)
    assert choices(replies, [(0, 0), (1, 1)], 0) == {2}
    assert choices(replies, [(0, 0), (1, 1)], 1) == {3}


@pytest.mark.parametrize("name", ["mast", "ngram", "ngram(mode='gibbs')", "last_good_reply", "decisive", "cut_off"])
def test_all_playouts_run(name: str) -> None:
    for game, gamma in product(("goofspiel(cards=5)", "goofspiel(cards=4, players=3)"), (1, 0.9)):
        state = treewise.load_game(game).initial_state()
        while state.current_player() == treewise.CHANCE:
            state.apply(state.legal_actions()[0])
        search = treewise.parse_search(f"mcts(playout={name}, bonus=[relative_result, relative_bonus])")
        search = search.replace(backup=backup.Discounted(gamma), decision=decision.Max(), limit=limit.Simulations(200))
        assert search.run(state, seed=1).stats.simulations == 200


def test_the_relative_bonus_counts_moments() -> None:
    """Who wins by more moments before the end gains; lengths count joint actions once."""
    recorder = Recorder()
    search = Search(bonus=[bonus.RelativeBonus(warm_up=0.0), recorder], limit=limit.Simulations(200))
    search.run(GOOFSPIEL.initial_state(), seed=1)
    assert {record.length for record in recorder.records} == {3}
    assert all(record.values == record.outcome for record in recorder.records), "all have the same length"
