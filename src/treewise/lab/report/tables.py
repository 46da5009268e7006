"""The tables about the cells of one budget."""

from __future__ import annotations

import math

from treewise.lab.report.document import Column, Table, table
from treewise.lab.report.judgement import Group, Judged
from treewise.lab.statistics import (
    Sample,
    binomial_p,
    elo_interval,
    normal_interval,
    score_interval,
    welch,
    wilson_interval,
)
from treewise.lab.statistics.difference import Difference, paired_returns

__all__ = [
    "intervals",
    "matrix",
    "p_text",
    "points",
    "published",
    "returns",
    "sequential",
    "tests",
    "verdicts",
]

_MOST_COLUMNS = 6


def p_text(p: float) -> str:
    """A p value with two digits.

    >>> p_text(0.0324), p_text(0.00001), p_text(1.0)
    ('0.032', '< 0.001', '1')
    """
    if p < 0.001:
        return "< 0.001"
    return f"{p:.2g}"


def matrix(group: Group) -> Table | None:
    """Games by entrants, as papers print it; None where a list says it better."""
    names = list(dict.fromkeys(group.entrants(each) for each in group.cells))
    if len(group.cells) < 2 or len(names) > _MOST_COLUMNS or len(group.games) == 1:
        return None
    rows = []
    for game in group.games:
        found = {group.entrants(each): _matrix_cell(each) for each in group.of_game(game)}
        rows.append((game, *(found.get(name, "") for name in names)))
    bases = {each.cell.b for each in group.cells}
    against = f" against “{bases.pop()}”" if len(bases) == 1 else ""
    columns = (Column("Game"), *(Column(name) for name in names))
    note = "Win rate in per cent, draws half, with its 95 % interval and the number of matches; then the verdict."
    return Table(f"Win rates{against}", columns, tuple(rows), note)


def _matrix_cell(each: Judged) -> str:
    lines = [f"{each.rate.text()} ({each.count})", each.verdict.word]
    if each.cell.reference:
        word = f", {each.agreement.word}" if each.agreement else ""
        lines.append(f"published {_published(each)}{word}")
    return "\n".join(lines)


def _published(each: Judged) -> str:
    reference = each.cell.reference
    return f"{reference.rate:.1f} ± {reference.half_width:.1f}" if reference else ""


def verdicts(group: Group) -> Table:
    """One row a cell: what was counted, and what it shows."""
    rows = [
        (
            each.cell.game_label,
            group.entrants(each),
            each.count,
            " – ".join(map(str, each.sample.tally)),
            each.rate.text(),
            p_text(each.corrected),
            each.verdict.text(),
        )
        for each in group.cells
    ]
    note = (
        "p: two-sided test against 50 %, with pairs of matches as units, after Holm's correction over this table. "
        "The intervals are not corrected. Matches that would do: to show the rate seen with 80 % probability, in this "
        "table; points that would show: with 80 % probability, in a test of its own."
    )
    columns = "Game | Entrant | Matches | Won – drawn – lost | Win rate, % | p (Holm) | Verdict"
    return table("Verdicts", columns, rows, note, right="Matches | Win rate, % | p (Holm) | Won – drawn – lost")


def published(group: Group) -> Table | None:
    """Our figures beside published ones."""
    rows = [
        (
            each.cell.game_label,
            group.entrants(each),
            each.count,
            each.rate.text(),
            _published(each),
            f"{100 * each.agreement.difference:+.1f} ± {100 * each.agreement.half_width:.1f}",
            p_text(each.agreement.p),
            each.agreement.equivalence.word,
            each.agreement.word,
        )
        for each in group.cells
        if each.cell.reference and each.agreement
    ]
    if not rows:
        return None
    note = (
        "Test of two proportions, with standard errors from both intervals, not corrected: of twenty figures that are "
        "truly equal, about one is called different by chance. “Equal within ± 5”: two one-sided tests at 5 %. "
        "“Equivalent”: that is shown, and no difference; “not shown”: neither. "
        "“Opposite sign”: both are significantly away from 50 %, on different sides."
    )
    sources = sorted({each.cell.reference.source for each in group.cells if each.cell.reference} - {""})
    columns = "Game | Entrant | Matches | Ours, % | Published, % | Difference | p | Equal within ± 5 | Result"
    right = "Matches | Ours, % | Published, % | Difference | p"
    title = "Beside the published figures" + (f" ({'; '.join(sources)})" if sources else "")
    return table(title, columns, rows, note, right=right)


def intervals(group: Group) -> Table:
    """The same rates by other methods, for whoever expects one of them."""
    rows = [
        (
            each.cell.game_label,
            group.entrants(each),
            each.rate.text(),
            each.rate.method,
            wilson_interval(each.sample).text(),
            normal_interval(each.sample).text(),
            score_interval(each.sample).text(),
        )
        for each in group.cells
        if each.played
    ]
    note = (
        "The first interval is the one to believe: it counts in pairs. The others take matches as independent. Wilson "
        "and normal (which most papers print) use p(1 − p), too much where there are draws."
    )
    columns = "Game | Entrant | Win rate, % | by | Wilson | Normal | Variance of scores"
    return table("Intervals by several methods", columns, rows, note)


def tests(group: Group) -> Table:
    """The tests before correction, and the rates as Elo."""
    rows = [
        (
            each.cell.game_label,
            group.entrants(each),
            p_text(each.p),
            each.test,
            p_text(binomial_p(each.sample)),
            _elo_text(each),
        )
        for each in group.cells
        if each.played
    ]
    note = (
        "Before Holm's correction. The exact binomial test takes matches as independent and leaves draws out. Elo is "
        "the rate and the ends of its interval, carried over."
    )
    columns = "Game | Entrant | p, over pairs | by | p, exact binomial | Elo difference"
    return table("Tests and Elo differences", columns, rows, note, right="p, over pairs | p, exact binomial")


def _elo_text(each: Judged) -> str:
    value, low, high = map(points, elo_interval(each.rate))
    return f"{value} ({low} to {high})"


def points(elo: float) -> str:
    """A difference in Elo points.

    >>> points(12.6), points(-0.3), points(-math.inf)
    ('+13', '+0', '−∞')
    """
    return f"{round(elo):+d}" if math.isfinite(elo) else "+∞" if elo > 0 else "−∞"


def returns(group: Group) -> Table | None:
    """Mean returns, where they say more than who won."""
    rows = []
    for each in group.cells:
        if len({match.returns[0] for match in each.played}) <= 3:
            continue
        ours, theirs = ([match.returns[side] for match in each.played] for side in (0, 1))
        paired = paired_returns(Sample.return_differences(each.played))
        means = [f"{sum(values) / len(values):.4g}" for values in (ours, theirs)]
        rows.append((each.cell.game_label, group.entrants(each), *means, _of(paired), _of(welch(theirs, ours))))
    if not rows:
        return None
    note = (
        "A − B with its 95 % interval and p value. Over pairs: the differences of each match, which is right where "
        "both sides get their returns from one match or from the same seed. Welch: takes all returns as independent."
    )
    return table("Returns", "Game | Entrant | A | B | A − B over pairs | A − B by Welch", rows, note, right="A | B")


def _of(found: Difference) -> str:
    if math.isinf(found.high):
        return f"{found.value:+.4g}" + (f", p {p_text(found.p)}" if found.tested else "")
    return f"{found.value:+.4g} ± {found.half_width:.3g}, p {p_text(found.p)}"


def sequential(group: Group) -> Table | None:
    """What the sequential test says of each cell."""
    rows, note = [], ""
    for each in group.cells:
        test = each.sequential
        if test:
            p0, p1 = (f"{100 * p:.1f} %" for p in (test.hypotheses.p0, test.hypotheses.p1))
            words = {"p0": f"decided for {p0}", "p1": f"decided for {p1}", "go on": "not decided yet"}
            named = (each.cell.game_label, group.entrants(each))
            rows.append((*named, f"{test.matches:,}", f"{test.llr:+.2f}", words[test.decision]))
            note = _sequential_note(p0, p1, *test.hypotheses.bounds)
    if not rows:
        return None
    columns = "Game | Entrant | Matches counted | Log likelihood ratio | Decision"
    return table("Sequential test", columns, rows, note, right="Matches counted | Log likelihood ratio")


def _sequential_note(p0: str, p1: str, low: float, high: float) -> str:
    return (
        f"Decides between win rates of {p0} and {p1} where the log likelihood ratio leaves {low:.2f} to {high:.2f}, on "
        "the matches before the first gap in the schedule. In cells that it stopped, rates and their p values are a "
        "little too far from even: believe the decision. Its error probabilities are those of each cell by "
        "itself, not corrected for their number."
    )
