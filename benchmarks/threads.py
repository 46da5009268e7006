"""Two threads against one: simulations per second of wall time. Needs two idle cores to mean anything.

The same work is compared, a search of so many simulations: as a tree grows its simulations take longer (they go deeper,
and less of it is in the caches), and in the same time two threads let one tree grow twice as large. Root parallelism
gains by that comparison, since its trees are half as large. So breakthrough is measured in the same time, too, beside
two programs with one thread each that know nothing of each other: more than that the machine does not give.
"""

from __future__ import annotations

import subprocess
import sys
import time
from statistics import median

from timing import Options, Row, in_turns, ratio

import treewise
from treewise import limit, parallel
from treewise.limit import Limit
from treewise.search import Search
from treewise.selection import UCB1

SUBJECT = "two threads against one"
GAMES = {"breakthrough": "breakthrough", "go 9x9": "go(size=9)", "hex 11x11": "hex(size=11)"}
SIMULATIONS = {"breakthrough": 5_000_000, "go 9x9": 800_000, "hex 11x11": 3_000_000}
"""Five to seven seconds of one thread."""
SECONDS = 3.0
TARGETS = {"root": 1.9, "tree": 1.7}


def measure(options: Options) -> list[Row]:
    work = {name: limit.Simulations(options.count(number, 2_000)) for name, number in SIMULATIONS.items()}
    rows = [
        row for name in GAMES for row in compare(name, work[name], options, TARGETS if name == "breakthrough" else {})
    ]
    seconds = 0.02 if options.quick else SECONDS
    in_time = compare("breakthrough", limit.Seconds(seconds), options, {}, " in the same time")
    return [*rows, *in_time, two_programs(seconds, options)]


def compare(name: str, until: Limit, options: Options, targets: dict[str, float], how: str = "") -> list[Row]:
    one, root, tree = in_turns(
        options.repeats,
        lambda repeat: simulations_per_second(name, parallel.One(), until, repeat),
        lambda repeat: simulations_per_second(name, parallel.Root(2), until, repeat),
        lambda repeat: simulations_per_second(name, parallel.Tree(2), until, repeat),
    )
    rows = []
    for kind, rates in (("root", root), ("tree", tree)):
        parts = {"two threads/s": median(rates), "one thread/s": median(one)}
        found = ratio(rates, one)
        rows.append(Row(SUBJECT, f"{name}, {kind} parallel{how}", "x", found, target=targets.get(kind), parts=parts))
    return rows


def two_programs(seconds: float, options: Options) -> Row:
    one, two = in_turns(
        options.repeats,
        lambda repeat: rate_of_programs(1, seconds, repeat),
        lambda repeat: rate_of_programs(2, seconds, repeat),
    )
    parts = {"two programs/s": median(two), "one program/s": median(one)}
    return Row(SUBJECT, "breakthrough, two programs in the same time", "x", ratio(two, one), parts=parts)


def rate_of_programs(count: int, seconds: float, seed: int) -> float:
    """Of all together; they begin at the same moment."""
    begin = str(time.time() + (1.5 if seconds >= 1 else 0))
    command = [sys.executable, __file__, str(seconds), begin]
    running = [
        subprocess.Popen([*command, str(seed + 100 * number)], stdout=subprocess.PIPE, text=True)
        for number in range(count)
    ]
    return sum(float(program.communicate()[0]) for program in running)


def simulations_per_second(name: str, kind: parallel.One, until: Limit, seed: int) -> float:
    search = Search(selection=UCB1(1.0), parallel=kind, limit=until, memory_mb=4000)
    stats = search.run(treewise.load_game(GAMES[name]).initial_state(), seed=seed).stats
    return stats.simulations / stats.seconds


if __name__ == "__main__":
    given, start, number = sys.argv[1:]
    simulations_per_second("breakthrough", parallel.One(), limit.Seconds(0.01), 0)  # everything is loaded
    time.sleep(max(0.0, float(start) - time.time()))
    print(simulations_per_second("breakthrough", parallel.One(), limit.Seconds(float(given)), int(number)))
