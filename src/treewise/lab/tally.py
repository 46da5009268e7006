"""The running score of an experiment: what is finished of each cell, and how it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from treewise.comparison import duel_score
from treewise.lab.outcome import Cell
from treewise.lab.schedule import Fixture
from treewise.lab.sequential import SequentialTest

__all__ = ["CellTally", "Tally"]


@dataclass
class CellTally:
    """One cell: A's scores by the index of the match."""

    cell: Cell
    test: SequentialTest | None = None
    scores: dict[int, float] = field(default_factory=dict)

    def add(self, index: int, score: float) -> None:
        """Counts a match."""
        self.scores[index] = score
        if self.test is not None:
            self.test.add(index, score)

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


class Tally:
    """All cells of an experiment, brought up to date match by match."""

    def __init__(
        self,
        cells: Sequence[Cell],
        fixtures: Iterable[Fixture],
        returns: Mapping[bytes, tuple[float, ...]],
        test: Callable[[], SequentialTest] | None = None,
    ) -> None:
        self.cells = [CellTally(cell, test() if test and not cell.control else None) for cell in cells]
        self.latest: CellTally | None = None
        """The cell that was counted last."""
        self.elsewhere = 0
        """Matches that only other runs are playing, while this one waits for them."""
        self.returns: dict[bytes, tuple[float, ...]] = {}
        self.asking: dict[bytes, list[Fixture]] = {}
        for fixture in fixtures:
            for match in fixture.matches:
                self.asking.setdefault(match.key, []).append(fixture)
        for key in [key for key in self.asking if key in returns]:
            self.add(key, returns[key])

    def add(self, key: bytes, returns: tuple[float, ...]) -> None:
        """Counts a finished match wherever the experiment asks for it."""
        self.returns[key] = returns
        for fixture in self.asking[key]:
            found = [self.returns.get(match.key) for match in fixture.matches]
            known = [value for each in found if each is not None for value in each]
            if None not in found:
                self.latest = self.cells[fixture.cell]
                self.latest.add(fixture.index, duel_score(fixture.seats, known))

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
