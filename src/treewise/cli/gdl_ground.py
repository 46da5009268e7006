"""Print a GDL rulesheet without variables: every rule that can ever fire, over numbered atoms.

The text is a rulesheet again and plays the same game. What was done to keep it short, how long it took and how large
each step left it goes to standard error.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser, Namespace

from treewise.cli.options import duration, whole

EXAMPLES = """\
examples:
  treewise gdl ground mygame.kif > ground.kif
  treewise gdl ground mygame.kif --sizes               how large it is, without the rules
  treewise gdl ground mygame.kif --plain               as the grounder leaves it, nothing rewritten
  treewise gdl ground huge.kif --seconds 120 --megabytes 4000 --rules 20_000_000
"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the action takes."""
    parser.add_argument("file", metavar="FILE", help="a rulesheet, or the name of a shipped one")
    parser.add_argument("--sizes", action="store_true", help="only what it took and how large it is")
    parser.add_argument("--plain", action="store_true", help="rewrite nothing")
    parser.add_argument("--drop-rules", action="store_true", help="leave out rules that cannot be played")
    parser.add_argument("--seconds", type=duration("seconds"), default=40.0, metavar="S", help="most time (40)")
    parser.add_argument("--megabytes", type=whole(50), default=2000, metavar="M", help="most memory (2000)")
    parser.add_argument("--rules", type=whole(1), default=5_000_000, metavar="N", help="most rules (5 million)")


def run(args: Namespace) -> int:
    """Grounds the file and prints the result."""
    from treewise.gdl.grounder import ground_plainly, stages
    from treewise.gdl.grounding.limits import Limits
    from treewise.gdl.grounding.listing import listing
    from treewise.gdl.load import load_sheet

    limits = Limits(args.seconds, args.megabytes, args.rules)
    start = time.perf_counter()
    sheet = load_sheet(args.file, args.drop_rules)
    steps = iter([("ground", ground_plainly(sheet, limits))]) if args.plain else stages(sheet, limits)
    print(f"{'step':<14}{'rules':>11}{'literals':>11}{'atoms':>11}{'seconds':>9}", file=sys.stderr)
    for name, found in steps:
        seconds, start = time.perf_counter() - start, time.perf_counter()
        sizes = f"{len(found.heads):11,}{len(found.body):11,}{found.num_atoms:11,}{seconds:9.2f}"
        print(f"{name:<14}{sizes}", file=sys.stderr)
    actions = " + ".join(f"{len(own):,}" for own in found.actions)
    print(f"{len(found.facts):,} facts, {actions} actions", file=sys.stderr)
    if not args.sizes:
        for line in listing(found, sheet.spell):
            print(line)
    return 0
