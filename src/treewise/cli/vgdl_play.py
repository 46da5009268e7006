"""Play a video game in the terminal.

Arrow keys move, the space bar uses, p pauses, h shows the rules, q ends the match. The game goes on by itself unless
--turns is given: then every key is one tick, and the full stop lets one pass.
"""

from __future__ import annotations

import random
from argparse import ArgumentParser, Namespace
from pathlib import Path

from treewise.cli.options import add_seed, duration
from treewise.cli.output import console
from treewise.cli.vgdl_record import add_video_game

EXAMPLES = """\
examples:
  treewise vgdl play aliens
  treewise vgdl play zelda --level 2 --fps 6
  treewise vgdl play mygame.txt
  treewise vgdl play sokoban --turns
  treewise vgdl play zelda --save mine.json.gz     then: treewise vgdl replay mine.json.gz
"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the action takes."""
    add_video_game(parser)
    parser.add_argument("--fps", type=duration("ticks"), default=8.0, metavar="X", help="ticks a second (default: 8)")
    parser.add_argument("--turns", action="store_true", help="a tick for each key, however long it takes")
    parser.add_argument("--no-rules", action="store_true", help="begin at once, without showing the rules")
    parser.add_argument("--save", type=Path, metavar="FILE", help="record the match: FILE.json or FILE.json.gz")
    add_seed(parser, None)


def run(args: Namespace) -> int:
    """Plays one match."""
    from treewise.vgdl.load import video_game
    from treewise.vgdl.recording import Recorder, check_name, recordable, write_trace
    from treewise.vgdl.terminal import Keyboard, play

    if args.save is not None:
        check_name(args.save)
    seed = random.SystemRandom().randrange(2**32) if args.seed is None else args.seed
    recorder = Recorder(recordable(video_game(args.game, args.level)), seed)
    out = console()
    seconds = None if args.turns else 1 / args.fps
    try:
        with Keyboard() as keyboard:
            result = play(recorder.state, keyboard, seconds, out, recorder.advance, explain=not args.no_rules)
    finally:
        saved = args.save is not None and bool(recorder.trace["steps"])
        if saved:
            write_trace(args.save, recorder.trace)
    out.print(f"{result}   (seed {seed})" + (f"   saved in {args.save}" if saved else ""), soft_wrap=True)
    return 0
