"""What an experiment asks and what its matches answered: the one form that the store gives and the report reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from treewise.lab.ending import Result
from treewise.wording import counted

__all__ = ["Cell", "CellOutcome", "ExperimentOutcome", "Figure", "Played", "Published", "Reference", "Replay", "Sprt"]


@dataclass(frozen=True)
class Reference:
    """A published figure for a cell, in per cent, with the half width of its 95 % interval."""

    rate: float
    half_width: float
    source: str = ""


@dataclass(frozen=True)
class Figure:
    """A published mean with its standard error and, against the base, its mark; what is not known is None or empty."""

    value: float
    error: float | None = None
    mark: str = ""
    too_large: bool = False
    """Whether the error is known to be larger than it is."""


@dataclass(frozen=True)
class Published:
    """What a source says of an entrant that plays alone: wins in per cent, and points; `game` is a row's label."""

    source: str
    game: str
    entrant: str
    wins: Figure | None = None
    score: Figure | None = None


@dataclass(frozen=True)
class Sprt:
    """A sequential test that may stop a cell early: is A's win rate `p0` or `p1`?"""

    p0: float
    p1: float
    alpha: float = 0.05
    beta: float = 0.05


@dataclass(frozen=True)
class Cell:
    """One comparison of an experiment: A against B on one game with one budget; or A alone, then B is empty."""

    game: str
    """Full text form."""
    game_label: str
    budget: str
    """Label, for example `1 s`."""
    kind: Literal["simulations", "seconds"]
    """Whether both sides get the same simulations or the same time."""
    a: str
    b: str
    """Labels of the entrants."""
    a_text: str
    b_text: str
    """Full text forms, the budget's limit included."""
    matches: int
    """How many are asked for."""
    reference: Reference | None = None
    control: bool = False
    """Whether this is an entrant against itself, which must come out even."""
    value: float | str | None = None
    """Of the parameter that a sweep varies."""
    seed: int = 0
    """From which the seeds of its matches derive."""
    players: int = 2
    part: int = 0
    """Place among the games that make one row of a table, such as levels, from 1; 0 if it is the only one."""

    def __repr__(self) -> str:
        who = f"{self.a} alone" if self.alone else f"{self.a} against {self.b}"
        return f"<Cell: {who} on {self.title}, {self.budget}: {counted(self.matches, 'match')}>"

    @property
    def alone(self) -> bool:
        """Whether the entrant plays by itself."""
        return not self.b_text

    @property
    def title(self) -> str:
        """The game's label, with its place in the row."""
        return f"{self.game_label} {self.part}" if self.part else self.game_label

    @property
    def entrants(self) -> list[tuple[str, str]]:
        """Who plays: labels and text forms."""
        both = [(self.a, self.a_text), (self.b, self.b_text)]
        return both[:1] if self.alone else both


@dataclass(frozen=True)
class Replay:
    """What came out when a match was played again: whether it was the same, and by which version of the code."""

    same: bool
    version: str


@dataclass(frozen=True)
class Played:
    """One finished match of a cell, from A's view; values of both sides are A's, then B's, where there is a B."""

    index: int
    """Place in the cell's schedule; matches 2i and 2i + 1 have seats swapped and share a seed, unless A and B are the
    same search, which would play the same match twice."""
    seats: tuple[int, ...]
    """Who sat where, 0 for A and 1 for B."""
    score: float
    """1 for a win of A, 1/2 for a draw, 0 for a loss; with more than two seats, A's share of its duels with B; where A
    plays alone, 1 if it won and else 0."""
    returns: tuple[float, ...]
    """The mean utility of each entrant's seats."""
    length: int
    cut: bool
    moves: tuple[int, ...]
    simulations: tuple[int, ...]
    seconds: tuple[float, ...]
    """Totals over the match; divide by `moves`."""
    version: str
    machine: str
    result: Result = ""
    points: float = 0.0
    """Where A plays alone: how it ended, and the points."""
    replays: tuple[Replay, ...] = ()
    """Where it was drawn to be played again: what came out; two where it was two matches of one player."""

    def __repr__(self) -> str:
        return f"<Played: match {self.index}, score {self.score:g} of A in {counted(self.length, 'step')}>"


@dataclass(frozen=True)
class CellOutcome:
    """A cell with its finished matches, in the order of the schedule."""

    cell: Cell
    played: tuple[Played, ...]

    def __repr__(self) -> str:
        return f"<CellOutcome: {len(self.played):,} finished of {self.cell!r}>"


@dataclass(frozen=True)
class ExperimentOutcome:
    """Everything a report needs."""

    name: str
    title: str
    description: str
    seed: int
    opening: int
    reuse: bool
    cells: tuple[CellOutcome, ...]
    pairing: str = ""
    """head_to_head, round_robin, gauntlet, sweep or alone."""
    parameter: str = ""
    """What a sweep varies."""
    sprt: Sprt | None = None
    base: str = ""
    """The entrant that others who play alone are measured against."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """The published figures' sources: short names, and where they are from."""
    published: tuple[Published, ...] = ()
    """Figures of others for who plays alone; the game `Overall` is the mean over the games."""
    changed: frozenset[str] = frozenset()
    """Versions of the code of which a match, of this experiment or of another one in the store, no longer replays."""

    def __repr__(self) -> str:
        done, asked = sum(len(each.played) for each in self.cells), sum(each.cell.matches for each in self.cells)
        return f"<ExperimentOutcome '{self.name}': {counted(len(self.cells), 'cell')}, {done:,} of {asked:,} matches>"
