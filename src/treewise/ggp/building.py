"""The fast machine, grounded in a process of its own: that can be ended, and keeps nobody from answering in time."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from treewise.gdl.ground import GroundProgram
from treewise.gdl.grounding.limits import Budget, Limits
from treewise.gdl.machine import Machine
from treewise.gdl.net_machine import NetMachine, check_native
from treewise.gdl.terms import Sheet
from treewise.processes import end_with_parent

__all__ = ["build_net"]

_LOOK_SECONDS = 0.05


def build_net(sheet: Sheet, closed: threading.Event, limits: Limits | None = None) -> Machine:
    """The fast machine of a sheet. InterruptedError if `closed` is set before it is grounded."""
    check_native(sheet)
    return NetMachine(sheet, _ground_elsewhere(sheet, closed, limits), budget=Budget(limits))


def _ground_elsewhere(sheet: Sheet, closed: threading.Event, limits: Limits | None) -> GroundProgram:
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_ground, args=(sheet, sender, limits), daemon=True, name="ggp-ground")
    process.start()
    sender.close()  # so that the death of the process ends the pipe
    try:
        while not receiver.poll(_LOOK_SECONDS):
            if closed.is_set():
                raise InterruptedError("nobody needs the machine any more")
        found: GroundProgram | Exception = receiver.recv()
    except EOFError:
        raise MemoryError("the process that grounds has died") from None
    finally:
        _end(process)
        receiver.close()
    if isinstance(found, Exception):
        raise found
    return found


def _ground(sheet: Sheet, sender: Connection, limits: Limits | None) -> None:
    """In the other process, which has a group of its own, with the grounder that it starts: they end together."""
    if hasattr(os, "setpgrp"):
        os.setpgrp()
    end_with_parent(group=True)
    from treewise.gdl import cache
    from treewise.gdl.grounder import ground

    try:
        sender.send(cache.kept(sheet, lambda: ground(sheet, limits)))
    except Exception as error:
        sender.send(error)


def _end(process: BaseProcess) -> None:
    if hasattr(os, "killpg") and process.is_alive() and process.pid is not None:
        with suppress(OSError):  # it has no group yet
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join()
