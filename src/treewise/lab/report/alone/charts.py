"""The figures about entrants that play alone."""

from __future__ import annotations

import math
from collections.abc import Callable

from treewise.lab.outcome import Played
from treewise.lab.report.alone.board import Board, Measure
from treewise.lab.report.document import Bar, BarGroup, Bars, Histograms
from treewise.lab.report.figures import histograms
from treewise.lab.statistics import Runs, normalised

__all__ = ["bars", "lengths", "seconds_an_action", "simulations_an_action"]

_ERRORS = "Means with standard errors over runs."


def bars(board: Board) -> list[Bars]:
    """Win percentages and scores, a group of bars for each game and a bar for each entrant."""
    wins = tuple(_group(game, _runs(board, game, "wins")) for game in board.rows)
    scores = tuple(_group(game, _normalised(board, game)) for game in board.games)
    scale = f"{_ERRORS} 0 is the least score of any run in the game, by any entrant, 1 the greatest."
    made = [
        Bars("Win percentages", "won, %", wins, _ERRORS),
        Bars("Normalised scores", "score, from least to greatest", scores, scale),
    ]
    return [chart for chart in made if any(group.bars for group in chart.groups)]


def _runs(board: Board, game: str, measure: Measure) -> dict[str, Runs]:
    found = {entrant: board.entries.get((game, entrant)) for entrant in board.entrants}
    return {entrant: entry.runs(measure) for entrant, entry in found.items() if entry}


def _normalised(board: Board, game: str) -> dict[str, Runs]:
    found = _runs(board, game, "score")
    return dict(zip(found, normalised(list(found.values())), strict=True))


def _group(game: str, found: dict[str, Runs]) -> BarGroup:
    made = (
        Bar(entrant, runs.mean, 0.0 if math.isnan(runs.error) else runs.error)
        for entrant, runs in found.items()
        if runs.values
    )
    return BarGroup(game, tuple(made))


def lengths(board: Board) -> Histograms:
    """How many actions the matches had."""
    return _histograms(board, "Lengths of matches", "steps", lambda match: float(match.length))


def seconds_an_action(board: Board) -> Histograms:
    """How long each entrant thought about an action, match by match."""
    return _histograms(
        board, "Time an action", "ms an action", lambda match: 1000 * match.seconds[0] / max(1, match.moves[0])
    )


def simulations_an_action(board: Board) -> Histograms:
    """How many simulations each entrant ran for an action, match by match."""
    return _histograms(
        board,
        "Simulations an action",
        "simulations an action",
        lambda match: match.simulations[0] / max(1, match.moves[0]),
    )


def _histograms(board: Board, title: str, axis: str, value: Callable[[Played], float]) -> Histograms:
    def of_game(game: str) -> dict[str, list[float]]:
        found = {entrant: board.entries.get((game, entrant)) for entrant in board.entrants}
        return {name: [value(match) for match in entry.played] for name, entry in found.items() if entry}

    return histograms(board.games, title, axis, of_game)
