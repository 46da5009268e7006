"""General game playing: games handed over as rulesheets in the Game Description Language (GDL).

In reading order (`docs/design/gdl.md` follows a rulesheet through all of it):

- `syntax`, `terms`, `normalise`: from text to forms to rules in normal form, a `Sheet`
- `language`: what rules depend on, what is wrong with a sheet, and how it is played nevertheless
- `machine`: what every reasoner over a sheet offers
- `prover`: the reasoner that proves: ready at once, slow, right about every sheet
- `ground`, `grounder`, `grounding`: rules without variables, and how they are made
- `net_machine`: the fast machine, on the engine's circuit
- `load`: sheets and machines by path or name; `cache`: what was ground once; `games`, the sheets of the package
- `puzzle`: the best line of a rulesheet for one player
- `trace`, `probe`: recorded matches to check a machine with; what a game is like
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from treewise.gdl.language.finding import Finding
from treewise.gdl.language.repair import parse_for_play, prepare
from treewise.gdl.language.validate import validate
from treewise.gdl.normalise import parse_sheet
from treewise.gdl.syntax import GDLError
from treewise.gdl.terms import Sheet

if TYPE_CHECKING:
    from treewise.gdl.load import load_machine, load_sheet, machine_of, sheet_names
    from treewise.gdl.prover.machine import ProverMachine, prover_machine
    from treewise.gdl.prover.reasoner import Prover

__all__ = [
    "Finding",
    "GDLError",
    "Prover",
    "ProverMachine",
    "Sheet",
    "load_machine",
    "load_sheet",
    "machine_of",
    "parse_for_play",
    "parse_sheet",
    "prepare",
    "prover_machine",
    "sheet_names",
    "validate",
]

_ELSEWHERE = {
    "Prover": "prover.reasoner",
    "ProverMachine": "prover.machine",
    "prover_machine": "prover.machine",
    "load_machine": "load",
    "load_sheet": "load",
    "machine_of": "load",
    "sheet_names": "load",
}
"""Imported when they are first asked for: reading a sheet needs none of it."""


def __getattr__(name: str) -> Any:
    if name not in _ELSEWHERE:
        raise AttributeError(f"module 'treewise.gdl' has no attribute '{name}'")
    found = getattr(import_module(f"treewise.gdl.{_ELSEWHERE[name]}"), name)
    globals()[name] = found
    return found
