"""Compiled games of all kinds that work."""

from typing import Any

import numpy as np

import treewise
from treewise import compiled
from treewise.compiled import below, uniform


@compiled.game(num_players=2, max_actions=6, max_length=600, num_action_ids=6, name="compiled_pig")
class Pig:
    """Pig to 30 points: the rules of cpp/games/pig.cpp."""

    scores: (np.int16, 2)  # type: ignore[valid-type]
    total: np.int16
    steps: np.int32
    player: np.int8
    rolling: np.bool_
    winner: np.int8 = -1  # type: ignore[assignment]

    def current_player(s: Any) -> Any:
        return treewise.CHANCE if s.rolling else s.player

    def legal_actions(s: Any, out: Any) -> Any:
        n = 6 if s.rolling else 2
        for i in range(n):
            out[i] = i
        return n

    def chance_probabilities(s: Any, out: Any) -> None:
        out[:6] = 1 / 6

    def apply(s: Any, action: Any) -> None:
        s.steps += 1
        if s.rolling:
            s.rolling = False
            s.total = 0 if action == 0 else s.total + action + 1
            if action == 0:
                s.player = 1 - s.player
        elif action == 0:
            s.rolling = True
        else:
            s.scores[s.player] += s.total
            s.total = 0
            if s.scores[s.player] >= 30:
                s.winner = s.player
            else:
                s.player = 1 - s.player

    def is_terminal(s: Any) -> Any:
        return s.winner >= 0 or s.steps >= 1000

    def returns(s: Any, out: Any) -> None:
        out[0] = 0 if s.winner < 0 else 1 if s.winner == 0 else -1
        out[1] = -out[0]


@compiled.game(num_players=2, max_actions=3, max_length=8, min_utility=-5, max_utility=5)
class Everything:
    """Two players choose at once, three times, and hide it; every capability that Pig lacks.

    The record has more than 256 bytes, so it lies on the heap.
    """

    ballast: (np.int8, 300)  # type: ignore[valid-type]
    chosen: (np.int8, (2, 3))  # type: ignore[valid-type]
    gain: np.int8
    score: np.int8
    step: np.int8

    def initial(s: Any) -> None:
        s.chosen[:] = -1

    def current_player(s: Any) -> Any:
        return treewise.SIMULTANEOUS if s.step < 2 else 1

    def legal_actions(s: Any, out: Any) -> Any:
        out[0], out[1] = 0, 2
        return 2

    def legal_actions_of(s: Any, player: Any, out: Any) -> Any:
        for i in range(2 + player):
            out[i] = i
        return 2 + player

    def apply(s: Any, action: Any) -> None:
        s.chosen[1, s.step] = action
        s.gain = action - 1
        s.score += s.gain
        s.step += 1

    def apply_joint(s: Any, actions: Any) -> None:
        s.chosen[0, s.step], s.chosen[1, s.step] = actions[0], actions[1]
        s.gain = 1 if actions[0] == actions[1] else -1
        s.score += s.gain
        s.step += 1

    def is_terminal(s: Any) -> Any:
        return s.step == 3

    def returns(s: Any, out: Any) -> None:
        out[0], out[1] = s.score, -s.score

    def rewards(s: Any, out: Any) -> None:
        out[0], out[1] = s.gain, -s.gain

    def quality(s: Any) -> Any:
        return abs(s.score) / 3

    def winning_actions(s: Any, out: Any) -> Any:
        n = 0
        for action in (0, 2):
            if s.score + action - 1 < 0:
                out[n] = action
                n += 1
        return n

    def playout_candidates(s: Any, rng: Any, out: Any) -> Any:
        out[0] = 2 * below(rng, 2)
        return 1

    def hash(s: Any) -> Any:
        return 10 * s.score + s.step

    def resample(s: Any, player: Any, rng: Any) -> None:
        for i in range(s.step):
            s.chosen[1 - player, i] = 0 if uniform(rng) < 0.5 else 1

    def observation(s: Any, player: Any) -> str:
        return " ".join(str(a) for a in s.chosen[player] if a >= 0)

    def parse(s: Any, board: str, player: int) -> None:
        if not board.isdigit():
            raise ValueError("board: the number of steps expected")
        s.step = int(board)


@compiled.game(num_players=1, max_actions=2, max_length=20, min_utility=0, max_utility=50, num_features=3)
class Climb:
    """A step up or down; the top wins, and every step up is a point."""

    height: np.int8
    points: np.int8
    steps: np.int8

    def current_player(s: Any) -> Any:
        return 0

    def legal_actions(s: Any, out: Any) -> Any:
        out[0], out[1] = 0, 1
        return 2

    def apply(s: Any, action: Any) -> None:
        s.height += 2 * action - 1
        s.points += action
        s.steps += 1

    def is_terminal(s: Any) -> Any:
        return s.height == 4 or s.steps == 20

    def returns(s: Any, out: Any) -> None:
        out[0] = s.points + (30 if s.height == 4 else 0)

    def score(s: Any) -> Any:
        return s.points

    def features(s: Any, out: Any) -> None:
        out[0], out[2] = 1, s.height / 4


@compiled.game(num_players=1, max_actions=10, bounds_checks=False)
class Marks:
    """More than 2048 bytes, which playouts do not copy; and without checks."""

    cells: (np.int8, 3000)  # type: ignore[valid-type]
    step: np.int32

    def current_player(s: Any) -> Any:
        return 0

    def legal_actions(s: Any, out: Any) -> Any:
        for i in range(10):
            out[i] = i
        return 10

    def apply(s: Any, action: Any) -> None:
        s.cells[len(s.cells) - 1 - 10 * s.step - action] += 1
        s.step += 1

    def is_terminal(s: Any) -> Any:
        return s.step == 200

    def returns(s: Any, out: Any) -> None:
        out[0] = s.cells.sum() / 200
