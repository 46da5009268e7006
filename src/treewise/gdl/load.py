"""Rulesheets from files and from those that the package brings, and machines for them."""

from __future__ import annotations

from pathlib import Path

from treewise import spec
from treewise.gdl.machine import Machine
from treewise.gdl.normalise import parse_sheet
from treewise.gdl.terms import Sheet

MACHINES = ("prover",)
_SHIPPED = Path(__file__).with_name("games")


def sheet_names() -> list[str]:
    """The rulesheets that come with the package.

    >>> "hidden_coin" in sheet_names()
    True
    """
    return sorted(path.stem for path in _SHIPPED.glob("*.kif"))


def sheet_path(path: str | Path) -> Path:
    """The file of a rulesheet: a path, or the name of one that comes with the package.

    >>> sheet_path("hidden_coin").name
    'hidden_coin.kif'
    """
    shipped = _SHIPPED / f"{path}.kif"
    if not Path(path).is_file() and Path(path).name == str(path) and shipped.is_file():
        return shipped
    if not Path(path).is_file():
        names = sheet_names()
        hint = spec.suggest(str(path), names) if Path(path).name == str(path) else f"shipped are {', '.join(names)}"
        raise ValueError(f"no rulesheet '{path}': neither a file nor the name of a shipped one; {hint}")
    return Path(path)


def load_sheet(path: str | Path) -> Sheet:
    """Reads a rulesheet."""
    return parse_sheet(sheet_path(path).read_text(encoding="utf-8", errors="replace"))


def load_machine(path: str | Path, machine: str = "prover", max_length: int = 1000) -> Machine:
    """A machine for a rulesheet, of the kind that is named.

    >>> load_machine("hidden_coin").roles
    ('guesser', 'random')
    """
    if machine not in MACHINES:
        raise ValueError(f"unknown machine '{machine}'; {spec.suggest(machine, MACHINES)}")
    from treewise.gdl.proving_machine import ProverMachine

    return ProverMachine(load_sheet(path), max_length)
