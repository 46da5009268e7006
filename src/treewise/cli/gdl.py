"""Work with games written as GDL rulesheets.

GDL, the Game Description Language, is how general game players are handed the rules of a game they have never seen.
A rulesheet is a file, or the name of one that comes with Treewise. As a game, for all other commands, it is written
gdl('mygame.kif').
"""

from __future__ import annotations

from argparse import ArgumentParser

from treewise.cli import gdl_bench, gdl_check, gdl_ground, gdl_info, gdl_record, gdl_solve, gdl_verify
from treewise.cli.commands import add_commands

EXAMPLES = """\
examples:
  treewise gdl check mygame.kif            what is wrong with a rulesheet, and where
  treewise gdl info mygame.kif             what its game is like
  treewise gdl bench mygame.kif            playouts a second
  treewise gdl verify mygame.kif traces.jsonl.gz
  treewise match "gdl('mygame.kif')" cadia uct
  treewise gdl ACTION --help               more examples of each action
"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add_commands(actions, (gdl_check, gdl_info, gdl_bench, gdl_verify, gdl_record, gdl_solve, gdl_ground))
