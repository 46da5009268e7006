"""Play a video game in the terminal.

Arrow keys move, the space bar uses, p pauses, q ends the match. The game goes on by itself unless --turns is given:
then every key is one tick, and the full stop lets one pass.
"""

from __future__ import annotations

import random
from argparse import ArgumentParser, Namespace

from treewise.cli.options import add_seed, duration
from treewise.cli.output import console
from treewise.cli.vgdl_record import add_video_game

EXAMPLES = """\
examples:
  treewise vgdl play aliens
  treewise vgdl play zelda --level 2 --fps 6
  treewise vgdl play mygame.txt
  treewise vgdl play sokoban --turns
"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the action takes."""
    add_video_game(parser)
    parser.add_argument("--fps", type=duration("ticks"), default=8.0, metavar="X", help="ticks a second (default: 8)")
    parser.add_argument("--turns", action="store_true", help="a tick for each key, however long it takes")
    add_seed(parser, None)


def run(args: Namespace) -> int:
    """Plays one match."""
    from treewise.vgdl.load import video_game
    from treewise.vgdl.terminal import Keyboard, play

    seed = random.SystemRandom().randrange(2**32) if args.seed is None else args.seed
    state = video_game(args.game, args.level).initial_state()
    state.reseed(seed)
    out = console()
    with Keyboard() as keyboard:
        result = play(state, keyboard, None if args.turns else 1 / args.fps, out)
    out.print(f"{result}   (seed {seed})")
    return 0
