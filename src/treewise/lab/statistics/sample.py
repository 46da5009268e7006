"""Numbers from matches, with the pair that each of them belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewise.lab.extra import extra
from treewise.lab.outcome import Played
from treewise.wording import counted

__all__ = ["Sample", "clustered"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Sample:
    """One number a match. Matches 2i and 2i + 1 are a pair: one seed, seats swapped; pairs are independent.

    >>> sample = Sample.of([1.0, 0.0, 1.0, 0.5])
    >>> sample.mean, list(sample.pair_means)
    (0.625, [np.float64(0.5), np.float64(0.75)])
    """

    values: Floats
    pairs: NDArray[np.int64]

    def __repr__(self) -> str:
        return f"<Sample of {counted(len(self.values), 'match')}, mean {self.mean:.3f}>"

    @classmethod
    def of(cls, values: Sequence[float], indices: Iterable[int] | None = None) -> Sample:
        """Numbers in the order of the schedule, or with their places in it."""
        places = np.arange(len(values)) if indices is None else np.array(list(indices), dtype=np.int64)
        return cls(np.asarray(values, dtype=float), places // 2)

    @classmethod
    def scores(cls, played: Sequence[Played]) -> Sample:
        """The scores of A: 1 for a win, 1/2 for a draw, 0 for a loss."""
        return cls.of([each.score for each in played], (each.index for each in played))

    @classmethod
    def return_differences(cls, played: Sequence[Played]) -> Sample:
        """What A got more than B in each match, in the game's own utilities."""
        return cls.of([each.returns[0] - each.returns[1] for each in played], (each.index for each in played))

    def __len__(self) -> int:
        return len(self.values)

    @property
    def mean(self) -> float:
        """The mean over matches; NaN without any."""
        return float(self.values.mean()) if len(self) else float("nan")

    @property
    def pair_means(self) -> Floats:
        """The mean of each pair, in order; of an incomplete pair, its one number."""
        _, place, counts = np.unique(self.pairs, return_inverse=True, return_counts=True)
        means: Floats = np.bincount(place, weights=self.values, minlength=len(counts)) / counts
        return means

    @property
    def tally(self) -> tuple[int, int, int]:
        """Scores above, at and below one half: wins, draws, losses."""
        return int((self.values > 0.5).sum()), int((self.values == 0.5).sum()), int((self.values < 0.5).sum())

    def first(self, count: int) -> Sample:
        """The first `count` numbers."""
        return Sample(self.values[:count], self.pairs[:count])


def clustered(values: Floats, columns: NDArray[np.float64], pairs: NDArray[np.int64]) -> Any:
    """Least squares with a covariance that allows any dependence inside a pair; the t distribution counts pairs.

    With one column of ones and complete pairs, this is the one-sample t-test over the means of the pairs.
    """
    model = extra("statsmodels.regression.linear_model").OLS(values, columns)
    return model.fit(cov_type="cluster", cov_kwds={"groups": pairs}, use_t=True)
