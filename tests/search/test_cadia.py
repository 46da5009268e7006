"""The composition after CADIAPLAYER, and its own parts: relative results, first-play urgency, bonuses of size 0."""

from __future__ import annotations

from math import exp, inf, log, sqrt
from typing import Any

import pytest

import treewise
from bonus_reference import Fan
from treewise import Search, _core, backup, bonus, cadia, decision, first_play, limit, parse_search, playout, selection

# ---- the composition


def test_the_composition_is_the_one_described() -> None:
    search = cadia(simulations=300)
    assert search == Search(
        selection=selection.UCB1(c=0.4),
        playout=playout.NGram(length=3, min_visits=7, epsilon=0.4, unseen=1, decay=0.2),
        bonus=[bonus.RelativeResult()],
        backup=backup.Discounted(gamma=0.999, alone=1.0),
        decision=decision.Max(),
        limit=limit.Simulations(300),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cadia", cadia()),
        ("cadia(0.7, simulations=9)", cadia(c=0.7, simulations=9)),
        (
            "cadia(playout=mast(mode='gibbs', temperature=0.1))",
            cadia(playout=playout.MAST(mode="gibbs", temperature=0.1)),
        ),
        ("cadia(bonus=[relative_bonus(k=2, a=0.25)])", cadia(bonus=[bonus.RelativeBonus(k=2, a=0.25)])),
        ("cadia(bonus=relative_bonus(k=1.4))", cadia(bonus=bonus.RelativeBonus(k=1.4))),
    ],
)
def test_text_forms(text: str, expected: Search) -> None:
    search = parse_search(text)
    assert search == expected == parse_search(search.text())
    assert search.bonus[0] == bonus.RelativeResult()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cadia(k=1)", "cadia: unknown parameter 'k'"),
        ("cadia(0.4, c=0.4)", "cadia: parameter 'c' is given twice"),
        ("cadia(playout=relative_bonus)", "unknown playout 'relative_bonus'"),
        ("cadia(c=mast)", "mast stands where a number or a text is expected; texts have quotes: 'mast'"),
        ("cadia(playout=3)", "mcts: playout must be a playout"),
        ("uct(bonus=[relative_bonus])", "uct: unknown parameter 'bonus'"),
    ],
)
def test_what_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_search(text)


@pytest.mark.parametrize(
    "game", ["breakthrough", "connect_four", "pig", "chinese_checkers(players=3)", "same_game", "goofspiel(cards=5)"]
)
def test_it_plays_every_kind_of_game(game: str) -> None:
    record = treewise.play_match(game, [cadia(simulations=20)] * treewise.load_game(game).num_players, max_length=12)
    assert record.length > 3


def test_one_player_is_not_discounted() -> None:
    """Step rewards would be discounted otherwise."""
    state = treewise.load_game("same_game(rows=5, columns=5, colours=3)").initial_state()
    search = cadia(simulations=400)
    plain = search.replace(backup=backup.Mean(), bonus=())
    assert search.run(state, seed=3).values == plain.run(state, seed=3).values
    discounted = search.replace(backup=backup.Discounted(gamma=0.999))
    assert search.run(state, seed=3).values != discounted.run(state, seed=3).values


# ---- relative results


@pytest.mark.parametrize(("own", "other"), [(1.0, 0.0), (0.75, 0.25), (0.9, 0.3), (0.25, 1.0), (0.5, 0.5), (0.0, 0.0)])
def test_relative_results_by_hand(own: float, other: float) -> None:
    """q0 = (g0 - g1 + 100) / 2 and q1 = 100 - q0, of 100."""
    first = (own - other + 1) / 2
    probe = _core.BonusProbe(bonus.RelativeResult().core())
    assert probe.result([own, other]) == pytest.approx([first, 1 - first])
    assert probe.result([own, other], finished=False) == pytest.approx([first, 1 - first])


def test_other_numbers_of_players_are_left_alone() -> None:
    for outcome in ([0.25], [0.2, 0.9, 0.4]):
        probe = _core.BonusProbe(bonus.RelativeResult().core(), num_players=len(outcome))
        assert probe.result(outcome) == outcome


@pytest.mark.parametrize("game", ["connect_four", "othello", "goofspiel(cards=5, points_order='ascending')"])
def test_what_adds_up_to_the_same_stays_bit_for_bit(game: str) -> None:
    state = treewise.load_game(game).initial_state()
    search = Search(playout=playout.NGram(), limit=limit.Simulations(500))
    relative = search.replace(bonus=[bonus.RelativeResult()]).run(state, seed=4)
    plain = search.run(state, seed=4)
    assert (relative.visits, relative.values) == (plain.visits, plain.values)


class Graded(Fan):
    """Fan with goals of 0 to 100 that do not add up to the same, and no more steps than the way."""

    min_utility, max_utility = 0.0, 100.0
    goals = [(75.0, 50.0), (100.0, 100.0), (40.0, 0.0), (0.0, 90.0)]
    ends = [(None, 3 + way, 0.0) for way in range(4)]

    def returns(self) -> list[float]:
        return list(self.goals[self.way or 0])

    def clone(self) -> Graded:
        return Graded(self.way, self.steps)


def test_a_search_backs_up_relative_results() -> None:
    result = Search(bonus=[bonus.RelativeResult()], limit=limit.Simulations(4)).run(Graded(), seed=1)
    assert result.values == pytest.approx({0: 62.5, 1: 50, 2: 70, 3: 5})


def test_it_adds_up_with_the_relative_bonus_in_any_order() -> None:
    """The winner is who has more; way 1 is nobody's. Lengths are 4, 6 and 7, of two winners."""
    parts: list[Any] = [bonus.RelativeResult(), bonus.RelativeBonus(k=2, a=0.25, warm_up=0.0)]
    found = []
    for order in (parts, parts[::-1]):
        result = Search(bonus=order, limit=limit.Simulations(40)).run(Graded(), seed=1)
        assert result.values[1] == pytest.approx(50)
        assert result.values[3] == pytest.approx(5), "the only way that player 1 wins has no deviation"
        found.append(result.values)
    assert found[0] == found[1]
    assert 62.5 < found[0][0] <= 62.5 + 12.5
    assert 70 - 12.5 <= found[0][2] < 70


def test_discounted_rewards_of_two_players_are_refused() -> None:
    class Rewarded(Graded):
        def rewards(self) -> list[float]:
            return self.returns() if self.is_terminal() else [0.0, 0.0]

        def clone(self) -> Rewarded:
            return Rewarded(self.way, self.steps)

    with pytest.raises(ValueError, match="'relative_result' compares the results of whole matches"):
        cadia().run(Rewarded())
    assert cadia(simulations=9).replace(backup=backup.Mean()).run(Rewarded()).stats.simulations == 9


# ---- the relative bonus with graded results


def test_graded_results_of_three_players() -> None:
    """Whoever alone has most is the winner; all others lose as much as the winner gains, half of it on [0, 1]."""
    probe = _core.BonusProbe(bonus.RelativeBonus(k=2, a=0.25, warm_up=0.0).core(), num_players=3)
    for length in (10, 14):
        probe.result([0.5, 0.25, 0.2], length)
    assert probe.result([0.75, 0.75, 0.1], 4) == [0.75, 0.75, 0.1], "shared: no bonus, nothing learned"
    assert probe.result([0.2, 0.3, 0.1], 4) == [0.2, 0.3, 0.1], "the first win of this player"
    bonus_of_first = -1 + 2 / (1 + exp(-2 * (12 - 10) / sqrt(8)))
    expected = [0.4 + 0.125 * bonus_of_first, 0.3 - 0.125 * bonus_of_first, 0.1 - 0.125 * bonus_of_first]
    assert probe.result([0.4, 0.3, 0.1], 10) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("part", "game"),
    [
        (bonus.RelativeBonus(a=0), "breakthrough"),
        (bonus.RelativeBonus(a=0), "hex(size=5)"),
        (bonus.RelativeBonus(a=0), "chinese_checkers(players=3)"),
        (bonus.RelativeBonus(a=0), "goofspiel(cards=5)"),
        (bonus.QualityBonus(a=0), "breakthrough"),
        (bonus.QualityBonus(a=0), "chinese_checkers(players=3)"),
    ],
)
@pytest.mark.parametrize("base", ["uct", "cadia"])
def test_a_bonus_of_size_0_is_none_bit_for_bit(base: str, game: str, part: bonus.Bonus) -> None:
    state = treewise.load_game(game).initial_state()
    while state.current_player() == treewise.CHANCE:
        state.apply(state.legal_actions()[0])
    search = parse_search(base).replace(limit=limit.Simulations(300), max_length=60)
    without, with_it = (s.run(state, seed=5) for s in (search, search.replace(bonus=[*search.bonus, part])))
    assert (without.visits, without.values, without.action) == (with_it.visits, with_it.values, with_it.action)


# ---- first play


def reference_visits(values: list[float], c: float, average: float, simulations: int) -> list[int]:
    """UCB1 with unexplored action urgency on actions that always give the same, ties in order."""
    visits = [0] * len(values)
    for n in range(simulations):
        share = visits.count(0) / len(visits)
        urgency = average + c * sqrt(log(max(n, 1))) * share if n >= 2 else inf
        scores = [
            value + c * sqrt(log(n) / visited) if visited else urgency
            for value, visited in zip(values, visits, strict=True)
        ]
        visits[scores.index(max(scores))] += 1
    return visits


@pytest.mark.parametrize(("c", "average"), [(0.4, 0.5), (0.0, 0.5), (1.5, 0.2), (0.4, 1.2)])
def test_unexplored_action_urgency(c: float, average: float) -> None:
    class Ways(Fan):
        min_utility, max_utility = 0.0, 1.0
        worth = [(7 * way % 11) / 10 for way in range(11)]
        ends = [(None, 0, 0.0)] * 11

        def returns(self) -> list[float]:
            return [self.worth[self.way or 0], 0.0]

        def clone(self) -> Ways:
            return Ways(self.way, self.steps)

    search = Search(selection=selection.UCB1(c), first_play=first_play.Unexplored(c, average))
    for simulations in (3, 20, 200):
        result = search.replace(limit=limit.Simulations(simulations)).run(Ways(), seed=2)
        worth = [Ways.worth[child.action] for child in result.children]
        assert [child.visits for child in result.children] == reference_visits(worth, c, average, simulations)
