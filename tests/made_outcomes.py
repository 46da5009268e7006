"""Outcomes of experiments that nobody played, for tests of statistics and reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from treewise.lab.outcome import Cell, CellOutcome, ExperimentOutcome, Played, Reference


def played(scores: Sequence[float], indices: Sequence[int] | None = None, **changes: Any) -> tuple[Played, ...]:
    """Matches with these scores; lengths and times vary a little, always in the same way."""
    made = []
    for index, score in zip(indices or range(len(scores)), scores, strict=True):
        moves = 20 + index * 7 % 11
        match = Played(
            index=index,
            seats=(index % 2, 1 - index % 2),
            score=score,
            returns=(2 * score - 1, 1 - 2 * score),
            length=2 * moves,
            cut=False,
            moves=(moves, moves),
            simulations=(1000 * moves, 1000 * moves),
            seconds=(0.02 * moves + 0.001 * (index % 5), 0.018 * moves),
            version="0.1.0",
            machine="test machine",
        )
        made.append(replace(match, **changes))
    return tuple(made)


def cell(game: str = "breakthrough", a: str = "bonus", b: str = "plain", **changes: Any) -> Cell:
    """A cell of 400 matches with equal simulations."""
    made = Cell(
        game=f"{game}(rows=8)",
        game_label=game.replace("_", " ").title(),
        budget="1,000 simulations",
        kind="simulations",
        a=a,
        b=b,
        a_text="mcts(playout=mast, bonus=[bonus(k=2.0)], limit=simulations(count=1000))",
        b_text="mcts(playout=mast, limit=simulations(count=1000))",
        matches=400,
    )
    return replace(made, **changes)


def scores(rate: float, count: int, draws: float = 0.0, seed: int = 0) -> list[float]:
    """Random scores with this mean, a share of them draws."""
    rng = np.random.default_rng(seed)
    win = (rate - draws / 2) / (1 - draws)
    drawn = rng.random(count) < draws
    return [float(score) for score in np.where(drawn, 0.5, rng.random(count) < win)]


def experiment(*cells: CellOutcome, **changes: Any) -> ExperimentOutcome:
    """These cells as an experiment."""
    made = ExperimentOutcome(
        name="quality", title="Quality rewards", description="", seed=7, opening=2, reuse=True, cells=cells
    )
    return replace(made, **changes)


GAMES = {"amazons": 0.645, "breakthrough": 0.748, "cannon": 0.659, "checkers": 0.538, "pentalath": 0.466}


def paper_like(count: int = 400, budgets: Sequence[int] = (1000,)) -> ExperimentOutcome:
    """Five games, two entrants against a base with published figures, and a control."""
    cells = []
    for budget in budgets:
        for seed, (game, rate) in enumerate(GAMES.items()):
            for shift, a in ((0.0, "online"), (-0.03, "fixed")):
                made = cell(
                    game,
                    a,
                    budget=f"{budget:,} simulations",
                    matches=count,
                    reference=Reference(round(100 * rate, 1), 1.4, "Table 3"),
                )
                drawn = 0.6 if game == "checkers" else 0.0
                cells.append(CellOutcome(made, played(scores(rate + shift, count, drawn, seed + budget))))
        control = cell("amazons", "plain", budget=f"{budget:,} simulations", matches=count, control=True)
        cells.append(CellOutcome(control, played([1.0, 0.0] * (count // 2))))
    return experiment(*cells)


def alone(
    results: dict[tuple[str, str], list[list[str]]],
    points: dict[tuple[str, str], float] | None = None,
    matches: int = 4,
) -> ExperimentOutcome:
    """Entrants that play alone: by game and entrant, the results of each level's matches, and the points of each."""
    cells = []
    for (game, entrant), levels in results.items():
        for number, ended in enumerate(levels, start=1):
            made = cell(game.lower(), entrant, b="", b_text="", matches=matches, players=1, seed=number)
            made = replace(made, part=number if len(levels) > 1 else 0, game=f"{game.lower()}(level={number})")
            cells.append(CellOutcome(made, _alone_played(ended, (points or {}).get((game, entrant), 0.0))))
    return experiment(*cells, pairing="alone", base="base")


def _alone_played(results: Sequence[str], points: float) -> tuple[Played, ...]:
    matches = played([float(result == "won") for result in results])
    one_side = [
        replace(each, seats=(0,), returns=each.returns[:1], moves=each.moves[:1], simulations=each.simulations[:1])
        for each in matches
    ]
    return tuple(
        replace(each, seconds=each.seconds[:1], result=result, points=points)
        for each, result in zip(one_side, results, strict=True)
    )
