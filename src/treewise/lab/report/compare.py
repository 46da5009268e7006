"""Two runs beside each other: does an entrant do better in one of them, does one version differ from another?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from treewise.lab.outcome import Cell, CellOutcome, ExperimentOutcome
from treewise.lab.report.alone import compare_alone
from treewise.lab.report.document import Block, Forest, ForestRow, Report, Section, Text, table
from treewise.lab.report.labels import only_in_one, renewed
from treewise.lab.report.setting import setting
from treewise.lab.report.speed import simulations_a_second
from treewise.lab.report.tables import p_text
from treewise.lab.statistics import Difference, Equivalence, Sample, equivalence, holm, rate, rate_difference

__all__ = ["Change", "change", "compare"]

_MARGIN = 0.1
"""A difference of ten points is what two cells should at least be able to show."""

_TO_POWER = (1.959963984540054 + 0.8416212335729143) / 1.959963984540054
"""From the half width of a 95 % interval to the difference seen with a probability of 80 %."""


@dataclass(frozen=True, eq=False)
class Change:
    """The win rate of A in two cells: what it is more in the second, and what that shows."""

    first: CellOutcome
    second: CellOutcome
    difference: Difference
    corrected: float
    """The p value after Holm's correction over the cells it is shown with."""

    @property
    def word(self) -> str:
        """One of four: higher, lower, no difference shown, too few matches."""
        if self.corrected < 0.05:
            return "higher" if self.difference.value > 0 else "lower"
        return "too few matches" if self.visible > _MARGIN else "no difference shown"

    @property
    def visible(self) -> float:
        """The difference that would be shown with a probability of 80 %."""
        return self.difference.half_width * _TO_POWER

    @property
    def equivalence(self) -> Equivalence:
        """Whether both rates are shown to be equal within five points."""
        return equivalence(self.difference)

    @property
    def verdict(self) -> str:
        """The word with what else can be said."""
        if self.word in ("higher", "lower") or math.isinf(self.visible):
            return self.word
        return f"{self.word} ({100 * self.visible:.1f} points would show)"


def change(first: CellOutcome, second: CellOutcome) -> Change:
    """Compares two cells, of one store or of two; those with the same seed pair by pair.

    >>> cell = Cell("hex", "Hex", "1 s", "seconds", "a", "b", "mcts", "mcts", 100)
    >>> change(CellOutcome(cell, ()), CellOutcome(cell, ())).word
    'too few matches'
    """
    same_seeds = first.cell.seed == second.cell.seed
    found = rate_difference(Sample.scores(first.played), Sample.scores(second.played), same_seeds)
    return Change(first, second, found, found.p)


def compare(first: ExperimentOutcome, second: ExperimentOutcome) -> Report:
    """A report on the cells that both runs have: the same labels of game, budget and entrants.

    Where something else is behind the same label, the report says so.

    >>> run = ExperimentOutcome("e", "Trial", "", 0, 0, True, ())
    >>> compare(run, run).title
    'Trial, two runs'
    """
    if first.pairing == "alone" and second.pairing == "alone":
        return compare_alone(first, second)
    partners = {_key(each.cell): each for each in second.cells}
    pairs = [(each, partners[_key(each.cell)]) for each in first.cells if _key(each.cell) in partners]
    alone = [change(*pair) for pair in pairs]
    corrected = holm([each.difference.p for each in alone])
    changes = [replace(each, corrected=p) for each, p in zip(alone, corrected, strict=True)]
    title = first.title or first.name
    other = second.title or second.name
    lone = only_in_one(_lone(first, second), _lone(second, first), "cells")
    sections = (
        Section("In short", (*_in_words(changes), *renewed(_behind(changes)), *lone)),
        Section("Win rates", _rates(changes)),
        _renamed("First run", setting(first)),
        _renamed("Second run", setting(second)),
    )
    return Report(f"{title}, two runs" if title == other else f"{title} and {other}", sections)


def _renamed(run: str, section: Section) -> Section:
    return Section(run, section.blocks)


def _key(cell: Cell) -> tuple[object, ...]:
    return (cell.game_label, cell.kind, cell.budget, cell.a, cell.b, cell.control)


def _labels(cells: Sequence[Cell]) -> list[str]:
    """Short names of cells: what is the same in all of them is left out, but for the game."""
    named = [(cell.game_label, cell.a, cell.b, cell.budget) for cell in cells]
    telling = [place == 0 or len(set(column)) > 1 for place, column in enumerate(zip(*named, strict=True))]
    return [", ".join(part for part, kept in zip(parts, telling, strict=True) if kept) for parts in named]


def _in_words(changes: Sequence[Change]) -> list[Text]:
    labels = _labels([each.first.cell for each in changes])
    texts = []
    for word in ("higher", "lower", "no difference shown", "too few matches"):
        found = [label for label, each in zip(labels, changes, strict=True) if each.word == word]
        if found:
            said = f"{word} in the second run" if word in ("higher", "lower") else word
            texts.append(Text(f"{said[0].upper()}{said[1:]}: {'; '.join(found)}."))
    return texts or [Text("The two runs have no cell in common.")]


def _behind(changes: Sequence[Change]) -> Iterator[tuple[str, dict[str, bool]]]:
    """The labels of each cell, and which of the text forms behind them differ."""
    for label, each in zip(_labels([each.first.cell for each in changes]), changes, strict=True):
        one, other = each.first.cell, each.second.cell
        yield label, {"game": one.game != other.game, "A": one.a_text != other.a_text, "B": one.b_text != other.b_text}


def _lone(one: ExperimentOutcome, other: ExperimentOutcome) -> list[str]:
    known = {_key(each.cell) for each in other.cells}
    return _labels([each.cell for each in one.cells if _key(each.cell) not in known])


def _rates(changes: Sequence[Change]) -> tuple[Block, ...]:
    named = list(zip(_labels([each.first.cell for each in changes]), changes, strict=True))
    note = (
        "In per cent; the difference is second less first with its 95 % interval, pair by pair where the seeds are the "
        "same, else between independent samples; p after Holm's correction over this table. Equal within ± 5: two "
        "one-sided tests at 5 %, not corrected."
    )
    columns = "Cell | First | Second | Difference | p (Holm) | Equal within ± 5 | The second is"
    rows = [(label, *_row(each)) for label, each in named]
    speeds = "Cell | A, first | A, second | Ratio of A | B, first | B, second | Ratio of B"
    speed_rows = [(label, *_speeds(each)) for label, each in named]
    return (
        _forest(named),
        table("Win rates of A", columns, rows, note, right="First | Second | Difference | p (Holm)"),
        table("Simulations a second", speeds, speed_rows, right=speeds.partition("|")[2]),
    )


def _forest(named: Sequence[tuple[str, Change]]) -> Forest:
    rows = tuple(
        ForestRow(label, 100 * each.difference.value, 100 * each.difference.low, 100 * each.difference.high)
        for label, each in named
        if math.isfinite(each.difference.half_width)
    )
    return Forest("Second run less first", "points", 0.0, rows, "Differences of win rates with 95 % intervals.")


def _row(each: Change) -> tuple[str, ...]:
    found = each.difference
    shown = f"{100 * found.value:+.1f} ± {100 * found.half_width:.1f}" if math.isfinite(found.half_width) else "–"
    rates = (rate(Sample.scores(run.played)).text() for run in (each.first, each.second))
    return (*rates, shown, p_text(each.corrected), each.equivalence.word, each.verdict)


def _speeds(each: Change) -> list[str]:
    texts = []
    for side in (0, 1):
        one, other = (simulations_a_second(run.played, side) for run in (each.first, each.second))
        texts += [f"{one:,.0f}", f"{other:,.0f}", f"{other / one:.3f}" if one > 0 else "–"]
    return ["–" if text == "nan" else text for text in texts]
