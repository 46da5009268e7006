"""What matches allow to say: estimates with intervals, tests, ratings, a sequential test, verdicts in words.

The matches of a pair share a seed and have their seats swapped, so they are not independent of each other: all tests
and intervals here count in pairs unless their name says otherwise.
"""

from treewise.lab.statistics.difference import (
    Difference,
    difference,
    difference_of_differences,
    rate_difference,
    welch,
)
from treewise.lab.statistics.equivalence import Equivalence, equivalence
from treewise.lab.statistics.published import Agreement, agreement
from treewise.lab.statistics.rate import (
    Estimate,
    against_half,
    binomial_p,
    holm,
    normal_interval,
    rate,
    score_interval,
    wilson_interval,
)
from treewise.lab.statistics.ratings import Rating, Ratings, bradley_terry, elo, elo_interval
from treewise.lab.statistics.runs import Beside, Marked, Runs, beside, marked, normalised
from treewise.lab.statistics.sample import Sample
from treewise.lab.statistics.sprt import Hypotheses, SequentialTest, sprt
from treewise.lab.statistics.verdict import Verdict, matches_needed, verdict, visible_difference

__all__ = [
    "Agreement",
    "Beside",
    "Difference",
    "Equivalence",
    "Estimate",
    "Hypotheses",
    "Marked",
    "Rating",
    "Ratings",
    "Runs",
    "Sample",
    "SequentialTest",
    "Verdict",
    "against_half",
    "agreement",
    "beside",
    "binomial_p",
    "bradley_terry",
    "difference",
    "difference_of_differences",
    "elo",
    "elo_interval",
    "equivalence",
    "holm",
    "marked",
    "matches_needed",
    "normal_interval",
    "normalised",
    "rate",
    "rate_difference",
    "score_interval",
    "sprt",
    "verdict",
    "visible_difference",
    "welch",
    "wilson_interval",
]
