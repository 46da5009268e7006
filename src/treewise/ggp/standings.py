"""What the matches of a tournament say: wins, draws, losses and goals, with their 95 % intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from treewise.ggp.tournament import Finished, Tournament
from treewise.lab.statistics import Estimate, Sample, rate
from treewise.lab.statistics.rate import mean

__all__ = ["Standing", "standings"]

LOWEST_GOAL, HIGHEST_GOAL = 0.0, 100.0


@dataclass(frozen=True)
class Standing:
    """How one entrant did in one meeting, or in all."""

    entrant: str
    against: str
    matches: int
    tally: tuple[int, int, int] | None
    """Wins, draws and losses. None in a game for one, which nobody wins or loses: goals say how it went."""
    score: Estimate | None
    """The mean score, a draw half; none where there is no tally."""
    goals: Estimate
    """The mean goal; its interval lies within 0 to 100."""
    failures: int
    """Steps without a legal move in time."""
    slowest: float
    """Its longest reply, in seconds."""


def standings(tournament: Tournament, finished: Sequence[Finished]) -> list[Standing]:
    """Of every entrant in every meeting; with several meetings of an entrant, also of all of them together."""
    rows = []
    for meeting in dict.fromkeys(match.meeting for match in finished):
        matches = [match for match in finished if match.meeting == meeting]
        for entrant in meeting:
            others = ", ".join(tournament.entrants[other].text for other in meeting if other != entrant)
            rows.append(_standing(tournament, entrant, others, matches))
    if len({match.meeting for match in finished}) > 1 and len(tournament.rules.seats) > 1:
        for entrant in range(len(tournament.entrants)):
            matches = [match for match in finished if entrant in match.meeting]
            rows.append(_standing(tournament, entrant, "all", matches))
    return rows


def _standing(tournament: Tournament, entrant: int, against: str, matches: Sequence[Finished]) -> Standing:
    meetings = {meeting: place for place, meeting in enumerate(dict.fromkeys(match.meeting for match in matches))}
    most = 2 * (max((match.index for match in matches), default=0) // 2 + 1)
    places = [meetings[match.meeting] * most + match.index for match in matches]
    scores = Sample.of([match.score(entrant) for match in matches], places)
    goals = Sample.of([match.goal(entrant) for match in matches], places)
    alone = len(tournament.rules.seats) == 1
    played = [(match.record, match.seats.index(entrant)) for match in matches if match.record is not None]
    roles = tournament.rules.seats
    return Standing(
        entrant=tournament.entrants[entrant].text,
        against=against,
        matches=len(matches),
        tally=None if alone else scores.tally,
        score=None if alone else rate(scores),
        goals=_within_goals(mean(goals)),
        failures=sum(record.failures(roles[seat]) for record, seat in played),
        slowest=max((step[roles[seat]] for record, seat in played for step in record.reply_times[1:]), default=0.0),
    )


def _within_goals(estimate: Estimate) -> Estimate:
    """An interval without what no goal can be. One that says nothing stays without bounds."""
    if math.isinf(estimate.low):
        return estimate
    low, high = max(LOWEST_GOAL, estimate.low), min(HIGHEST_GOAL, estimate.high)
    return replace(estimate, low=low, high=high)
