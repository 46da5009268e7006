"""Compiled games with mistakes, one kind at a time."""

from typing import Any

import numpy as np

import treewise
from treewise import compiled
from treewise.compiled import CompiledGame, below

KINDS = [
    "",
    "none",
    "too many",
    "negative count",
    "negative action",
    "outside",
    "raises",
    "player",
    "chance",
    "nan",
]
KINDS += ["zero", "endless"]


@compiled.game(num_players=2, max_actions=3, max_length=2000)
class Broken:
    """Takes 1 to 3 of 9, and does one thing wrong, given by `kind`."""

    kind: np.int8
    left: np.int8
    player: np.int8

    def parse(s: Any, board: str, player: int) -> None:
        s.kind, s.left, s.player = KINDS.index(board), 9, player

    def current_player(s: Any) -> Any:
        return 2 if s.kind == 7 else treewise.CHANCE if s.kind == 8 else s.player

    def legal_actions(s: Any, out: Any) -> Any:
        for i in range(3):
            out[i] = i + 1
        if s.kind == 1:
            return 0
        if s.kind == 2:
            return len(out) + 1
        if s.kind == 3:
            return -5
        if s.kind == 4:
            out[0] = out[1] = out[2] = -1
        if s.kind == 5:
            out[s.left] = 1
        if s.kind == 6:
            raise ValueError("no")
        return min(s.left, 3)

    def apply(s: Any, action: Any) -> None:
        if s.kind == 10:
            s.left = action // (s.left - 9)
        elif s.kind != 11:
            s.left -= action
        s.player = 1 - s.player

    def is_terminal(s: Any) -> Any:
        return s.left <= 0

    def returns(s: Any, out: Any) -> None:
        out[s.player], out[1 - s.player] = np.nan if s.kind == 9 else -1, 1


@compiled.game(num_players=2, max_actions=2, max_length=50)
class Wrong:
    """What only the twin can find, or only a chance state or an own choice can do wrong."""

    kind: np.int8
    step: np.int8

    def parse(s: Any, board: str, player: int) -> None:
        s.kind = int(board)

    def current_player(s: Any) -> Any:
        return treewise.CHANCE if s.kind == 1 else 0

    def legal_actions(s: Any, out: Any) -> Any:
        out[0], out[1] = 0, 1
        return 2

    def chance_probabilities(s: Any, out: Any) -> None:
        out[0] = out[1] = 0.2

    def playout_action(s: Any, rng: Any) -> Any:
        return below(rng, 0) if s.kind == 2 else -3 if s.kind == 3 else s.kind

    def apply(s: Any, action: Any) -> None:
        s.step += 1

    def is_terminal(s: Any) -> Any:
        return s.step == 5

    def returns(s: Any, out: Any) -> None:
        out[:] = 0

    def hash(s: Any) -> Any:
        if s.step == 0:
            return 8
        return (np.uint64(1) << 63 | 1) >> 60  # `| 1` makes a signed number of it in Numba, not in NumPy


@compiled.game(num_players=1, max_actions=1, max_length=9, num_action_ids=3, stable_actions=True)
class Beyond:
    """Has one action after the other, more than it has declared."""

    step: np.int8

    def current_player(s: Any) -> Any:
        return 0

    def legal_actions(s: Any, out: Any) -> Any:
        out[0] = 100_000 * (s.step == 2)
        return 1

    def apply(s: Any, action: Any) -> None:
        s.step += 1

    def is_terminal(s: Any) -> Any:
        return s.step == 9

    def returns(s: Any, out: Any) -> None:
        out[0] = 1


def with_functions(**functions: Any) -> CompiledGame:
    """Broken with some functions replaced."""
    fields = {"kind": np.int8, "left": np.int8, "player": np.int8}
    members = Broken.twin.rules.functions | functions | {"__annotations__": fields}
    return compiled.game(num_players=2, max_actions=3)(type("Changed", (), members))
