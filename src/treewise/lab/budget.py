"""Budgets: the limits of an experiment's searches, and whether they measure anything."""

from __future__ import annotations

from typing import Literal

from treewise import limit, spec
from treewise.part import Part, part_class

__all__ = ["check_measured", "kind_of", "read_limit"]

_LEAST_SECONDS = 1e-4
"""In less time some searches do not begin a simulation."""


def read_limit(text: str) -> limit.Limit:
    """The limit of a text, which must be a budget.

    >>> read_limit("any([simulations(0), seconds(1)])")
    Traceback (most recent call last):
    ValueError: 'any(limits=[simulations(count=0), seconds])' ends a search before its first simulation: take more
    """
    call = spec.parse(text)
    built = part_class("limit", call.name).from_call(call)
    assert isinstance(built, limit.Limit)
    check_measured(built)
    return built


def check_measured(limited: Part) -> None:
    """ValueError unless a limit says how many simulations a search gets or how long, and that is not nothing."""
    if not _measured(limited):
        raise ValueError(
            f"'{limited.text()}' says neither how many simulations a search gets nor how long: take simulations(…), "
            "seconds(…) or cpu_seconds(…), or any([…]) with one of them"
        )
    if _empty(limited):
        raise ValueError(f"'{limited.text()}' ends a search before its first simulation: take more")


def _measured(limited: Part) -> bool:
    """Whether a limit ends a search by its simulations or its time, whatever else may end it."""
    if isinstance(limited, limit.Any):
        return any(map(_measured, limited.limits))
    if isinstance(limited, limit.All):
        return all(map(_measured, limited.limits))
    return isinstance(limited, limit.Simulations | limit.Seconds | limit.CpuSeconds)


def _empty(limited: Part) -> bool:
    """Whether a limit ends a search before its first simulation."""
    if isinstance(limited, limit.Any):
        return any(map(_empty, limited.limits))
    if isinstance(limited, limit.All):
        return all(map(_empty, limited.limits))
    if isinstance(limited, limit.Seconds | limit.CpuSeconds):
        return limited.seconds < _LEAST_SECONDS
    return limited in (limit.Simulations(0), limit.Memory(0))


def kind_of(limited: Part) -> Literal["simulations", "seconds"]:
    """What both sides of a comparison get the same of."""
    inner = limited.limits if isinstance(limited, limit.Any | limit.All) else ()
    timed = isinstance(limited, limit.Seconds | limit.CpuSeconds) or any(kind_of(each) == "seconds" for each in inner)
    return "seconds" if timed else "simulations"
