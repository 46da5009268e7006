"""Breakthrough: perft counts of the published tables, positions, policy, notation."""

import pytest

import treewise


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("breakthrough", [22, 484, 11132, 256036, 6182818]),
        ("breakthrough(rows=6, columns=6)", [16, 256, 4308, 71478]),
    ],
)
def test_perft(text: str, counts: list[int]) -> None:
    state = treewise.load_game(text).initial_state()
    assert [treewise.perft(state, depth + 1) for depth in range(len(counts))] == counts


def test_reaching_the_far_row_wins() -> None:
    state = treewise.load_game("breakthrough").parse_state("......../1......./" + "......../" * 5 + ".......2", 0)
    assert state.is_terminal()
    state = treewise.load_game("breakthrough").parse_state(
        "......../1......./" + "......../" * 4 + ".......2/........", 0
    )
    assert sorted(map(state.action_name, state.winning_actions())) == ["a7a8", "a7b8"]
    state.apply(state.winning_actions()[0])
    assert state.returns() == [1.0, -1.0]
    assert state.quality() == 0.0


def test_policy_prefers_safe_captures() -> None:
    """d4xe5 stands open to nothing (weight 5), d4xc5 could be retaken (weight 2)."""
    board = "......../......../.2....../..2.2.../...1..../......../......../........"
    state = treewise.load_game("breakthrough").parse_state(board, 0)
    names = [state.action_name(a) for a in state.playout_candidates()]
    assert {name: names.count(name) for name in names} == {"d4d5": 1, "d4c5": 2, "d4e5": 5}


@pytest.mark.parametrize(
    "board", ["", "........", "x" * 8 + "/........" * 7, "11111111/" * 3 + "......../" * 4 + "2......."]
)
def test_broken_boards_are_refused(board: str) -> None:
    with pytest.raises(ValueError, match="board"):
        treewise.load_game("breakthrough").parse_state(board, 0)
