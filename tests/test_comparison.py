"""Comparisons: seats, statistics worked out by hand, processes, Ctrl-C."""

from __future__ import annotations

import json

import pytest
from python_game import Nim

from treewise import Search, _core, information, uct
from treewise.comparison import (
    Comparison,
    ComparisonInterrupted,
    Encounter,
    compare,
    seating,
    visible_difference,
    wilson_interval,
)
from treewise.match import MatchRecord, play_match


def encounter(index: int, seats: tuple[int, ...], *returns: float) -> Encounter:
    record = MatchRecord(returns, 10, (0.5,) * len(returns), (100,) * len(returns), (), 0, False, (5,) * len(returns))
    return Encounter(index, seats, (record,))


def comparison(wins: int, draws: int, losses: int) -> Comparison:
    results = [(1.0, -1.0)] * wins + [(0.0, 0.0)] * draws + [(-1.0, 1.0)] * losses
    encounters = (
        encounter(index, seating(index, 2), *(pair if index % 2 == 0 else pair[::-1]))
        for index, pair in enumerate(results)
    )
    return Comparison("tic_tac_toe", "mcts", "mcts", 0, tuple(encounters))


def test_seats_are_swapped_in_pairs_and_rotate() -> None:
    assert [seating(index, 2) for index in range(4)] == [(0, 1), (1, 0), (0, 1), (1, 0)]
    assert seating(7, 1) == (0, 1)
    for players in range(2, 7):
        seats = [seating(index, players) for index in range(4 * players)]
        for seat in range(players):
            assert sum(row[seat] for row in seats) == len(seats) / 2  # A and B are there equally often
        for first, second in zip(seats[::2], seats[1::2], strict=True):
            assert [1 - entrant for entrant in first] == list(second)


def test_pairs_share_a_seed_by_the_rule() -> None:
    result = compare("tic_tac_toe", uct(simulations=40), uct(simulations=20), matches=4, seed=11)
    seeds = [each.records[0].seed for each in result.encounters]
    assert seeds == [_core.derive_seed(11, 0)] * 2 + [_core.derive_seed(11, 1)] * 2
    for each in result.encounters:
        entrants = [uct(simulations=20 if entrant else 40) for entrant in each.seats]
        assert each.records[0] == play_match("tic_tac_toe", entrants, each.records[0].seed)


def test_search_against_itself_is_even() -> None:
    result = compare("breakthrough(rows=5, columns=4)", uct(simulations=30), uct(simulations=30), matches=10)
    assert result.win_rate == 0.5
    assert result.wins == result.losses == 5


def test_stronger_search_wins_and_swapping_turns_it_round() -> None:
    result = compare("tic_tac_toe", uct(simulations=300), uct(simulations=2), matches=30, seed=2)
    assert result.verdict == "A is better"
    other = compare("tic_tac_toe", uct(simulations=2), uct(simulations=300), matches=30, seed=2)
    assert other.verdict == "B is better"
    assert result.swapped().verdict == "B is better"
    assert result.swapped().win_rate == pytest.approx(1 - result.win_rate)


def test_wilson_interval_by_hand() -> None:
    # z = 1.959964, z² = 3.841459. 5 of 10: 0.5 ± z / 1.3841459 * sqrt(0.025 + 3.841459 / 400).
    assert wilson_interval(5, 10) == pytest.approx((0.236593, 0.763407), abs=1e-6)
    # 10 of 10: n / (n + z²) to 1.
    assert wilson_interval(10, 10) == pytest.approx((10 / 13.841459, 1.0), abs=1e-6)
    assert wilson_interval(0, 10) == pytest.approx((0.0, 3.841459 / 13.841459), abs=1e-6)
    assert wilson_interval(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("n", [4, 10, 100, 10_000])
def test_visible_difference_is_where_the_interval_leaves_one_half(n: int) -> None:
    edge = 0.5 + visible_difference(n)
    assert wilson_interval((edge + 1e-9) * n, n)[0] > 0.5
    assert wilson_interval((edge - 1e-9) * n, n)[0] < 0.5


def test_verdicts() -> None:
    assert comparison(60, 0, 40).verdict == "A is better"  # 50.2 % to 69.1 %
    assert comparison(40, 0, 60).verdict == "B is better"
    assert (
        comparison(59, 0, 41).verdict
        == "no difference shown (at 100 matches only differences above 9.8 points from 50 % would show)"
    )
    assert comparison(4, 0, 0).verdict == "A is better"
    assert comparison(3, 0, 0).verdict == "no difference shown (3 matches cannot show any)"
    assert comparison(1, 0, 0).verdict == "no difference shown (1 match cannot show any)"


def test_numbers_of_a_comparison() -> None:
    result = comparison(5, 2, 1)
    assert (result.matches, result.wins, result.draws, result.losses) == (8, 5, 2, 1)
    assert result.win_rate == 6 / 8
    assert result.mean_length == 10
    assert result.simulations_per_second(0) == 200
    assert result.mean_return(0) == 0.5
    assert result.mean_return(1) == -0.5
    assert [count for count, _ in result.seat_rates] == [4, 4]
    assert str(result).startswith("A wins 75.0 % (")
    assert json.loads(json.dumps(result.to_dict()))["wins"] == 5


def test_score_of_unequal_numbers_of_seats_is_fair() -> None:
    # Two seats of A against one of B: whoever wins, the mean over the three possible winners is one half.
    scores = []
    for winner in range(3):
        returns = [1.0 if seat == winner else -0.5 for seat in range(3)]
        scores.append(encounter(0, (0, 1, 0), *returns).score)
    assert scores == [0.75, 0.0, 0.75]
    assert sum(scores) / 3 == 0.5


def test_three_players_and_one() -> None:
    result = compare("pig(players=3, goal=15)", uct(simulations=50), uct(simulations=5), matches=12, seed=1)
    assert [count for count, _ in result.seat_rates] == [6, 6, 6]
    assert {len(each.records[0].returns) for each in result.encounters} == {3}
    alone = compare("same_game(rows=5, columns=5)", uct(simulations=60), uct(simulations=2), matches=4, seed=1)
    assert all(len(each.records) == 2 and each.records[0].seed == each.records[1].seed for each in alone.encounters)
    assert alone.mean_return(0) > alone.mean_return(1)
    assert alone.seat_rates == []


def test_processes_do_not_change_the_result() -> None:
    entrants = uct(simulations=30), uct(c=0.5, simulations=30)
    seen: list[int] = []
    alone = compare("pig(goal=20)", *entrants, matches=6, seed=3, opening=2)
    together = compare(
        "pig(goal=20)",
        *entrants,
        matches=6,
        seed=3,
        opening=2,
        processes=2,
        report=lambda each: seen.append(each.index),
    )
    assert together == alone
    assert sorted(seen) == list(range(6))


class Judge:
    """An evaluator without a text form."""

    def evaluate(self, states: list[object]) -> list[list[float]]:
        return [[0.0, 0.0] for _ in states]


def test_what_has_no_text_form_travels_pickled() -> None:
    judged = Search(evaluator=Judge(), limit=uct(simulations=5).limit)
    here = compare("tic_tac_toe", judged, uct(simulations=5), matches=2)
    there = compare("tic_tac_toe", judged, uct(simulations=5), matches=2, processes=2)
    assert here == there
    assert (here.a, here.matches) == ("mcts(evaluator=<Judge>, limit=simulations(count=5))", 2)
    nim = compare(Nim, uct(simulations=5), uct(simulations=5), matches=2, processes=2)
    assert str(nim).startswith("A wins 50.0 % (9.5 to 90.5) of 2 matches of Nim: ")
    assert nim == compare(Nim, uct(simulations=5), uct(simulations=5), matches=2)


def test_what_cannot_travel_stays_in_one_process() -> None:
    class Local(Judge):
        pass

    judged = Search(evaluator=Local(), limit=uct(simulations=5).limit)
    with pytest.raises(
        ValueError, match=r"^a cannot go to another process \(.*Local.*\): put it into a file and write"
    ):
        compare("tic_tac_toe", judged, uct(), matches=2, processes=2)
    assert compare("tic_tac_toe", judged, uct(simulations=5), matches=2).matches == 2


def test_what_another_process_cannot_find_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with a class of a notebook: it is pickled by its name, which means nothing elsewhere."""
    monkeypatch.setitem(globals(), "Here", type("Here", (Judge,), {"__module__": __name__}))
    judged = Search(evaluator=globals()["Here"](), limit=uct(simulations=5).limit)
    with pytest.raises(
        ValueError, match=r"^a cannot go to another process \(.*'Here'.*\): put it into a file and write"
    ):
        compare("tic_tac_toe", judged, uct(), matches=2, processes=2)


def test_interruption_keeps_what_was_played() -> None:
    def stop(each: Encounter) -> None:
        if each.index == 2:
            raise KeyboardInterrupt

    with pytest.raises(ComparisonInterrupted) as caught:
        compare("tic_tac_toe", uct(simulations=5), uct(simulations=5), matches=100, report=stop)
    assert [each.index for each in caught.value.comparison.encounters] == [0, 1, 2]


def test_wrong_input_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        compare("tic_tac_toe", uct(), uct(), matches=0)
    with pytest.raises(ValueError, match="hides information"):
        compare("phantom_tic_tac_toe", uct(), uct().replace(information=information.Open()))
