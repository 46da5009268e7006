"""Each cell of an experiment with everything that the statistics say about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

from treewise.lab.outcome import Cell, CellOutcome, ExperimentOutcome, Played
from treewise.lab.statistics import (
    Agreement,
    Estimate,
    Hypotheses,
    Sample,
    SequentialTest,
    Verdict,
    against_half,
    agreement,
    holm,
    rate,
    sprt,
    verdict,
)

__all__ = ["Group", "Judged", "groups", "judge"]


@dataclass(frozen=True, eq=False)
class Judged:
    """A cell, its matches, and what they show."""

    cell: Cell
    played: tuple[Played, ...]
    sample: Sample
    rate: Estimate
    p: float
    test: str
    corrected: float
    """The p value after Holm's correction over the cells it was judged with."""
    verdict: Verdict
    """That of the sequential test where it has decided: p values are made for a number of matches fixed beforehand."""
    agreement: Agreement | None
    sequential: SequentialTest | None

    @property
    def count(self) -> str:
        """How many matches were played, and of how many if some are missing."""
        done, asked = len(self.played), self.cell.matches
        return f"{done:,}" if done >= asked else f"{done:,} of {asked:,}{', decided' if self.complete else ''}"

    @property
    def complete(self) -> bool:
        """Whether all matches that were asked for are there, or the sequential test needed no more."""
        decided = self.sequential is not None and self.sequential.decision != "go on"
        return decided or len(self.played) >= self.cell.matches


def judge(outcomes: Sequence[CellOutcome], hypotheses: Hypotheses | None = None) -> tuple[Judged, ...]:
    """Judges cells that are shown in one table: their p values are corrected together.

    >>> judge([])
    ()
    """
    samples = [Sample.scores(outcome.played) for outcome in outcomes]
    tests = [against_half(sample) for sample in samples]
    corrected = holm([p for p, _ in tests])
    return tuple(
        _judged(outcome, sample, hypotheses, *test, p, len(tests))
        for outcome, sample, test, p in zip(outcomes, samples, tests, corrected, strict=True)
    )


def _judged(
    outcome: CellOutcome,
    sample: Sample,
    hypotheses: Hypotheses | None,
    p: float,
    test: str,
    corrected: float,
    tests: int,
) -> Judged:
    estimate, reference = rate(sample), outcome.cell.reference
    sequential = sprt(outcome.played, hypotheses) if hypotheses else None
    return Judged(
        cell=outcome.cell,
        played=outcome.played,
        sample=sample,
        rate=estimate,
        p=p,
        test=test,
        corrected=corrected,
        verdict=(sequential and sequential.verdict) or verdict(sample, corrected, tests),
        agreement=agreement(estimate, reference) if reference else None,
        sequential=sequential,
    )


@dataclass(frozen=True, eq=False)
class Group:
    """The cells of one budget, which make one table."""

    kind: str
    budget: str
    cells: tuple[Judged, ...]

    @property
    def games(self) -> list[str]:
        """Labels of the games, in the order of the experiment."""
        return list(dict.fromkeys(each.cell.game_label for each in self.cells))

    def of_game(self, game: str) -> list[Judged]:
        """The cells of one game."""
        return [each for each in self.cells if each.cell.game_label == game]

    def entrants(self, each: Judged) -> str:
        """How to name who plays in a cell: A alone where all of the group play against the same B."""
        bases = {other.cell.b for other in self.cells}
        return each.cell.a if len(bases) == 1 else f"{each.cell.a} against {each.cell.b}"


def groups(outcome: ExperimentOutcome, controls: bool = False) -> list[Group]:
    """The cells by kind and budget, without the controls or only those; equal simulations come first.

    >>> groups(ExperimentOutcome("", "", "", 0, 0, True, ()))
    []
    """
    games = list(dict.fromkeys(each.cell.game_label for each in outcome.cells))
    chosen = [each for each in outcome.cells if each.cell.control == controls]
    chosen.sort(key=lambda each: games.index(each.cell.game_label))
    keys = dict.fromkeys((each.cell.kind, each.cell.budget) for each in chosen)
    asked = None if controls or outcome.sprt is None else Hypotheses(*astuple(outcome.sprt))
    return [
        Group(*key, judge([each for each in chosen if (each.cell.kind, each.cell.budget) == key], asked))
        for key in sorted(keys, key=lambda key: key[0] == "seconds")
    ]
