"""Nim as a plain Python class: whoever takes the last stone wins.

    python examples/python_game.py
    treewise check examples/python_game.py:Nim

Such an object goes to a search, to `treewise.perft` and to `treewise.as_state` as it is.
"""

import treewise


class Nim:
    def __init__(self, heaps: tuple[int, ...] = (3, 4, 5)) -> None:
        self.heaps, self.player = list(heaps), 0

    def current_player(self) -> int:
        return self.player

    def legal_actions(self) -> list[int]:
        """An action is 100 * heap + stones to take."""
        return [100 * heap + n for heap, left in enumerate(self.heaps) for n in range(1, left + 1)]

    def apply(self, action: int) -> None:
        if action not in self.legal_actions():
            raise ValueError(f"there is no action {action}")
        self.heaps[action // 100] -= action % 100
        self.player = 1 - self.player

    def is_terminal(self) -> bool:
        return not any(self.heaps)

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0, 0.0]
        return [-1.0, 1.0] if self.player == 0 else [1.0, -1.0]

    def clone(self) -> "Nim":
        copy = Nim(tuple(self.heaps))
        copy.player = self.player
        return copy

    def action_name(self, action: int) -> str:
        return f"{action % 100} of heap {action // 100 + 1}"

    def __str__(self) -> str:
        return " ".join("|" * left or "-" for left in self.heaps)


if __name__ == "__main__":
    state = treewise.as_state(Nim())
    print(state, "has", treewise.perft(state, 3), "sequences of three actions")
    print(f"a random match takes {state.playout(seed=1)} steps:", state.returns())
