"""Show what a rulesheet's game is like.

Roles, rules, and what random matches tell: their length, how many actions there are to choose from, the goals, whether
roles choose at once.
"""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser, Namespace
from typing import Any

from treewise.cli.options import add_machine, add_seed, building, whole
from treewise.cli.output import console, table
from treewise.wording import approximately

EXAMPLES = """\
examples:
  treewise gdl info kuhn_poker
  treewise gdl info mygame.kif --playouts 500 --json
"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    add_machine(parser)
    parser.add_argument("--playouts", type=whole(1), default=50, metavar="N", help="random matches (default: 50)")
    parser.add_argument(
        "--max-length", type=whole(1), default=1000, metavar="N", help="steps after which one is cut (default: 1000)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_seed(parser)


def run(args: Namespace) -> int:
    """Prints a table, or JSON."""
    facts = describe(args.sheet, args.machine, args.playouts, args.seed, args.max_length, **building(args))
    out = console()
    if args.json:
        print(json.dumps(facts))
        return 0
    rows = table("property", "value", title=str(args.sheet))
    for row in _rows(facts):
        rows.add_row(*row)
    out.print(rows)
    return 0


def describe(sheet: str, machine: str, playouts: int, seed: int, max_length: int, **options: Any) -> dict[str, Any]:
    """Everything that the command shows, by name."""
    from treewise.gdl.load import load_machine
    from treewise.gdl.net_machine import NetMachine
    from treewise.gdl.probe import probe

    start = time.perf_counter()
    made = load_machine(sheet, machine, max_length, **options)
    built = time.perf_counter() - start
    rules = made.sheet.rules
    return {
        "roles": list(made.roles),
        "rules": sum(1 for rule in rules if rule.body),
        "sheet_facts": sum(1 for rule in rules if not rule.body),
        "initial_facts": len(made.facts(made.game.initial_state())),
        "chance": "random" in {role.name for role in made.sheet.roles},
        "hidden": "sees" in {rule.head.name for rule in rules},
        "machine": made.kind,
        "facts": made.game.sizes["facts"] if isinstance(made, NetMachine) else None,
        "actions": made.num_actions if isinstance(made, NetMachine) else None,
        "build_seconds": built,
        **probe(made, playouts, seed, max_length).summary(),
        "playouts_per_second": _rate(made.game, playouts),
    }


def _rate(game: Any, playouts: int) -> float:
    state = game.initial_state()
    start = time.perf_counter()
    for seed in range(playouts):
        state.clone().playout(seed)
    return playouts / (time.perf_counter() - start)


def _rows(facts: dict[str, Any]) -> list[tuple[str, str]]:
    roles = facts["roles"]
    kinds = [kind for kind in ("chance", "hidden") if facts[kind]]
    kinds += ["simultaneous"] if facts["simultaneous_share"] else ["one at a time"]
    known = facts["facts"] is not None
    counted = facts["actions"] if known else facts["actions_seen"]
    actions = ", ".join(f"{role} {count:,}" for role, count in zip(roles, counted, strict=True))
    return [
        ("roles", ", ".join(roles)),
        ("kind", ", ".join(kinds)),
        ("rules", f"{facts['rules']:,}, and {facts['sheet_facts']:,} facts"),
        ("facts of states", _of_states(facts)),
        ("actions" if known else "actions seen", actions),
        *_match_rows(facts),
        ("goals", _goals(facts) or "no match ended"),
        ("read and built in", f"{facts['build_seconds']:.2f} s"),
        ("playouts a second", f"{approximately(facts['playouts_per_second'])} ({facts['machine']})"),
    ]


def _of_states(facts: dict[str, Any]) -> str:
    possible = f"{facts['facts']:,} that can be, " if facts["facts"] is not None else ""
    return f"{possible}{facts['facts_seen']:,} seen, {facts['initial_facts']:,} at first"


def _match_rows(facts: dict[str, Any]) -> list[tuple[str, str]]:
    rows = []
    if facts["branching_mean"] is not None:
        rows.append(("actions to choose from", f"{facts['branching_mean']:.1f}, at most {facts['branching_max']:,}"))
    if facts["simultaneous_share"]:
        rows.append(("steps with several choosing", f"{100 * facts['simultaneous_share']:.0f} %"))
    if facts["length_mean"] is not None:
        text = f"{facts['length_mean']:.1f} ± {facts['length_sd']:.1f} steps, at most {facts['length_max']:,}"
        rows.append(("length", text))
    rows.append(("matches cut, stuck", f"{100 * facts['unfinished_share']:.1f} %, {100 * facts['stuck_share']:.1f} %"))
    return rows


def _goals(facts: dict[str, Any]) -> str:
    each = zip(facts["roles"], facts["goal_range"], facts["goal_mean"], strict=False)
    lines = [f"{role} {low} to {high}, mean {mean:.1f}" for role, (low, high), mean in each]
    if facts["constant_sum"] is not None:
        lines.append(f"constant sum: always {facts['constant_sum']}")
    elif len(lines) > 1:
        lines.append("not of constant sum")
    return "\n".join(lines)
