"""A game's own playout policy where chance decides and where several players choose at once."""

from __future__ import annotations

import treewise
from treewise import Search, limit, playout
from treewise.game import CHANCE, SIMULTANEOUS
from treewise.testing import assert_game


class Race:
    """A die is cast, both bid at once, then player 0 may double: three moments, three rounds.

    The policy doubles always. Its candidates say nothing about bids, for which no single player is to move.
    """

    num_players, simultaneous = 2, True
    min_utility, max_utility, max_length = -100.0, 100.0, 9

    def __init__(self) -> None:
        self.moments = 0
        self.total = 0.0

    def current_player(self) -> int:
        return (CHANCE, SIMULTANEOUS, 0)[self.moments % 3]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(face, 1 / 3) for face in (4, 5, 6)]

    def legal_actions(self, player: int | None = None) -> list[int]:
        if self.is_terminal():
            return []
        return {CHANCE: [4, 5, 6], SIMULTANEOUS: [0, 1 + (player or 0)], 0: [7, 8]}[self.current_player()]

    def playout_candidates(self, seed: int) -> list[int]:
        return [8]

    def apply(self, action: int | list[int]) -> None:
        joint = self.current_player() == SIMULTANEOUS
        each = dict(enumerate(action)) if isinstance(action, list) else {None: action}
        if set(each) != ({0, 1} if joint else {None}) or any(a not in self.legal_actions(p) for p, a in each.items()):
            raise ValueError(f"illegal: {action}")
        if isinstance(action, list):
            self.total += action[0] - action[1]
        elif action == 8:
            self.total *= 2
        self.moments += 1

    def is_terminal(self) -> bool:
        return self.moments == 9

    def returns(self) -> list[float]:
        return [self.total, -self.total]

    def clone(self) -> Race:
        copy = Race()
        copy.moments, copy.total = self.moments, self.total
        return copy


def test_the_policy_is_asked_where_one_player_chooses() -> None:
    for seed in range(20):
        state = treewise.as_state(Race())
        assert state.playout(seed, policy=True) == 9
        played = state.history()
        assert len(played) == 12
        rounds = [played[first : first + 4] for first in (0, 4, 8)]
        assert all(die in (4, 5, 6) and one in (0, 1) and two in (0, 2) for die, one, two, _ in rounds)
        assert [doubled for *_, doubled in rounds] == [8, 8, 8]


def test_a_search_plays_it() -> None:
    state = treewise.as_state(Race())
    state.apply(4)
    found = Search(playout=playout.GamePolicy(), limit=limit.Simulations(200)).run(state, seed=1)
    assert found.stats.simulations == 200
    assert set(found.visits) == {(0, 0), (0, 1), (1, 0), (1, 2)}


def test_it_keeps_the_contract() -> None:
    assert_game(Race)
