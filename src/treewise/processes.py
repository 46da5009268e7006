"""Worker processes that play matches: what `compare` and the laboratory share."""

from __future__ import annotations

import atexit
import functools
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from treewise.compositions import parse_search
from treewise.game import load_game

__all__ = ["cached_game", "cached_search", "cores", "shared_count", "spawn_pool"]

# Filled in worker processes, which clear it before they end: the engine's objects must not outlive the interpreter.
# An experiment takes turns over its games, which may be ten of five levels each.
cached_game = functools.lru_cache(maxsize=64)(load_game)
cached_search = functools.lru_cache(maxsize=64)(parse_search)


def spawn_pool(processes: int, begin: Callable[..., None] | None = None, *arguments: Any) -> ProcessPoolExecutor:
    """A pool of fresh processes that leave Ctrl-C to this one and end with it even if it is killed.

    Each of them calls `begin` with the arguments first.
    """
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(processes, context, _start_worker, (begin, *arguments))


def shared_count() -> Any:
    """A whole number that one worker process writes and others read; give it to `spawn_pool`."""
    return multiprocessing.get_context("spawn").RawValue("q", 0)


def cores() -> int:
    """How many cores this process may use.

    >>> cores() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _start_worker(begin: Callable[..., None] | None, *arguments: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    atexit.register(cached_game.cache_clear)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if begin is not None:
        begin(*arguments)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
