"""Cannon: perft, positions by kind of action, a second generator in Python, mate rule, quality and policy."""

import random
from collections import Counter
from math import sqrt

import pytest
from scipy import stats

import treewise

Board = dict[tuple[int, int], str]

POSITIONS = [
    # board, player, actions by kind, perft, actions with clear_path, perft with mate_rule
    (
        ".....T..../2.2.2.2.../2.2.2....2/2.2.2.222./........../.......2.1/..11.11..1/..11.1..11/...1.1..../........t.",
        0,
        {"-": 23, "x": 1, "<": 2, "=": 6, "*": 1},
        [33, 1484],
        33,
        [33, 1484],
    ),
    (
        ".2......T./........../..222..2../.2......../2.122..22./1..1..2..1/.1..1...1./1....11..1/.....1..../.1...t....",
        1,
        {"-": 27, "x": 6, "<": 7, "=": 3},
        [43, 1400],
        43,
        [43, 1400],
    ),
    (
        "..T......./....2...2./22.2...2../2....22.2./...2..2.2./...2...12./1..111...1/1..11.1.11/.1......../......t...",
        0,
        {"-": 20, "x": 6, "<": 3, "=": 2},
        [31, 1277],
        31,
        [31, 1277],
    ),
    (
        "..2.....T./222...2.../..2...2.../.2...2..2./....2...../1..1..2.22/...1...1../.1.1.1.111/......1..1/...t.....1",
        0,
        {"-": 23, "x": 3, "<": 1, "=": 4, "*": 1},
        [32, 1254],
        32,
        [32, 1254],
    ),
    (
        ".....T..../........../2222....1./.2......1./...2....../2....22.../...11.1.../.......11./.11..2..11/..t...1...",
        1,
        {"-": 21, "x": 4, "<": 7, "=": 1},
        [33, 1159],
        33,
        [33, 1159],
    ),
    (
        "..T......./2........./2.2.2.2.../...2..2.../.2.12...1./.1.2.1..../.1.11...1./...1...111/.1.......1/........t.",
        0,
        {"-": 26, "x": 6, "<": 5, "=": 3},
        [40, 1131],
        40,
        [40, 1131],
    ),
    (
        ".2.....T../2.22..2.../2.2.22..22/....2.2.2./2.....1.../...1....../.1...111.1/.1.1.1...1/.111.....1/........t.",
        0,
        {"-": 32, "x": 1, "<": 2, "=": 8},
        [43, 1378],
        43,
        [43, 1378],
    ),
    (
        "2..T....../..2...2..2/.2..2...22/222...1..2/.....1.2../..1.1.1.../..1.....1./11..11.111/........../......t..1",
        1,
        {"-": 25, "x": 1, "<": 1, "=": 3},
        [30, 1143],
        30,
        [30, 1143],
    ),
    (
        ".T....2.../22..2...22/222.2.222./....2...../........../.12...1.1./.11......./11...111.1/...1.1...1/...t......",
        0,
        {"-": 29, "x": 3, "<": 2, "=": 4, "*": 1},
        [39, 1537],
        39,
        [39, 1537],
    ),
    (
        "..T......./......2.../2.2..22.../2.2.22..2./.2.12....2/2..1..1.../1...11.1.1/.1.....1../...1...11./...t....1.",
        1,
        {"-": 21, "x": 5, "<": 4, "=": 3},
        [33, 1192],
        33,
        [33, 1192],
    ),
    (
        ".T......../2.2...2.../2.2.2.2..2/2.....2.../...2..2.../.1....1.2./111.12..1./.1.....1.1/....11.1../........t.",
        0,
        {"-": 26, "x": 3, "<": 5, "=": 3, "*": 1},
        [38, 1530],
        37,
        None,
    ),
]

DIRECTIONS = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0)]


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


@pytest.mark.parametrize(("board", "player", "kinds", "counts", "clear", "mate"), POSITIONS)
def test_positions(
    board: str, player: int, kinds: dict[str, int], counts: list[int], clear: int, mate: list[int] | None
) -> None:
    def perft_list(text: str, depth: int) -> list[int]:
        state = treewise.load_game(text).parse_state(board, player)
        return [treewise.perft(state, d + 1) for d in range(depth)]

    state = treewise.load_game("cannon").parse_state(board, player)
    names = [state.action_name(action) for action in state.legal_actions()]
    assert Counter(mark for name in names for mark in "-x<=*" if mark in name) == kinds
    assert perft_list("cannon", 2) == counts
    assert perft_list("cannon(clear_path=True)", 1) == [clear]
    if mate is not None:
        assert perft_list("cannon(mate_rule=True, corners=True)", 2) == mate


def cells(state: treewise.State) -> Board:
    rows = [line.split()[1:] for line in str(state).splitlines()[:10]]
    return {(r, c): rows[r][c] for r in range(10) for c in range(10)}


def name(at: tuple[int, int]) -> str:
    return f"{chr(ord('a') + at[1])}{10 - at[0]}"


def hits_and_quiet(board: Board, player: int, clear_path: bool) -> list[tuple[str, tuple[int, int], tuple[int, int]]]:
    """All (mark, from, to) with towns as prey, by the wording of the rules, one soldier at a time."""
    own, foe, town = ("1", "2", "T") if player == 0 else ("2", "1", "t")
    forward = -1 if player == 0 else 1
    found = []
    for r, c in [at for at, cell in board.items() if cell == own]:

        def at(dr: int, dc: int, n: int, r: int = r, c: int = c) -> tuple[int, int]:
            return r + n * dr, c + n * dc

        ahead = [(forward, dc) for dc in (-1, 0, 1)]
        found += [("-", (r, c), at(*d, 1)) for d in ahead if board.get(at(*d, 1)) == "."]
        for d in [*ahead, (0, -1), (0, 1)]:
            if board.get(at(*d, 1), "") in (foe, town):
                found.append(("x", (r, c), at(*d, 1)))
        if any(board.get(at(*d, 1)) == foe for d in DIRECTIONS):
            for d in [(-forward, dc) for dc in (-1, 0, 1)]:
                if board.get(at(*d, 1)) == "." and board.get(at(*d, 2)) == ".":
                    found.append(("<", (r, c), at(*d, 2)))
        for d in DIRECTIONS:
            if board.get(at(*d, 1)) == own and board.get(at(*d, 2)) == own and board.get(at(*d, 3)) == ".":
                found.append(("=", (r, c), at(*d, 3)))
                if board.get(at(*d, 4), "") in (foe, town):
                    found.append(("*", at(*d, 2), at(*d, 4)))
                if board.get(at(*d, 5), "") in (foe, town) and not (clear_path and board[at(*d, 4)] != "."):
                    found.append(("*", at(*d, 2), at(*d, 5)))
    return found


def exposes(board: Board, player: int, clear_path: bool, action: tuple[str, tuple[int, int], tuple[int, int]]) -> bool:
    mark, start, to = action
    after = dict(board)
    after[to] = "." if mark == "*" else after[start]
    if mark != "*":
        after[start] = "."
    town = "t" if player == 0 else "T"
    return any(after[target] == town for _, _, target in hits_and_quiet(after, 1 - player, clear_path))


def expected_actions(state: treewise.State, player: int, mate_rule: bool, clear_path: bool) -> list[str]:
    board = cells(state)
    found = hits_and_quiet(board, player, clear_path)
    if mate_rule:
        found = [
            action
            for action in found
            if board[action[2]] not in "tT" and not exposes(board, player, clear_path, action)
        ]
    return sorted(name(start) + mark + name(to) for mark, start, to in found)


@pytest.mark.parametrize("mate_rule", [False, True])
@pytest.mark.parametrize("clear_path", [False, True])
def test_against_a_second_generator(mate_rule: bool, clear_path: bool) -> None:
    game = treewise.load_game(f"cannon(mate_rule={mate_rule}, clear_path={clear_path})")
    for seed in range(2 if mate_rule else 6):
        state, rng = game.initial_state(), random.Random(seed)
        for _ in range(2):
            state.apply(rng.choice(state.legal_actions()))
        while not state.is_terminal():
            if rng.random() < (0.3 if mate_rule else 1.0):
                names = [state.action_name(action) for action in state.legal_actions()]
                assert sorted(names) == expected_actions(state, state.current_player(), mate_rule, clear_path)
            state.apply(rng.choice(state.legal_actions()))
        board, player, loser = cells(state), len(state.history()) % 2, state.returns().index(-1.0)
        taken = "t" not in board.values() or "T" not in board.values()
        assert loser == player
        assert taken != mate_rule
        if mate_rule:
            assert all(exposes(board, player, clear_path, a) for a in hits_and_quiet(board, player, clear_path))
        soldiers = [list(board.values()).count(cell) for cell in "12"]
        assert state.quality(clip=False) == (soldiers[1 - loser] - soldiers[loser]) / 15


def besieged(rng: random.Random) -> str:
    """A board with cannons on lines to both towns, most of their paths blocked by somebody."""
    board = {(r, c): "." for r in range(10) for c in range(10)}
    for player, own in enumerate("12"):
        row, column, step = (0, rng.randrange(10), 1) if player == 0 else (9, rng.randrange(10), -1)
        board[row, column] = "Tt"[player]
        dr, dc = rng.choice([(step, -1), (step, 0), (step, 1), (0, -1), (0, 1)])
        start = rng.choice([2, 3])
        for n in range(1, start + 3):
            at = (row + n * dr, column + n * dc)
            if board.get(at) == ".":
                board[at] = own if n >= start or rng.random() < 0.2 else rng.choice("12..")
    for cell in "12" * 5:
        at = (rng.randrange(10), rng.randrange(10))
        if board[at] == ".":
            board[at] = cell
    return "/".join("".join(board[r, c] for c in range(10)) for r in range(10))


@pytest.mark.parametrize("clear_path", [False, True])
def test_besieged_towns(clear_path: bool) -> None:
    """Pins, discovered threats and replies to a threat, which random matches seldom show."""
    game = treewise.load_game(f"cannon(mate_rule=True, corners=True, clear_path={clear_path})")
    rng = random.Random(2)
    for _ in range(300):
        player = rng.randrange(2)
        state = game.parse_state(besieged(rng), player)
        names = [state.action_name(action) for action in state.legal_actions()]
        assert sorted(names) == expected_actions(state, player, True, clear_path)
        assert state.is_terminal() == (not names)
        if state.is_terminal():
            assert state.returns()[player] == -1
            continue
        candidates = Counter(state.action_name(action) for action in state.playout_candidates())
        assert candidates == expected_candidates(state, clear_path)[1]


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


@pytest.mark.parametrize("text", ["cannon", "cannon(mate_rule=True)"])
@pytest.mark.parametrize(
    "board",
    [POSITIONS[0][0], "....T...../1.......2./.1......../..1......./" + "........../" * 5 + ".2..t....."],
)
def test_uniform_playouts_draw_every_action_alike(text: str, board: str) -> None:
    state = treewise.load_game(text).parse_state(board, 0)
    found: Counter[int] = Counter()
    for seed in range(400 * len(state.legal_actions())):
        copy = state.clone()
        copy.playout(seed, max_length=1)
        found[copy.history()[0]] += 1
    assert sorted(found) == sorted(state.legal_actions())
    if len(found) > 1:
        assert stats.chisquare(list(found.values())).pvalue > 1e-4


def expected_candidates(state: treewise.State, clear_path: bool) -> tuple[str, dict[str, int]]:
    """The policy's stage, and its candidates with their weights."""
    board, player = cells(state), state.current_player()
    town = "T" if player == 0 else "t"
    legal = {state.action_name(action): action for action in state.legal_actions()}
    by_name = {name(s) + m + name(t): (m, s, t) for m, s, t in hits_and_quiet(board, player, clear_path)}
    hits = {n: 4 if "*" in n else 1 for n in legal if by_name[n][0] in "x*"}
    takes = {n: 1 for n in hits if board[by_name[n][2]] == town}
    checks = {}
    for n in legal:
        after = dict(board)
        mark, start, to = by_name[n]
        after[to], after[start] = after[start], "."
        if mark in "-<=" and any(after[t] == town for _, _, t in hits_and_quiet(after, player, clear_path)):
            checks[n] = 1
    stages = {"takes": takes, "checks": checks, "hits": hits, "all": dict.fromkeys(legal, 1)}
    return next((stage, weights) for stage, weights in stages.items() if weights)


@pytest.mark.parametrize("mate_rule", [False, True])
def test_policy(mate_rule: bool) -> None:
    """Checks first, then captures (weight 1) and shots (weight 4), then everything."""
    game = treewise.load_game(f"cannon(mate_rule={mate_rule})")
    seen: Counter[str] = Counter()
    for seed in range(4):
        state = game.initial_state()
        rng = random.Random(seed)
        for _ in range(2):
            state.apply(rng.choice(state.legal_actions()))
        while not state.is_terminal():
            if rng.random() < 0.3:
                stage, weights = expected_candidates(state, False)
                candidates = Counter(state.action_name(action) for action in state.playout_candidates())
                assert candidates == weights
                seen[stage] += 1
            state.apply(rng.choice(state.legal_actions() if seed % 2 else state.playout_candidates()))
    assert set(seen) == ({"checks", "hits", "all"} if mate_rule else {"takes", "checks", "hits", "all"})


@pytest.mark.parametrize(
    ("n", "policy", "share", "length", "first", "second"),
    [
        (2000, True, 0.450, (71.5, 14.1), (0.339, 0.330), (0.409, 0.319)),
        # For uniform playouts there is only the sample of a generator with small defects.
        (3000, False, 0.500, (132.7, 42.8), (0.026, 0.188), (0.041, 0.187)),
    ],
)
def test_playout_statistics(
    n: int,
    policy: bool,
    share: float,
    length: tuple[float, float],
    first: tuple[float, float],
    second: tuple[float, float],
) -> None:
    """Agrees with other implementations within four standard errors of both samples together."""
    start = treewise.load_game("cannon(mate_rule=True, corners=True)").initial_state()
    lengths: list[float] = []
    qualities: tuple[list[float], list[float]] = ([], [])
    samples = 5000
    for seed in range(samples):
        state = start.clone()
        lengths.append(state.playout(seed, policy=policy))
        qualities[state.returns().index(1.0)].append(state.quality(clip=False))
    assert abs(len(qualities[0]) / samples - share) < 4 * sqrt(0.25 / n + 0.25 / samples)
    for values, (mean, sd), weight in [
        (lengths, length, 1.0),
        (qualities[0], first, share),
        (qualities[1], second, 1 - share),
    ]:
        error = sqrt(sd**2 / (n * weight) + sd**2 / len(values))
        assert abs(sum(values) / len(values) - mean) < 4 * error


def test_towns() -> None:
    state = treewise.load_game("cannon").initial_state()
    assert [state.action_name(a) for a in state.legal_actions()] == [f"@{c}1" for c in "bcdefghi"]
    state = treewise.load_game("cannon(corners=True)").initial_state()
    assert [state.action_name(a) for a in state.legal_actions()] == [f"@{c}1" for c in "abcdefghij"]
    state.apply(state.legal_actions()[0])
    assert [state.action_name(a) for a in state.legal_actions()] == [f"@{c}10" for c in "abcdefghij"]


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
