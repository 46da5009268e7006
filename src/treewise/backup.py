"""Backup: how a simulation's result is folded into the statistics of its path."""

from __future__ import annotations

from dataclasses import dataclass

from treewise.part import Part, parameter

__all__ = ["Discounted", "Mean"]


@dataclass(frozen=True)
class Mean(Part):
    """Every edge of the path gets the result itself; its value is the mean.

    >>> Mean().text()
    'mean'
    """

    family = "backup"
    name = "mean"
    citation = "Kocsis & Szepesvári 2006"


@dataclass(frozen=True)
class Discounted(Part):
    """Every level up multiplies the utility by `gamma` and, in games with step rewards, adds the step's own.

    Makes near wins worth more than far ones; `gamma=1` is the mean.

    >>> Discounted(gamma=0.99).text()
    'discounted(gamma=0.99)'
    """

    family = "backup"
    name = "discounted"
    citation = "Kocsis & Szepesvári 2006; İlhan & Etaner-Uyar 2017"

    gamma: float = parameter(0.999, "discount of one step", low=1e-6, high=1)
