"""Let a search play a video game, and write the match to an animated GIF.

Needs Pillow (extra vgdl).
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from treewise import _core
from treewise.cli.options import SEARCH_HELP, add_limit, add_seed, duration, read_search, whole
from treewise.cli.output import console, progress
from treewise.game import State
from treewise.match import Seat
from treewise.search import Search

EXAMPLES = """\
examples:
  treewise vgdl record aliens aliens.gif
  treewise vgdl record zelda zelda.gif --level 3 --search "uct(simulations=200)" --seed 4
  treewise vgdl record "vgdl(path='mygame.txt', level_path='mylevel.txt')" mine.gif --ticks 300 --cell 16
"""
_DEFAULT = "gvgai_sample"


def add_arguments(parser: ArgumentParser) -> None:
    """What the action takes."""
    add_video_game(parser)
    parser.add_argument("file", metavar="FILE", type=Path, help="the GIF to write")
    parser.add_argument("--search", default=_DEFAULT, metavar="TEXT", help=f"{SEARCH_HELP} (default: {_DEFAULT})")
    parser.add_argument("--ticks", type=whole(1, 2001), default=2001, metavar="N", help="stop after so many ticks")
    parser.add_argument(
        "--fps",
        type=duration("pictures a second", low=0.01, high=50),
        default=15.0,
        metavar="X",
        help="at most 50 pictures a second; a picture's time is rounded to hundredths of a second (default: 15)",
    )
    parser.add_argument("--cell", type=whole(2, 200), metavar="PIXELS", help="size of a cell (default: as it fits)")
    add_pictures(parser)
    add_limit(parser, "what the search has")
    add_seed(parser)


def add_pictures(parser: ArgumentParser) -> None:
    """--pictures."""
    what = "sprites' pictures, in files that the description names by img (default: coloured squares)"
    parser.add_argument("--pictures", metavar="FOLDER", type=Path, help=what)


def add_video_game(parser: ArgumentParser) -> None:
    """A video game, by position, and --level."""
    parser.add_argument(
        "game", metavar="GAME", help="the name of a shipped game, a file with a description, or vgdl(…)"
    )
    parser.add_argument("--level", type=whole(0), metavar="K", help="GAME_lvlK.txt (default: 0)")


def run(args: Namespace) -> int:
    """Plays one match and writes it."""
    from treewise.vgdl.animation import frame, write_gif
    from treewise.vgdl.drawing import status
    from treewise.vgdl.load import video_game
    from treewise.vgdl.pictures import Pictures

    check_target(args.file)
    pictures = Pictures(args.pictures) if args.pictures else None
    game = video_game(args.game, args.level)
    search = read_search(args.search, args)
    search.check(game)
    frames, last = [], ""
    with progress() as bar:
        task = bar.add_task("playing", total=args.ticks, note="")
        for state in played(game, search, args.seed, args.ticks):
            last = status(state)
            frames.append(frame(state, args.cell, pictures))
            bar.update(task, advance=1, note=last)
    write_gif(args.file, frames, args.fps)
    console().print(f"{args.file}: {len(frames):,} pictures, {last}", soft_wrap=True)
    return 0


def check_target(file: Path) -> None:
    """ValueError unless a GIF can be written there: before a match is played for it.

    >>> check_target(Path("match.mp4"))
    Traceback (most recent call last):
    ValueError: match.mp4: an animated GIF is written, so the name must end in .gif
    """
    if file.suffix.lower() != ".gif":
        raise ValueError(f"{file}: an animated GIF is written, so the name must end in .gif")
    if not file.parent.is_dir():
        raise ValueError(f"{file}: there is no folder {file.parent}")
    if file.is_dir() or not os.access(file if file.exists() else file.parent, os.W_OK):
        raise ValueError(f"{file} cannot be written")


def played(game: _core.VgdlGame, search: Search, seed: int = 0, ticks: int = 2001) -> Iterator[State]:
    """The states of a match, from the first to the last.

    >>> from treewise import load_game, uct
    >>> [len(state.history()) for state in played(load_game("vgdl('zelda')"), uct(simulations=2), ticks=3)]
    [0, 1, 2, 3]
    """
    state = game.initial_state()
    state.reseed(seed)
    seat = Seat(search, 0, seed)
    yield state
    for _ in range(ticks):
        if state.is_terminal():
            return
        action = seat.choose(state)
        state.apply(action)
        seat.follow(action)
        yield state
