"""The running score of an experiment: what is finished of each cell, and how it stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from treewise.comparison import duel_score
from treewise.lab.outcome import Cell
from treewise.lab.schedule import Fixture

__all__ = ["CellTally", "Tally"]


@dataclass
class CellTally:
    """One cell: A's scores by the index of the match."""

    cell: Cell
    scores: dict[int, float] = field(default_factory=dict)

    @property
    def done(self) -> int:
        """Matches finished."""
        return len(self.scores)

    @property
    def rate(self) -> float | None:
        """A's mean score so far."""
        return sum(self.scores.values()) / len(self.scores) if self.scores else None

    def prefix(self) -> list[float]:
        """The scores in the order of the schedule, up to the first match that is not finished."""
        found: list[float] = []
        while len(found) in self.scores:
            found.append(self.scores[len(found)])
        return found


class Tally:
    """All cells of an experiment, brought up to date match by match."""

    def __init__(
        self, cells: Sequence[Cell], fixtures: Iterable[Fixture], returns: Mapping[bytes, tuple[float, ...]]
    ) -> None:
        self.cells = [CellTally(cell) for cell in cells]
        self.returns: dict[bytes, tuple[float, ...]] = {}
        self.waiting: dict[bytes, list[Fixture]] = {}
        for fixture in fixtures:
            for match in fixture.matches:
                self.waiting.setdefault(match.key, []).append(fixture)
        for key in [key for key in self.waiting if key in returns]:
            self.add(key, returns[key])

    def add(self, key: bytes, returns: tuple[float, ...]) -> None:
        """Counts a finished match wherever the experiment asks for it."""
        self.returns[key] = returns
        for fixture in self.waiting.get(key, ()):
            found = [self.returns.get(match.key) for match in fixture.matches]
            known = [value for each in found if each is not None for value in each]
            if None not in found:
                self.cells[fixture.cell].scores[fixture.index] = duel_score(fixture.seats, known)

    @property
    def done(self) -> int:
        """Matches finished in all cells."""
        return sum(tally.done for tally in self.cells)

    @property
    def asked(self) -> int:
        """Matches asked for in all cells."""
        return sum(tally.cell.matches for tally in self.cells)
