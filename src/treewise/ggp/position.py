"""Where a match stands on a machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treewise.gdl.machine import Machine

__all__ = ["Position"]


class Position:
    """A state and the joint moves, as texts, that led to it. It does not change.

    >>> from treewise.gdl import load_machine
    >>> position = Position(load_machine("tic_tac_toe"))
    >>> position.allows(["(mark 2 2)", "noop"]), position.allows(["noop", "noop"]), position.allows(["(mark 2 2)"])
    (True, False, False)
    >>> position.after(["(MARK 2 2)", "noop"]).played
    [('(mark 2 2)', 'noop')]
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.state: Any = machine.game.initial_state()
        self.played: list[tuple[str, ...]] = []

    def allows(self, told: Sequence[str]) -> bool:
        """Whether a joint move is legal here."""
        machine = self.machine
        if len(told) != len(machine.roles):
            return False
        return all(machine.find_action(role, text) in machine.legal(self.state, role) for role, text in enumerate(told))

    def after(self, told: Sequence[str]) -> Position:
        """The position after a joint move; ValueError if it is not known, or not legal where the machine minds that."""
        roles = range(len(self.machine.roles))
        actions = [self.machine.find_action(role, text) for role, text in zip(roles, told, strict=False)]
        known = [action for action in actions if action is not None]
        if not len(told) == len(known) == len(roles):
            raise ValueError(f"the rules do not know the joint move ({' '.join(told)})")
        other = Position.__new__(Position)
        other.machine = self.machine
        other.state = self.machine.play(self.state, known)
        texts = tuple(self.machine.action_text(role, action) for role, action in enumerate(known))
        other.played = [*self.played, texts]
        return other

    def legal_texts(self, role: int) -> list[str]:
        """A role's legal moves as the sheet spells them, in alphabetical order."""
        return sorted(self.machine.action_text(role, action) for action in self.machine.legal(self.state, role))

    def on(self, machine: Machine) -> Position:
        """The same position on another machine; ValueError if that knows one of the moves not."""
        position = Position(machine)
        for joint in self.played:
            position = position.after(joint)
        return position
