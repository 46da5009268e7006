"""What a result says about the actions at the root, and the table that it prints as."""

import pytest

import treewise
from treewise import Search, decision, limit, proof


def rows(result: treewise.Result) -> list[str]:
    return [line for line in str(result).splitlines() if line.startswith("│")]


def test_the_most_visited_come_first_and_the_rest_is_counted() -> None:
    result = treewise.uct(simulations=500).run(treewise.load_game("breakthrough").initial_state(), seed=1)
    shown = rows(result)
    assert len(shown) == 11
    assert "▶" in shown[0]
    assert "… 12 more" in shown[-1]


def test_every_player_who_chooses_is_shown() -> None:
    state = treewise.load_game("goofspiel(cards=13, points_order='descending')").initial_state()
    shown = rows(Search(limit=limit.Simulations(500)).run(state, seed=1))
    assert [sum(f"│      {player} │" in row for row in shown) for player in (0, 1)] == [10, 10]
    assert sum("▶" in row for row in shown) == 2


def test_what_was_chosen_is_shown_however_seldom_it_was_visited() -> None:
    state = treewise.load_game("breakthrough").initial_state()
    for seed in range(20):
        search = Search(decision=decision.Proportional(temperature=5), limit=limit.Simulations(300))
        assert sum("▶" in row for row in rows(search.run(state, seed=seed))) == 1


def test_without_visits_the_policy_is_the_choice() -> None:
    """Such a root is proven before the first simulation."""
    won = treewise.load_game("tic_tac_toe").parse_state("xx./oo./...", 0)
    result = Search(proof=proof.Solver()).run(won, seed=1)
    assert result.stats.simulations == 0
    assert result.policy == {action: float(action == 2) for action in won.legal_actions()}
    game = treewise.load_game("goofspiel(cards=4, points_order='descending')")
    bids = Search(limit=limit.Simulations(0)).run(game.initial_state())
    assert sum(share for (player, _), share in bids.policy.items() if player == 1) == 1


def test_what_cut_playouts_count_lies_in_the_range_of_the_game() -> None:
    state = treewise.load_game("breakthrough").initial_state()
    assert Search(cut_value=1, max_length=1, limit=limit.Simulations(50)).run(state, seed=1).value == 1
    with pytest.raises(ValueError, match="cut_value: 50 given, but returns of breakthrough lie between -1 and 1"):
        Search(cut_value=50, max_length=1, limit=limit.Simulations(50)).run(state)
