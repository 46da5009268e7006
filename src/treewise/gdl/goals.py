"""What a role gets at the end, also where the rulesheet does not say so well."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from threading import Lock


class Goals:
    """Takes one goal of those that a sheet gives a role. Of each fault it warns once.

    >>> goals = Goals()
    >>> goals.take("robot", [30], at_end=True), goals.take("robot", [100, 50, 0], at_end=False)
    (30, 100)
    """

    def __init__(self) -> None:
        self._warned: set[str] = set()
        self._lock = Lock()

    def take(self, role: str, values: Sequence[int], at_end: bool) -> int:
        """The highest, or 0 where there is none, from 0 to 100. Before the end any number of goals is in order."""
        best = max(values, default=0)
        if at_end and len(values) != 1:
            self._warn(f"{role} has {len(values) or 'no'} goals in a terminal state; {best} is taken")
        if at_end and not 0 <= best <= 100:
            self._warn(f"{role} has a goal of {best}; goals are cut to 0 and 100")
        return min(max(best, 0), 100)

    def _warn(self, text: str) -> None:
        with self._lock:
            known = text in self._warned
            self._warned.add(text)
        if not known:
            warnings.warn(text, stacklevel=4)
