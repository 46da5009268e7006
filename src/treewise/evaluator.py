"""Evaluators: values and priors of states, in batches, instead of playouts.

An evaluator written in Python is any object with `evaluate(states)` that returns one row of values for each state (each
player's expected returns) or a pair (values, priors); priors are, for each state, None, a dict {action: prior} or
numbers in the order of `state.legal_actions()`. `batch_size` (default 1) leaves are gathered before it is asked.
"""

from __future__ import annotations

from dataclasses import dataclass

from treewise.part import Part, parameter

__all__ = ["Playouts"]


@dataclass(frozen=True)
class Playouts(Part):
    """The mean of some uniform playouts; no priors.

    >>> Playouts(count=4).text()
    'playouts(count=4)'
    """

    family = "evaluator"
    name = "playouts"
    citation = "Abramson 1990"

    count: int = parameter(1, "playouts for each state", low=1, high=10**6)
    seed: int = parameter(0, "seed of its own stream of random numbers", low=0, high=2**62)
