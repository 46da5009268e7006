"""Play general games over HTTP: enter a server's matches, or run matches of players.

Rulesheets are files in the Game Description Language (GDL), clocks are whole seconds.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from treewise.cli import ggp_match, ggp_player

EXAMPLES = """\
examples:
  treewise ggp player                                    wait for a game server at port 9147
  treewise ggp player --port 9148 --search "uct(c=0.7)" --ponder
  treewise ggp match tictactoe.kif --players localhost:9147 random --play-clock 5
  treewise ggp match hex.kif --players localhost:9147 localhost:9148 flat --matches 20 --scramble --store ggp.sqlite
"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    commands = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for module in (ggp_player, ggp_match):
        first_line = (module.__doc__ or "").split("\n", 1)[0].rstrip(".")
        name = module.__name__.rsplit("_", 1)[1]
        command = commands.add_parser(
            name, help=first_line[0].lower() + first_line[1:], description=module.__doc__, allow_abbrev=False
        )
        module.add_arguments(command)
        command.set_defaults(do=module.run)


def run(args: Namespace) -> int:
    """Does one of the actions."""
    return int(args.do(args))
