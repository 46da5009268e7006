"""Work with video games written in VGDL.

VGDL, the Video Game Description Language of the GVGAI framework, describes a game in one file and its levels in others.
A game is a file, or the name of one that comes with Treewise. As a game, for all other commands, it is written
vgdl(game='zelda', level=0) or vgdl(path='mygame.txt', level_path='mylevel.txt').
"""

from __future__ import annotations

from argparse import ArgumentParser

from treewise.cli import vgdl_check, vgdl_info, vgdl_play, vgdl_record, vgdl_replay, vgdl_verify
from treewise.cli.commands import add_commands

EXAMPLES = """\
examples:
  treewise vgdl check mygame.txt mylevel.txt   what is wrong with a description and a level, and where
  treewise vgdl info zelda                     its sprites, rules and sizes
  treewise vgdl play aliens                    with the keyboard
  treewise vgdl replay mine.json.gz            a match that play --save has recorded
  treewise vgdl record zelda zelda.gif         a search plays
  treewise vgdl verify traces --games games    the machine against recorded trajectories
  treewise search "vgdl('zelda')"
  treewise vgdl ACTION --help                  more examples of each action
"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add_commands(actions, (vgdl_check, vgdl_info, vgdl_play, vgdl_record, vgdl_replay, vgdl_verify))
