"""Playouts draw by a game's own policy without listing its candidates; what they draw must be what the list says."""

import random
from collections import Counter

import pytest
from scipy import stats

import treewise
from bonus_reference import Recorder
from treewise import Search, limit, playout

PIECES = {"amazons": 4, "chinese_checkers": 6}
"""Where the policy first draws one of so many pieces; the candidates are then those of one piece."""

# With the weights that their candidates have.
GAMES = {
    "amazons": {1},
    "amazons(size=6)": {1},
    "breakthrough": {1, 2, 5},
    "breakthrough(rows=7, columns=5)": {1, 2, 5},
    "cannon": {1, 4},
    "cannon(mate_rule=True)": {1, 4},
    "checkers": {1},
    "chinese_checkers": {1, 2, 3, 4, 5},
    "pentalath": {1, 2},
    "pentalath(side=3, swap=True)": {1, 2},
}

# What random matches seldom show, if ever.
FIXED = {
    "steps to the far row": ("breakthrough", "......../.1.1...2/" + "......../" * 5 + "........", 0),
    "captures from the home row": (
        "breakthrough",
        "2.2.2.../.1.1..../......../..2...../.1...1../......../......../........",
        1,
    ),
    "captures of the town": (
        "cannon",
        "....T...../...1.1..../" + "....1...../" * 3 + "........../" * 4 + "..t......2",
        0,
    ),
    "captures of which most expose the own town": (
        "cannon(mate_rule=True)",
        "...T....11/.......2../...1....../...1....../.2.1.....2/..2......./...2....../...12...../..21....../......t.12",
        0,
    ),
    "steps of which most expose the own town": (
        "cannon(mate_rule=True)",
        ".T....1.../..2.2....2/1........./....1...../...2.1..../......1.../.......21./........../..1......./........t.",
        1,
    ),
    "no action that is kept": (
        "chinese_checkers",
        "./../.../2........2/........./......../......./......../....1..../....111.../212/22/1",
        0,
    ),
    "an interior cell that is suicide": (
        "pentalath",
        ".21.1/.11.../..22121/2.2212.1/2221.12.2/.1.11.21/222.111/2.22.1/22.11",
        0,
    ),
}


def probabilities(state: treewise.State) -> dict[int, float]:
    """By the lists of candidates; how often the list of each piece comes is rounded to what it can be."""
    pieces = PIECES.get(state.game.name, 1)
    seeds = 1 if pieces == 1 else 2000
    lists = Counter(tuple(state.playout_candidates(seed)) for seed in range(seeds))
    shares = {candidates: round(pieces * times / seeds) for candidates, times in lists.items()}
    assert sum(shares.values()) == pieces
    found: dict[int, float] = {}
    for candidates, share in shares.items():
        for action in candidates:
            found[action] = found.get(action, 0) + share / pieces / len(candidates)
    return found


def drawn(state: treewise.State, seeds: range) -> Counter[int]:
    found: Counter[int] = Counter()
    for seed in seeds:
        copy = state.clone()
        copy.playout(seed, policy=True, max_length=1)
        found[copy.history()[-1]] += 1
    return found


def check_draws(state: treewise.State, first_seed: int = 0) -> None:
    """With so many draws a capture in breakthrough that weighs 3 instead of 5 has a p-value below 1e-20."""
    expected = probabilities(state)
    draws = max(10_000, 10 * len(expected))
    found = drawn(state, range(first_seed, first_seed + draws))
    assert set(found) <= set(expected), state
    if len(expected) > 1:
        counts = [(found[action], draws * share) for action, share in expected.items()]
        assert stats.chisquare(*zip(*counts, strict=True)).pvalue > 1e-6, state


def weights(state: treewise.State) -> set[int]:
    return set(Counter(state.playout_candidates()).values())


def kind(state: treewise.State) -> tuple[object, ...]:
    """Who is to move, the weights, whether the candidates are all actions, and about how many these are."""
    actions = state.legal_actions()
    restricted = len(set(state.playout_candidates())) < len(actions)
    return state.current_player(), *sorted(weights(state)), restricted, len(actions).bit_length()


def of_every_kind(game: treewise.Game) -> list[treewise.State]:
    """A state of every kind that a few matches show."""
    found: dict[object, treewise.State] = {}
    for seed in range(8):
        state, rng = game.initial_state(), random.Random(seed)
        while not state.is_terminal():
            found.setdefault(kind(state), state.clone())
            candidates = state.playout_candidates(rng.randrange(1000))
            state.apply(rng.choice(rng.choice([candidates, state.legal_actions()])))
    return list(found.values())


@pytest.mark.parametrize("text", GAMES)
def test_draws_of_every_kind_of_state(text: str) -> None:
    states = of_every_kind(treewise.load_game(text))
    assert GAMES[text] <= set().union(*map(weights, states))
    for number, state in enumerate(states):
        check_draws(state, first_seed=1_000_000 * number)


@pytest.mark.parametrize(("text", "board", "player"), FIXED.values(), ids=FIXED)
def test_draws_of_rare_states(text: str, board: str, player: int) -> None:
    check_draws(treewise.load_game(text).parse_state(board, player))


@pytest.mark.parametrize("text", GAMES)
def test_playouts_that_nobody_watches_draw_the_same(text: str) -> None:
    """A recorder has them played step by step."""
    state = treewise.load_game(text).initial_state()
    search = Search(playout=playout.GamePolicy(), limit=limit.Simulations(100))
    watched = search.replace(bonus=[Recorder()])
    assert search.run(state, seed=1).values == watched.run(state, seed=1).values
