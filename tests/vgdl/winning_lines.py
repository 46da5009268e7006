"""Recorded lines that win the levels of the shipped games: a seed of the dice, and what the player does.

A file a game in `lines/`, a line a level: the level, the seed, the actions as letters, each after how often it is
repeated where that is more than once: `3R2US`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from treewise import _core
from treewise.game import State
from treewise.vgdl.load import load_vgdl

LINES = Path(__file__).with_name("lines")
LETTERS = "NULDRS"
"""The letter of each action by its number; S is for USE."""


@dataclass(frozen=True)
class Line:
    """A way to win."""

    level: int
    seed: int
    actions: tuple[int, ...]

    @classmethod
    def read(cls, text: str) -> Line:
        """From its text, as `str` gives it."""
        level, seed, letters = text.split()
        if re.fullmatch(rf"(\d*[{LETTERS}])+", letters) is None:
            raise ValueError(f"no actions: {letters}")
        runs = re.findall(rf"(\d*)([{LETTERS}])", letters)
        return cls(int(level), int(seed), tuple(LETTERS.index(a) for n, a in runs for _ in range(int(n or 1))))

    def __str__(self) -> str:
        runs = ((len(list(run)), LETTERS[action]) for action, run in groupby(self.actions))
        return f"{self.level} {self.seed} " + "".join(f"{n if n > 1 else ''}{letter}" for n, letter in runs)


def read_lines(game: str) -> list[Line]:
    """The recorded lines of a shipped game, by level."""
    path = LINES / f"{game}.txt"
    return [Line.read(text) for text in path.read_text().splitlines()] if path.is_file() else []


def write_lines(game: str, lines: Iterable[Line]) -> None:
    """Replaces the recorded lines of a game."""
    LINES.mkdir(exist_ok=True)
    ordered = sorted(lines, key=lambda line: line.level)
    (LINES / f"{game}.txt").write_text("".join(f"{line}\n" for line in ordered))


def start(game: str, level: int, seed: int) -> State:
    """The level's initial state with the dice of that seed."""
    return _core.vgdl_state(load_vgdl({"game": game, "level": level}), seed)


def replay(game: str, line: Line) -> State:
    """The state that a line leads to."""
    state = start(game, line.level, line.seed)
    for action in line.actions:
        state.apply(action)
    return state
