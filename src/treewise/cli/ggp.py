"""Play general games over HTTP: enter a server's matches, or run matches of players.

Rulesheets are files in the Game Description Language (GDL), or the names of those that come with Treewise; clocks are
whole seconds.
"""

from __future__ import annotations

from argparse import ArgumentParser

from treewise.cli import ggp_match, ggp_player
from treewise.cli.commands import add_commands

EXAMPLES = """\
examples:
  treewise ggp player                                    wait for a game server at port 9147
  treewise ggp player --port 9148 --search "uct(c=0.7)" --ponder
  treewise ggp match mygame.kif --players localhost:9147 random --play-clock 5
  treewise ggp match hex --players localhost:9147 localhost:9148 flat --matches 20 --scramble --store ggp.sqlite
  treewise ggp ACTION --help                             more examples of each action
"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    add_commands(parser.add_subparsers(dest="action", metavar="ACTION", required=True), (ggp_player, ggp_match))
