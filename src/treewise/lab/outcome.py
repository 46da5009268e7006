"""What an experiment asks and what its matches answered: the one form that the store gives and the report reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Cell", "CellOutcome", "ExperimentOutcome", "Played", "Reference", "Sprt"]


@dataclass(frozen=True)
class Reference:
    """A published figure for a cell, in per cent, with the half width of its 95 % interval."""

    rate: float
    half_width: float
    source: str = ""


@dataclass(frozen=True)
class Sprt:
    """A sequential test that may stop a cell early: is A's win rate `p0` or `p1`?"""

    p0: float
    p1: float
    alpha: float = 0.05
    beta: float = 0.05


@dataclass(frozen=True)
class Cell:
    """One comparison of an experiment: A against B on one game with one budget."""

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


@dataclass(frozen=True)
class Played:
    """One finished match of a cell, from A's view; both values of a pair are A's, then B's."""

    index: int
    """Place in the cell's schedule; matches 2i and 2i + 1 have seats swapped and share a seed, unless A and B are the
    same search, which would play the same match twice."""
    seats: tuple[int, ...]
    """Who sat where, 0 for A and 1 for B."""
    score: float
    """1 for a win of A, 1/2 for a draw, 0 for a loss; with more than two seats, A's share of its duels with B."""
    returns: tuple[float, float]
    """The mean utility of each entrant's seats."""
    length: int
    cut: bool
    moves: tuple[int, int]
    simulations: tuple[int, int]
    seconds: tuple[float, float]
    """Totals over the match; divide by `moves`."""
    version: str
    machine: str


@dataclass(frozen=True)
class CellOutcome:
    """A cell with its finished matches, in the order of the schedule."""

    cell: Cell
    played: tuple[Played, ...]


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
    """head_to_head, round_robin, gauntlet or sweep."""
    parameter: str = ""
    """What a sweep varies."""
    sprt: Sprt | None = None
