"""SameGame: the rules once more in plain Python, special boards, scores, uniform playouts."""

import random
from collections import Counter

import pytest

import treewise

Columns = list[list[int]]
"""The tiles of each column from the bottom; no empty columns."""


def columns_of(state: treewise.State) -> Columns:
    rows = [line[3::2] for line in str(state).splitlines()[:-1]]
    columns = [[int(row[c]) for row in reversed(rows) if row[c] != "."] for c in range(len(rows[0]))]
    while columns and not columns[-1]:
        columns.pop()
    return columns


def groups(columns: Columns) -> list[set[tuple[int, int]]]:
    tiles = {(c, h): colour for c, column in enumerate(columns) for h, colour in enumerate(column)}
    found, seen = [], set()
    for start in tiles:
        if start in seen:
            continue
        group, queue = {start}, [start]
        for c, h in queue:
            for near in ((c + 1, h), (c - 1, h), (c, h + 1), (c, h - 1)):
                if near not in group and tiles.get(near) == tiles[start]:
                    group.add(near)
                    queue.append(near)
        seen |= group
        if len(group) > 1:
            found.append(group)
    return found


def without(columns: Columns, group: set[tuple[int, int]]) -> Columns:
    kept = [[t for h, t in enumerate(column) if (c, h) not in group] for c, column in enumerate(columns)]
    return [column for column in kept if column]


def end_reward(columns: Columns, penalty: bool) -> int:
    if not columns:
        return 1000
    counts = Counter(tile for column in columns for tile in column)
    return -sum((n - 2) ** 2 for n in counts.values()) if penalty else 0


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("same_game", 4),
        ("same_game(rows=16, columns=16, colours=2)", 4),
        ("same_game(rows=16, columns=16, colours=7, seed=1)", 4),
        ("same_game(rows=3, columns=11, colours=2, penalty=True)", 40),
        ("same_game(rows=9, columns=2, colours=3, penalty=True, seed=5)", 40),
        ("same_game(rows=2, columns=2, colours=2, seed=3)", 40),
    ],
)
def test_against_plain_rules(text: str, matches: int) -> None:
    game = treewise.load_game(text)
    penalty = bool(game.parameters["penalty"])
    height = int(game.parameters["rows"])
    rng = random.Random(1)
    for _ in range(matches):
        state = game.initial_state()
        columns, total = columns_of(state), 0
        while removable := groups(columns):
            by_action = {c * height + h: group for group in removable for c, h in [min(group)]}
            assert sorted(state.legal_actions()) == sorted(by_action)
            action = rng.choice(sorted(by_action))
            state.apply(action)
            columns = without(columns, by_action[action])
            reward = (len(by_action[action]) - 2) ** 2
            if not groups(columns):
                reward += end_reward(columns, penalty)
            total += reward
            assert columns_of(state) == columns
            assert (state.rewards(), state.returns()) == ([reward], [total])
        assert state.is_terminal()
        assert game.min_utility <= total <= game.max_utility


def test_a_worked_example() -> None:
    game = treewise.load_game("same_game(rows=3, columns=4, colours=3)")
    state = game.parse_state("2.../1.31/1231")
    assert {state.action_name(a): a for a in state.legal_actions()} == {"a1": 0, "c1": 6, "d1": 9}
    state.apply(6)  # the 3s: column c is empty and column d closes up
    assert str(state) == " 3 2 . . .\n 2 1 . 1 .\n 1 1 2 1 .\n   a b c d\n"
    state.apply(0)  # the 1s of column a: the 2 falls beside the 2
    assert [state.action_name(a) for a in state.legal_actions()] == ["a1", "c1"]
    state.apply(0)
    state.apply(0)
    assert state.is_terminal()
    assert state.rewards() == state.returns() == [1000.0]


def test_one_group_of_everything_gives_the_most() -> None:
    game = treewise.load_game("same_game(colours=2)")
    state = game.parse_state("/".join(["1" * 15] * 15))
    assert state.legal_actions() == [0]
    state.apply(0)
    assert state.returns() == [game.max_utility] == [223**2 + 1000]


@pytest.mark.parametrize(("penalty", "reward"), [(False, 4), (True, 4 - 2 * (4 - 2) ** 2)])
def test_the_penalty(penalty: bool, reward: int) -> None:
    """Four 3s go and four tiles of each other colour stay, in a chequered pattern."""
    game = treewise.load_game(f"same_game(rows=3, columns=4, colours=3, penalty={penalty})")
    state = game.parse_state("1212/2121/3333")
    state.apply(0)
    assert state.is_terminal()
    assert state.returns() == [reward]


def test_boards_come_from_the_seed() -> None:
    boards = [str(treewise.load_game(f"same_game(seed={seed})").initial_state()) for seed in (0, 1, 1)]
    assert boards[0] != boards[1] == boards[2]
    counts = Counter(boards[0])
    assert all(25 <= counts[str(colour)] - 3 <= 65 for colour in range(1, 6))


def test_a_playout_chooses_among_groups_uniformly() -> None:
    """A group of nine is as likely as a group of two."""
    state = treewise.load_game("same_game(rows=3, columns=6, colours=4)").parse_state("111234/111243/111223")
    actions = Counter()
    for seed in range(6000):
        played = state.clone()
        played.playout(seed, max_length=1)
        actions[played.history()[-1]] += 1
    assert sorted(actions) == sorted(state.legal_actions())
    assert len(actions) == 3
    expected = 6000 / 3
    # The 99.999 % point of chi-squared with 2 degrees of freedom is 23.
    assert sum((n - expected) ** 2 / expected for n in actions.values()) < 23


def test_finished_boards_may_be_given() -> None:
    game = treewise.load_game("same_game(rows=2, columns=2, colours=2, penalty=True)")
    for board in ("../..", "12/21", "../1."):
        assert game.parse_state(board).is_terminal()
        assert game.parse_state(board).returns() == [0.0]


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("", "rows"),
        ("12/34", "rows"),
        ("12/12/1", "row 3"),
        ("12/12/14", "unknown character '4'"),
        ("1./../11", "nothing under it"),
        (".1/.1/.1", "empty column"),
        ("12/1x/12", "unknown character 'x'"),
    ],
)
def test_broken_boards_are_refused(board: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        treewise.load_game("same_game(rows=3, columns=2, colours=3)").parse_state(board)


def test_there_is_one_player() -> None:
    with pytest.raises(ValueError, match="player"):
        treewise.load_game("same_game(rows=2, columns=2)").parse_state("11/11", 1)
