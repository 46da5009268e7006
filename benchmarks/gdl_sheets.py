"""Which rulesheets of a folder the fast machine builds, what that costs, and whether it agrees with the prover.

    python benchmarks/gdl_sheets.py FOLDER [--seconds 20] [--states 300] [--play 5]

prints a Markdown table, a line a sheet, as they come. Each sheet has a process of its own; building it may take
`--seconds`, and random matches of the prover are played again on the fast machine until so many states have been
compared or the time to `--play` is over.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from treewise.gdl import GDLError
from treewise.gdl.load import load_sheet, net_machine
from treewise.gdl.prover.machine import ProverMachine
from treewise.gdl.trace import Entry, first_difference, record_trace

_COLUMNS = ("sheet", "machine", "seconds", "MB", "facts", "actions", "gates", "loops", "states compared", "result")
_GRACE = 15
"""Seconds for what is not building: starting, reading, ending."""


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("path", type=Path, help="a folder of rulesheets, or one of them")
    parser.add_argument("--seconds", type=float, default=20, help="how long building may take")
    parser.add_argument("--states", type=int, default=300, help="how many states are compared")
    parser.add_argument("--play", type=float, default=5, help="how long that may take, in seconds")
    parser.add_argument("--json", action="store_true", help="one sheet, in this process, as JSON")
    options = parser.parse_args()
    if options.json:
        print(json.dumps(look(options.path, options.states, options.play)))
        return
    print(f"| {' | '.join(_COLUMNS)} |\n|{'---|' * len(_COLUMNS)}")
    for sheet in sorted(options.path.rglob("*.kif")):
        found = {"sheet": str(sheet.relative_to(options.path).with_suffix("")), **_in_a_process(sheet, options)}
        print(f"| {' | '.join(str(found.get(column, '')) for column in _COLUMNS)} |", flush=True)


def _in_a_process(sheet: Path, options: argparse.Namespace) -> dict[str, Any]:
    command = [sys.executable, __file__, str(sheet), "--json"]
    command += ["--states", str(options.states), "--play", str(options.play)]
    limit = options.seconds + options.play + _GRACE
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return {"machine": "prover", "result": f"took longer than {limit:g} s in all"}
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
        return {"machine": "none", "result": last}
    found: dict[str, Any] = json.loads(done.stdout)
    if found.get("seconds", 0) > options.seconds:
        found["result"] += f"; built in more than {options.seconds:g} s"
    return found


def look(path: Path, states: int, seconds: float) -> dict[str, Any]:
    """What there is to say about one sheet."""
    warnings.simplefilter("ignore")  # of goals that are missing; the prover says so once a sheet
    begin = time.perf_counter()
    try:
        sheet = load_sheet(path)
        net = net_machine(sheet)
    except GDLError as error:
        return {"machine": "prover", "result": _one_cell(error)}
    took = time.perf_counter() - begin
    memory = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    found = {"machine": "net", "seconds": round(took, 1), "MB": memory >> 10, **net.game.sizes}
    matches = _Matches(ProverMachine(sheet), states, time.perf_counter() + seconds)
    try:
        difference = first_difference(net, matches.entries())
        found["result"] = "agrees" if difference is None else f"DIFFERS: {_one_cell(difference)}"
    except GDLError as error:
        found["result"] = f"agrees, then {_one_cell(error)}"
    return {**found, "states compared": matches.count}


class _Matches:
    """Random matches of the prover, up to a number of states or a time."""

    def __init__(self, machine: ProverMachine, states: int, end: float) -> None:
        self.machine = machine
        self.states = states
        self.end = end
        self.count = 0

    def entries(self) -> Iterator[Entry]:
        """The states of all matches; the last match may break off."""
        seed = 0
        while self.count < self.states:
            for entry in record_trace(self.machine, seed):
                self.count += 1
                yield entry
                if self.count >= self.states or time.perf_counter() > self.end:
                    return
            seed += 1


def _one_cell(thing: object) -> str:
    return " ".join(str(thing).replace("|", "/").split())[:200]


if __name__ == "__main__":
    main()
