"""Measure how fast a rulesheet is played.

Seconds to build a machine, then random playouts from the initial state and the states that they pass through, a second
of one core. --check compares the machine with the prover first: legal actions, facts, end and goals.
"""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser, Namespace
from typing import Any

from treewise.cli.options import add_machine_kind, add_seed, building, duration, whole
from treewise.cli.output import console, table
from treewise.wording import approximately

EXAMPLES = """\
examples:
  treewise gdl bench breakthrough skirmish
  treewise gdl bench mygame.kif --seconds 5 --json
  treewise gdl bench mygame.kif --check 500     compare 500 states with the prover first
"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "sheets", metavar="FILE", nargs="+", help="rulesheets: files, or names of those that are shipped"
    )
    add_machine_kind(parser)
    parser.add_argument(
        "--seconds", type=duration("seconds"), default=1.0, metavar="S", help="of playouts for each (default: 1)"
    )
    parser.add_argument("--check", type=whole(0), default=0, metavar="N", help="states to compare with the prover's")
    parser.add_argument("--json", action="store_true", help="print one JSON object a rulesheet")
    add_seed(parser)


def run(args: Namespace) -> int:
    """Prints a table, or JSON; status 1 if a machine and the prover disagree."""
    columns = ("rulesheet", "machine", "build", "facts", "actions", "gates", "playouts/s", "states/s", "length")
    rows = table(*columns)
    for sheet in args.sheets:
        facts = measure(sheet, args.machine, args.seconds, args.seed, **building(args))
        difference = _difference(sheet, args.machine, args.check, args.seed, **building(args)) if args.check else None
        if difference is not None:
            console().print(f"{sheet}: {difference}", soft_wrap=True)
            return 1
        if args.json:
            print(json.dumps(facts))
        rows.add_row(*_cells(facts))
    if not args.json:
        console().print(rows)
    return 0


def measure(sheet: str, machine: str, seconds: float, seed: int, **options: Any) -> dict[str, Any]:
    """The figures of one rulesheet, by name."""
    from treewise._core import time_playouts
    from treewise.gdl.load import load_machine
    from treewise.gdl.net_machine import NetMachine

    start = time.perf_counter()
    made = load_machine(sheet, machine, **options)
    built = time.perf_counter() - start
    state, playouts, spent, steps = made.game.initial_state(), 0, 0.0, 0
    while spent < seconds or playouts == 0:
        count = max(1, min(10_000, round(playouts * (seconds / spent - 1)) if spent else 1))
        taken, passed = time_playouts(state, count, seed + playouts)
        playouts, spent, steps = playouts + count, spent + taken, steps + passed
    return {
        "sheet": sheet,
        "machine": made.kind,
        "build_seconds": built,
        "playouts_per_second": playouts / spent,
        "states_per_second": steps / spent,
        "mean_length": steps / playouts,
        **(made.game.sizes if isinstance(made, NetMachine) else {}),
    }


def _difference(sheet: str, machine: str, states: int, seed: int, **options: Any) -> str | None:
    """How the machine and the prover differ along random matches."""
    from treewise.gdl.load import load_machine
    from treewise.gdl.trace import first_difference, record_trace

    made, prover = (load_machine(sheet, kind, **options) for kind in (machine, "prover"))
    seen = 0
    while seen < states:
        trace = list(record_trace(prover, seed=seed + seen))
        found = first_difference(made, trace)
        if found is not None:
            return str(found)
        seen += len(trace)
    return None


def _cells(facts: dict[str, Any]) -> list[str]:
    return [
        facts["sheet"],
        facts["machine"],
        f"{facts['build_seconds']:.1f} s",
        *(f"{facts[key]:,}" if key in facts else "" for key in ("facts", "actions", "gates")),
        *(approximately(facts[key]) for key in ("playouts_per_second", "states_per_second")),
        f"{facts['mean_length']:.1f}",
    ]
