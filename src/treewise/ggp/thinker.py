"""A search that plays one role on one machine, and can be stopped."""

from __future__ import annotations

import logging
from typing import Any

from treewise._core import is_python_state, unwrap_state
from treewise.compositions import uct
from treewise.game import CHANCE, TERMINAL, State, as_state
from treewise.gdl.machine import Machine
from treewise.information import Determinization
from treewise.result import Result
from treewise.search import Search, SearchInterrupted, Session, Stop

__all__ = ["DEFAULT_SEARCH", "RANDOM_ROLE", "Thinker"]

_log = logging.getLogger(__name__)

DEFAULT_SEARCH = "cadia()"
RANDOM_ROLE = "random"
"""The role, in GDL-II, that the server plays by chance."""


class _Alarm:
    """Goes off once, when a stop is set."""

    def __init__(self, stop: Stop) -> None:
        self.stop: Stop | None = stop

    def check(self) -> None:
        if self.stop is not None and self.stop.is_set():
            self.stop = None
            raise KeyboardInterrupt  # what a session takes for "enough: give me what you have"


class _Stoppable:
    """A state written in Python whose every method ends the search when a stop is set.

    The engine looks for a stop between simulations only, and one simulation of a slow machine may take seconds.
    """

    def __init__(self, state: Any, alarm: _Alarm) -> None:
        self._state = state
        self._alarm = alarm

    def clone(self) -> _Stoppable:
        return _Stoppable(self._state.clone(), self._alarm)

    def __getattr__(self, name: str) -> Any:
        self._alarm.check()
        found = getattr(self._state, name)
        if name == "resample":  # another state
            return lambda *given: _Stoppable(found(*given), self._alarm)
        return found


class Thinker:
    """Runs a search for one role of a match, until its limit or a stop."""

    def __init__(self, search: Search, machine: Machine, role: int, seed: int) -> None:
        self.machine = machine
        self.role = role
        self._seed = seed
        self._hidden = "hidden" in machine.game.capabilities
        if self._hidden and search.information is None:
            search = search.replace(information=Determinization(), proof=None)
        self._session = Session(search, seed)
        players = [index for index, name in enumerate(machine.roles) if name.lower() != RANDOM_ROLE]
        self._player = players.index(role) if role in players else role

    def run(self, state: Any, stop: Stop) -> int | None:
        """The action that the search chooses before `stop` is set; none where it found nothing or cannot run.

        A search that does not fit the game is replaced by plain UCT for the rest of the match.
        """
        if as_state(state).current_player() in (CHANCE, TERMINAL):
            return None
        try:
            return self._try(state, stop)
        except Exception as error:
            _log.warning("the search failed, plain UCT goes on: %s: %s", type(error).__name__, error)
        plain = uct().replace(limit=self._session.search.limit, information=Determinization() if self._hidden else None)
        self._session = Session(plain, self._seed)
        try:
            return self._try(state, stop)
        except Exception as error:
            _log.warning("plain UCT failed, too: %s: %s", type(error).__name__, error)
            return None

    def _try(self, state: Any, stop: Stop) -> int | None:
        try:
            return self._chosen(self._result(state, stop))
        except SearchInterrupted as error:
            return self._chosen(error.result)
        except KeyboardInterrupt:  # before the first simulation
            return None

    def _result(self, state: Any, stop: Stop) -> Result:
        inner = unwrap_state(state) if isinstance(state, State) and is_python_state(state) else state
        if isinstance(inner, State):
            return self._session.run(inner, stop)
        alarm = _Alarm(stop)
        try:
            return self._session.run(_Stoppable(inner, alarm))
        finally:
            alarm.stop = None  # the session keeps the state

    def _chosen(self, result: Result) -> int | None:
        _log.debug("%d simulations, value %.3f", result.stats.simulations, result.value)
        if isinstance(result.action, list):
            return result.action[self._player]
        return result.action if result.player == self._player else None
