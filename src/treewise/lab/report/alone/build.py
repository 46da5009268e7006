"""From the outcome of an experiment whose entrants play alone to its report: a pure function."""

from __future__ import annotations

from treewise.lab.outcome import ExperimentOutcome
from treewise.lab.report.alone import charts, tables
from treewise.lab.report.alone.board import Board, board
from treewise.lab.report.alone.words import caveats, summary
from treewise.lab.report.document import Block, Report, Section
from treewise.lab.report.setting import setting, text_forms

__all__ = ["build_alone", "figures_alone"]


def build_alone(outcome: ExperimentOutcome) -> Report:
    """The report.

    >>> outcome = ExperimentOutcome("e", "Trial", "", 0, 0, False, (), pairing="alone", base="A")
    >>> [section.title for section in build_alone(outcome).sections][:3]
    ['In short', 'What was played', 'Results']
    """
    found = board(outcome)
    sections = (summary(found), setting(outcome), _results(found), caveats(found), _details(found), text_forms(outcome))
    return Report(outcome.title or outcome.name, sections)


def figures_alone(outcome: ExperimentOutcome) -> Report:
    """A short report: our figures, with those of others below them."""
    found = board(outcome)
    shown = (tables.figures(found, measure) for measure in found.measures)
    return Report(outcome.title or outcome.name, (Section("Results", tuple(shown)),))


def _results(found: Board) -> Section:
    blocks: list[Block | None] = [tables.figures(found, measure) for measure in found.measures]
    blocks += charts.bars(found)
    blocks += [tables.published(found, measure) for measure in found.measures]
    return Section("Results", tuple(block for block in blocks if block))


def _details(found: Board) -> Section:
    blocks: list[Block | None] = [tables.tests(found), tables.by_game(found), tables.endings(found)]
    blocks += [charts.lengths(found), charts.seconds_an_action(found), charts.simulations_an_action(found)]
    return Section("Details", tuple(block for block in blocks if block), detail=True)
