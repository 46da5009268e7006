"""What the quality-based bonuses cost: simulations a second with them, against the same search without.

The searches are those of Pepels et al. 2014: UCT, the game's own playout policy, MAST where the authors used it, and a
solver. What is judged has bonuses too small to change any comparison (one of size zero would be skipped): they are
computed like any other, and the tree stays the same, node for node, so that nothing but their cost is compared. Bonuses
of the usual size make another tree, with other playouts. They are not so small that their squares would leave the range
of numbers: processors are slow at that.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

from timing import Options, Row, Spread, in_turns, ratio

import treewise
from treewise import limit, playout, proof
from treewise.bonus import QualityBonus, RelativeBonus
from treewise.part import Part
from treewise.search import Search
from treewise.selection import UCB1

SUBJECT = "quality-based bonuses against none"
TINY = 1e-100
SLICES = 8
"""What is compared runs in so many short turns within one repeat."""


@dataclass(frozen=True)
class Setting:
    """A game with the authors' exploration constant (on the scale [0, 1]), share of greedy MAST choices, and k's."""

    game: str
    c: float
    greedy: float
    k_length: float
    k_quality: float
    simulations: int

    def search(self) -> Search:
        policy: Part = playout.GamePolicy()
        if self.greedy:
            policy = playout.MAST(epsilon=1 - self.greedy, unseen=0.5, decay=0.0, inner=policy)
        return Search(selection=UCB1(self.c), playout=policy, proof=proof.Solver())


SETTINGS = [
    Setting("amazons", 0.25, 0.7, 2.2, 1.6, 600),
    Setting("breakthrough", 0.5, 0.3, 8.0, 2.0, 15_000),
    Setting("cannon(mate_rule=True)", 0.4, 0.0, 3.0, 4.0, 3_000),
    Setting("checkers", 0.5, 0.0, 2.8, 2.0, 20_000),
    Setting("chinese_checkers", 0.4, 0.0, 1.2, 2.8, 2_500),
    Setting("pentalath", 0.4, 0.05, 1.0, 1.6, 10_000),
]


def measure(options: Options) -> list[Row]:
    return [row for setting in SETTINGS for row in compare(setting, options)]


def compare(setting: Setting, options: Options) -> list[Row]:
    slices, simulations = options.count(SLICES, 1), options.count(setting.simulations, 50)
    kinds = {"": (), **bonuses(setting)}
    times = in_turns(slices * options.repeats, *(timed(setting, parts, simulations) for parts in kinds.values()))
    plain, *others = ([slices * simulations / sum(part) for part in batched(each, slices)] for each in times)
    return [row(setting, name, rates, plain) for name, rates in zip(bonuses(setting), others, strict=True)]


def bonuses(setting: Setting) -> dict[str, tuple[Part, ...]]:
    k, q = setting.k_length, setting.k_quality
    return {
        "relative bonus": (RelativeBonus(k, a=TINY),),
        "quality bonus": (QualityBonus(q, a=TINY),),
        "both": (RelativeBonus(k, a=TINY), QualityBonus(q, a=TINY)),
        "both, online": (RelativeBonus(k, a="online"), QualityBonus(q, a="online")),
    }


def row(setting: Setting, name: str, rates: list[float], plain: list[float]) -> Row:
    share = ratio(rates, plain)
    percent = Spread(100 * share.median, 100 * share.low, 100 * share.high)
    parts = {"with/s": median(rates), "without/s": median(plain)}
    game = treewise.load_game(setting.game).name
    return Row(SUBJECT, f"{game}, {name}", "%", percent, None if "online" in name else 97.0, parts=parts)


def timed(setting: Setting, parts: tuple[Part, ...], simulations: int) -> Callable[[int], float]:
    """CPU seconds of one search from the start."""
    state = treewise.load_game(setting.game).initial_state()
    search = setting.search().replace(bonus=parts, limit=limit.Simulations(simulations))

    def run(repeat: int) -> float:
        start = time.process_time()
        search.run(state, seed=repeat)
        return time.process_time() - start

    return run


def batched(values: list[float], size: int) -> Iterator[list[float]]:
    return (values[i : i + size] for i in range(0, len(values), size))
