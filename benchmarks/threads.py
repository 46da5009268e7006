"""Two threads against one: simulations per second of wall time. Needs two idle cores to mean anything."""

from __future__ import annotations

from statistics import median

from timing import Options, Row, in_turns, ratio

import treewise
from treewise import limit, parallel
from treewise.search import Search
from treewise.selection import UCB1

SUBJECT = "two threads against one"
GAMES = {"breakthrough": "breakthrough", "go 9x9": "go(size=9)", "hex 11x11": "hex(size=11)"}
TARGETS = {"root": 1.9, "tree": 1.7}


def measure(options: Options) -> list[Row]:
    seconds = 0.02 if options.quick else 3.0
    return [row for name in GAMES for row in compare(name, seconds, options)]


def compare(name: str, seconds: float, options: Options) -> list[Row]:
    one, root, tree = in_turns(
        options.repeats,
        lambda repeat: simulations_per_second(name, parallel.One(), seconds, repeat),
        lambda repeat: simulations_per_second(name, parallel.Root(2), seconds, repeat),
        lambda repeat: simulations_per_second(name, parallel.Tree(2), seconds, repeat),
    )
    rows = []
    for kind, rates in (("root", root), ("tree", tree)):
        target = TARGETS[kind] if name == "breakthrough" else None
        parts = {"two threads/s": median(rates), "one thread/s": median(one), "seconds": seconds}
        rows.append(Row(SUBJECT, f"{name}, {kind} parallel", "x", ratio(rates, one), target=target, parts=parts))
    return rows


def simulations_per_second(name: str, kind: parallel.One, seconds: float, seed: int) -> float:
    search = Search(selection=UCB1(1.0), parallel=kind, limit=limit.Seconds(seconds), memory_mb=4000)
    stats = search.run(treewise.load_game(GAMES[name]).initial_state(), seed=seed).stats
    return stats.simulations / stats.seconds
