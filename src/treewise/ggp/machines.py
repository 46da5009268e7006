"""The machines of one rulesheet: a slow one at once, a fast one as soon as it is built."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence

from treewise.gdl.language.repair import parse_for_play
from treewise.gdl.load import machine_of
from treewise.gdl.machine import Machine
from treewise.gdl.terms import Sheet
from treewise.ggp.building import build_net
from treewise.ggp.crowd import CrowdMachine, crowded

__all__ = ["FASTER", "BackgroundBuilder", "Builder", "Machines", "best_machine", "readable_sheet", "slow_machine"]

_log = logging.getLogger(__name__)

Builder = Callable[[Sheet], Machine]
BackgroundBuilder = Callable[[Sheet, threading.Event], Machine]
"""Gives up, by any exception, soon after the event is set."""


def slow_machine(sheet: Sheet) -> Machine:
    """The machine that every sheet has at once: the prover."""
    return CrowdMachine(sheet) if crowded(sheet) else machine_of(sheet, "prover")


def best_machine(sheet: Sheet) -> Machine:
    """The fastest machine that a sheet can have, for whoever has the time to build it."""
    return CrowdMachine(sheet) if crowded(sheet) else machine_of(sheet)


FASTER: tuple[BackgroundBuilder, ...] = (build_net,)
"""Machines that take time to build and are worth it, the slowest first."""


def readable_sheet(text: str, name: str = "the rules") -> Sheet:
    """The sheet of all that can be read and played: a player that refuses a broken sheet loses the match.

    What had to be changed or left out is logged.

    >>> [str(rule) for rule in readable_sheet("(role a) (<=) (init (p 1))").rules]
    ['(role a)', '(init (p 1))']
    """
    sheet, findings = parse_for_play(text)
    for finding in findings:
        _log.warning("%s: %s", name, finding)
    return sheet


class Machines:
    """The best machine there is so far. `first` is built here and now, `faster` ones in the background, in order;
    `better` is called, in the background, when one of them is there.

    A builder that fails, for whatever reason, leaves the machine before it in its place.
    """

    def __init__(
        self,
        sheet: Sheet,
        first: Builder,
        faster: Sequence[BackgroundBuilder] = (),
        better: Callable[[], None] = lambda: None,
    ) -> None:
        self._best = first(sheet)
        self._better = better
        self._closed = threading.Event()
        self._settled = threading.Event()
        build = threading.Thread(target=self._build, args=(sheet, faster), daemon=True, name="ggp-build")
        build.start()

    @property
    def best(self) -> Machine:
        """The machine to use from now on."""
        return self._best

    def wait(self, seconds: float) -> bool:
        """Waits for the last machine; whether it is there, or will never be."""
        return self._settled.wait(max(0.0, seconds))

    def close(self) -> None:
        """Nobody needs them any more: what is being built is given up."""
        self._closed.set()

    def _build(self, sheet: Sheet, builders: Sequence[BackgroundBuilder]) -> None:
        for build in builders:
            if self._closed.is_set():
                break
            try:
                self._best = build(sheet, self._closed)
                self._better()
            except Exception as error:
                if not self._closed.is_set():
                    _log.warning("no faster machine: %s: %s", type(error).__name__, error)
        self._settled.set()
