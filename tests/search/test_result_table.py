"""The table that a result prints as."""

import treewise
from treewise import Search, decision, limit


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
