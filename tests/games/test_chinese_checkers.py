"""Chinese checkers: perft, positions, a slow generator by coordinates, the policy and its statistics."""

import random
from itertools import product

import pytest

import treewise
from playout_statistics import Figures, assert_alike, measure, moments

GAME = treewise.load_game("chinese_checkers")
RESTRICTED = treewise.load_game("chinese_checkers(restrict='not_farther')")

# (board, player, perft, perft with restrict='not_farther')
POSITIONS = [
    (
        "1/1./.../....1...../.....1.../..1.1.../......./....2.../...2...../....222.../.../.2/.",
        1,
        [35, 1313],
        [18, 497],
    ),
    (
        "1/.1/.1./....11..../....1..../......../......./......../........./...222..../2../2./2",
        1,
        [20, 540],
        [10, 134],
    ),
    (
        "./../.1./.....1..../...1...../.112..../...1.../...2..../...2.2.../........../.22/../.",
        0,
        [35, 1276],
        [13, 263],
    ),
    (
        "./.1/.../........../...2.2.../......../.1.2.1./....2.../..1.1..../...1.2..../2../../.",
        1,
        [45, 1680],
        [20, 324],
    ),
    (
        "1/../.../....2...../..1....../..1.1.../..21.../....2.../...2...../...2....../.../2./1",
        1,
        [43, 1377],
        [22, 336],
    ),
    (
        "./.2/1../......1.../....1..../......../..11.../...2..../...22..../....22..../..1/../.",
        1,
        [33, 935],
        [16, 226],
    ),
    (
        "./../.12/....2...../...211.2./......../....1../......../....2..../....12..../.../.1/.",
        0,
        [37, 1250],
        [14, 221],
    ),
    (
        "./.2/.../.....1..../....1..../..222.../...1.../...1..../...2...../..1......./..2/1./.",
        0,
        [36, 1130],
        [14, 218],
    ),
    (
        "1/../11./.....1..../....11.../......../...2.../...2..../....22.../........../2../2./.",
        1,
        [37, 1145],
        [21, 337],
    ),
    (
        "1/../.1./.....2..../...11..../...2..../......./...1..../...22..../...12...../2../../.",
        1,
        [28, 892],
        [12, 183],
    ),
]

FIRST_COLUMN = [5, 4, 4, 0, 1, 1, 2, 1, 1, 0, 4, 4, 5]
LENGTH = [1, 2, 3, 10, 9, 8, 7, 8, 9, 10, 3, 2, 1]
PLACES = [(r, FIRST_COLUMN[r] + i) for r in range(13) for i in range(LENGTH[r])]


def cube(place: tuple[int, int]) -> tuple[int, int, int]:
    """Three coordinates that add up to 0, (0, 0, 0) in the centre; z grows downwards."""
    row, column = place
    x, z = column - 5 - ((row - (row & 1)) // 2 - 3), row - 6
    return x, -x - z, z


CUBES = [cube(place) for place in PLACES]
CELL = {c: cell for cell, c in enumerate(CUBES)}
DIRECTIONS = [d for d in product((-1, 0, 1), repeat=3) if sum(d) == 0 and d != (0, 0, 0)]
# The six triangles, clockwise from the top: where one coordinate is beyond 3 in size.
TRIANGLES = [
    {cell for cell, c in enumerate(CUBES) if sign * c[axis] > 3}
    for axis, sign in [(2, -1), (0, 1), (1, -1), (2, 1), (0, -1), (1, 1)]
]
SEATS = {2: [0, 3], 3: [0, 2, 4], 4: [0, 1, 3, 4], 6: [0, 1, 2, 3, 4, 5]}


def marks(state: treewise.State) -> str:
    return "".join("".join(line[1:].split()) for line in str(state).splitlines())


def beyond(cell: int, direction: tuple[int, ...], distance: int) -> int | None:
    x, y, z = (a + distance * d for a, d in zip(CUBES[cell], direction, strict=True))
    return CELL.get((x, y, z))


def slow_actions(board: str, players: int, player: int) -> dict[int, int]:
    """Every action with its fewest hops (a step has none), straight from the words of the rules."""
    target = TRIANGLES[(SEATS[players][player] + 3) % 6]
    actions = {}
    for start in (cell for cell in range(73) if board[cell] == str(player + 1)):
        free = {cell for cell in range(73) if board[cell] == "." and (start not in target or cell in target)}
        hops = {start: 0}
        todo = [start]
        for cell in todo:
            for d in DIRECTIONS:
                over, to = beyond(cell, d, 1), beyond(cell, d, 2)
                if over is not None and over != start and board[over] != "." and to in free and to not in hops:
                    hops[to] = hops[cell] + 1
                    todo.append(to)
        hops |= {to: 0 for d in DIRECTIONS if (to := beyond(start, d, 1)) in free}
        actions |= {73 * start + to: n for to, n in hops.items() if to != start}
    return actions


def slow_kept(board: str, player: int) -> dict[int, int]:
    """The actions of two players' matches that do not lead away from the goal cell."""
    goals = [(12, 5), (11, 4), (11, 5), (10, 4), (10, 5), (10, 6)]
    goals = [(12 - row, column) for row, column in goals] if player else goals
    row, column = next((g for g in goals if board[PLACES.index(g)] == "."), goals[0])
    distance = [abs(r - row) + abs(c - column) for r, c in PLACES]
    actions = slow_actions(board, 2, player)
    return {a: hops for a, hops in actions.items() if distance[a % 73] <= distance[a // 73]}


def slow_candidates(kept: dict[int, int], piece: int, player: int) -> list[int]:
    target = TRIANGLES[0 if player else 3]
    own = {action: hops for action, hops in kept.items() if action // 73 == piece}
    entries = {action: hops for action, hops in own.items() if piece not in target and action % 73 in target}
    if entries:
        return sorted(a for a, hops in entries.items() for _ in range(max(hops, 1)))
    return sorted(a for a, hops in own.items() for _ in range(1 + hops))


def test_perft() -> None:
    state = GAME.initial_state()
    counts = [10, 100, 1800, 32400, 632520, 12348196]
    assert [treewise.perft(state, depth + 1) for depth in range(6)] == counts


def test_restricted_perft() -> None:
    state = RESTRICTED.initial_state()
    counts = [10, 100, 1424, 20233, 304329]
    assert [treewise.perft(state, depth + 1) for depth in range(5)] == counts


@pytest.mark.parametrize(("board", "player", "full", "not_farther"), POSITIONS)
def test_positions(board: str, player: int, full: list[int], not_farther: list[int]) -> None:
    for game, counts in [(GAME, full), (RESTRICTED, not_farther)]:
        state = game.parse_state(board, player)
        assert [treewise.perft(state, depth) for depth in (1, 2)] == counts
        assert marks(state) == board.replace("/", "")


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_against_slow_generator(players: int) -> None:
    state = treewise.load_game(f"chinese_checkers(players={players})").initial_state()
    homes = {cell: str(p + 1) for p in range(players) for cell in TRIANGLES[SEATS[players][p]]}
    assert marks(state) == "".join(homes.get(cell, ".") for cell in range(73))
    rng = random.Random(players)
    while not state.is_terminal():
        actions = slow_actions(marks(state), players, state.current_player())
        assert sorted(state.legal_actions()) == sorted(actions)
        random_action = rng.choice(state.legal_actions())
        policy_action = rng.choice(state.playout_candidates(rng.randrange(10**6)))
        state.apply(random_action if rng.random() < 0.2 else policy_action)


def test_policy_and_restriction_against_slow_generator() -> None:
    """The candidates are all of one piece, each as often as its weight."""
    rng = random.Random(7)
    entries = 0
    for _ in range(6):
        state = RESTRICTED.initial_state()
        while not state.is_terminal():
            player = state.current_player()
            kept = slow_kept(marks(state), player)
            assert sorted(state.legal_actions()) == sorted(kept or slow_actions(marks(state), 2, player))
            candidates = state.playout_candidates(rng.randrange(10**6))
            pieces = {action // 73 for action in candidates}
            if kept:
                assert len(pieces) == 1
                assert sorted(candidates) == slow_candidates(kept, min(pieces), player)
            state.apply(rng.choice(candidates))
            entries += len(candidates) == 1
    assert entries > 20


def test_filling_the_target_wins() -> None:
    """Five of six cells are filled, one of them by the enemy; the last piece can enter only from j5."""
    board = "./../..2/....2...../.......2./...2..../......./....1.../........./....1...2./.11/11/2"
    state = GAME.parse_state(board, 0)
    assert [state.action_name(action) for action in state.winning_actions()] == ["j5-k1"]
    state.apply(state.winning_actions()[0])
    assert state.is_terminal()
    assert state.returns() == [1.0, -1.0]
    assert state.quality() == 5 / 6
    finished = "./../..2/....2...../.......2./...2..../......./....1.../........./........2./111/11/2"
    assert GAME.parse_state(finished, 1).returns() == [1.0, -1.0]


def test_only_an_entry_wins() -> None:
    """The enemy's entry fills the target, but its owner has not won."""
    board = "./../..2/....2...../.......2./...2..../......./....1.../........./....2...2./.11/11/1"
    state = GAME.parse_state(board, 1)
    names = {state.action_name(action): action for action in state.legal_actions()}
    state.apply(names["j5-k1"])
    assert not state.is_terminal()


def test_pieces_stay_in_their_target() -> None:
    """k1 could step out to j4 or hop out over j5, and l1 over k1."""
    board = "./../.../222......./22......./2......./......./......../........./....111.../1../1./1"
    state = GAME.parse_state(board, 0)
    names = sorted(map(state.action_name, state.legal_actions()))
    assert [name for name in names if name[0] in "klm"] == ["k1-k2", "l1-k2", "l1-l2", "m1-l2"]
    assert "j5-j4" in names


def test_a_player_who_cannot_move_passes() -> None:
    """Rows d to f are full, so that nothing leaves the top triangle."""
    others = iter("23456" * 6)
    rows = ["".join(next(others) for _ in range(n)) for n in (10, 9, 8)]
    rows += ["...." + "".join(others), "." * 8, "." * 9, "." * 10, "...", "..", "."]
    board = "/".join(["1", "11", "111", *rows])
    state = treewise.load_game("chinese_checkers(players=6)").parse_state(board, 0)
    assert list(map(state.action_name, state.legal_actions())) == ["pass"]
    assert state.playout_candidates() == state.legal_actions()
    state.apply(state.legal_actions()[0])
    assert state.current_player() == 1


def test_horizon() -> None:
    state = treewise.load_game("chinese_checkers(horizon=20)").initial_state()
    assert state.playout(1) == 20
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]


def test_returns_of_three_players() -> None:
    state = treewise.load_game("chinese_checkers(players=3)").initial_state()
    state.playout(5, policy=True)
    assert sorted(state.returns()) == [-0.5, -0.5, 1.0]
    assert 0 <= state.quality() <= 1


def test_policy_is_like_the_clean_rules() -> None:
    """20000 playouts of an independent implementation of the policy."""
    theirs = Figures(20000, 0.508, 0.0, (155.1, 32.7), (0.246, 0.121), (0.242, 0.118))
    assert_alike(measure("chinese_checkers", policy=True, playouts=20000), theirs)


def random_mode_match(rng: random.Random) -> tuple[int, treewise.State]:
    """A random piece, or the next in turn that has a kept action; then one of its actions uniformly."""
    state = RESTRICTED.initial_state()
    pieces = [sorted(TRIANGLES[0]), sorted(TRIANGLES[3])]
    length = 0
    while not state.is_terminal():
        own = pieces[state.current_player()]
        by_piece: dict[int, list[int]] = {}
        for action in state.legal_actions():
            by_piece.setdefault(action // 73, []).append(action)
        first = rng.randrange(6)
        piece = next(i % 6 for i in range(first, first + 6) if own[i % 6] in by_piece)
        action = rng.choice(by_piece[own[piece]])
        own[piece] = action % 73
        state.apply(action)
        length += 1
    return length, state


def test_random_mode_is_like_the_clean_rules() -> None:
    """The same with equal weights, which is no capability of the game: played with its kept actions."""
    rng = random.Random(1)
    matches = [random_mode_match(rng) for _ in range(300)]
    qualities: tuple[list[float], list[float]] = ([], [])
    for _, state in matches:
        qualities[state.returns()[0] < 0].append(state.quality(clip=False))
    ours = Figures(
        300,
        len(qualities[0]) / 300,
        0.0,
        moments([float(length) for length, _ in matches]),
        moments(qualities[0]),
        moments(qualities[1]),
    )
    theirs = Figures(20000, 0.507, 0.0, (185.3, 39.1), (0.230, 0.109), (0.229, 0.105))
    assert_alike(ours, theirs)


START = "1/11/111/........../........./......../......./......../........./........../222/22/2"


def test_five_players_are_refused() -> None:
    with pytest.raises(ValueError, match="2, 3, 4 or 6"):
        treewise.load_game("chinese_checkers(players=5)")


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ("", "rows"),
        (START.replace("1/", "./", 1), "5 pieces, 6 expected"),
        (START.replace("2", "3"), "unknown character"),
        (START.replace("1", "x").replace("2", "1").replace("x", "2"), "won already"),
    ],
)
def test_broken_boards_are_refused(board: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GAME.parse_state(board, 0)
