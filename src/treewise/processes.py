"""Worker processes that play matches: what `compare` and the laboratory share."""

from __future__ import annotations

import atexit
import functools
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from types import FrameType
from typing import Any, ParamSpec, TypeVar

from treewise import spec
from treewise.compositions import parse_search
from treewise.game import load_game
from treewise.search import Search

__all__ = [
    "STOPS",
    "cached_game",
    "cached_search",
    "cores",
    "end_with_parent",
    "has_files",
    "held_back",
    "leave_ctrl_c",
    "shared_count",
    "spawn_pool",
    "start_process",
]

STOPS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""What stops a program in order: Ctrl-C, a machine that is shut down, a terminal that is closed."""

P = ParamSpec("P")
T = TypeVar("T")

# An experiment takes turns over its games, which may be ten of five levels each.
cached_game = functools.lru_cache(maxsize=64)(load_game)
atexit.register(cached_game.cache_clear)  # the engine's objects must not outlive the interpreter
_kept_search = functools.lru_cache(maxsize=64)(parse_search)


def cached_search(text: str) -> Search:
    """The search of a text; where a file of the user's makes parts of it, new ones for each match.

    They may remember something, and what a match is must not depend on which were played before it.

    >>> cached_search("uct") is cached_search("uct")
    True
    """
    return parse_search(text) if has_files(text) else _kept_search(text)


@functools.lru_cache(maxsize=64)
def has_files(text: str) -> bool:
    """Whether a text form names a Python file of the user's.

    >>> has_files("mcts(playout=my_parts.py:Greedy)"), has_files("mcts")
    (True, False)
    """
    return next(spec.files(spec.parse(text)), None) is not None


def spawn_pool(processes: int, begin: Callable[..., None] | None = None, *arguments: Any) -> ProcessPoolExecutor:
    """A pool of fresh processes that leave Ctrl-C to this one and end with it even if it is killed.

    Each of them calls `begin` with the arguments first.
    """
    context = multiprocessing.get_context("spawn")
    return _Pool(processes, context, _start_worker, (begin, *arguments))


@contextmanager
def held_back() -> Iterator[None]:
    """What stops a program waits until the block ends."""
    if threading.current_thread() is not threading.main_thread():  # which alone is stopped, and sets handlers
        yield
        return
    before = {number: handler for number in STOPS if callable(handler := signal.getsignal(number))}
    seen: list[tuple[int, FrameType | None]] = []
    for number in before:
        signal.signal(number, lambda number, frame: seen.append((number, frame)))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number, frame in seen[:1]:
            before[number](number, frame)


class _Pool(ProcessPoolExecutor):
    """Its processes do not hear Ctrl-C even before they can say so: not while Python starts in them."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Starts a process where one is needed, whole."""
        with held_back(), _ctrl_c_blocked():
            return super().submit(fn, *args, **kwargs)


@contextmanager
def _ctrl_c_blocked() -> Iterator[None]:
    """What is started here does not hear Ctrl-C until it says so: it inherits what is blocked."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def start_process(process: BaseProcess) -> None:
    """Starts a process that shall call `leave_ctrl_c` first of all."""
    with _ctrl_c_blocked():
        process.start()


def leave_ctrl_c() -> None:
    """Called in a worker process: Ctrl-C is for the one that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])


def end_with_parent(group: bool = False) -> None:
    """Called in a worker process: it ends when the one that started it does, even by a kill. With `group`, all
    processes of its group do, which it must then have for itself."""
    threading.Thread(target=_end_with_parent, args=(group,), daemon=True, name="end-with-parent").start()


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
    leave_ctrl_c()
    end_with_parent()
    if begin is not None:
        begin(*arguments)


def _end_with_parent(group: bool) -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        if group and hasattr(os, "killpg"):
            os.killpg(0, signal.SIGKILL)
        os._exit(1)
