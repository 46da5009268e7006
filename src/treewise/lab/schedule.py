"""The schedule: from an experiment to a deterministic list of matches, each with a key made from its content."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from treewise._core import derive_seed
from treewise.comparison import seating
from treewise.lab.outcome import Cell
from treewise.wording import shortened

__all__ = ["Fixture", "PlannedMatch", "schedule"]


@dataclass(frozen=True)
class PlannedMatch:
    """Everything that determines a match, in text forms; equal matches have equal keys, whoever asks for them."""

    game: str
    searches: tuple[str, ...]
    """One for each seat."""
    seed: int
    opening: int
    reuse: bool

    def __repr__(self) -> str:
        return f"<PlannedMatch of {shortened(self.game)}, seed {self.seed}: {self.key.hex()[:12]}>"

    @cached_property
    def key(self) -> bytes:
        """The SHA-256 hash of the content.

        >>> PlannedMatch("tic_tac_toe", ("mcts", "mcts"), 7, 0, False).key.hex()[:12]
        'c03c4ed3e1e6'
        """
        content = [self.game, list(self.searches), self.seed, self.opening, self.reuse]
        return hashlib.sha256(json.dumps(content, separators=(",", ":")).encode()).digest()

    def call(self) -> str:
        """The Python expression that plays this match."""
        searches = ", ".join(f"treewise.parse_search({text!r})" for text in self.searches)
        options = f"seed={self.seed}, opening={self.opening}, reuse={self.reuse}"
        return f"treewise.play_match({self.game!r}, [{searches}], {options})"


@dataclass(frozen=True)
class Fixture:
    """One place in a cell's schedule: a match, or one of each entrant where two are paired in a game of one player."""

    cell: int
    index: int
    seats: tuple[int, ...]
    matches: tuple[PlannedMatch, ...]


def schedule(cells: Iterable[Cell], opening: int = 0, reuse: bool = False) -> Iterator[Fixture]:
    """All fixtures: first the first pair of every cell, then the second pair of every cell, and so on.

    Where entrants play alone there are no pairs, and cells take turns match by match. A cell's fixtures depend on
    nothing but the cell; asking for more matches adds to their end.
    """
    numbered = list(enumerate(cells))
    turn = 0
    while numbered:
        numbered = [(number, cell) for number, cell in numbered if cell.matches > turn * _at_once(cell)]
        for number, cell in numbered:
            first = turn * _at_once(cell)
            for index in range(first, min(first + _at_once(cell), cell.matches)):
                yield fixture(cell, number, index, opening, reuse)
        turn += 1


def _at_once(cell: Cell) -> int:
    return 1 if cell.alone else 2


def fixture(cell: Cell, number: int, index: int, opening: int, reuse: bool) -> Fixture:
    """The cell's match of this index; `number` is the cell's place in the experiment."""
    if cell.alone:
        seed = derive_seed(cell.seed, index) >> 1
        return Fixture(number, index, (0,), (PlannedMatch(cell.game, (cell.a_text,), seed, opening, reuse),))
    seats = seating(index, cell.players)
    texts = (cell.a_text, cell.b_text)
    places = [(entrant,) for entrant in seats] if cell.players == 1 else [seats]
    matches = (
        PlannedMatch(cell.game, tuple(texts[entrant] for entrant in place), seed, opening, reuse)
        for place, seed in zip(places, _seeds(cell, index), strict=True)
    )
    return Fixture(number, index, seats, tuple(matches))


def _seeds(cell: Cell, index: int) -> list[int]:
    """The seed of each match of a fixture: shared by a pair, or by both entrants where the game has one player.

    A search against itself would play the same match twice, so there every match has a seed of its own. 63 bits: what
    databases and tables hold as an integer.
    """
    pair, alike = derive_seed(cell.seed, index // 2), cell.a_text == cell.b_text
    seed = derive_seed(pair, index % 2) if alike or cell.players == 1 else pair
    if cell.players > 1:
        return [seed >> 1]
    return [seed >> 1, (derive_seed(seed, 1) if alike else seed) >> 1]
