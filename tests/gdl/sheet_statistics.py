"""How random playouts of a rulesheet end, and after how many steps.

`PYTHONPATH=src python tests/gdl/sheet_statistics.py FOLDER SECONDS` records what is missing: of the public rulesheets
of the fourteen games in FOLDER, with the prover, so that neither our sheets nor the fast machine had a part in them.
Each game gets so many seconds, and at most a thousand playouts.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from treewise.game import Game
from treewise.gdl import load_machine

RECORDED = Path(__file__).with_name("sheet_statistics.json")
PUBLIC = {
    "zhadu": "01_zhadu/zhadu.kif",
    "ttcc4": "02_ttcc4/ttcc4_2player.kif",
    "skirmish": "03_skirmish/skirmish.kif",
    "sheepwolf": "04_sheepwolf/sheepAndWolf.kif",
    "quad": "05_quad/quad.kif",
    "merrills": "06_merrills/merrills.kif",
    "knightthrough": "07_knightthrough/knightThrough.kif",
    "connect5": "08_connect5/connect5.kif",
    "checkers": "09_checkers/checkers.kif",
    "breakthrough": "10_breakthrough/breakthrough.kif",
    "tictactoe3d": "11_tictactoe3d/tictactoe_3d_2player.kif",
    "chinesecheckers": "12_chinesecheckers2/chineseCheckers2.kif",
    "battle": "13_battle/battle.kif",
    "chinook": "14_chinook/chinook.kif",
}


class Figure(NamedTuple):
    """A mean and its standard error."""

    mean: float
    error: float

    def differs(self, other: Figure) -> float:
        """How far two means are apart, in standard errors of their difference."""
        error = math.hypot(self.error, other.error)
        return 0.0 if self.mean == other.mean else abs(self.mean - other.mean) / error if error else math.inf


def measure(game: Game, playouts: int, seed: int) -> dict[str, Figure]:
    """The length in joint actions, the wins of either role, and their goals."""
    return _figures(list(_samples(game, playouts, seed)))


def _figures(samples: list[dict[str, float]]) -> dict[str, Figure]:
    return {name: _figure([sample[name] for sample in samples]) for name in samples[0]}


def _samples(game: Game, playouts: int, seed: int) -> Iterator[dict[str, float]]:
    for i in range(playouts):
        state = game.initial_state()
        length = state.playout(seed=seed + i)
        first, second = state.returns()
        yield {
            "length": length,
            "wins of the first": float(first > second),
            "wins of the second": float(second > first),
            "goal of the first": first,
            "goal of the second": second,
        }


def _figure(values: list[float]) -> Figure:
    mean = math.fsum(values) / len(values)
    variance = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return Figure(mean, math.sqrt(variance / len(values)))


def recorded() -> dict[str, dict[str, Figure]]:
    """The figures of each game's public rulesheet."""
    read = json.loads(RECORDED.read_text(encoding="utf-8"))
    return {name: {key: Figure(*value) for key, value in found["figures"].items()} for name, found in read.items()}


def _record(folder: Path, seconds: float) -> None:
    found = json.loads(RECORDED.read_text(encoding="utf-8")) if RECORDED.exists() else {}
    for name in PUBLIC.keys() - found.keys():
        machine = load_machine(folder / PUBLIC[name], "prover")
        end = time.process_time() + seconds
        samples = list(takewhile(lambda _: time.process_time() < end, _samples(machine.game, 1000, seed=1_000_000)))  # noqa: B023
        figures = {key: [round(value, 6) for value in figure] for key, figure in _figures(samples).items()}
        found[name] = {"playouts": len(samples), "figures": figures}
        RECORDED.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    _record(Path(sys.argv[1]), float(sys.argv[2]))
