"""Breakthrough: perft counts of the published tables, positions, policy, notation."""

import re
from typing import Any

import pytest

import treewise
from openspiel import play_along
from playout_statistics import Figures, assert_alike, measure


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


def mirrored(board: str) -> str:
    return "/".join(row.translate(str.maketrans("12", "21")) for row in reversed(board.split("/")))


def test_features_speak_for_player_0() -> None:
    """Rows from the own home row on, guarded pieces, pieces past all others, pieces about to be captured."""
    board = "......../.......1/..2.2.../...1..../......../......../1......./.1......"
    game = treewise.load_game("breakthrough")
    features = [8 * value for value in game.parse_state(board, 0).features()]
    # Player 0 is at home and one, four and six rows on, player 1 twice two rows on; b1 guards a2; only h7 cannot be met
    # any more; d5 can take two.
    assert features == [1, 1, -2, 0, 1, 0, 1, 0, 1, 1, 2]
    assert game.parse_state(board, 1).features()[-1] == -1 / 8
    for player in (0, 1):
        ours, theirs = game.parse_state(board, player), game.parse_state(mirrored(board), 1 - player)
        assert [-value for value in ours.features()] == theirs.features()


@pytest.mark.parametrize(
    "board", ["", "........", "x" * 8 + "/........" * 7, "11111111/" * 3 + "......../" * 4 + "2......."]
)
def test_broken_boards_are_refused(board: str) -> None:
    with pytest.raises(ValueError, match="board"):
        treewise.load_game("breakthrough").parse_state(board, 0)


POSITIONS = [
    ("222222.2/22.22.22/.......2/..2..2../......../1.1.11.1/11...111/11.111.1", 1, [27, 672, 18501]),
    ("22222.22/.22.2.22/.2..22../......../....2.../11.11.1./1111.1.1/1..1.111", 1, [27, 620, 17120]),
    ("2222.222/....2..2/2.2...22/.2..2.1./21....../.1.1...1/.1.11.../11.11111", 0, [29, 896, 25786]),
    ("22.22222/22.22.../2...2.../...22.2./......../11....11/1.11.11./.11111.1", 0, [24, 694, 17226]),
    ("..22222./2.2222.2/2.2..2.2/....1.../2......./11.11.../.1.1.1.1/.1111.11", 1, [24, 640, 15963]),
]


@pytest.mark.parametrize(("board", "player", "counts"), POSITIONS)
def test_perft_of_positions(board: str, player: int, counts: list[int]) -> None:
    state = treewise.load_game("breakthrough").parse_state(board, player)
    assert [treewise.perft(state, depth + 1) for depth in range(len(counts))] == counts


def in_openspiel(ours: treewise.State, theirs: Any, action: int) -> int:
    """There the first player starts at the top: ranks are turned round. After 9 comes ':'; captures have a star."""
    match = re.fullmatch(r"([a-z])(\d+)([a-z])(\d+)", ours.action_name(action))
    assert match
    start, target = (chr(ord("0") + int(ours.game.parameters["rows"]) + 1 - int(match[i])) for i in (2, 4))
    named = {theirs.action_to_string(a).rstrip("*"): a for a in theirs.legal_actions()}
    return int(named[match[1] + start + match[3] + target])


@pytest.mark.parametrize(("rows", "columns"), [(8, 8), (6, 6), (6, 2), (16, 4), (7, 9)])
def test_against_openspiel(rows: int, columns: int) -> None:
    """From six rows on; on fewer, theirs has a single row of pieces for each player."""
    text = f"breakthrough(rows={rows}, columns={columns})"
    play_along(text, text.replace(" ", ""), in_openspiel, matches=20)


@pytest.mark.parametrize(
    ("policy", "published"),
    [
        (False, Figures(20000, 0.511, 0, (64.07, 16.14), (0.036, 0.127), (0.038, 0.129))),
        (True, Figures(40000, 0.507, 0, (63.00, 16.24), (0.052, 0.130), (0.059, 0.129))),
    ],
)
def test_playout_statistics(policy: bool, published: Figures) -> None:
    assert_alike(measure("breakthrough", policy, 20000), published)
