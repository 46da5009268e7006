"""Check a machine against recorded matches.

A trace has, line by line, the states of matches with their facts, legal actions, goals and whether they are terminal.
The exit status is 1 at the first difference, which is named with its file, trace, step and field.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from treewise.cli.options import add_machine, building
from treewise.cli.output import console

EXAMPLES = """\
examples:
  treewise gdl record kuhn_poker traces.jsonl.gz --matches 20
  treewise gdl verify kuhn_poker traces.jsonl.gz
  treewise gdl verify mygame.kif one.jsonl two.jsonl.gz --machine prover
"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    add_machine(parser)
    parser.add_argument("traces", metavar="TRACE", nargs="+", help="files of traces, .jsonl or .jsonl.gz")


def run(args: Namespace) -> int:
    """Prints one line for each file, up to the first difference."""
    from treewise.gdl.load import load_machine
    from treewise.gdl.trace import first_difference, read_traces

    machine = load_machine(args.sheet, args.machine, **building(args))
    out = console()
    for path in args.traces:
        entries = list(read_traces(path))
        if not entries:
            raise ValueError(f"{path}: there is no trace in it")
        difference = first_difference(machine, entries)
        if difference is not None:
            out.print(f"{path}: {difference}", soft_wrap=True)
            return 1
        matches = len({entry["trace"] for entry in entries})
        out.print(f"{path}: {matches:,} traces, {len(entries):,} states, no difference", soft_wrap=True)
    return 0
