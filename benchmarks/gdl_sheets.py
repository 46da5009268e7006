"""Which rulesheets of a folder the fast machine builds, what that costs, and whether it agrees with the prover.

    python benchmarks/gdl_sheets.py FOLDER --results sheets.jsonl [--seconds 20] [--states 300] [--play 5]
    python benchmarks/gdl_sheets_page.py sheets.jsonl docs/gdl_sheets.md

Each sheet has a process of its own, and adds a line to the results; those that are there already are not done again.
Building may take `--seconds` of processor time. Then random matches of the prover are played again on the fast machine
until so many states have been compared or the time to `--play` is over; where there is no fast machine, the prover
plays alone.
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
from treewise.gdl.grounder import ground
from treewise.gdl.grounding.limits import Limits, TooLarge
from treewise.gdl.load import load_sheet
from treewise.gdl.net_machine import NetMachine, check_native
from treewise.gdl.prover.machine import ProverMachine
from treewise.gdl.terms import Sheet
from treewise.gdl.trace import Entry, first_difference, record_trace

_GRACE = 15
"""Seconds for what is not building: starting, reading, ending."""
_BUSY = 6
"""How many times longer than its processor time a process may take by the clock on a machine that is shared."""


def main() -> None:
    """Adds to the results what they lack."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("path", type=Path, help="a folder of rulesheets, or one of them")
    parser.add_argument("--results", type=Path, help="where a line for each goes; needed for a folder")
    parser.add_argument("--seconds", type=float, default=20, help="how long building may take")
    parser.add_argument("--states", type=int, default=300, help="how many states are compared")
    parser.add_argument("--play", type=float, default=5, help="how long that may take, in seconds")
    options = parser.parse_args()
    if options.path.is_file():
        print(json.dumps(look(options.path, options.seconds, options.states, options.play)))
        return
    if options.results is None:
        parser.error("a folder needs --results FILE")
    lines = options.results.read_text(encoding="utf-8").splitlines() if options.results.exists() else []
    done = {json.loads(line)["sheet"] for line in lines}
    with options.results.open("a", encoding="utf-8") as file:
        for path in sorted(options.path.rglob("*.kif")):
            name = path.relative_to(options.path).with_suffix("").as_posix()
            if name not in done:
                file.write(json.dumps({"sheet": name, **_in_a_process(path, options)}) + "\n")
                file.flush()


def _in_a_process(sheet: Path, options: argparse.Namespace) -> dict[str, Any]:
    command = [sys.executable, __file__, str(sheet), "--seconds", str(options.seconds)]
    command += ["--states", str(options.states), "--play", str(options.play)]
    limit = _BUSY * (options.seconds + options.play + _GRACE)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return {"machine": "none", "why": "does not come to an end"}
    if done.returncode:
        return {"machine": "none", "why": (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]}
    return dict(json.loads(done.stdout))


def look(path: Path, seconds: float, states: int, play: float) -> dict[str, Any]:
    """What there is to say about one sheet."""
    warnings.simplefilter("ignore")  # of goals that are missing; the prover says so once a sheet
    begin = _processor_time()
    sheet = load_sheet(path)
    found: dict[str, Any] = {}
    net = None
    try:
        check_native(sheet)
        net = _built(sheet, seconds)
        found |= {"machine": "net", **net.game.sizes}
    except GDLError as error:
        why = str(error)
        if isinstance(error, TooLarge) and "took longer" in why:
            why = f"grounding took longer than {seconds:g} s"
        found |= {"machine": "prover", "why": why}
    memory = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    found |= {"seconds": round(_processor_time() - begin, 2), "megabytes": max(memory) >> 10}
    matches = _Matches(ProverMachine(sheet), states, time.process_time() + play)
    try:
        if net is None:
            found["prover_ends"] = any(entry["terminal"] for entry in matches.entries())
        else:
            difference = first_difference(net, matches.entries())
            found["difference"] = None if difference is None else str(difference)
    except GDLError as error:
        found["stopped"] = str(error)
    return {**found, "states": matches.count}


def _built(sheet: Sheet, seconds: float) -> NetMachine:
    # The process of the grounder counts its processor time itself; the limit that is given is one by the clock.
    limits = Limits(seconds=_BUSY * seconds)
    program = ground(sheet, limits)
    if resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime > seconds:
        raise TooLarge("took longer")
    return NetMachine(sheet, program)


def _processor_time() -> float:
    """Of this process and of those that it has waited for, since they began."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


class _Matches:
    """Random matches of the prover, up to a number of states or a processor time."""

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
                if self.count >= self.states or time.process_time() > self.end:
                    return
            seed += 1


if __name__ == "__main__":
    main()
