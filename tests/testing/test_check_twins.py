"""Twins: equal rules pass, any difference is found and named."""

import pytest

import treewise
from treewise import TERMINAL
from treewise.testing import check_twins


class PyTicTacToe:
    """Tic-tac-toe as a user would write it, with the action ids and names of the one in C++."""

    LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def __init__(self) -> None:
        self.cells = [-1] * 9
        self.player = 0

    def winner(self) -> int:
        for a, b, c in self.LINES:
            if self.cells[a] == self.cells[b] == self.cells[c] >= 0:
                return self.cells[a]
        return -1

    def is_terminal(self) -> bool:
        return self.winner() >= 0 or -1 not in self.cells

    def current_player(self) -> int:
        return TERMINAL if self.is_terminal() else self.player

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else [cell for cell in range(9) if self.cells[cell] < 0]

    def apply(self, action: int) -> None:
        if action not in self.legal_actions():
            raise ValueError(f"illegal action {action}")
        self.cells[action] = self.player
        self.player = 1 - self.player

    def returns(self) -> list[float]:
        winner = self.winner()
        return [0.0, 0.0] if winner < 0 else [1.0 - 2 * winner, 2.0 * winner - 1]

    def clone(self) -> "PyTicTacToe":
        copy = type(self)()
        copy.cells, copy.player = list(self.cells), self.player
        return copy

    def action_name(self, action: int) -> str:
        return "abc"[action % 3] + str(3 - action // 3)


class WithoutDiagonals(PyTicTacToe):
    LINES = PyTicTacToe.LINES[:6]


class Misnamed(PyTicTacToe):
    def action_name(self, action: int) -> str:
        return str(action)


class Generous(PyTicTacToe):
    def returns(self) -> list[float]:
        return [abs(value) for value in super().returns()]


class Gapped(PyTicTacToe):
    def legal_actions(self) -> list[int]:
        return super().legal_actions()[:5]


class Reversed(PyTicTacToe):
    def legal_actions(self) -> list[int]:
        return super().legal_actions()[::-1]


@pytest.mark.parametrize("twin", [PyTicTacToe, Reversed])
def test_equal_rules(twin: type[PyTicTacToe]) -> None:
    report = check_twins(treewise.load_game("tic_tac_toe"), twin, matches=50)
    assert report.ok, str(report)
    assert report.steps > 200


@pytest.mark.parametrize(
    ("twin", "kind"),
    [
        (WithoutDiagonals, "is_terminal"),
        (Misnamed, "action_name"),
        (Generous, "returns"),
        (Gapped, "legal_actions"),
    ],
)
def test_different_rules(twin: type[PyTicTacToe], kind: str) -> None:
    report = check_twins(treewise.load_game("tic_tac_toe"), twin, matches=50)
    assert report.problems[0].kind == kind, str(report)
    assert check_twins(twin, treewise.load_game("tic_tac_toe"), matches=50).problems[0].kind == kind


@pytest.mark.parametrize("text", ["goofspiel(cards=5)", "pig(goal=20)", "phantom_tic_tac_toe", "same_game"])
def test_games_with_capabilities(text: str) -> None:
    report = check_twins(treewise.load_game(text), treewise.load_game(text), matches=3)
    assert report.ok, str(report)


def test_other_parameters_are_noticed() -> None:
    first, second = (treewise.load_game(f"same_game(seed={seed})") for seed in (1, 2))
    assert check_twins(first, second, matches=1).kinds == {"legal_actions"}
