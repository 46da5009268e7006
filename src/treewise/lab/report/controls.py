"""Controls: an entrant against itself must come out even."""

from __future__ import annotations

from collections.abc import Sequence

from treewise.lab.report.document import Section, Text, table
from treewise.lab.report.judgement import Group, Judged
from treewise.lab.report.tables import p_text

__all__ = ["controls", "controls_in_words"]

_TOO_FEW = "too few matches"
_FEWEST_PAIRS = 6
"""Of fewer pairs, not even a side that won all of them would be significant at 5 %."""


def controls_in_words(groups: Sequence[Group]) -> Text:
    """How many controls came out even.

    >>> controls_in_words([]).text
    'No control has been played.'
    """
    results = [_result(each) for group in groups for each in group.cells if each.played]
    failed, passed, undecided = (results.count(result) for result in ("FAIL", "pass", _TOO_FEW))
    if failed:
        return Text(f"{failed} of {len(results)} controls failed: trust no other table before you know why.", "warning")
    if not results:
        return Text("No control has been played.")
    few = f" {undecided} {'has' if undecided == 1 else 'have'} too few matches to fail." if undecided else ""
    return Text(f"Controls: {passed} of {len(results)} passed.{few}")


def controls(groups: Sequence[Group]) -> Section:
    """The table of all controls."""
    rows = [
        (
            each.cell.game_label,
            each.cell.a,
            group.budget,
            each.count,
            each.rate.text(),
            _p_or_even(each),
            _result(each),
        )
        for group in groups
        for each in group.cells
    ]
    note = (
        "A control fails if its p value, after Holm's correction over the controls of its budget, is below 5 %. "
        "Where every pair is even, both matches of a pair were the same match seen from both sides: then it is even by "
        "construction, and checks the bookkeeping only."
    )
    columns = "Game | Entrant | Budget | Matches | Win rate, % | p (Holm) | Result"
    made = table("An entrant against itself", columns, rows, note, right="Matches | Win rate, % | p (Holm)")
    return Section("Controls", (controls_in_words(groups), made))


def _result(each: Judged) -> str:
    if not each.played:
        return "–"
    if each.corrected < 0.05:
        return "FAIL"
    return "pass" if len(each.sample.pair_means) >= _FEWEST_PAIRS else _TOO_FEW


def _p_or_even(each: Judged) -> str:
    if each.played and all(mean == 0.5 for mean in each.sample.pair_means):
        return "every pair even"
    return p_text(each.corrected)
