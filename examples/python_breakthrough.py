"""Breakthrough in plain Python, written for reading: lists, no bit tricks.

The same actions in the same order as `treewise.load_game("breakthrough")`. `compiled_breakthrough.py` is
the same game at native speed.
"""

SIZE = 8


class Breakthrough:
    max_length = 2 * 2 * SIZE * SIZE  # every step brings a piece a row forward

    def __init__(self) -> None:
        # Row 0 is the top; player 0 starts at the bottom and moves up.
        self.board = [1] * (2 * SIZE) + [-1] * (SIZE * (SIZE - 4)) + [0] * (2 * SIZE)
        self.player = 0
        self.winner = -1

    def current_player(self) -> int:
        return self.player

    def is_terminal(self) -> bool:
        return self.winner >= 0

    def returns(self) -> list[float]:
        return [0.0, 0.0] if self.winner < 0 else [1.0, -1.0] if self.winner == 0 else [-1.0, 1.0]

    def target(self, action: int) -> int:
        """The square that an action, 3 * from + direction (0 straight, 1 left, 2 right), goes to."""
        return action // 3 + (SIZE if self.player else -SIZE) + (0, -1, 1)[action % 3]

    def legal_actions(self) -> list[int]:
        actions = []
        board, player = self.board, self.player
        ahead = SIZE if player else -SIZE
        for direction, side in enumerate((0, -1, 1)):
            for start in range(SIZE * SIZE):
                if board[start] != player or not 0 <= start % SIZE + side < SIZE:
                    continue
                target = board[start + ahead + side]
                if target == -1 or (side and target != player):
                    actions.append(3 * start + direction)
        return actions

    def apply(self, action: int) -> None:
        target = self.target(action)
        self.board[action // 3] = -1
        self.board[target] = self.player
        if target // SIZE == (SIZE - 1 if self.player else 0) or 1 - self.player not in self.board:
            self.winner = self.player
        self.player = 1 - self.player

    def clone(self) -> "Breakthrough":
        copy = Breakthrough.__new__(Breakthrough)
        copy.board, copy.player, copy.winner = self.board.copy(), self.player, self.winner
        return copy

    def hash(self) -> int:
        return hash((tuple(self.board), self.player))

    def action_name(self, action: int) -> str:
        squares = (action // 3, self.target(action))
        return "".join(f"{'abcdefgh'[square % SIZE]}{SIZE - square // SIZE}" for square in squares)

    def __str__(self) -> str:
        rows = [self.board[SIZE * row : SIZE * (row + 1)] for row in range(SIZE)]
        return "\n".join("".join(".12"[cell + 1] for cell in row) for row in rows)
