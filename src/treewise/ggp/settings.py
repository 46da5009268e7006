"""How a player plays: what the command line chooses, and what a match's own process is given."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from treewise.compositions import parse_search
from treewise.ggp.clock import Margins
from treewise.ggp.machines import FASTER, BackgroundBuilder, Builder, slow_machine
from treewise.ggp.thinker import DEFAULT_SEARCH
from treewise.limit import Limit
from treewise.search import Search

__all__ = ["Settings"]

MEMORY_MB = 4000
LONGEST_SECONDS = 3600.0


@dataclass(frozen=True)
class Settings:
    """How a player plays."""

    name: str = "treewise"
    search: Search = field(default_factory=lambda: parse_search(DEFAULT_SEARCH))
    limit: Limit | None = None
    """Of each search, in place of its own. None: the clock."""
    margins: Margins | None = None
    """None: by the way to the server."""
    ponder: bool = False
    """Whether to go on thinking while others do."""
    patience: float = 2.0
    """After so many play clocks of silence another server's START ends the match; infinite: never."""
    longest: float = LONGEST_SECONDS
    """Seconds of a clock that are used; a longer one counts as that, so that no match keeps others out for months."""
    memory_mb: int = MEMORY_MB
    """What the process of a match may take, where it has one. A search's tree may have a quarter of it."""
    seed: int = 0
    first: Builder = slow_machine
    faster: Sequence[BackgroundBuilder] = FASTER

    def __getstate__(self) -> dict[str, Any]:
        """For another process: a search travels as its text, which also names parts in files of the user's."""
        state = dict(vars(self))
        with suppress(ValueError):  # it has parts that have no text, which may travel nevertheless
            state["search"] = self.search.text()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        search = state["search"]
        vars(self).update(state, search=parse_search(search) if isinstance(search, str) else search)
