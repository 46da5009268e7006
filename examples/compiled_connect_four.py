"""Connect four as compiled Python, with a small array for the board: no bit tricks needed.

python examples/compiled_connect_four.py
"""

import numpy as np

from treewise import compiled

ROWS, COLUMNS = 6, 7


def line_length(board, row, column, down, right):
    """How many stones like the one at (row, column) lie next to it in one direction."""
    stone, length = board[row, column], 0
    row, column = row + down, column + right
    while 0 <= row < ROWS and 0 <= column < COLUMNS and board[row, column] == stone:
        length += 1
        row, column = row + down, column + right
    return length


def wins(board, row, column):
    for down, right in ((1, 0), (0, 1), (1, 1), (1, -1)):
        forth = line_length(board, row, column, down, right)
        if forth + line_length(board, row, column, -down, -right) >= 3:
            return True
    return False


@compiled.game(num_players=2, max_actions=COLUMNS, max_length=ROWS * COLUMNS, num_action_ids=COLUMNS)
class ConnectFour:
    board: (np.int8, (ROWS, COLUMNS))  # 0 empty, else player + 1; row 0 is the top
    height: (np.int8, COLUMNS)
    stones: np.int8
    winner: np.int8 = -1

    def current_player(s):
        return s.stones % 2

    def legal_actions(s, out):
        n = 0
        for column in range(COLUMNS):
            if s.height[column] < ROWS:
                out[n] = column
                n += 1
        return n

    def apply(s, action):
        row = ROWS - 1 - s.height[action]
        s.board[row, action] = s.stones % 2 + 1
        if wins(s.board, row, action):
            s.winner = s.stones % 2
        s.height[action] += 1
        s.stones += 1

    def is_terminal(s):
        return s.winner >= 0 or s.stones == ROWS * COLUMNS

    def returns(s, out):
        out[0] = 0 if s.winner < 0 else 1 if s.winner == 0 else -1
        out[1] = -out[0]

    def action_name(s, action):
        return "abcdefg"[action]

    def draw(s):
        return "\n".join("".join(".xo"[cell] for cell in row) for row in s.board)


if __name__ == "__main__":
    state = ConnectFour.initial_state()
    steps = state.playout(seed=1)
    print(f"{state}\na random match took {steps} steps and returned {state.returns()}")
