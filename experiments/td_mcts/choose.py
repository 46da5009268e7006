"""Plays the readings of TD-MCTS, and the hundred runs of the one that the rule of readings_original.toml chooses.

python experiments/td_mcts/choose.py --store STORE --folder FOLDER

The same command goes on where it was interrupted. `--only show` plays nothing and says how the readings stand.
"""

from __future__ import annotations

import argparse
import math
import os
import time
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from treewise.lab import LocalExecutor, load, read_experiment, run
from treewise.lab.document import read_document
from treewise.lab.executor import Executor
from treewise.lab.experiment import fill
from treewise.lab.outcome import Figure
from treewise.lab.published import OVERALL
from treewise.lab.report.alone.board import MEASURES, Board, board
from treewise.lab.statistics import Runs
from treewise.lab.store import Store
from treewise.processes import cores

HERE = Path(__file__).parent
PLAYOUTS = (50, 25)
PAPER = "TD-MCTS"
"""The entrant that the paper's figures are of, and the reading that was played before there were others."""
ROUNDING = 0.05
CLOSE = 0.05
SEED = 2018
"""Of the hundred."""
Figures = dict[tuple[str, str, int], float]
"""By row, measure and playouts."""


@dataclass(frozen=True)
class Rules:
    """One experiment file, and which of its runs a reading that comes into question is chosen by."""

    file: str
    first: int
    last: int


@dataclass(frozen=True)
class Plan:
    """How many runs each step of the rule has."""

    first: int = 4
    kept: int = 6
    rules: tuple[Rules, ...] = (Rules("readings_original", 4, 16), Rules("readings_2016", 0, 12))


@dataclass(frozen=True)
class Standing:
    """How near a reading comes to the paper."""

    reading: str
    rules: Rules
    distance: float
    """Mean squared z."""
    wins: float
    """Overall, in per cent, with 50 and with 25 playouts in the mean."""
    runs: int


class Player:
    """Plays parts of experiments into one store until a moment is reached; without an executor it only reads."""

    def __init__(self, folder: Path, store: Path, executor: Executor | None, until: float = math.inf) -> None:
        self.folder, self.store, self.executor, self.until = folder, store, executor, until

    def play(self, name: str, entrants: Iterable[str], matches: int) -> None:
        """So many matches of these entrants in each game of an experiment; the store keeps all that the file asks."""
        if not self.executor:
            return
        file, chosen = self.folder / f"{name}.toml", set(entrants)
        experiment = read_experiment(file)
        with Store(self.store, write=True) as opened:
            opened.save(experiment, file.read_text(encoding="utf-8"))
        left = self.until - time.monotonic()
        if left <= 0:
            return
        cells = tuple(replace(cell, matches=matches) for cell in experiment.cells if cell.a in chosen)
        seconds = None if math.isinf(left) else left
        stopped = run(replace(experiment, cells=cells), self.store, self.executor, source=None, seconds=seconds)
        print(f"{name}: {stopped.played:,} matches of {len(chosen)} entrants played", flush=True)

    def board(self, name: str) -> Board:
        """Who did how well in an experiment."""
        return board(load(self.store, read_document(self.folder / f"{name}.toml").name))


def entrants_of(reading: str) -> list[str]:
    """What a reading is called with 50 and with 25 playouts."""
    return [f"{reading} ({playouts})" for playouts in PLAYOUTS]


def readings(found: Board) -> list[str]:
    """Those with both numbers of playouts."""
    names = [entrant.removesuffix(" (50)") for entrant in found.entrants]
    return [name for name in dict.fromkeys(names) if all(entrant in found.entrants for entrant in entrants_of(name))]


def paper_figures(found: Board) -> dict[tuple[str, str, int], Figure]:
    """Means with their standard errors; that of the row of all games is the error of a mean of so many."""
    figures: dict[tuple[str, str, int], Figure] = {}
    for measure in MEASURES:
        for playouts in PLAYOUTS:
            for row in found.rows:
                (_, figure), *_ = found.published(row, f"{PAPER} ({playouts})", measure)
                figures[row, measure, playouts] = figure
            errors = [figures[game, measure, playouts].error or 0 for game in found.games]
            overall = figures[OVERALL, measure, playouts]
            figures[OVERALL, measure, playouts] = replace(overall, error=math.hypot(*errors) / len(errors))
    return figures


def part(runs: Runs, first: int, last: int) -> list[float]:
    """The runs from one place in the schedule to before another."""
    return [value for index, value in zip(runs.indices, runs.values, strict=True) if first <= index < last]


def samples(found: Board, reading: str, first: int, last: int) -> dict[tuple[str, str, int], list[float]]:
    """The runs of each figure of a reading."""
    return {
        (row, measure, playouts): part(found.entries[row, f"{reading} ({playouts})"].runs(measure), first, last)
        for row in found.rows
        for measure in MEASURES
        for playouts in PLAYOUTS
    }


def standings(boards: Mapping[Rules, Board], names: Sequence[str]) -> list[Standing]:
    """Steps 2 and 4 of the rule: the readings by their mean squared z, over as many runs as all of them have."""
    found = {
        (name, rules): samples(played, name, rules.first, rules.last)
        for rules, played in boards.items()
        for name in names
    }
    count = min(len(values) for each in found.values() for values in each.values())
    if count < 2:
        return []
    cut = {key: {what: values[:count] for what, values in each.items()} for key, each in found.items()}
    figures, variances = paper_figures(next(iter(boards.values()))), pooled(cut.values())
    return [
        Standing(name, rules, mean_squared_z(each, figures, variances), overall_wins(each), count)
        for (name, rules), each in cut.items()
    ]


def pooled(found: Iterable[Mapping[tuple[str, str, int], Sequence[float]]]) -> Figures:
    """The variance of a run of each figure, as all readings have it in the mean."""
    each = list(found)
    return {key: float(np.mean([np.var(runs[key], ddof=1) for runs in each])) for key in each[0]}


def mean_squared_z(
    found: Mapping[tuple[str, str, int], Sequence[float]],
    figures: Mapping[tuple[str, str, int], Figure],
    variances: Figures,
) -> float:
    """Over all figures of a reading."""
    squares = []
    for key, runs in found.items():
        error = variances[key] / len(runs) + (figures[key].error or 0) ** 2 + ROUNDING**2
        squares.append((float(np.mean(runs)) - figures[key].value) ** 2 / error)
    return float(np.mean(squares))


def overall_wins(found: Mapping[tuple[str, str, int], Sequence[float]]) -> float:
    """In per cent, with 50 and with 25 playouts in the mean."""
    return float(np.mean([np.mean(found[OVERALL, "wins", playouts]) for playouts in PLAYOUTS]))


def ranked(found: Iterable[Standing]) -> list[Standing]:
    """The nearest first; of those within `CLOSE` of the nearest, the one that wins most."""
    by_distance = sorted(found, key=lambda each: (each.distance, -each.wins))
    if not by_distance:
        return []
    close = [each for each in by_distance if each.distance <= by_distance[0].distance + CLOSE]
    first = max(close, key=lambda each: each.wins)
    return [first, *(each for each in by_distance if each is not first)]


def trials(player: Player, plan: Plan) -> list[Standing]:
    """Steps 1 to 4 of the rule, the chosen reading first; what is missing of them is played while there is time."""
    name = plan.rules[0].file
    document = read_document(player.folder / f"{name}.toml")
    player.play(name, document.entrants, plan.first)
    found = player.board(name)
    first = ranked(standings({Rules(name, 0, plan.first): found}, readings(found)))
    if not first:
        raise SystemExit(f"{name}: fewer than two runs of some readings are finished: nothing can be chosen yet")
    tell("All readings", first)
    kept = [each.reading for each in first[: plan.kept]]
    chosen = [document.base, *(entrant for reading in kept for entrant in entrants_of(reading))]
    for rules in plan.rules:
        player.play(rules.file, chosen, rules.last)
    second = ranked(standings({rules: player.board(rules.file) for rules in plan.rules}, kept))
    if not second:
        print("the second step has fewer than two runs of some readings: the first one decides")
        return first
    tell("Those that come into question", second)
    return second


def tell(title: str, found: Sequence[Standing]) -> None:
    """Prints a step of the rule."""
    print(f"{title}:\n  mean z²  wins %  runs")
    for each in found:
        print(
            f"  {each.distance:7.3f}  {each.wins:6.2f}  {each.runs:4}  {each.reading} [{each.rules.file}]", flush=True
        )


def hundred(folder: Path, chosen: Standing, matches: int = 100) -> str:
    """The experiment file of the chosen reading: the file it was chosen in with other seeds, and the older reading."""
    file = folder / f"{chosen.rules.file}.toml"
    document, text = read_document(file), file.read_text(encoding="utf-8")
    values = tomllib.loads(text)["values"]
    asked = {document.base: document.base} | dict(zip(entrants_of(PAPER), entrants_of(chosen.reading), strict=True))
    if chosen.reading != PAPER:
        asked |= dict(zip(entrants_of("as before"), entrants_of(PAPER), strict=True))
    entrants = "".join(f'"{name}" = "{fill(document.entrants[old], values)}"\n' for name, old in asked.items())
    return HEAD.format(
        reading=chosen.reading,
        file=chosen.rules.file,
        seed=SEED,
        base=document.base,
        matches=matches,
        folder=f'folder = "{document.folder}"\n' if document.folder else "",
        sources=text[text.index("[sources]") : text.index("[values]")],
        entrants=entrants,
        games=text[text.index("[[games]]") :],
    )


HEAD = """\
# The reading of TD-MCTS that the rule of {file}.toml chose, "{reading}", with other seeds. Made by choose.py.
#   treewise lab run experiments/td_mcts/chosen_original.toml --folder FOLDER      (or set TREEWISE_VGDL to the folder)
name = "td_mcts_chosen_original"
title = "TD-MCTS: Table II on the original levels, as the trials read it"
description = \"\"\"
TD-MCTS in the reading that came nearest to the paper in trials ("{reading}" of {file}.toml), chosen by a rule that was
written down before them; "as before" is the reading of table_2_original.toml.
\"\"\"
seed = {seed}
pairing = "alone"
base = "{base}"
matches = {matches}
{folder}
{sources}[entrants]
{entrants}
{games}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", type=Path, default=HERE / "readings.sqlite", help="where matches are kept")
    parser.add_argument("--folder", type=Path, required=True, help="where the games' files are")
    parser.add_argument("--processes", type=int, default=cores(), help="matches at a time")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no match after so many minutes")
    parser.add_argument(
        "--only", choices=("trials", "hundred", "show"), help="play only these; hundred: of what is chosen"
    )
    given = parser.parse_args()
    store, until = given.store.absolute(), time.monotonic() + 60 * given.minutes
    os.chdir(given.folder)
    executor = LocalExecutor(given.processes)
    try:
        past = given.only in ("hundred", "show")
        player = Player(HERE, store, executor, -math.inf if past else until)
        chosen = trials(player, Plan())[0]
        (HERE / "chosen_original.toml").write_text(hundred(HERE, chosen), encoding="utf-8")
        if given.only in (None, "hundred"):
            player.until = until
            names = list(read_document(HERE / "chosen_original.toml").entrants)
            for entrants in (names[:3], names):
                player.play("chosen_original", entrants, 100)
    finally:
        executor.close()


if __name__ == "__main__":
    main()
