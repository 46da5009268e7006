"""UCT against OpenSpiel's MCTSBot (C++): the same simulations from the initial position, one thread each.

Both expand all children at the second visit and play one uniform playout. OpenSpiel's rewards lie in [-1, 1], ours in
[0, 1]: its uct_c=2 is our c=1. Every search starts with an empty tree, and its making is part of the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

import pyspiel
from timing import Options, Row, geometric_mean, in_turns, rate, ratio

import treewise

SUBJECT = "UCT against OpenSpiel's MCTSBot"


@dataclass(frozen=True)
class Pair:
    name: str
    ours: str
    theirs: str
    target: float | None = 10
    in_mean: bool = True
    note: str = ""


PAIRS = [
    Pair("tic_tac_toe", "tic_tac_toe", "tic_tac_toe", target=4),
    Pair("connect_four", "connect_four", "connect_four"),
    Pair("breakthrough", "breakthrough", "breakthrough"),
    Pair("checkers", "checkers", "checkers"),
    Pair("amazons", "amazons(plies=3)", "amazons", note="three actions a turn, as in OpenSpiel"),
    Pair(
        "amazons, whole turns",
        "amazons",
        "amazons",
        target=None,
        in_mean=False,
        note="one action a turn for us, three for OpenSpiel: another tree, the same playouts",
    ),
    Pair("hex 11x11", "hex(size=11)", "hex(board_size=11)"),
    Pair("othello", "othello", "othello"),
    Pair(
        "go 9x9",
        "go(size=9)",
        "go(board_size=9)",
        note="our playouts do not fill own eyes; OpenSpiel's do, and pass, and are cut at 162 steps",
    ),
]


def measure(options: Options) -> list[Row]:
    rows = [compare(pair, options) for pair in PAIRS]
    counted = [row.figure for row, pair in zip(rows, PAIRS, strict=True) if pair.in_mean]
    return [*rows, Row(SUBJECT, "geometric mean", "x", geometric_mean(counted), target=30)]


def compare(pair: Pair, options: Options) -> Row:
    simulations = options.count(10_000, 50)
    least = options.seconds(0.3)
    ours, theirs = in_turns(
        options.repeats,
        lambda repeat: rate(lambda i: our_search(pair.ours, simulations, repeat + 1000 * i), least),
        lambda repeat: rate(lambda i: their_search(pair.theirs, simulations, repeat + 1000 * i), least),
    )
    parts = {"treewise/s": median(ours), "openspiel/s": median(theirs), "simulations": simulations}
    return Row(SUBJECT, pair.name, "x", ratio(ours, theirs), target=pair.target, parts=parts, note=pair.note)


def our_search(game: str, simulations: int, seed: int) -> int:
    result = treewise.uct(c=1.0, simulations=simulations).run(treewise.load_game(game).initial_state(), seed=seed)
    return result.stats.simulations


def their_search(game: str, simulations: int, seed: int) -> int:
    spiel = pyspiel.load_game(game)
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(spiel, evaluator, 2.0, simulations, 1000, False, seed, False)
    bot.step(spiel.new_initial_state())
    return simulations
