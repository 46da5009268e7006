"""Amazons: perft, OpenSpiel's rules, a second generator in Python, uniform sampling, quality and policy."""

import random
from collections import Counter
from collections.abc import Iterator
from math import sqrt

import pytest
from scipy import stats

import treewise
from openspiel import play_along

TEN = [
    (
        "...x.x..x./.xxx.2xx../.x.1xxx2../xxx..x.x.x/x.xx1x.x../...x1x..../.2xxxxxxxx/xxx2x...../.xx.x..x../x.x.1.xxxx",
        1,
        [77, 2977, 194916],
    ),
    (
        "x...xxx.../.x...xx.x./.xxx..x2.x/.x.1.xxx../x..x.x.xxx/x1x.2xx2../xx.xx...xx/xx..1xxx1x/..x..x.x2./.x...xxxx.",
        1,
        [67, 6741],
    ),
    (
        "xxx.x...2x/..x.x.x.../....xx2x.x/.xx.xx.x.x/....x.xxx./2.xxxx1..x/x..x.xxxxx/xx.xx..x.1/x..xx1.x.x/1x2.x.x.xx",
        1,
        [126, 5321],
    ),
]
EIGHT = [
    (".x2...2x/.x.xxxx./x.x...x./x..x1.../.1xx...x/xxxxxxx./.x1xx.2x/21..x.xx", 1, [40, 3451, 97662]),
    (".2x..x../x.xxx.x./.xx.x.xx/2xxxx.../x..x1xx2/..x11.x./2x..1xx./.x.xxxx.", 0, [31, 1493, 41101]),
    ("x.xx..../xxxx2..x/..xxx1x./...xx.x./2xx1.xx./.x.x.x.1/xx.x.x12/.x2x..xx", 0, [72, 3182, 176553]),
]
POSITIONS = [(10, *position) for position in TEN] + [(8, *position) for position in EIGHT]


def perft_list(state: treewise.State, depth: int) -> list[int]:
    return [treewise.perft(state, d + 1) for d in range(depth)]


@pytest.mark.parametrize(("size", "counts"), [(10, [2176, 4307152]), (8, [1232, 1331198])])
def test_perft(size: int, counts: list[int]) -> None:
    assert perft_list(treewise.load_game(f"amazons(size={size})").initial_state(), 2) == counts


@pytest.mark.long
@pytest.mark.parametrize(("size", "turns"), [(10, 8350439170), (8, 1358441750)])
def test_perft_deep(size: int, turns: int) -> None:
    assert treewise.perft(treewise.load_game(f"amazons(size={size})").initial_state(), 3) == turns


@pytest.mark.parametrize(("size", "board", "player", "counts"), POSITIONS)
def test_perft_of_positions(size: int, board: str, player: int, counts: list[int]) -> None:
    state = treewise.load_game(f"amazons(size={size})").parse_state(board, player)
    assert perft_list(state, len(counts)) == counts


@pytest.mark.parametrize(("size", "board", "player", "counts"), POSITIONS)
def test_three_plies_make_a_turn(size: int, board: str, player: int, counts: list[int]) -> None:
    state = treewise.load_game(f"amazons(size={size}, plies=3)").parse_state(board, player)
    assert [treewise.perft(state, 3 * d + 3) for d in range(len(counts))] == counts


def test_against_openspiel() -> None:
    play_along("amazons(plies=3)", "amazons", lambda ours, theirs, action: action, matches=15)


def cells(state: treewise.State, size: int) -> dict[tuple[int, int], str]:
    rows = [line.split()[1:] for line in str(state).splitlines()[:size]]
    return {(r, c): rows[r][c] for r in range(size) for c in range(size)}


def queen_targets(board: dict[tuple[int, int], str], square: tuple[int, int]) -> Iterator[tuple[int, int]]:
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            r, c = square[0] + dr, square[1] + dc
            while (dr, dc) != (0, 0) and board.get((r, c)) == ".":
                yield r, c
                r, c = r + dr, c + dc


def turns(board: dict[tuple[int, int], str], player: int, size: int) -> list[str]:
    def name(square: tuple[int, int]) -> str:
        return f"{chr(ord('a') + square[1])}{size - square[0]}"

    found = []
    for start in [square for square, cell in board.items() if cell == str(player + 1)]:
        left = board | {start: "."}
        for to in queen_targets(board, start):
            found += [f"{name(start)}-{name(to)}/{name(arrow)}" for arrow in queen_targets(left, to)]
    return sorted(found)


@pytest.mark.parametrize("end_rule", ["standard", "engine"])
@pytest.mark.parametrize("size", [5, 6, 7, 8, 9, 10])
def test_against_a_second_generator(size: int, end_rule: str) -> None:
    state = treewise.load_game(f"amazons(size={size}, end_rule='{end_rule}')").initial_state()
    rng = random.Random(size)
    while not state.is_terminal():
        names = {state.action_name(action): action for action in state.legal_actions()}
        assert sorted(names) == turns(cells(state, size), state.current_player(), size)
        choice = rng.choice(sorted(names))
        state.apply(names[choice])
    board = cells(state, size)
    able = [bool(turns(board, p, size)) for p in (0, 1)]
    winner = state.returns().index(1.0)
    mover = len(state.history()) % 2
    assert winner == (1 - mover if end_rule == "standard" else 1 if not able[0] else 0)
    mobility = [len(list(queen_targets(board, square))) for square, cell in board.items() if cell == str(winner + 1)]
    assert state.quality(clip=False) == sum(mobility) / 16


def drawn(game: str, board: str, player: int, steps: int, samples: int) -> Counter[tuple[int, ...]]:
    state = treewise.load_game(game).parse_state(board, player)
    found: Counter[tuple[int, ...]] = Counter()
    for seed in range(samples):
        copy = state.clone()
        copy.playout(seed, max_length=steps)
        found[tuple(copy.history())] += 1
    return found


@pytest.mark.parametrize(("size", "board", "player", "counts"), POSITIONS)
def test_uniform_playouts_draw_every_turn_alike(size: int, board: str, player: int, counts: list[int]) -> None:
    """Turns are drawn without listing them, by rejection or by counting (these positions use both)."""
    found = drawn(f"amazons(size={size})", board, player, 1, 200 * counts[0])
    assert len(found) == counts[0]
    assert stats.chisquare(list(found.values())).pvalue > 1e-4


def test_uniform_playouts_of_the_start() -> None:
    state = treewise.load_game("amazons(size=5)").initial_state()
    found: Counter[int] = Counter()
    for seed in range(60000):
        copy = state.clone()
        copy.playout(seed, max_length=1)
        found[copy.history()[0]] += 1
    assert sorted(found) == sorted(state.legal_actions())
    assert stats.chisquare(list(found.values())).pvalue > 1e-4


def test_three_plies_are_each_uniform() -> None:
    size, board, player, _ = POSITIONS[0]
    found = drawn(f"amazons(size={size}, plies=3)", board, player, 3, 30000)
    state = treewise.load_game(f"amazons(size={size}, plies=3)").parse_state(board, player)
    expected = {}
    for amazon in state.legal_actions():
        chosen = state.clone()
        chosen.apply(amazon)
        for to in chosen.legal_actions():
            gone = chosen.clone()
            gone.apply(to)
            shots = gone.legal_actions()
            share = 1 / len(state.legal_actions()) / len(chosen.legal_actions()) / len(shots)
            expected |= {(amazon, to, arrow): 30000 * share for arrow in shots}
    assert set(found) <= set(expected)
    assert stats.chisquare([found[key] for key in expected], list(expected.values())).pvalue > 1e-4


@pytest.mark.parametrize("plies", [1, 3])
def test_policy_takes_the_turns_of_one_amazon(plies: int) -> None:
    """Amazons a1 and e5 can move, c3 is shut in: its share goes to the next one, e5."""
    board = "....1/.xxx./.x1x./.xxx./1...2"
    state = treewise.load_game(f"amazons(size=5, plies={plies})").parse_state(board, 0)
    starts: Counter[str] = Counter()
    for seed in range(3000):
        candidates = [state.action_name(action) for action in state.playout_candidates(seed)]
        assert len({name[:2] for name in candidates}) == 1
        starts[candidates[0][:2]] += 1
    assert set(starts) == {"a1", "e5"}
    assert abs(starts["a1"] - 2000) < 4 * sqrt(3000 * 2 / 9)


def test_policy_weighs_destinations_by_their_shots() -> None:
    board, player, _ = TEN[0]
    one = treewise.load_game("amazons").parse_state(board, player)
    whole = Counter(one.action_name(action).split("/")[0] for action in one.legal_actions())
    three = treewise.load_game("amazons(plies=3)").parse_state(board, player)
    weights: Counter[str] = Counter()
    for amazon in three.legal_actions():
        chosen = three.clone()
        chosen.apply(amazon)
        weights.update(three.action_name(amazon) + chosen.action_name(to) for to in chosen.playout_candidates())
    assert weights == whole


ANCHORS = [
    # size, end rule, policy, matches, first player's share, length (sd), quality by winner (sd)
    (8, "engine", False, 10000, 0.490, (46.11, 3.74), (0.216, 0.164), (0.208, 0.168)),
    (8, "engine", True, 10000, 0.487, (46.19, 3.81), (0.244, 0.194), (0.235, 0.200)),
    (8, "engine", True, 5000, 0.493, (46.25, 3.74), (0.237, 0.180), (0.226, 0.188)),
    (8, "standard", True, 5000, 0.508, (47.09, 3.98), (0.189, 0.202), (0.182, 0.198)),
    (10, "engine", True, 5000, 0.505, (70.72, 5.93), (0.314, 0.238), (0.301, 0.242)),
    (10, "standard", True, 3000, 0.498, (71.90, 5.84), (0.257, 0.239), (0.245, 0.228)),
]


@pytest.mark.parametrize(
    ("plies", "size", "end_rule", "policy", "n", "share", "length", "first", "second"),
    # Uniform playouts in three plies choose the amazon first: another distribution.
    [(1, *anchor) for anchor in ANCHORS] + [(3, *anchor) for anchor in ANCHORS if anchor[2]],
)
def test_playout_statistics(
    plies: int,
    size: int,
    end_rule: str,
    policy: bool,
    n: int,
    share: float,
    length: tuple[float, float],
    first: tuple[float, float],
    second: tuple[float, float],
) -> None:
    """Agrees with two other implementations within four standard errors of both samples together."""
    start = treewise.load_game(f"amazons(size={size}, end_rule='{end_rule}', plies={plies})").initial_state()
    lengths: list[float] = []
    qualities: tuple[list[float], list[float]] = ([], [])
    samples = 8000
    for seed in range(samples):
        state = start.clone()
        lengths.append(state.playout(seed, policy=policy) / plies)
        qualities[state.returns().index(1.0)].append(state.quality(clip=False))
    ours = len(qualities[0]) / samples
    assert abs(ours - share) < 4 * sqrt(0.25 / n + 0.25 / samples)
    for values, (mean, sd), weight in [
        (lengths, length, 1.0),
        (qualities[0], first, share),
        (qualities[1], second, 1 - share),
    ]:
        error = sqrt(sd**2 / (n * weight) + sd**2 / len(values))
        assert abs(sum(values) / len(values) - mean) < 4 * error


def test_the_end_rules_differ() -> None:
    """Player 0 is shut in by arrows, and player 1 is to move."""
    board = "1x.../xx.../.2.../...../....."
    standard = treewise.load_game("amazons(size=5)")
    assert not standard.parse_state(board, 1).is_terminal()
    assert standard.parse_state(board, 0).returns() == [-1.0, 1.0]
    engine = treewise.load_game("amazons(size=5, end_rule='engine')")
    assert engine.parse_state(board, 1).returns() == [-1.0, 1.0]


@pytest.mark.parametrize("end_rule", ["standard", "engine"])
@pytest.mark.parametrize("plies", [1, 3])
def test_winning_actions(plies: int, end_rule: str) -> None:
    state = treewise.load_game(f"amazons(size=5, plies={plies}, end_rule='{end_rule}')").initial_state()
    rng = random.Random(3)
    seen = 0
    for _ in range(15):
        copy = state.clone()
        while not copy.is_terminal():
            player, wins = copy.current_player(), []
            for action in copy.legal_actions():
                after = copy.clone()
                after.apply(action)
                if after.returns()[player] == 1:
                    wins.append(action)
            assert sorted(copy.winning_actions()) == sorted(wins)
            seen += bool(wins)
            copy.apply(rng.choice(copy.legal_actions()))
    assert seen > 0


def test_notation_and_hash() -> None:
    game = treewise.load_game("amazons")
    state = game.initial_state()
    names = {state.action_name(action): action for action in state.legal_actions()}
    assert "d1-d7/g7" in names
    paths = [["d1-d7/g7", "d10-d9/c9", "g1-g2/h2"], ["g1-g2/h2", "d10-d9/c9", "d1-d7/g7"]]
    ends = []
    for path in paths:
        state = game.initial_state()
        for name in path:
            state.apply(next(a for a in state.legal_actions() if state.action_name(a) == name))
        ends.append(state)
    assert str(ends[0]) == str(ends[1])
    assert ends[0].hash() == ends[1].hash() != game.initial_state().hash()
    three = treewise.load_game("amazons(plies=3)").initial_state()
    hashes = {three.hash()}
    for step, name in enumerate(["d1", "-d7", "/g7"]):
        three.apply(next(a for a in three.legal_actions() if three.action_name(a) == name))
        hashes.add(three.hash())
        assert len(hashes) == step + 2


def test_fewer_amazons_are_allowed_in_positions() -> None:
    state = treewise.load_game("amazons(size=5)").parse_state("1..../...../...../...../....2", 0)
    assert state.playout(1) > 0
    assert state.is_terminal()


@pytest.mark.parametrize(
    "board",
    [
        "",
        "1...2",
        "1..../...../...../...../....3",
        "1..../...../...../...../.....",
        "11111/...../...../...../....2",
        "1..../...../...../...../....2/.....",
        "1...../...../...../...../....2",
    ],
)
def test_broken_boards_are_refused(board: str) -> None:
    with pytest.raises(ValueError, match="board"):
        treewise.load_game("amazons(size=5)").parse_state(board, 0)


@pytest.mark.parametrize("text", ["amazons(size=4)", "amazons(size=11)", "amazons(plies=2)", "amazons(end_rule='x')"])
def test_broken_parameters_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="amazons"):
        treewise.load_game(text)
