"""Breakthrough as compiled Python: two sets of squares, at the speed of hand-written C++.

    python examples/compiled_breakthrough.py

Row 0 is the top; player 0 starts at the bottom and moves up. An action is 3 * from + direction (0 straight,
1 left, 2 right), in the same order as `treewise.load_game("breakthrough")`.
"""

import numpy as np

from treewise import compiled
from treewise.compiled import below, bit, clear_lowest, count, lowest, nth

NOT_LEFT, NOT_RIGHT = np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(0x7F7F7F7F7F7F7F7F)
TOP, BOTTOM = np.uint64(0xFF), np.uint64(0xFF << 56)


def targets(s):
    """The squares that the mover's pieces reach straight ahead, to the left and to the right."""
    if s.player == 0:
        own, free = s.white, ~(s.white | s.black)
        return own >> 8 & free, (own & NOT_LEFT) >> 9 & ~own, (own & NOT_RIGHT) >> 7 & ~own
    own, free = s.black, ~(s.white | s.black)
    return own << 8 & free, (own & NOT_LEFT) << 7 & ~own, (own & NOT_RIGHT) << 9 & ~own


def write(s, bits, direction, out, n):
    """Writes the steps in `direction` (0, 1, 2) that end on `bits`, from place n; returns the next place."""
    while bits:
        out[n] = action_to(s, lowest(bits), direction)
        bits = clear_lowest(bits)
        n += 1
    return n


def action_to(s, target, direction):
    side = 0 if direction == 0 else 1 if direction == 1 else -1
    return 3 * (target + (8 if s.player == 0 else -8) + side) + direction


@compiled.game(num_players=2, max_actions=48, max_length=256, num_action_ids=192)
class Breakthrough:
    white: np.uint64 = 0xFFFF << 48
    black: np.uint64 = 0xFFFF
    player: np.int8 = 0
    winner: np.int8 = -1

    def current_player(s):
        return s.player

    def is_terminal(s):
        return s.winner >= 0

    def legal_actions(s, out):
        straight, left, right = targets(s)
        return write(s, right, 2, out, write(s, left, 1, out, write(s, straight, 0, out, 0)))

    def apply(s, action):
        side = 0 if action % 3 == 0 else -1 if action % 3 == 1 else 1
        start, target = bit(action // 3), bit(action // 3 + (8 if s.player else -8) + side)
        if s.player == 0:
            s.white ^= start | target
            s.black &= ~target
            won = target & TOP or not s.black
        else:
            s.black ^= start | target
            s.white &= ~target
            won = target & BOTTOM or not s.white
        if won:
            s.winner = s.player
        s.player = 1 - s.player

    def returns(s, out):
        out[0] = 0 if s.winner < 0 else 1 if s.winner == 0 else -1
        out[1] = -out[0]

    def playout_action(s, rng):  # optional: one uniform choice without listing all
        straight, left, right = targets(s)
        a, b = count(straight), count(left)
        k = below(rng, a + b + count(right))
        if k < a:
            return action_to(s, nth(straight, k), 0)
        if k < a + b:
            return action_to(s, nth(left, k - a), 1)
        return action_to(s, nth(right, k - a - b), 2)

    def action_name(s, action):
        target = action // 3 + (8 if s.player else -8) + (0, -1, 1)[action % 3]
        return "".join(f"{'abcdefgh'[square % 8]}{8 - square // 8}" for square in (action // 3, target))

    def draw(s):
        cells = ["1" if s.white & bit(i) else "2" if s.black & bit(i) else "." for i in range(64)]
        return "\n".join("".join(cells[8 * row : 8 * row + 8]) for row in range(8))


if __name__ == "__main__":
    state = Breakthrough.initial_state()
    print(state, f"\na random match takes {state.playout(seed=1)} steps:", state.returns())
