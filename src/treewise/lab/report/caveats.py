"""What a comparison cannot say."""

from __future__ import annotations

from treewise.lab.outcome import ExperimentOutcome
from treewise.lab.report.document import Section, Text

__all__ = ["KINDS", "caveats"]

KINDS = {
    "simulations": (
        "Equal simulations",
        "Both sides get the same number of simulations for a move. This shows what a simulation is worth; it says "
        "nothing about what a part costs: one that doubles the time of a simulation is not punished here.",
    ),
    "seconds": (
        "Equal time",
        "Both sides get the same time for a move. This counts the cost of the parts, but only as they are implemented "
        "here and on the machines named below; another machine, or a load beside the matches, may change the result, "
        "and matches cannot be repeated move for move.",
    ),
}


def caveats(outcome: ExperimentOutcome) -> Section:
    """The limits of this experiment, from how it was set up."""
    texts = [_starts(outcome.opening), _rivals(outcome), _sizes()]
    texts += [text for text in (_cut(outcome), _machines(outcome), _published(outcome)) if text]
    return Section("What this comparison cannot say", tuple(Text(text) for text in texts))


def _starts(opening: int) -> str:
    if opening:
        return (
            f"Every match starts with {opening} random steps, the same for both matches of a pair (in controls, each "
            "match has its own). Such positions are not those that strong play reaches; some of them may be decided."
        )
    return (
        "All matches start from the game's first position and differ by the searches' random numbers alone. What is "
        "better from there may not be better from positions that these searches never reach."
    )


def _rivals(outcome: ExperimentOutcome) -> str:
    rivals = sorted({each.cell.b for each in outcome.cells})
    named = f"“{rivals[0]}”" if len(rivals) == 1 else "the entrants listed"
    return (
        f"Strength is measured against {named} only. Better against one opponent need not be better against others, "
        "and a gain over a near relative is often larger than a gain over a stranger."
    )


def _sizes() -> str:
    return (
        "A result holds for the budgets, board sizes and parameters that were played. Parameters chosen by looking at "
        "such matches make the same matches look better than new ones would."
    )


def _cut(outcome: ExperimentOutcome) -> str:
    matches = [match for each in outcome.cells for match in each.played]
    cut = sum(match.cut for match in matches)
    return f"{cut:,} of {len(matches):,} matches were stopped at the game's longest length." if cut else ""


def _machines(outcome: ExperimentOutcome) -> str:
    machines = {match.machine for each in outcome.cells if each.cell.kind == "seconds" for match in each.played}
    if len(machines) < 2:
        return ""
    return (
        f"Equal time was played on {len(machines)} kinds of machines: the cells mix different numbers of simulations."
    )


def _published(outcome: ExperimentOutcome) -> str:
    if not any(each.cell.reference for each in outcome.cells):
        return ""
    return (
        "The published figures come from another implementation, other constants and another machine, and mostly from "
        "equal time. Where ours differ, any of these may be the reason."
    )
