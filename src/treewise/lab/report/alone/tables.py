"""The tables about entrants that play alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from treewise.lab.outcome import Figure, Played
from treewise.lab.report.alone.board import Board, Entry, Measure
from treewise.lab.report.document import Column, Table, table
from treewise.lab.report.speed import simulations_a_second, three_digits
from treewise.lab.report.tables import p_text
from treewise.lab.statistics import Marked, Runs, holm

__all__ = ["TITLES", "by_game", "endings", "figures", "published", "tests"]

TITLES: dict[Measure, str] = {"wins": "Win percentages", "score": "Scores"}
_MINUS = str.maketrans("-", "−")
_NOTE = (
    "Mean with its standard error over runs. A run is one match on each game of a row: {measure}. Marks, against "
    "“{base}” by Welch's t-test: = equal; + better, ++ significantly better, − worse, −− significantly worse (p < 5 %, "
    "not corrected). Overall: the mean over the games, run by run."
)
_MEASURES: dict[Measure, str] = {
    "wins": "the share of them that was won, in per cent",
    "score": "the points of all of them together; a match won without points counts 1",
}


def figures(board: Board, measure: Measure) -> Table:
    """Games by entrants, as papers print it, with the figures of others below ours."""
    rows = []
    for game in board.rows:
        rows.append((game, *(_cell(board, game, entrant, measure) for entrant in board.entrants)))
    note = _NOTE.format(measure=_MEASURES[measure], base=board.base)
    told = "".join(f" “{name}”: {text}." for name, text in board.outcome.sources.items())
    columns = (Column("Game"), *(Column(entrant) for entrant in board.entrants))
    return Table(TITLES[measure], columns, tuple(rows), note + told)


def _cell(board: Board, game: str, entrant: str, measure: Measure) -> str:
    entry = board.entries.get((game, entrant))
    if entry is None:
        return ""
    lines = [f"{runs_text(entry.runs(measure))} {_mark(board.marked(game, entrant, measure))}".rstrip()]
    if not entry.complete:
        lines.append(f"{len(entry.score):,} of {entry.asked:,} runs")
    for source, figure in board.published(game, entrant, measure):
        found = board.beside(game, entrant, measure, figure)
        lines.append(f"{source} {figure_text(figure)}{f': {found.word}' if found else ''}")
    return "\n".join(lines)


def runs_text(runs: Runs) -> str:
    """A mean with its standard error.

    >>> runs_text(Runs((0, 1), (40.0, 60.0))), runs_text(Runs((), ()))
    ('50.0 ± 10.0', '–')
    """
    if not runs.values:
        return "–"
    return f"{runs.mean:.1f} ± {runs.error:.1f}" if not math.isnan(runs.error) else f"{runs.mean:.1f}"


def figure_text(figure: Figure) -> str:
    """A published figure.

    >>> figure_text(Figure(53.0, 2.2, "++")), figure_text(Figure(20.0))
    ('53.0 ± 2.2 ++', '20.0')
    """
    error = "" if figure.error is None else f" ± {'<' if figure.too_large else ''}{figure.error:.1f}"
    return f"{figure.value:.1f}{error} {figure.mark.translate(_MINUS)}".rstrip()


def _mark(found: Marked | None) -> str:
    return found.mark.translate(_MINUS) if found else ""


def published(board: Board, measure: Measure) -> Table | None:
    """Ours and theirs, one row each, with the difference."""
    rows = []
    for source in board.outcome.sources:
        for game in board.rows:
            for entrant in board.entrants:
                for given, figure in board.published(game, entrant, measure):
                    if given == source and (game, entrant) in board.entries:
                        rows.append((source, game, entrant, *_beside(board, game, entrant, measure, figure)))
    if not rows:
        return None
    note = (
        "Difference of the means with its 95 % interval, from both standard errors and half a unit of the last digit "
        "printed; not corrected: of twenty figures that are truly equal, about one is called different by chance. "
        "“Equal within”: two one-sided tests at 5 %, within ± 5 points (wins) or a tenth (scores); “equivalent”: that "
        "is shown, and no difference; “not shown”: neither. Errors behind “<” are known to be too large; no figure is "
        "called equal by them."
    )
    right = "Runs | Ours | Theirs | Difference | p"
    columns = f"Source | Game | Entrant | {right} | Equal within | Result | Mark, ours and theirs"
    return table(f"{TITLES[measure]} beside others", columns, rows, note, right=right)


def _beside(board: Board, game: str, entrant: str, measure: Measure, figure: Figure) -> tuple[str, ...]:
    runs, found = board.entries[game, entrant].runs(measure), board.beside(game, entrant, measure, figure)
    mark = _mark(board.marked(game, entrant, measure))
    marks = f"{mark or '–'} and {figure.mark.translate(_MINUS)}" if figure.mark else ""
    ours = (f"{len(runs):,}", runs_text(runs), figure_text(replace(figure, mark="")))
    if found is None or math.isinf(found.half_width):
        return (*ours, "–", "–", "–", found.word if found else "–", marks)
    equal = "shown" if found.equivalent else "not shown"
    return (*ours, f"{found.difference:+.1f} ± {found.half_width:.1f}", p_text(found.p), equal, found.word, marks)


def tests(board: Board) -> Table | None:
    """Every entrant against the base, with p values before and after correction."""
    found = [
        (game, entrant, measure, mark)
        for measure in board.measures
        for game in board.rows
        for entrant in board.entrants
        if (mark := board.marked(game, entrant, measure)) is not None
    ]
    if not found:
        return None
    corrected = holm([mark.p for *_, mark in found])
    rows = [
        (game, entrant, TITLES[measure], _difference(mark), p_text(mark.p), p_text(p), _mark(mark))
        for (game, entrant, measure, mark), p in zip(found, corrected, strict=True)
    ]
    columns = f"Game | Entrant | Measure | More than “{board.base}” | p | p (Holm) | Mark"
    note = (
        "By Welch's t-test, with its 95 % intervals; by a permutation test, without, where all runs of both are alike. "
        "Holm's correction is over this table; the marks are those of papers, without it."
    )
    return table("Tests", columns, rows, note, right=f"More than “{board.base}” | p | p (Holm)")


def _difference(mark: Marked) -> str:
    found = mark.difference
    return f"{found.value:+.1f} ± {found.half_width:.1f}" if math.isfinite(found.half_width) else f"{found.value:+.1f}"


def by_game(board: Board) -> Table | None:
    """Each game of a row for itself; None where no row has several."""
    rows = []
    for game in board.games:
        for number in range(max(len(board.entries[key].cells) for key in board.entries if key[0] == game)):
            found = [board.entries.get((game, entrant)) for entrant in board.entrants]
            rows.append((f"{game} {number + 1}", *(_one(entry, number) for entry in found)))
    if len(rows) == len(board.games):
        return None
    columns = (Column("Game"), *(Column(entrant) for entrant in board.entrants))
    return Table("Game by game", columns, tuple(rows), "Matches won and played; then the mean score.")


def _one(entry: Entry | None, number: int) -> str:
    if entry is None or number >= len(entry.cells) or not entry.cells[number].played:
        return "–"
    played = entry.cells[number].played
    won = f"{sum(match.result == 'won' for match in played):,} of {len(played):,}"
    mean = f"{sum(match.points for match in played) / len(played):.1f}"
    return f"{won}\n{mean}" if played[0].result else f"{len(played):,}\n{mean}"


def endings(board: Board) -> Table:
    """How the matches ended, how long they were and how fast the entrants searched."""
    rows = [
        (game, entrant, *_numbers(board.entries[game, entrant].played))
        for game in board.games
        for entrant in board.entrants
        if (game, entrant) in board.entries and board.entries[game, entrant].played
    ]
    columns = (
        "Game | Entrant | Matches | Won – lost – neither | Actions a match | Simulations an action | ms an action | "
        "Simulations a second"
    )
    return table("Endings, lengths and speed", columns, rows, right=columns.split("|", 2)[2])


def _numbers(played: Sequence[Played]) -> list[str]:
    moves = max(1, sum(match.moves[0] for match in played))
    ended = [sum(match.result == result for match in played) for result in ("won", "lost", "neither")]
    speed = [sum(match.simulations[0] for match in played) / moves]
    speed += [1000 * sum(match.seconds[0] for match in played) / moves, simulations_a_second(played, 0)]
    counts = " – ".join(map(str, ended)) if played[0].result else ""
    return [f"{len(played):,}", counts, f"{moves / len(played):.1f}", *map(three_digits, speed)]
