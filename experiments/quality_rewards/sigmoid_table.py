"""A trial: what if the bonus of Breakthrough went through the sigmoid of the author's program?

His table of the sigmoid turns the sign where |k λ| > 10. With k = 8, the Relative Bonus in Breakthrough, that is every
simulation whose length is more than 1.25 deviations from the mean. Here the bonus is computed in Python, as printed in
the paper or with that table, and plays against the plain search of table_1.toml. Every match is a line of
sigmoid_table.csv; the same command goes on with what is missing there.

python experiments/quality_rewards/sigmoid_table.py --a online --table
"""

from __future__ import annotations

import argparse
import csv
import math
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import treewise
from treewise import bonus, limit, playout, proof, selection
from treewise.lab.statistics import Sample, rate
from treewise.processes import spawn_pool

RESULTS = Path(__file__).with_suffix(".csv")
COLUMNS = ("simulations", "a", "sigmoid", "match", "score")
K = 8.0
SATURATION = 10.0
PLAIN = treewise.Search(
    selection=selection.UCB1(0.5),
    playout=playout.MAST(epsilon=0.7, unseen=0.5, decay=0.0, inner=playout.GamePolicy()),
    proof=proof.Solver(),
)


@dataclass
class Moments:
    """Welford's running mean and deviation."""

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, x: float) -> None:
        self.count += 1
        delta = x - self.mean
        self.mean += delta / self.count
        self.squares += delta * (x - self.mean)

    def standardized(self, x: float) -> float:
        return (x - self.mean) * math.sqrt((self.count - 1) / self.squares) if self.squares > 0 else 0.0


@dataclass
class RelativeBonusInPython:
    """`RelativeBonus` of one run, with the sigmoid as printed or as the author's table has it."""

    a: float | None
    """None: online."""
    player: int
    simulations: int
    table: bool
    seen: int = 0
    by_winner: list[Moments] = field(default_factory=lambda: [Moments(), Moments()])
    together: Moments = field(default_factory=Moments)
    won_mean: float = 0.0
    products: float = 0.0

    def result(self, record: bonus.Record) -> list[float]:
        """One simulation: altered by what was seen before it, then counted."""
        altered = self.seen >= 0.05 * self.simulations
        self.seen += 1
        winner, values = record.winner, record.values
        if winner is None:
            return values
        y = -record.length
        if altered:
            change = self.size() * self.sigmoid(self.by_winner[winner].standardized(y)) / 2
            values = [value + (change if player == winner else -change) for player, value in enumerate(values)]
        self.by_winner[winner].add(y)
        self.add_together(y, y if winner == self.player else 0.0)
        return values

    def sigmoid(self, standardized: float) -> float:
        x = K * standardized
        b = -1 + 2 / (1 + math.exp(-max(-700.0, min(700.0, x))))
        return -b if self.table and abs(x) > SATURATION else b

    def size(self) -> float:
        if self.a is not None:
            return self.a
        return abs(self.products / self.together.squares) if self.together.squares > 0 else 0.0

    def add_together(self, y: float, won: float) -> None:
        delta = y - self.together.mean
        self.together.add(y)
        self.won_mean += (won - self.won_mean) / self.together.count
        self.products += delta * (won - self.won_mean)


@dataclass(frozen=True)
class Trial:
    simulations: int
    a: float | None
    table: bool

    def search(self, state: treewise.State, bonused: bool) -> treewise.Search:
        """The search for one move: statistics are forgotten between moves."""
        player = state.current_player()
        added = [RelativeBonusInPython(self.a, player, self.simulations, self.table)] if bonused else []
        return PLAIN.replace(bonus=added, limit=limit.Simulations(self.simulations))

    def match(self, index: int) -> float:
        """The score of the search with the bonus; it begins in every other match, and pairs share a seed."""
        game = treewise.load_game("breakthrough")
        state, step = game.initial_state(), 0
        while not state.is_terminal():
            bonused = state.current_player() == index % 2
            result = self.search(state, bonused).run(state, seed=1000 * (index // 2) + step)
            assert isinstance(result.action, int)
            state.apply(result.action)
            step += 1
        return (1 + state.returns()[index % 2]) / 2


def play(trial: Trial, index: int) -> float:
    return trial.match(index)


def scores_of(trial: Trial, results: Path = RESULTS) -> dict[int, float]:
    """The scores of the matches that have been played, by their place in the schedule."""
    if not results.exists():
        return {}
    with results.open(encoding="utf-8", newline="") as file:
        rows = [tuple(row.values()) for row in csv.DictReader(file)]
    return {int(match): float(score) for *of, match, score in rows if of == list(name(trial))}


def name(trial: Trial) -> tuple[str, str, str]:
    """What says in the results which trial a match is of."""
    a = "online" if trial.a is None else f"{trial.a:g}"
    return str(trial.simulations), a, "table" if trial.table else "printed"


def play_missing(trial: Trial, matches: int, processes: int, results: Path = RESULTS) -> None:
    """Plays what is missing of so many matches, and writes each of them down at once."""
    scores = scores_of(trial, results)
    missing = [index for index in range(matches) if index not in scores]
    if not results.exists():
        results.write_text(",".join(COLUMNS) + "\n", encoding="utf-8")
    with spawn_pool(processes) as pool, results.open("a", encoding="utf-8", newline="") as file:
        for index, score in zip(missing, pool.map(partial(play, trial), missing), strict=True):
            csv.writer(file, lineterminator="\n").writerow((*name(trial), index, f"{score:g}"))
            file.flush()
            scores[index] = score
            if len(scores) % 20 == 0:
                print(f"{len(scores)} of {matches} matches: {summary(scores)}", flush=True)


def summary(scores: dict[int, float]) -> str:
    """The win rate in per cent with the interval that counts in pairs."""
    return rate(Sample.of([scores[index] for index in sorted(scores)])).text()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulations", type=int, default=25_000, metavar="N", help="of both searches for a move")
    parser.add_argument("--a", default="online", help="the bonus's size: a number, or 'online'")
    parser.add_argument("--table", action="store_true", help="turn the sign where the author's table does")
    parser.add_argument("--matches", type=int, default=200, metavar="N", help="an even number")
    parser.add_argument("--processes", type=int, default=2, metavar="N")
    given = parser.parse_args()
    trial = Trial(given.simulations, None if given.a == "online" else float(given.a), given.table)
    play_missing(trial, given.matches, given.processes)
    print(f"{given.a}: {summary(scores_of(trial))}")


if __name__ == "__main__":
    main()
