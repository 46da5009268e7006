"""Wait for game servers and play their matches, one after the other, until Ctrl-C.

Only programs on this machine reach it, unless --host opens it to others: anybody who reaches the port can have matches
played. Give the server this machine's address and the port. The clocks of a match are the only limit of the search.
"""

from __future__ import annotations

import logging
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from treewise.cli.options import add_ground_limits, add_seed, duration, ground_limits, whole
from treewise.compositions import parse_search
from treewise.ggp.settings import LONGEST_SECONDS, MEMORY_MB
from treewise.ggp.thinker import DEFAULT_SEARCH

if TYPE_CHECKING:
    from treewise.ggp.http import MessageServer, Request

EXAMPLES = """\
examples:
  treewise ggp player                                    at port 9147, for servers on this machine
  treewise ggp player --host 0.0.0.0                     for servers on all networks that this machine is in
  treewise ggp player --port 9148 --search "uct(c=0.7)" --ponder
  treewise ggp player --port 0 --log player.log --verbose
"""


_LOOPBACK = "127.0.0.1"


def add_arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--port", type=whole(0, 65535), default=9147, metavar="N", help="0: any (default: 9147)")
    host = f"the address to listen at; 0.0.0.0: all, open to other machines (default: {_LOOPBACK}, closed to them)"
    parser.add_argument("--host", default=_LOOPBACK, help=host)
    parser.add_argument("--name", default="treewise", help="what INFO says (default: treewise)")
    parser.add_argument(
        "--search", default=DEFAULT_SEARCH, metavar="SEARCH", help=f"its limit is the clock (default: {DEFAULT_SEARCH})"
    )
    margin = "seconds of each clock left for the way (default: 2 of the play clock and 4 of the start clock, 0.3 of "
    parser.add_argument("--margin", type=duration("seconds"), metavar="S", help=margin + "both on one machine)")
    add_ground_limits(parser)
    parser.add_argument("--ponder", action="store_true", help="think while others do")
    patience = "play clocks of silence after which another server's match is taken (default: 2; 0: never)"
    parser.add_argument("--patience", type=whole(0), default=2, metavar="N", help=patience)
    longest = f"of a clock that are used; a longer one counts as that (default: {LONGEST_SECONDS:g})"
    parser.add_argument("--longest", type=duration("seconds"), default=LONGEST_SECONDS, metavar="S", help=longest)
    memory = f"megabytes that a match may take; a quarter is for the tree of a search (default: {MEMORY_MB})"
    parser.add_argument("--memory", type=whole(100), default=MEMORY_MB, metavar="MB", help=memory)
    add_seed(parser)
    parser.add_argument("--log", metavar="FILE", type=Path, help="where to log (default: standard error)")
    parser.add_argument("--verbose", action="store_true", help="log every search, too")


def run(args: Namespace) -> int:
    """Serves until it is interrupted."""
    from treewise.ggp.building import build_net
    from treewise.ggp.clock import Margins
    from treewise.ggp.player import Player
    from treewise.ggp.settings import Settings

    _start_log(args)
    settings = Settings(
        name=args.name,
        search=parse_search(args.search),
        margins=None if args.margin is None else Margins(args.margin, args.margin),
        ponder=args.ponder,
        patience=args.patience or float("inf"),
        longest=args.longest,
        memory_mb=args.memory,
        seed=args.seed,
        faster=(partial(build_net, limits=ground_limits(args)),),
    )
    player = Player(settings)
    with _listening(args, player.answer) as server:
        print(f"{args.name} listens at {args.host}:{server.port}; Ctrl-C ends it", file=sys.stderr, flush=True)
        try:
            player.prepare()
            server.serve_forever(0.2)
        finally:
            player.close()
    return 0


def _listening(args: Namespace, answer: Callable[[Request], str]) -> MessageServer:
    from treewise.ggp.http import MessageServer

    try:
        return MessageServer((args.host, args.port), answer)
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ValueError(
            f"it cannot listen at {args.host}:{args.port}: {why}; choose another --port, or an address of this machine"
        ) from None


def _start_log(args: Namespace) -> None:
    handler = logging.FileHandler(args.log, encoding="utf-8") if args.log else logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logging.captureWarnings(True)  # of rulesheets
    for name in ("treewise.ggp", "py.warnings"):
        log = logging.getLogger(name)
        log.addHandler(handler)
        log.setLevel(logging.DEBUG if args.verbose else logging.INFO)
        log.propagate = False
