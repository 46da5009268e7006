"""General game playing: games handed over as rulesheets in the Game Description Language (GDL)."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from treewise.gdl.normalise import parse_sheet
from treewise.gdl.repair import parse_for_play, prepare
from treewise.gdl.syntax import GDLError
from treewise.gdl.terms import Sheet
from treewise.gdl.validate import Finding, validate

if TYPE_CHECKING:
    from treewise.gdl.load import load_machine, load_sheet, sheet_names
    from treewise.gdl.prover import Prover
    from treewise.gdl.proving_machine import ProverMachine, prover_machine

__all__ = [
    "Finding",
    "GDLError",
    "Prover",
    "ProverMachine",
    "Sheet",
    "load_machine",
    "load_sheet",
    "parse_for_play",
    "parse_sheet",
    "prepare",
    "prover_machine",
    "sheet_names",
    "validate",
]

_ELSEWHERE = {
    "Prover": "prover",
    "ProverMachine": "proving_machine",
    "prover_machine": "proving_machine",
    "load_machine": "load",
    "load_sheet": "load",
    "sheet_names": "load",
}
"""Imported when they are first asked for: reading a sheet needs none of it."""


def __getattr__(name: str) -> Any:
    if name not in _ELSEWHERE:
        raise AttributeError(f"module 'treewise.gdl' has no attribute '{name}'")
    found = getattr(import_module(f"treewise.gdl.{_ELSEWHERE[name]}"), name)
    globals()[name] = found
    return found
