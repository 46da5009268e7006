"""Ctrl-C while the command line is still importing: it ends in one word, not in a traceback of imports.

This module is imported before everything else of the package. Imports leave nothing to tidy up; some even turn
KeyboardInterrupt into an ImportError of their own.
"""

from __future__ import annotations

import os
import signal
import sys
import threading

__all__ = ["over"]


def _is_command() -> bool:
    """Whether this process is `python -m treewise` or the script `treewise`; not a worker of it."""
    script = sys.orig_argv[1] if len(sys.orig_argv) > 1 else ""
    return sys.argv[:1] == ["-m"] or os.path.basename(script) in ("treewise", "treewise.exe", "treewise-script.py")


def _end(*_: object) -> None:
    os.write(2, b"interrupted\n")
    os._exit(130)


def over() -> None:
    """From here on Ctrl-C is KeyboardInterrupt again: the command itself knows what to do."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


if (
    _is_command()
    and threading.current_thread() is threading.main_thread()
    and signal.getsignal(signal.SIGINT) is signal.default_int_handler
):
    signal.signal(signal.SIGINT, _end)
