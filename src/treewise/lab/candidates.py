"""Candidates: the searches that a tuning may try, as cells of the laboratory."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cached_property

from treewise.lab.document import Document, GameEntry, swept_label
from treewise.lab.experiment import Experiment, fill, resolve
from treewise.lab.outcome import Cell
from treewise.lab.ranges import Range, Value, check_places, parse_range

__all__ = ["Candidates"]

_BASE = "base"
_TUNED = "tuned"


@dataclass(frozen=True)
class Candidates:
    """A search with names in braces, the values they may have, and how its matches against a base are played.

    `ranges` gives each name its values: `0.5:10`, `0.5:10:log`, `1:8:int` or `uniform|mast`. All is checked before
    anything is played: ValueError says what cannot be tried.

    >>> few = Candidates("tic_tac_toe", "uct(c={c})", "uct(c=1)", {"c": "0:2"}, budget="simulations(9)")
    >>> few.text({"c": 0.5})
    'uct(c=0.5)'
    >>> Candidates("tic_tac_toe", "uct(c={c})", "uct(c=1)", {"c": "-1:2"})
    Traceback (most recent call last):
    ValueError: c = -1.0 cannot be tried: ucb1: c must be between 0 and inf, not -1.0
    """

    game: str
    search: str
    against: str
    ranges: Mapping[str, str]
    budget: str = "simulations(1000)"
    seed: int = 0
    opening: int = 0
    reuse: bool = False

    def __post_init__(self) -> None:
        check_places(self.search, self.ranges)
        if not 0 <= self.seed < 2**64:
            raise ValueError(f"the seed must be from 0 to {2**64 - 1}, not {self.seed}")
        self._resolved(_BASE, self.against, 2, self.seed)
        self.extremes()

    def extremes(self) -> list[Cell]:
        """The search at the ends of each range; ValueError if it cannot play there."""
        first = {name: allowed.ends()[0] for name, allowed in self.allowed.items()}
        cells = []
        for name, allowed in self.allowed.items():
            for end in allowed.ends():
                try:
                    cells.append(self.cell(first | {name: end}, 2))
                except ValueError as error:
                    raise ValueError(f"{name} = {end} cannot be tried: {error.__cause__ or error}") from error
            ends = len(allowed.ends())
            if ends > 1 and len({cell.a_text for cell in cells[-ends:]}) == 1:
                raise ValueError(
                    f"{name} changes nothing: the search is the same at both ends of its range. The budget, "
                    f"{self.budget}, replaces the search's own limit"
                )
        return cells

    @cached_property
    def allowed(self) -> Mapping[str, Range]:
        """The ranges, read."""
        return {name: parse_range(text) for name, text in self.ranges.items()}

    @property
    def name(self) -> str:
        """Of the experiment in the store: equal for equal questions."""
        content = json.dumps(astuple(self))
        return f"tune {', '.join(self.ranges)} {hashlib.sha256(content.encode()).hexdigest()[:8]}"

    def text(self, values: Mapping[str, Value]) -> str:
        """The search with these values."""
        return fill(self.search, values)

    def cell(self, values: Mapping[str, Value], matches: int, seed: int | None = None) -> Cell:
        """The search with these values against the base; the seed is the tuning's own unless another is given."""
        label = _TUNED
        for name, value in values.items():
            label = swept_label(label, name, value)
        cell = self._resolved(label, self.text(values), matches, self.seed if seed is None else seed)
        return replace(cell, value=next(iter(values.values())) if len(values) == 1 else None)

    def experiment(self, name: str, cells: Sequence[Cell]) -> Experiment:
        """An experiment of some of these cells: a sweep if one parameter varies."""
        one = len(self.ranges) == 1
        return Experiment(
            name=name,
            title=f"Tuning {', '.join(self.ranges)} of {self.search}",
            description=f"Trials against {self.against}; those that looked hopeless were stopped early.",
            seed=self.seed,
            opening=self.opening,
            reuse=self.reuse,
            pairing="sweep" if one else "gauntlet",
            parameter=next(iter(self.ranges)) if one else "",
            sprt=None,
            cells=tuple(cells),
        )

    def _resolved(self, label: str, text: str, matches: int, seed: int) -> Cell:
        """What an experiment file with these two entrants asks."""
        entry = GameEntry(
            place=self.game,
            games=(self.game,),
            label=self.game,
            values={},
            budgets={self.budget: self.budget},
            matches={self.budget: matches},
            entrants=(label, _BASE),
            reference={},
        )
        entrants = {label: text, _BASE: self.against}
        asked = replace(_DUEL, seed=seed, opening=self.opening, entrants=entrants, games=(entry,))
        return resolve(asked).cells[0]


_DUEL = Document(
    file="tune",
    name="tune",
    title="",
    description="",
    source="",
    seed=0,
    opening=0,
    reuse=False,
    pairing="head_to_head",
    base=_BASE,
    control=False,
    entrants={},
    games=(),
    parameter="",
    sweep=(),
    sprt=None,
)
