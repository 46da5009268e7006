"""From the outcome of an experiment to its report: a pure function."""

from __future__ import annotations

from treewise.lab.outcome import ExperimentOutcome
from treewise.lab.report import figures, tables
from treewise.lab.report.alone import build_alone, figures_alone
from treewise.lab.report.caveats import KINDS, caveats
from treewise.lab.report.controls import controls
from treewise.lab.report.document import Block, Report, Section, Text
from treewise.lab.report.judgement import Group, groups
from treewise.lab.report.setting import setting, text_forms
from treewise.lab.report.speed import speeds
from treewise.lab.report.summary import summary, title_of
from treewise.lab.report.sweep import sweeps
from treewise.lab.report.tournament import is_tournament, tournament

__all__ = ["build"]


def build(outcome: ExperimentOutcome) -> Report:
    """The report of an experiment; the same outcome gives the same report, wherever and whenever it is made.

    >>> report = build(ExperimentOutcome("e", "An experiment", "", 0, 0, True, ()))
    >>> report.title, [section.title for section in report.sections][:2]
    ('An experiment', ['In short', 'What was played'])
    """
    if outcome.pairing == "alone":
        return build_alone(outcome)
    compared, of_itself = groups(outcome), groups(outcome, controls=True)
    sections = [summary(outcome, compared, of_itself), setting(outcome)]
    for kind, (title, explanation) in KINDS.items():
        of_kind = [group for group in compared if group.kind == kind]
        if of_kind:
            sections.append(Section(title, (Text(explanation),)))
            sections += [_budget(group, outcome.parameter) for group in of_kind]
    if of_itself:
        sections.append(controls(of_itself))
    sections.append(caveats(outcome))
    sections += [_details(group) for group in compared]
    return Report(outcome.title or outcome.name, (*sections, text_forms(outcome)))


def figures_beside_published(outcome: ExperimentOutcome) -> Report:
    """A short report: our figures and the published ones.

    >>> figures_beside_published(ExperimentOutcome("e", "An experiment", "", 0, 0, True, ())).sections
    ()
    """
    if outcome.pairing == "alone":
        return figures_alone(outcome)
    found = ((title_of(group), tables.published(group)) for group in groups(outcome))
    sections = (Section(title, (table,)) for title, table in found if table is not None)
    return Report(outcome.title or outcome.name, tuple(sections))


def _budget(group: Group, parameter: str) -> Section:
    blocks: list[Block | None] = []
    tournaments = [game for game in group.games if is_tournament(group.of_game(game))]
    if not tournaments:
        blocks.append(tables.matrix(group))
    for game in tournaments:
        blocks += tournament(game, group.of_game(game))
    blocks += [figures.forest(group), tables.verdicts(group), tables.published(group), sweeps(group, parameter)]
    blocks += [tables.returns(group), tables.sequential(group)]
    return Section(group.budget, tuple(block for block in blocks if block), level=3)


def _details(group: Group) -> Section:
    blocks = (
        figures.convergence(group),
        figures.lengths(group),
        figures.seconds_a_move(group),
        figures.simulations_a_move(group),
        speeds(group),
        tables.intervals(group),
        tables.tests(group),
    )
    return Section(f"Details: {title_of(group)}", blocks, detail=True)
