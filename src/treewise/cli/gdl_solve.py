"""Solve a rulesheet for one player: the best line found in a given time, one action a line.

States that are met again are looked at once, counters of steps left out. The line ends early where its goal is 100, or
where all states have been seen; standard error says which.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace

from treewise.cli.options import add_machine, add_seed, building, duration
from treewise.wording import counted

EXAMPLES = """\
examples:
  treewise gdl solve puzzle.kif
  treewise gdl solve puzzle.kif --seconds 600 --json
"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    add_machine(parser)
    parser.add_argument(
        "--seconds", type=duration("seconds"), default=60.0, metavar="S", help="of the processor (default: 60)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_seed(parser)


def run(args: Namespace) -> int:
    """Prints the line; status 1 if no end of a match was found."""
    from treewise.gdl.load import load_machine
    from treewise.gdl.puzzle import BEST, solve

    machine = load_machine(args.sheet, args.machine, **building(args))
    line = solve(machine, args.seconds, args.seed)
    actions = [machine.action_text(0, action) for action in line.actions]
    if args.json:
        print(json.dumps({"goal": line.goal, "actions": actions, "is_best": line.is_best, "states": line.states}))
    else:
        for action in actions:
            print(action)
        why = "nothing is better" if line.goal == BEST else "all states were seen" if line.is_best else "time is up"
        found = f"goal {line.goal} in {counted(len(actions), 'step')}"
        print(f"{found}, {counted(line.states, 'state')} looked at: {why}", file=sys.stderr)
    return 0 if actions else 1
