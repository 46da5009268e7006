"""The running score of an experiment: what is finished of each cell, and how it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from treewise.comparison import duel_score
from treewise.lab.ending import Ending
from treewise.lab.outcome import Cell
from treewise.lab.schedule import Fixture
from treewise.lab.sequential import SequentialTest

__all__ = ["CellTally", "Tally"]


@dataclass
class CellTally:
    """One cell: A's scores by the index of the match; where A plays alone, 1 if it won, or the points without a win."""

    cell: Cell
    test: SequentialTest | None = None
    scores: dict[int, float] = field(default_factory=dict)
    points: bool = False
    """Whether the scores are points, of a game that nobody wins."""

    def add(self, index: int, score: float) -> None:
        """Counts a match."""
        self.scores[index] = score
        if self.test is not None:
            self.test.add(index, score)

    def add_alone(self, index: int, ending: Ending) -> None:
        """Counts a match of a cell in which A plays alone."""
        self.points = ending.result == ""
        self.add(index, ending.points if self.points else float(ending.result == "won"))

    @property
    def decided(self) -> bool:
        """Whether the sequential test has stopped the cell."""
        return self.test is not None and self.test.decision != "go on"

    @property
    def done(self) -> int:
        """Matches finished."""
        return len(self.scores)

    @property
    def asked(self) -> int:
        """Matches asked for: no more than are done if the cell is decided."""
        return self.done if self.decided else self.cell.matches

    @property
    def rate(self) -> float | None:
        """A's mean score so far."""
        return sum(self.scores.values()) / len(self.scores) if self.scores else None

    @property
    def standing(self) -> str:
        """The mean score in words.

        >>> CellTally(Cell("hex", "Hex", "few", "simulations", "MAST", "base", "a", "b", 9), None, {0: 1.0}).standing
        'MAST 100.0 % of 1'
        """
        if self.rate is None:
            return ""
        if self.points:
            return f"{self.cell.a} {self.rate:.1f} points in the mean of {self.done}"
        return f"{self.cell.a} {'won ' if self.cell.alone else ''}{100 * self.rate:.1f} % of {self.done}"


class Tally:
    """All cells of an experiment, brought up to date match by match."""

    def __init__(
        self,
        cells: Sequence[Cell],
        fixtures: Iterable[Fixture],
        endings: Mapping[bytes, Ending],
        test: Callable[[], SequentialTest] | None = None,
    ) -> None:
        self.cells = [CellTally(cell, test() if test and not cell.control else None) for cell in cells]
        self.latest: CellTally | None = None
        """The cell that was counted last."""
        self.elsewhere = 0
        """Matches that only other runs are playing, while this one waits for them."""
        self.steps = 0
        """Steps of the matches that are being played just now, as far as the executor tells."""
        self.endings: dict[bytes, Ending] = {}
        self.asking: dict[bytes, list[Fixture]] = {}
        for fixture in fixtures:
            for match in fixture.matches:
                self.asking.setdefault(match.key, []).append(fixture)
        for key in [key for key in self.asking if key in endings]:
            self.add(key, endings[key])

    def __repr__(self) -> str:
        return f"<Tally: {self.done:,} of {self.asked:,} matches>"

    def add(self, key: bytes, ending: Ending) -> None:
        """Counts a finished match wherever the experiment asks for it."""
        self.endings[key] = ending
        for fixture in self.asking[key]:
            found = [self.endings[match.key] for match in fixture.matches if match.key in self.endings]
            if len(found) == len(fixture.matches):
                self.latest = self.cells[fixture.cell]
                if self.latest.cell.alone:
                    self.latest.add_alone(fixture.index, ending)
                else:
                    returns = [value for each in found for value in each.returns]
                    self.latest.add(fixture.index, duel_score(fixture.seats, returns))

    def wanted(self, key: bytes) -> bool:
        """Whether a match is still of use: whether a cell that asks for it is undecided."""
        return any(not self.cells[fixture.cell].decided for fixture in self.asking[key])

    @property
    def done(self) -> int:
        """Matches finished in all cells."""
        return sum(tally.done for tally in self.cells)

    @property
    def asked(self) -> int:
        """Matches asked for in all cells."""
        return sum(tally.asked for tally in self.cells)
