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

    def may_step(self, start: int, side: int) -> bool:
        """Whether the mover's piece on `start` may go a row ahead, and `side` columns (-1, 0 or 1) to the right."""
        if not 0 <= start % SIZE + side < SIZE:
            return False
        target = self.board[start + side + (SIZE if self.player else -SIZE)]
        return target == -1 or (side != 0 and target != self.player)

    def legal_actions(self) -> list[int]:
        if self.is_terminal():
            return []
        own = [start for start, cell in enumerate(self.board) if cell == self.player]
        return [
            3 * start + direction
            for direction, side in enumerate((0, -1, 1))
            for start in own
            if self.may_step(start, side)
        ]

    def apply(self, action: int) -> None:
        start, side = action // 3, (0, -1, 1)[action % 3]
        mine = not self.is_terminal() and 0 <= start < SIZE * SIZE and self.board[start] == self.player
        if not mine or not self.may_step(start, side):
            raise ValueError(f"illegal action {action}")
        target = self.target(action)
        self.board[start] = -1
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
