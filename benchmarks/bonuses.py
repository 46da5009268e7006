"""What the quality-based bonuses cost: simulations a second with them, against the same search without.

The searches are those of Pepels et al. 2014: UCT, the game's own playout policy, MAST where the authors used it, and a
solver. What is judged is computed like any other bonus but changes no comparison, and the tree stays the same, node for
node, so that nothing but the cost is compared; bonuses of the usual size make another tree, with other playouts. Where
the size is given it is tiny (one of zero would be skipped), though not so small that its squares would leave the range
of numbers: processors are slow at that. Where it is found online the sigmoid has slope zero, which adds zero; an
exponential of zero takes as long as any other.

Plain searches with uniform playouts, two to five times as fast, are not judged.

A hundred short turns make a repeat, each a search from the start with the same seed for all, in random order. A
repeat's figure is the median of the turns' ratios. The search without bonus takes part twice: what its second figure
lacks to 100 %, or has above it, is the error of the others.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from statistics import median

import machine
from table import line
from timing import Options, Row, Spread, in_turns

import treewise
from treewise import limit, playout, proof
from treewise.bonus import CombinedBonus, QualityBonus, RelativeBonus
from treewise.part import Part
from treewise.search import Search
from treewise.selection import UCB1

SUBJECT = "quality-based bonuses against none"
TINY = 1e-100
TURNS = 100
CONTROL = "plain again"

Bonuses = dict[str, tuple[Part, ...]]


@dataclass(frozen=True)
class Setting:
    """A game with the authors' exploration constant (on the scale [0, 1]), share of greedy MAST choices, and k's."""

    game: str
    c: float
    greedy: float
    k_length: float
    k_quality: float
    simulations: int  # of a turn: three to ten milliseconds

    def search(self) -> Search:
        policy: Part = playout.GamePolicy()
        if self.greedy:
            policy = playout.MAST(epsilon=1 - self.greedy, unseen=0.5, decay=0.0, inner=policy)
        return Search(selection=UCB1(self.c), playout=policy, proof=proof.Solver())


SETTINGS = [
    Setting("amazons", 0.25, 0.7, 2.2, 1.6, 150),
    Setting("breakthrough", 0.5, 0.3, 8.0, 2.0, 3_750),
    Setting("cannon(mate_rule=True)", 0.4, 0.0, 3.0, 4.0, 750),
    Setting("checkers", 0.5, 0.0, 2.8, 2.0, 5_000),
    Setting("chinese_checkers", 0.4, 0.0, 1.2, 2.8, 625),
    Setting("pentalath", 0.4, 0.05, 1.0, 1.6, 2_500),
]


@dataclass(frozen=True)
class Comparison:
    """A search without bonus, and with each of several."""

    name: str
    game: str
    search: Search
    simulations: int
    bonuses: Bonuses
    target: float | None = None
    note: str = ""

    def rows(self, options: Options) -> list[Row]:
        turns, simulations = options.count(TURNS, 1), options.count(self.simulations, 50)
        kinds: Bonuses = {CONTROL: (), **self.bonuses}
        searches = [self.search.replace(bonus=parts) for parts in ((), *kinds.values())]
        runs = [timed(self.game, search, simulations) for search in searches]
        plain, *others = in_turns(turns * options.repeats, *runs, shuffled=Random(1))
        return [self.row(name, taken, plain, turns, simulations) for name, taken in zip(kinds, others, strict=True)]

    def row(self, kind: str, taken: list[float], plain: list[float], turns: int, simulations: int) -> Row:
        control = kind == CONTROL
        shares = [100 * a / b for a, b in zip(plain, taken, strict=True)]
        return Row(
            SUBJECT,
            f"{self.name}, {kind}",
            "%",
            Spread.of([median(repeat) for repeat in batched(shares, turns)]),
            target=None if control else self.target,
            parts={
                "again/s" if control else "with/s": simulations / median(taken),
                "without/s": simulations / median(plain),
            },
            note="" if control else self.note,
        )


def measure(options: Options) -> list[Row]:
    return [row for comparison in (*judged(), *unjudged()) for row in comparison.rows(options)]


def judged() -> Iterator[Comparison]:
    for setting in SETTINGS:
        name = treewise.load_game(setting.game).name
        k, q = setting.k_length, setting.k_quality
        bonuses: Bonuses = {
            **with_fixed_size(k, q),
            "both, online": (RelativeBonus(0.0, a="online"), QualityBonus(0.0, a="online")),
            "combined": (CombinedBonus(0.0, 0.0),),
        }
        yield Comparison(name, setting.game, setting.search(), setting.simulations, bonuses, target=97)


def unjudged() -> Iterator[Comparison]:
    """For whoever uses no policy."""
    for game in ("breakthrough", "checkers", "pentalath"):
        yield Comparison(f"{game}, uniform playouts", game, Search(), 8_000, with_fixed_size(2.0, 2.0))
    lengths = "steps are played one by one to know the length, instead of filling the board; another tree"
    bonuses: Bonuses = {"relative bonus": (RelativeBonus(a=TINY),)}
    yield Comparison("hex, uniform playouts", "hex", Search(), 8_000, bonuses, note=lengths)


def with_fixed_size(k_length: float, k_quality: float) -> Bonuses:
    relative, quality = RelativeBonus(k_length, a=TINY), QualityBonus(k_quality, a=TINY)
    return {"relative bonus": (relative,), "quality bonus": (quality,), "both": (relative, quality)}


def timed(game: str, search: Search, simulations: int) -> Callable[[int], float]:
    """CPU seconds of one search from the start."""
    state = treewise.load_game(game).initial_state()
    search = search.replace(limit=limit.Simulations(simulations))

    def run(repeat: int) -> float:
        start = time.process_time()
        search.run(state, seed=repeat)
        return time.process_time() - start

    return run


def batched(values: list[float], size: int) -> Iterator[list[float]]:
    return (values[i : i + size] for i in range(0, len(values), size))


if __name__ == "__main__":
    print(machine.describe())
    for each in measure(Options(quick="--quick" in sys.argv)):
        print(line(each))
