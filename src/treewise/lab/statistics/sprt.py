"""A sequential test that may stop a comparison early: Wald's test, generalized to pairs of matches with draws.

The score of a pair takes a few values (0, 1/4, …, 1 for two players). The log likelihood ratio compares the most
likely distributions of those values with mean p1 and with mean p0, as chess engines are tested (Van den Bergh 2019).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from treewise.lab.extra import extra
from treewise.lab.outcome import Played
from treewise.lab.statistics.ratings import expected_rate
from treewise.lab.statistics.verdict import Verdict
from treewise.wording import counted

__all__ = ["Hypotheses", "SequentialTest", "sprt"]

Decision = Literal["p0", "p1", "go on"]

_UNSEEN = 1e-3
"""Count given to a value that has not occurred, so that it stays possible."""


@dataclass(frozen=True)
class Hypotheses:
    """Win rates to decide between, and the probabilities of deciding wrongly that are accepted.

    >>> low, high = Hypotheses(0.5, 0.55).bounds
    >>> round(low, 3), round(high, 3)
    (-2.944, 2.944)
    """

    p0: float
    p1: float
    alpha: float = 0.05
    """Of accepting p1 although p0 is true."""
    beta: float = 0.05
    """Of accepting p0 although p1 is true."""

    def __post_init__(self) -> None:
        if not 0 < self.p0 < self.p1 < 1:
            raise ValueError(f"a sequential test needs 0 < p0 < p1 < 1, not {self.p0} and {self.p1}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"alpha and beta must be between 0 and 0.5, not {self.alpha} and {self.beta}")

    @classmethod
    def of_elo(cls, elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05) -> Self:
        """Given as differences in Elo points.

        >>> round(Hypotheses.of_elo(0, 100).p1, 2)
        0.64
        """
        return cls(expected_rate(elo0), expected_rate(elo1), alpha, beta)

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the log likelihood ratio decides for p0 and for p1 (Wald 1945)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, pair_means: Counter[float]) -> float:
        """The log likelihood ratio of p1 to p0 for counted scores of pairs.

        >>> round(Hypotheses(0.5, 0.55).llr(Counter({0.0: 20, 0.5: 40, 1.0: 40})), 2)
        2.53
        """
        support = sorted({0.0, 0.25, 0.5, 0.75, 1.0} | set(pair_means))
        counts = np.array([pair_means[value] or _UNSEEN for value in support])
        values, shares = np.array(support), counts / counts.sum()
        likely0, likely1 = (_most_likely(values, shares, mean) for mean in (self.p0, self.p1))
        return float(counts @ np.log(likely1 / likely0))


def _most_likely(values: NDArray[np.float64], shares: NDArray[np.float64], mean: float) -> NDArray[np.float64]:
    """The distribution on `values` with this mean under which observed shares are most likely.

    With a multiplier t it is shares / (1 + t (values - mean)), where t is the root at which the mean comes out.
    """
    away = values - mean
    low, high = -1 / away.max(), -1 / away.min()
    edge = 1e-12 * (high - low)

    def excess(t: float) -> float:
        return float(shares @ (away / (1 + t * away)))

    t = extra("scipy.optimize").brentq(excess, low + edge, high - edge)
    found: NDArray[np.float64] = shares / (1 + t * away)
    return found


class SequentialTest:
    """Takes matches in any order, counts pairs in the order of the schedule, and stays with its first decision.

    What was played beyond the first gap is not looked at, so the decision does not depend on how many processes play.

    >>> test = SequentialTest(Hypotheses(0.5, 0.6))
    >>> for index in range(400):
    ...     test.add(index, score=float(index % 4 != 0))
    >>> test.decision, test.matches
    ('p1', 34)
    """

    def __init__(self, hypotheses: Hypotheses) -> None:
        self.hypotheses = hypotheses
        self.decision: Decision = "go on"
        self.llr = 0.0
        self.matches = 0
        """Matches that have been counted."""
        self._counted: Counter[float] = Counter()
        self._waiting: dict[int, float] = {}

    def __repr__(self) -> str:
        return f"<SequentialTest: {self.decision} after {counted(self.matches, 'match')}>"

    @property
    def verdict(self) -> Verdict | None:
        """What was decided, in words; None before.

        The hypothesis that is further from even must have won to say that one side is better. If the other one has, the
        side is not, which does not say that both are equal.
        """
        if self.decision == "go on":
            return None
        p0, p1 = self.hypotheses.p0, self.hypotheses.p1
        chosen, other = (p0, p1) if self.decision == "p0" else (p1, p0)
        remark = f"decided for {100 * chosen:.4g} %, against {100 * other:.4g} %"
        if chosen > other:
            return Verdict("better" if chosen > 0.5 else "not worse", remark)
        return Verdict("worse" if chosen < 0.5 else "not better", remark)

    def add(self, index: int, score: float) -> None:
        """Takes the score of the match at this place of the schedule."""
        self._waiting[index] = score
        while self.decision == "go on" and {self.matches, self.matches + 1} <= self._waiting.keys():
            pair = self._waiting.pop(self.matches) + self._waiting.pop(self.matches + 1)
            self._counted[pair / 2] += 1
            self.matches += 2
            self._decide()

    def _decide(self) -> None:
        self.llr = self.hypotheses.llr(self._counted)
        low, high = self.hypotheses.bounds
        if self.llr <= low:
            self.decision = "p0"
        elif self.llr >= high:
            self.decision = "p1"


def sprt(played: Sequence[Played], hypotheses: Hypotheses) -> SequentialTest:
    """The test after all these matches.

    >>> sprt([], Hypotheses(0.5, 0.55)).decision
    'go on'
    """
    test = SequentialTest(hypotheses)
    for each in played:
        test.add(each.index, each.score)
    return test
