"""Work with games written as GDL rulesheets.

GDL, the Game Description Language, is how general game players are handed the rules of a game they have never seen.
"""

from __future__ import annotations

import argparse
from argparse import ArgumentParser, Namespace

from treewise.cli import gdl_bench, gdl_check, gdl_ground, gdl_info, gdl_record, gdl_verify

EXAMPLES = """\
examples:
  treewise gdl check mygame.kif            what is wrong with a rulesheet, and where
  treewise gdl info mygame.kif             what its game is like
  treewise gdl verify mygame.kif traces.jsonl.gz
  treewise gdl ACTION --help               more examples of each action
"""

_ACTIONS = (gdl_check, gdl_info, gdl_bench, gdl_verify, gdl_record, gdl_ground)


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for module in _ACTIONS:
        first_line = (module.__doc__ or "").split("\n", 1)[0].rstrip(".")
        action = actions.add_parser(
            module.__name__.rsplit("_", 1)[1],
            help=first_line[0].lower() + first_line[1:],
            description=module.__doc__,
            epilog=module.EXAMPLES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        module.add_arguments(action)
        action.set_defaults(run_action=module.run)


def run(args: Namespace) -> int:
    """Does one of the actions."""
    return int(args.run_action(args))
