"""Matches as tasks of a Ray cluster (extra `ray`). The driver alone writes the store; workers only play."""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple
from typing import Any

from treewise.lab.executor import LostMatch, Result
from treewise.lab.extra import extra
from treewise.lab.schedule import PlannedMatch
from treewise.processes import cores
from treewise.version import __version__
from treewise.wording import reason

__all__ = ["ClusterError", "RayExecutor"]

_ANSWER = 5.0
"""Seconds in which a cluster must take a connection; Ray itself waits for minutes."""
_LOOK = 30.0
"""Seconds between two looks at how many processors the cluster has: nodes come and go."""
_STORE = 80 * 2**20
"""Bytes of a local instance's object store, near the least that Ray allows: records are small."""


class ClusterError(OSError):
    """A Ray cluster cannot be reached, or its workers cannot play for this program."""


class RayExecutor:
    """Plays matches on a Ray cluster: `local` starts an instance of its own, `auto` or HOST:PORT joins one.

    `matches` is how many are played at a time; without it, as many as the cluster's processors allow, of which each
    match keeps `threads` busy. Each machine needs the same version of Treewise. If the program has called `ray.init`
    before, that connection is used and left open.
    """

    def __init__(self, address: str = "local", matches: int | None = None, threads: int = 1) -> None:
        if threads < 1 or (matches is not None and matches < 1):
            raise ValueError("matches and threads must be at least 1")
        self.ray = extra("ray", "ray")
        self.matches, self.threads = matches, threads
        self.under_way: dict[Any, PlannedMatch] = {}
        self.owned = not self.ray.is_initialized()
        if self.owned:
            _connect(self.ray, address, threads * (matches or max(1, cores() // threads)))
        self.task = self.ray.remote(max_retries=0)(_task())
        self._look()

    def __repr__(self) -> str:
        return f"<RayExecutor: {len(self.under_way)} under way>"

    @property
    def capacity(self) -> int:
        """What the cluster has room for, and half as much again to begin while results are recorded."""
        if self.matches is not None:
            return self.matches
        if time.monotonic() - self.looked_at > _LOOK:
            self._look()
        return max(1, int(1.5 * sum(self.processors) / self.threads))

    def _look(self) -> None:
        alive = [node["Resources"] for node in self.ray.nodes() if node["Alive"]]
        self.processors = [resources.get("CPU", 0.0) for resources in alive] or [1.0]
        self.looked_at = time.monotonic()

    def submit(self, match: PlannedMatch) -> None:
        """Makes a task of a match; Ray finds a machine for it."""
        # A task that asks for more processors than any machine has would wait for ever.
        task = self.task.options(num_cpus=min(self.threads, max(self.processors)), name="treewise match")
        self.under_way[task.remote(__version__, astuple(match))] = match

    def results(self, timeout: float) -> list[Result]:
        """What was finished or lost since the last call."""
        asked = list(self.under_way)
        self.ray.wait(asked, num_returns=1, timeout=timeout)
        done, _ = self.ray.wait(asked, num_returns=len(asked), timeout=0)
        return [self._result(task) for task in done]

    def _result(self, task: Any) -> Result:
        match, errors = self.under_way.pop(task), self.ray.exceptions
        try:
            refused, result = self.ray.get(task)
        except (errors.NodeDiedError, errors.ObjectLostError):
            return LostMatch(match, blamed=False)  # the whole machine is gone, whatever it played
        except (errors.WorkerCrashedError, errors.OutOfMemoryError):
            return LostMatch(match, blamed=True)
        except errors.RayError as error:
            raise ClusterError(f"the Ray cluster failed: {type(error).__name__}: {error}") from error
        if refused:
            raise ClusterError(f"{refused}: install treewise {__version__} on every machine of the cluster")
        found: Result = result
        return found

    def close(self) -> None:
        """Cancels what is being played; ends the connection, and the instance if it is this one's own."""
        for task in self.under_way:
            self.ray.cancel(task, force=True)
        self.under_way.clear()
        if self.owned:
            self.ray.shutdown()


def _task() -> Callable[[str, tuple[Any, ...]], tuple[str, Any]]:
    """The function that workers run. It is made here so that it travels by value, as plain code.

    A worker that has no Treewise, or another one, can then say so; a reference into a module would only fail to load.
    """

    def play_planned(version: str, planned: tuple[Any, ...]) -> tuple[str, Any]:
        import platform

        try:
            from treewise.lab.executor import play
            from treewise.lab.schedule import PlannedMatch
            from treewise.version import __version__ as own
        except ImportError as error:
            return f"the Ray worker on {platform.node()} cannot load treewise ({error})", None
        if own != version:
            return f"the Ray worker on {platform.node()} has treewise {own}", None
        return "", play(PlannedMatch(*planned))

    return play_planned


def _connect(ray: Any, address: str, processors: int) -> None:
    quiet = {"log_to_driver": False, "configure_logging": False}
    with _warnings_off():
        if address == "local":
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            size = {"num_cpus": processors, "object_store_memory": _STORE, "include_dashboard": False}
            ray.init(address="local", **size, **quiet)
            return
        _knock(address)
        try:
            ray.init(address=address, **quiet)
        except (ConnectionError, RuntimeError, ValueError) as error:
            why = "none is running on this machine" if address == "auto" else str(error)
            hint = "start one with `ray start --head`, give HOST:PORT, or use --ray local"
            raise ClusterError(f"cannot join the Ray cluster '{address}' ({why}): {hint}") from error


def _knock(address: str) -> None:
    """An error at once where nobody answers."""
    if not address:
        raise ClusterError("the Ray cluster's address is empty: give local, auto or HOST:PORT")
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        return
    try:
        socket.create_connection((host, int(port)), _ANSWER).close()
    except (OSError, OverflowError) as error:
        raise ClusterError(
            f"no Ray cluster answers at '{address}' ({reason(error)}): start one with `ray start --head`, or use "
            "--ray local"
        ) from error


@contextmanager
def _warnings_off() -> Iterator[None]:
    """Ray tells at each start that it is safe; errors are still shown."""
    logger = logging.getLogger("ray")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
