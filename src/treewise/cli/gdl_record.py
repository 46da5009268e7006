"""Record random matches as traces.

Every role chooses uniformly among its legal actions. `treewise gdl verify` checks a machine against the file.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from itertools import chain

from treewise.cli.options import add_machine, add_seed, building, whole
from treewise.cli.output import console
from treewise.wording import counted

EXAMPLES = """\
examples:
  treewise gdl record kuhn_poker traces.jsonl
  treewise gdl record mygame.kif traces.jsonl.gz --matches 20 --seed 7
"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    add_machine(parser)
    parser.add_argument("output", metavar="TRACE", help="the file to write, .jsonl or .jsonl.gz")
    parser.add_argument("--matches", type=whole(1), default=3, metavar="N", help="matches (default: 3)")
    add_seed(parser)


def run(args: Namespace) -> int:
    """Plays and writes."""
    from treewise.gdl.load import load_machine
    from treewise.gdl.trace import record_trace, write_traces

    machine = load_machine(args.sheet, args.machine, **building(args))
    matches = (record_trace(machine, args.seed + number, number) for number in range(args.matches))
    count = write_traces(args.output, chain.from_iterable(matches))
    console().print(
        f"{counted(args.matches, 'match')}, {counted(count, 'state')} written to {args.output}", soft_wrap=True
    )
    return 0
