"""Files as users write them: a game, parts and searches; and a folder to run in that forgets what it imported."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

NIM = '''
from rules import LEAST


class Nim:
    def __init__(self, heaps=(1, 2, 3)):
        self.heaps, self.player = list(heaps), 0

    def current_player(self):
        return self.player

    def legal_actions(self):
        return [100 * heap + n for heap, left in enumerate(self.heaps) for n in range(LEAST, left + 1)]

    def apply(self, action):
        if action not in self.legal_actions():
            raise ValueError("there is no such action")
        self.heaps[action // 100] -= action % 100
        self.player = 1 - self.player

    def is_terminal(self):
        return not any(self.heaps)

    def returns(self):
        return [0.0, 0.0] if any(self.heaps) else [-1.0, 1.0] if self.player == 0 else [1.0, -1.0]

    def clone(self):
        copy = type(self)(self.heaps)
        copy.player = self.player
        return copy


def small(size=2):
    return Nim([size] * size)


fixed = Nim([2])
nothing = 3


class Broken(Nim):
    def __init__(self, heaps=None):
        raise KeyError("heaps")


class Table:
    """As libraries have games: an object that makes the first state."""

    def __init__(self, heap=2):
        self.heap = heap

    def initial_state(self):
        return Nim([self.heap])
'''
RULES = "LEAST = 1\n"
BUILT_IN = """
import treewise

board = treewise.load_game("hex(size=3)")


def chosen(size=3):
    return treewise.load_game(f"hex(size={size})")


def position():
    state = board.initial_state()
    state.apply(4)
    return state
"""
COMPILED = """
import numpy as np
from treewise import compiled


@compiled.game(num_players=2, max_actions=3, max_length=30)
class Countdown:
    left: np.int8 = 7
    player: np.int8 = 0

    def current_player(s):
        return s.player

    def legal_actions(s, out):
        n = min(s.left, 3)
        for i in range(n):
            out[i] = i + 1
        return n

    def apply(s, action):
        s.left -= action
        s.player = 1 - s.player

    def is_terminal(s):
        return s.left == 0

    def returns(s, out):
        out[s.player], out[1 - s.player] = -1, 1


def same():
    return Countdown
"""
PARTS = '''
import random

from treewise import limit, playout, selection, Search


class First:
    """Always the first action; `x` is of no use."""

    def __init__(self, x=1, inner=None):
        self.x, self.inner = x, inner

    def choose(self, state, actions, rng):
        return actions[0]


class Restless:
    """Remembers how often it was asked, and plays by it."""

    def __init__(self):
        self.asked = 0

    def choose(self, state, actions, rng):
        self.asked += 1
        return actions[self.asked % len(actions)]


class Middle:
    def score(self, children):
        return [-abs(i - len(children) / 2) - n for i, n in enumerate(children.visits)]


class Even:
    batch_size = 4

    def evaluate(self, states):
        return [[0.0, 0.0] for _ in states]


class Short:
    def __init__(self, factor=0.9):
        self.factor = factor

    def result(self, record):
        return [0.5 + (value - 0.5) * self.factor**record.length for value in record.values]


def first(x=2):
    return First(x)


ready = First(3)
tuned = selection.UCB1(c=0.3)


class Nothing:
    pass


search = Search(playout=First(7), limit=limit.Simulations(50))


def build(c=1.0, playout=None):
    return Search(selection=selection.UCB1(c), playout=playout or First(9))


def limited(limit=limit.Simulations(5)):
    return Search(playout=First(), limit=limit)


def stubborn(limit=None):
    from treewise import limit as limits

    return Search(playout=First(), limit=limits.Simulations(5))


def plainly(c=1.0):
    return Search(selection=selection.UCB1(c))
'''
FILES = {"nim.py": NIM, "rules.py": RULES, "built_in.py": BUILT_IN, "countdown.py": COMPILED, "my_parts.py": PARTS}


@contextmanager
def imports_forgotten(folder: Path) -> Iterator[None]:
    """What is imported from a folder inside the block is forgotten after it, as in another process."""
    path, before = list(sys.path), set(sys.modules)
    try:
        yield
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - before:
            if str(folder) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with all these files, to run in."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with imports_forgotten(tmp_path):
        yield tmp_path
