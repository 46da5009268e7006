"""How a match ended: what a running score needs of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from treewise.match import MatchRecord

__all__ = ["Ending", "Result"]

Result = Literal["won", "lost", "neither", ""]
"""Of a match that one player played alone; empty where the game does not tell points from winning."""


@dataclass(frozen=True)
class Ending:
    """Each seat's returns; and, where one player played alone, the points and what they make of it.

    >>> Ending((10_000_000.0,), 0.0).result, Ending((-9_999_998.0,), 2.0).result, Ending((5.0,), None).result
    ('won', 'lost', '')
    """

    returns: tuple[float, ...]
    score: float | None = None
    cut: bool = False

    @classmethod
    def of(cls, record: MatchRecord) -> Ending:
        """Of a finished match."""
        return cls(record.returns, record.score, record.cut)

    @property
    def result(self) -> Result:
        """Winning adds to the returns what the points do not have, losing takes it away."""
        if self.score is None:
            return ""
        (returns,) = self.returns
        if self.cut or returns == self.score:
            return "neither"
        return "won" if returns > self.score else "lost"

    @property
    def points(self) -> float:
        """The score as it is reported: one that was won without points counts 1. Without a score, the returns.

        >>> Ending((10_000_000.0,), 0.0).points, Ending((-10_000_001.0,), -1.0).points
        (1.0, -1.0)
        """
        if self.score is None:
            return self.returns[0]
        return 1.0 if self.result == "won" and self.score <= 0 else self.score
