"""Limit: when a search stops. Combine with `|` (any) and `&` (all).

>>> (Simulations(1000) | Seconds(0.5)).text()
'any(limits=[simulations(count=1000), seconds(seconds=0.5)])'
"""

from __future__ import annotations

from dataclasses import dataclass

from treewise.part import Part, parameter

__all__ = ["All", "Any", "CpuSeconds", "Limit", "Memory", "Proven", "Seconds", "Simulations", "UntilStopped"]


class Limit(Part):
    """A part that says when to stop."""

    family = "limit"

    def waits_for_proof(self) -> bool:
        """Whether it is never reached without a proof of the root.

        >>> (Proven() & Simulations(10)).waits_for_proof(), (Proven() | Simulations(10)).waits_for_proof()
        (True, False)
        """
        return False

    def __or__(self, other: Limit) -> Any:
        return Any((*_flat(Any, self), *_flat(Any, other)))

    def __and__(self, other: Limit) -> All:
        return All((*_flat(All, self), *_flat(All, other)))


@dataclass(frozen=True)
class Simulations(Limit):
    """After so many simulations. With one worker, or root parallelism, the same seed gives the same result.

    >>> Simulations(500).text()
    'simulations(count=500)'
    """

    name = "simulations"

    count: int = parameter(10_000, "number of simulations", low=0, high=2**60)


@dataclass(frozen=True)
class Seconds(Limit):
    """After so much time by the clock on the wall.

    A simulation is not begun if it would end more than two milliseconds late, by how long the last ones took, or the
    first: 40 milliseconds mean 40 milliseconds in a video game. One that has been begun is finished.

    >>> Seconds(0.5).text()
    'seconds(seconds=0.5)'
    """

    name = "seconds"

    seconds: float = parameter(1.0, "duration", low=0, high=1e9)


@dataclass(frozen=True)
class CpuSeconds(Limit):
    """After so much time of the processor, spent by each thread that runs simulations.

    Fair where other programs want the same cores: a search that has to wait loses nothing by it. A move takes longer
    by the clock then, so use `Seconds` where somebody waits.

    >>> CpuSeconds(0.04).text()
    'cpu_seconds(seconds=0.04)'
    """

    name = "cpu_seconds"

    seconds: float = parameter(1.0, "duration", low=0, high=1e9)


@dataclass(frozen=True)
class UntilStopped(Limit):
    """When somebody says so: by a `Stop`, or by Ctrl-C. A search with a solver also ends when the root is proven.

    For players whose clock is elsewhere. The time is when the stop is expected: some bonuses wait for a share of the
    simulations that a run will have.

    >>> UntilStopped(10).text()
    'until_stopped(seconds=10.0)'
    """

    name = "until_stopped"

    seconds: float = parameter(1.0, "when the stop is expected", low=0, high=1e9)


@dataclass(frozen=True)
class Memory(Limit):
    """When the tree has grown to so many megabytes, or grows no more.

    That is so at the cap `memory_mb`, and where a small game has no more states: nothing was added in as many
    simulations as there were until then, and in ten thousand at least. `memory_mb` of the search is another thing: a
    cap at which the tree stops growing while the search goes on.

    >>> Memory(64).text()
    'memory(megabytes=64.0)'
    """

    name = "memory"

    megabytes: float = parameter(1024.0, "size of the tree", low=0, high=1e9)


@dataclass(frozen=True)
class Proven(Limit):
    """When the root is proven. A search with a solver stops then anyway, and one without never knows.

    So a search that cannot end without a proof must have a solver. It may take very long; it also ends when the tree is
    full and has had no new node in as many simulations as there were until then, and in ten thousand at least.

    >>> Proven().text()
    'proven'
    """

    name = "proven"

    def waits_for_proof(self) -> bool:  # noqa: D102
        return True


@dataclass(frozen=True)
class Any(Limit):
    """As soon as one of several limits is reached; written `a | b`.

    >>> Any((Simulations(10), Seconds(1))) == Simulations(10) | Seconds(1)
    True
    """

    name = "any"

    limits: tuple[Limit, ...] = parameter(tuple, "the limits", family="limit", many=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_some(self.name, self.limits)

    def waits_for_proof(self) -> bool:  # noqa: D102
        return all(part.waits_for_proof() for part in self.limits)


@dataclass(frozen=True)
class All(Limit):
    """When every one of several limits is reached; written `a & b`.

    >>> All((Simulations(10), Seconds(1))) == Simulations(10) & Seconds(1)
    True
    """

    name = "all"

    limits: tuple[Limit, ...] = parameter(tuple, "the limits", family="limit", many=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_some(self.name, self.limits)

    def waits_for_proof(self) -> bool:  # noqa: D102
        return any(part.waits_for_proof() for part in self.limits)


def _require_some(name: str, limits: tuple[Limit, ...]) -> None:
    if not limits:
        raise ValueError(f"{name}: at least one limit is needed")


def _flat(kind: type[Any] | type[All], part: Limit) -> tuple[Limit, ...]:
    return part.limits if isinstance(part, kind) else (part,)
