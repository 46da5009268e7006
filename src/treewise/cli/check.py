"""Check the rules of a game, your own or a built-in one, against the contract.

Random matches are played in which everything that a game promises is tried. The exit status is 1 if a problem is found.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from treewise import spec
from treewise.cli.options import add_game, add_seed, whole
from treewise.cli.output import console
from treewise.game import load_game
from treewise.own_game import own_rules

EXAMPLES = """\
examples:
  treewise check my_game.py:MyState        a class (or function) in a file that makes the initial state
  treewise check breakthrough              a built-in game
  treewise check "my_game.py:MyState(size=5)" --matches 200 --seed 1
"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    add_game(parser)
    parser.add_argument("--matches", type=whole(1), default=20, metavar="N", help="random matches (default: 20)")
    add_seed(parser)


def run(args: Namespace) -> int:
    """Prints the report."""
    from treewise.testing import check_game
    from treewise.testing.subject import NotAGame

    call = spec.parse(args.game)
    rules = own_rules(call) if call.file else load_game(args.game)
    try:
        report = check_game(rules, matches=args.matches, seed=args.seed)
    except NotAGame as error:
        raise ValueError(f"{args.game} is not a game: {error}") from error
    console().print(str(report))
    return 0 if report.ok else 1
