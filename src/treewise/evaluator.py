"""Evaluators: values and priors of states, in batches, instead of playouts.

An evaluator written in Python is any object with `evaluate(states)` that returns one row of values for each state (each
player's expected returns, within the game's range) or a pair (values, priors); priors are, for each state, None, a dict
{action: prior} or numbers in the order of `state.legal_actions()`. A tuple of two is always such a pair: return rows
alone as a list or an array. `batch_size` (default 1) leaves are gathered before it is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from treewise.part import Part, parameter

__all__ = ["Evaluator", "Playouts", "Priors", "Rows"]

Numbers = Sequence[float] | np.ndarray[Any, Any]
Rows = Sequence[Numbers] | np.ndarray[Any, Any]
"""Each player's expected returns, for each state."""
Priors = Sequence[Mapping[int, float] | Numbers | None] | np.ndarray[Any, Any] | None
"""Prior weights of each state's actions."""


class Evaluator(Protocol):
    """What an evaluator written in Python must have."""

    def evaluate(self, states: list[Any], /) -> Rows | tuple[Rows, Priors]:
        """Values, or values and priors; `states` are copies, each a `State` or the user's own object."""


@dataclass(frozen=True)
class Playouts(Part):
    """The mean of some uniform playouts, cut off and valued as the search's own would be; no priors.

    >>> Playouts(count=4).text()
    'playouts(count=4)'
    """

    family = "evaluator"
    name = "playouts"
    citation = "Abramson 1990"

    count: int = parameter(1, "playouts for each state", low=1, high=10**6)
