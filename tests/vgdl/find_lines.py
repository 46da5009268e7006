"""Finds winning lines for the levels of the shipped games: `python tests/vgdl/find_lines.py [GAME …] [--level K]`.

A line fixes the dice by its seed, so that a level is a puzzle without chance. A beam walks through it tick by tick and
keeps the states that a measure of progress, written for each game, likes best: a few for each place of the avatar, lest
all of them be the same in other words. Sokoban has no dice; its boxes are pushed on a small model first.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import nlargest

from progress import PROGRESS, View
from push_boxes import solve
from winning_lines import Line, read_lines, replay, start, write_lines

from treewise.game import State
from treewise.vgdl import shipped_games
from treewise.vgdl.files import description_path, level_path

MOST_TICKS = 2001
PER_PLACE = 4


@dataclass(frozen=True)
class Node:
    """A state of the beam and the way to it."""

    state: State
    value: float
    place: tuple[int, ...]
    action: int = 0
    parent: Node | None = None

    def actions(self) -> tuple[int, ...]:
        """From the start to here."""
        taken: list[int] = []
        node = self
        while node.parent is not None:
            taken.append(node.action)
            node = node.parent
        return tuple(reversed(taken))


def children(node: Node, game: str, noise: random.Random) -> Iterator[Node]:
    """Where one more tick leads; lost states are left out."""
    for action in node.state.legal_actions():
        state = node.state.clone()
        state.apply(action)
        if not state.is_terminal():
            view = View(state, game)
            yield Node(state, PROGRESS[game](view) + noise.random() * 0.01, view.here, action, node)
        elif state.returns()[0] > 0:
            yield Node(state, float("inf"), (), action, node)


def kept(found: list[Node], width: int) -> list[Node]:
    """The best, at most a few for each place."""
    seen: dict[tuple[int, ...], int] = {}
    best = []
    for node in nlargest(8 * width, found, key=lambda node: node.value):
        seen[node.place] = seen.get(node.place, 0) + 1
        if seen[node.place] <= PER_PLACE:
            best.append(node)
    return best[:width]


def push(level: int) -> Line | None:
    """A line that wins a level of Sokoban."""
    actions = solve(level_path(description_path("sokoban"), level).read_text())
    return None if actions is None else Line(level, 0, actions)


def walk(game: str, level: int, seed: int, width: int) -> Line | None:
    """A line that wins the level with these dice, if the beam comes upon one."""
    noise = random.Random(seed)
    beam = [Node(start(game, level, seed), 0.0, ())]
    for _ in range(MOST_TICKS):
        found: dict[int, Node] = {}
        for node in beam:
            for child in children(node, game, noise):
                if child.state.is_terminal():
                    return Line(level, seed, child.actions())
                found.setdefault(child.state.hash(), child)
        if not found:
            return None
        beam = kept(list(found.values()), width)
    return None


def find(game: str, level: int, seeds: int, width: int) -> Line | None:
    """A line that wins the level and has been played to its end."""
    tries = [push(level)] if game == "sokoban" else (walk(game, level, seed, width) for seed in range(1, seeds + 1))
    return next((line for line in tries if line is not None and replay(game, line).returns()[0] > 0), None)


def main() -> int:
    """Writes the lines that are found over the recorded ones."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=shipped_games())
    parser.add_argument("--level", type=int, action="append", help="only this one; may be given more than once")
    parser.add_argument("--width", type=int, default=60, help="states that the beam keeps")
    parser.add_argument("--seeds", type=int, default=5, help="dice to try")
    given = parser.parse_args()
    missing = 0
    for game in given.games:
        for level in given.level or range(5):
            line = find(game, level, given.seeds, given.width)
            print(
                game, level, "no line" if line is None else f"{len(line.actions)} ticks, seed {line.seed}", flush=True
            )
            missing += line is None
            if line is not None:
                write_lines(game, [*(old for old in read_lines(game) if old.level != level), line])
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
