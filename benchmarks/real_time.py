"""How far a search with a limit in seconds goes beyond it: session.run by the clock on the wall, less the limit.

The budget is that of the GVGAI competition, 40 milliseconds. Simulations are made longer and longer, up to a few
milliseconds each, by more and more playouts of one leaf, and then short ones and long ones are mixed; the last settings
are video games, whose searches keep an eighth of the budget back. A machine that is busy with other things adds what it
takes away from us: `nothing` is the same wait without any search. So the runs that were hardly disturbed, where the
thread had the processor all the time but a quarter of a millisecond, are shown on their own; on such a machine there
are some if the budget is small.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import treewise
from treewise import Search, evaluator, limit


@dataclass(frozen=True)
class Setting:
    name: str
    run: Callable[[int], Any]


class Mixed:
    """Most states are judged at once, one in eight takes three milliseconds."""

    def __init__(self) -> None:
        self.asked = 0

    def evaluate(self, states: list[Any]) -> list[list[float]]:
        self.asked += 1
        until = time.perf_counter() + (0.003 if self.asked % 8 == 0 else 0)
        while time.perf_counter() < until:
            pass
        return [[0.0, 0.0]] * len(states)


def settings(budget: float) -> list[Setting]:
    state = treewise.load_game("go(size=9)").initial_state()
    found = [Setting("nothing", lambda _: spin(budget))]
    for count in (1, 10, 40, 100, 160):
        search = Search(evaluator=evaluator.Playouts(count=count), limit=limit.Seconds(budget), reuse=False)
        found.append(Setting(f"go 9x9, {count} playouts a leaf", running(search, state)))
    mixed = Search(evaluator=Mixed(), limit=limit.Seconds(budget), reuse=False)
    return [*found, Setting("short and long ones mixed", running(mixed, state)), *video_games(budget)]


def video_games(budget: float) -> list[Setting]:
    """What the budget is for. At the first tick of a match learning playouts look for features."""
    found = []
    for name in ("zelda", "boulderdash"):
        state = treewise.load_game(f"vgdl(game='{name}', level=0)").initial_state()
        sample, learning = treewise.gvgai_sample(seconds=budget), treewise.td_mcts(seconds=budget)
        found += [
            Setting(f"{name}, gvgai_sample", running(sample, state)),
            Setting(f"{name}, td_mcts", running(learning, state)),
            Setting(f"{name}, td_mcts, first tick", beginning(learning, state)),
            Setting(f"{name}, explorer", running(treewise.explorer(seconds=budget), state)),
        ]
    return found


def running(search: Search, state: treewise.State) -> Callable[[int], Any]:
    session = search.session(seed=1)
    return lambda _: session.run(state)


def beginning(search: Search, state: treewise.State) -> Callable[[int], Any]:
    return lambda seed: search.session(seed=seed).run(state)


def spin(seconds: float) -> None:
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        pass


def measure(setting: Setting, budget: float, runs: int) -> str:
    over, undisturbed, simulations = [], [], 0
    for repeat in range(runs):
        start, used = time.perf_counter(), time.thread_time()
        result = setting.run(repeat)
        wall, used = time.perf_counter() - start, time.thread_time() - used
        over.append(1000 * (wall - budget))
        if wall - used < 0.00025:
            undisturbed.append(over[-1])
        simulations += result.stats.simulations if result is not None else 0
    each = f"{1000 * budget * runs / simulations:8.3f}" if simulations else " " * 8
    return f"{setting.name:32} {each} | {spread(over)} | {spread(undisturbed)}"


def spread(over: list[float]) -> str:
    if not over:
        return f"{0:6}" + " " * 36
    ranked = sorted(over)
    middle, late = ranked[len(ranked) // 2], ranked[int(0.99 * len(ranked))]
    return f"{len(over):6} {middle:8.2f} {late:8.2f} {ranked[-1]:8.2f} {sum(x > 5 for x in over) / len(over):8.1%}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=500, help="searches for each setting (default: 500)")
    parser.add_argument("--budget", type=float, default=0.04, help="seconds for each search (default: 0.04)")
    args = parser.parse_args()
    head = f"{'runs':>6} {'p50':>8} {'p99':>8} {'max':>8} {'> 5':>8}"
    print(f"{'milliseconds':32} {'a sim.':>8} | {head} | {head} (undisturbed)")
    for setting in settings(args.budget):
        print(measure(setting, args.budget, args.runs), flush=True)


if __name__ == "__main__":
    main()
