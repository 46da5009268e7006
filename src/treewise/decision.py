"""Decision: which action to play, from the finished root."""

from __future__ import annotations

from dataclasses import dataclass

from treewise.part import Part, parameter

__all__ = ["Max", "MaxRobust", "Proportional", "Robust", "Secure"]


@dataclass(frozen=True)
class Robust(Part):
    """The child with the most visits; among equals the one with the highest value.

    With `ties='noise'`, as in the GVGAI framework's sample controller, a random one among equals; the highest value
    decides only if all children that were tried have equally many visits.

    >>> Robust().text()
    'robust'
    """

    family = "decision"
    name = "robust"
    citation = "Chaslot et al. 2008"

    ties: str = parameter("value", "what decides among equally many visits", choices=("value", "noise"))


@dataclass(frozen=True)
class Max(Part):
    """The child with the highest value.

    >>> Max().text()
    'max'
    """

    family = "decision"
    name = "max"
    citation = "Chaslot et al. 2008"


@dataclass(frozen=True)
class MaxRobust(Part):
    """The child with both the most visits and the highest value; while there is none, the search goes on.

    At most `extension` times the simulations it has had, whatever the limit is: half of a second more after a limit of
    one second, by default. Then the most visits decide. Where several players act at once, it goes on until that holds
    for each of them.

    >>> MaxRobust().text()
    'max_robust'
    """

    family = "decision"
    name = "max_robust"
    citation = "Coulom 2006"

    extension: float = parameter(0.5, "how much longer the search may go on", low=0, high=100)


@dataclass(frozen=True)
class Secure(Part):
    """The greatest lower confidence bound, mean - a / sqrt(n).

    >>> Secure(a=4).text()
    'secure(a=4.0)'
    """

    family = "decision"
    name = "secure"
    citation = "Chaslot et al. 2008; Winands, Björnsson & Saito 2008"

    a: float = parameter(1.0, "how much uncertainty costs, on the scale [0, 1]", low=0, high=1e6)


@dataclass(frozen=True)
class Proportional(Part):
    """Drawn at random by visits to the power 1 / temperature; for self-play and mixed strategies.

    >>> Proportional(temperature=0.5).text()
    'proportional(temperature=0.5)'
    """

    family = "decision"
    name = "proportional"
    citation = "Silver et al. 2017"

    temperature: float = parameter(1.0, "small: nearly the most visits; large: nearly uniform", low=0.01, high=1e6)
