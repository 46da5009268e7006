"""Cannon: perft, ends of matches, winning actions, towns and boards from text."""

import random

import pytest

import treewise


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("cannon(mate_rule=True, corners=True)", [10, 100, 4150, 174025, 7210120]),
        ("cannon", [8, 64, 2656, 111376, 4615160]),
        ("cannon(clear_path=True)", [8, 64, 2656, 111376, 4614840]),
    ],
)
def test_perft(text: str, counts: list[int]) -> None:
    state = treewise.load_game(text).initial_state()
    assert [treewise.perft(state, depth + 1) for depth in range(len(counts))] == counts


@pytest.mark.long
@pytest.mark.parametrize(("text", "count"), [("cannon", 192849770), ("cannon(clear_path=True)", 192741234)])
def test_perft_deep(text: str, count: int) -> None:
    assert treewise.perft(treewise.load_game(text).initial_state(), 6) == count


def test_taking_the_town_wins() -> None:
    """A step, a side step and shots over two and over one point take the town; each wins."""
    empty = [".........."] * 10
    game = treewise.load_game("cannon")
    for soldiers, action in [
        ([(1, 4)], "e9xe10"),
        ([(1, 3)], "d9xe10"),
        ([(0, 3)], "d10xe10"),
        ([(2, 4), (3, 4), (4, 4)], "e8*e10"),
        ([(3, 4), (4, 4), (5, 4)], "e7*e10"),
        ([(3, 7), (4, 8), (5, 9)], "h7*e10"),
    ]:
        rows = [list(row) for row in empty]
        rows[0][4], rows[9][4], rows[6][0] = "T", "t", "2"
        for r, c in soldiers:
            rows[r][c] = "1"
        state = game.parse_state("/".join(map("".join, rows)), 0)
        assert action in [state.action_name(a) for a in state.winning_actions()]
        assert set(state.playout_candidates()) <= set(state.winning_actions())
        state.apply(next(a for a in state.legal_actions() if state.action_name(a) == action))
        assert state.returns() == [1.0, -1.0]
        assert "T" not in str(state)
        with pytest.raises(ValueError, match="over"):
            state.apply(0)


def test_a_player_without_soldiers_has_lost() -> None:
    board = "....T...../" + "........../" * 5 + "1........./........../........../....t....."
    for text in ("cannon", "cannon(mate_rule=True)"):
        assert treewise.load_game(text).parse_state(board, 1).returns() == [1.0, -1.0]


def test_the_horizon_is_a_draw() -> None:
    game = treewise.load_game("cannon(horizon=20)")
    state = game.initial_state()
    assert state.playout(1) == game.max_length == 20
    assert state.returns() == [0.0, 0.0]
    with pytest.raises(ValueError, match="quality"):
        state.quality()


@pytest.mark.parametrize("text", ["cannon", "cannon(mate_rule=True, corners=True)"])
def test_winning_actions(text: str) -> None:
    game = treewise.load_game(text)
    seen = 0
    for seed in range(6):
        state = game.initial_state()
        rng = random.Random(seed)
        while not state.is_terminal():
            player, wins = state.current_player(), []
            for action in state.legal_actions():
                after = state.clone()
                after.apply(action)
                if after.returns()[player] == 1:
                    wins.append(action)
            assert sorted(state.winning_actions()) == sorted(wins)
            seen += bool(wins)
            state.apply(rng.choice(state.legal_actions()))
    assert seen > 0


def test_towns() -> None:
    state = treewise.load_game("cannon").initial_state()
    assert [state.action_name(a) for a in state.legal_actions()] == [f"@{c}1" for c in "bcdefghi"]
    state = treewise.load_game("cannon(corners=True)").initial_state()
    assert [state.action_name(a) for a in state.legal_actions()] == [f"@{c}1" for c in "abcdefghij"]
    state.apply(state.legal_actions()[0])
    assert [state.action_name(a) for a in state.legal_actions()] == [f"@{c}10" for c in "abcdefghij"]


@pytest.mark.parametrize("mate_rule", [False, True])
def test_no_town_is_put_on_a_soldier(mate_rule: bool) -> None:
    """Neither an own nor an enemy's; the actions, playouts and the policy all know."""
    board = "2.22222.1./" + "........../" * 8 + ".11......2"
    state = treewise.load_game(f"cannon(mate_rule={mate_rule})").parse_state(board, 0)
    assert [state.action_name(action) for action in state.legal_actions()] == [f"@{c}1" for c in "defghi"]
    assert sorted(set(state.playout_candidates())) == state.legal_actions()
    assert {played(state, seed) for seed in range(100)} == set(state.legal_actions())
    state.apply(state.legal_actions()[0])
    assert [state.action_name(action) for action in state.legal_actions()] == ["@b10", "@h10"]
    state.apply(state.legal_actions()[0])
    assert str(state).splitlines()[0] == "10 2 T 2 2 2 2 2 . 1 ."


def played(state: treewise.State, seed: int) -> int:
    copy = state.clone()
    copy.playout(seed, max_length=1)
    return copy.history()[0]


SOLDIERS = "2.2.2.2.2./" * 3 + "........../........../" + ".1.1.1.1.1/" * 3


@pytest.mark.parametrize(
    ("board", "player"),
    [
        ("", 0),
        ("........../" + SOLDIERS + "..........", 1),
        ("....T...../" + SOLDIERS + "..........", 0),
        ("........../" + SOLDIERS + "....t.....", 0),
        ("....T...../" + SOLDIERS + "t.........", 0),
        ("....t...../" + SOLDIERS + "....T.....", 0),
        ("....T.T.../" + SOLDIERS + "....t.....", 0),
        ("2...T...../" + SOLDIERS + "....t.....", 0),
        ("....T...../" + SOLDIERS + "....t..x..", 0),
        ("....T...../" + SOLDIERS, 0),
        (".22222222./" + "........../" * 8 + "1.........", 0),
        ("1........./" + "........../" * 8 + "211111111.", 0),
    ],
)
def test_broken_boards_are_refused(board: str, player: int) -> None:
    with pytest.raises(ValueError, match="board"):
        treewise.load_game("cannon").parse_state(board, player)


def test_boards_before_the_towns() -> None:
    game = treewise.load_game("cannon")
    assert game.parse_state("........../" + SOLDIERS + "..........", 0).hash() == game.initial_state().hash()
    counts = {}
    for column in range(1, 9):
        board = "........../" + SOLDIERS + "." * column + "t" + "." * (9 - column)
        counts[column] = treewise.perft(game.parse_state(board, 1), 2)
    # A town behind a column of soldiers keeps it from sliding back.
    assert counts == {column: 8 * (41 if column % 2 else 42) for column in range(1, 9)}
    assert sum(counts.values()) == treewise.perft(game.initial_state(), 3)
