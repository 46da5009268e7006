"""Show a recorded match of a video game in the terminal again, or write its pictures or its actions to a file.

Matches are recorded by treewise vgdl play --save. The space bar or p pauses, q ends.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from treewise.cli.options import duration
from treewise.cli.output import console
from treewise.cli.vgdl_record import add_pictures, check_target

EXAMPLES = """\
examples:
  treewise vgdl replay mine.json.gz
  treewise vgdl replay mine.json.gz --fps 20
  treewise vgdl replay mine.json.gz --gif mine.gif
  treewise vgdl replay mine.json.gz --actions mine.act
"""


def add_arguments(parser: ArgumentParser) -> None:
    """What the action takes."""
    parser.add_argument("file", metavar="FILE", type=Path, help="a recorded match")
    parser.add_argument("--fps", type=duration("ticks"), default=8.0, metavar="X", help="ticks a second (default: 8)")
    parser.add_argument("--gif", type=Path, metavar="GIF", help="write an animated GIF instead")
    add_pictures(parser)
    parser.add_argument("--actions", type=Path, metavar="TEXT", help="write the actions instead, one name a line")


def run(args: Namespace) -> int:
    """Shows or writes the match."""
    from treewise.vgdl.pictures import Pictures
    from treewise.vgdl.recording import actions_of, replayed
    from treewise.vgdl.terminal import Keyboard, watch
    from treewise.vgdl.trace import read_trace

    if args.gif is not None:
        check_target(args.gif)
    trace, out = read_trace(args.file), console()
    if args.actions is not None:
        actions = actions_of(trace)
        args.actions.write_text("".join(f"{action.name}\n" for action in actions), encoding="ascii")
        out.print(f"{args.actions}: {len(actions):,} actions", soft_wrap=True)
    elif args.gif is not None:
        from treewise.vgdl.animation import frame, write_gif

        pictures = Pictures(args.pictures) if args.pictures else None
        frames = [frame(state, pictures=pictures) for state in replayed(trace)]
        write_gif(args.gif, frames, args.fps)
        out.print(f"{args.gif}: {len(frames):,} pictures", soft_wrap=True)
    else:
        with Keyboard() as keyboard:
            out.print(watch(replayed(trace), keyboard, 1 / args.fps, out))
    return 0
