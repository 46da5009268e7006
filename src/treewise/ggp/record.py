"""The record of a match, with the fields that public match records have."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Record"]


@dataclass
class Record:
    """One match of our server; lists of lists have one entry for each step and, inside, one for each role."""

    match: str
    token: str
    rules: str
    """Name of the sheet."""
    rules_hash: str
    """SHA-256 of its text."""
    roles: tuple[str, ...]
    players: tuple[str, ...]
    start_clock: int
    play_clock: int
    seed: int
    scrambled: bool
    started: float
    """Seconds since 1970, as all times here that are not durations."""
    states: list[list[str]] = field(default_factory=list)
    state_times: list[float] = field(default_factory=list)
    moves: list[list[str]] = field(default_factory=list)
    actions: list[tuple[int, ...]] = field(default_factory=list)
    """The same as numbers of the server's machine."""
    errors: list[list[str]] = field(default_factory=list)
    """Of START, then of each step: empty, `TO`, `CE`, or `IL` with what was answered."""
    reply_times: list[list[float]] = field(default_factory=list)
    """Of START, then of each step, in seconds."""
    goals: list[int] = field(default_factory=list)
    completed: bool = False
    problem: str = ""
    """Why the match was called off, if it was."""

    def failures(self, role: int) -> int:
        """How often a role gave no legal move in time."""
        return sum(bool(step[role]) for step in self.errors)

    def seconds(self, role: int) -> float:
        """How long a role thought, START included."""
        return sum(step[role] for step in self.reply_times)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON, under the names that other programs know."""
        known = {
            "matchId": self.match,
            "randomToken": self.token,
            "startTime": _milliseconds(self.started),
            "startClock": self.start_clock,
            "playClock": self.play_clock,
            "gameName": self.rules,
            "rulesHash": self.rules_hash,
            "roles": list(self.roles),
            "playerNamesFromHost": list(self.players),
            "states": [f"( {' '.join(facts)} )" for facts in self.states],
            "moves": self.moves,
            "stateTimes": list(map(_milliseconds, self.state_times)),
            "errors": self.errors,
            "goalValues": self.goals,
            "isCompleted": self.completed,
            "isAborted": not self.completed,
            "scrambled": self.scrambled,
        }
        own = {"seed": self.seed, "replySeconds": self.reply_times, "problem": self.problem}
        return known | own

    def write(self, folder: str | Path) -> Path:
        """Writes the record to a file of its own; returns which."""
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        file = target / f"{self.match}.json"
        file.write_text(json.dumps(self.to_dict(), indent=1), encoding="utf-8")
        return file


def _milliseconds(seconds: float) -> int:
    return round(1000 * seconds)
