"""The command line `treewise`: one short module a command."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn, cast

from treewise import starting

__all__ = ["main"]

_EPILOG = """\
examples:
  treewise games                           what can be played
  treewise play breakthrough               play against a search
  treewise match                           is 'enhanced' better than 'uct'? with the answer's confidence interval
  treewise search "hex(size=7)" --seconds 2
  treewise COMMAND --help                  more examples of each command

Games and searches are written as texts: name, or name(key=value, …). Quote what has brackets.
Errors take one line; with TREEWISE_TRACEBACK=1 in the environment, the traceback is shown too.
"""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        from treewise.wording import shortened_words

        self.exit(2, f"{self.prog}: {shortened_words(message)} (see {self.prog} --help)\n")

    def parse_known_args(self, *args: Any, **kwargs: Any) -> Any:
        """Refuses what it does not know at once: left to the parser above, another command's help would be named."""
        known, unknown = super().parse_known_args(*args, **kwargs)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return known, unknown


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit status: 0, 1 for problems found, 2 for wrong input, 128 + n after signal n.

    >>> main(["games", "no_such_game"])
    2
    """
    _tolerate_narrow_encodings()
    parser = _parser()
    arguments = sys.argv[1:] if argv is None else list(argv)
    try:
        if any("\udc80" <= character <= "\udcff" for argument in arguments for character in argument):
            parser.error("the arguments are not valid text in this terminal's encoding")
        args = parser.parse_args(arguments)
    except SystemExit as error:  # so argparse ends: after help, the version, or wrong input
        return int(error.code or 0)
    if args.command is None:
        parser.print_help()
        return 0
    with _stops() as received:
        status = _run(args)
    if received:
        status = 128 + received[0]
    if status > 128 and argv is None:  # a second Ctrl-C has nothing left to stop but the interpreter's own end
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return status


@contextmanager
def _stops() -> Iterator[list[int]]:
    """A shutdown, or a terminal that is closed, stops a command as Ctrl-C does; gives the numbers of such signals."""
    from treewise.processes import STOPS

    received: list[int] = []

    def stop(number: int, _: object) -> NoReturn:
        received.append(number)
        raise KeyboardInterrupt

    here = threading.current_thread() is threading.main_thread()
    taken = [number for number in STOPS if here and signal.getsignal(number) == signal.SIG_DFL]
    for number in taken:
        signal.signal(number, stop)
    try:
        yield received
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _run(args: argparse.Namespace) -> int:
    """Runs the command. Nothing escapes as a traceback, whatever a game written by the user raises."""
    try:
        starting.over()
        with _short_warnings(args.command):
            return int(args.run(args))
    except BrokenPipeError:
        return _reader_left()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except BaseException as error:
        from treewise.wording import describe, own_place, printable

        if isinstance(error, SystemExit) and own_place(error) is None:
            return int(error.code or 0)  # so rich ends when its reader has gone
        if os.environ.get("TREEWISE_TRACEBACK", "0") not in ("", "0"):
            traceback.print_exception(error)
        findings = printable(str(error)).splitlines() if hasattr(error, "findings") else []
        if len(findings) > 1:  # of a description: one line each, as a compiler shows them
            print(*findings, f"treewise {args.command}: this cannot be played", sep="\n", file=sys.stderr)
        else:
            print(f"treewise {args.command}: {describe(error)}", file=sys.stderr)
        return 2


@contextmanager
def _short_warnings(command: str) -> Iterator[None]:
    """A warning takes one line, as an error does: where in Python it was given helps nobody here."""

    def show(message: Warning | str, *_: object, **__: object) -> None:
        from treewise.wording import printable

        print(f"treewise {command}: warning: {printable(str(message))}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.showwarning = cast(Any, show)
        yield


def _parser() -> argparse.ArgumentParser:
    from treewise.cli import bench, check, games, gdl, ggp, lab, match, parts, play, reproduce, search, tune, vgdl
    from treewise.cli.commands import add_commands
    from treewise.version import __version__

    parser = _Parser(
        prog="treewise",
        description="Monte-Carlo tree search: play with it, look inside it, measure it.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"treewise {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    add_commands(commands, (games, parts, search, play, match, lab, tune, reproduce, gdl, ggp, vgdl, bench, check))
    return parser


def _tolerate_narrow_encodings() -> None:
    """A terminal that cannot show a character shows a question mark instead."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _reader_left() -> int:
    """The program that reads our output has gone: end without a word, also when the interpreter flushes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1
