"""How a player plays: what the command line chooses, and what a match's own process is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

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
