"""Where a match stands on a machine, from what the server told."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from treewise.gdl.machine import Machine

__all__ = ["Position"]

_log = logging.getLogger(__name__)


class Position:
    """A state and the joint moves, as texts, that led to it."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.state: Any = machine.game.initial_state()
        self.played: list[tuple[str, ...]] = []

    def advance(self, told: Sequence[str], answered: tuple[int, str] | None = None) -> None:
        """Plays the joint move that a server told: the truth, whatever this side thinks of it.

        A move that the rules do not know, or that the machine refuses where it is not legal, is replaced by a guess:
        for the role in `answered`, what it answered, if that is legal, else a legal move.
        """
        roles = range(len(self.machine.roles))
        if len(told) != len(roles):
            _log.warning("%d moves were told, but there are %d roles", len(told), len(roles))
        texts = [*told, *[""] * len(roles)][: len(roles)]
        found = [self.machine.find_action(role, text) for role, text in enumerate(texts)]
        fitting = [action if self._is_legal(role, action, texts[role]) else None for role, action in enumerate(found)]
        known = [action for action in found if action is not None]
        if len(known) == len(roles):
            try:
                return self._play(known)
            except ValueError as error:
                _log.warning("the machine refuses it: %s", error)
        guesses = [self._guess(role, answered) if fitting[role] is None else fitting[role] for role in roles]
        self._play([action for action in guesses if action is not None])

    def _is_legal(self, role: int, action: int | None, text: str) -> bool:
        if action in self.machine.legal(self.state, role):
            return True
        what = "no rule knows" if action is None else "is not legal here"
        _log.warning("%s is told to have done %s, which %s", self.machine.roles[role], text, what)
        return False

    def copy(self) -> Position:
        """Another position at the same place."""
        other = Position(self.machine)
        other.state, other.played = self.state, list(self.played)
        return other

    def allows(self, told: Sequence[str]) -> bool:
        """Whether a joint move is legal here."""
        machine = self.machine
        found = [machine.find_action(role, text) for role, text in enumerate(told[: len(machine.roles)])]
        return all(action in machine.legal(self.state, role) for role, action in enumerate(found))

    def legal_texts(self, role: int) -> list[str]:
        """A role's legal moves as the sheet spells them, in alphabetical order."""
        return sorted(self.machine.action_text(role, action) for action in self.machine.legal(self.state, role))

    def on(self, machine: Machine) -> Position:
        """The same position on another machine; ValueError if that knows one of the moves not."""
        position = Position(machine)
        for joint in self.played:
            actions = [machine.find_action(role, text) for role, text in enumerate(joint)]
            known = [action for action in actions if action is not None]
            if len(known) != len(actions):
                raise ValueError(f"the new machine does not know the joint move ({' '.join(joint)})")
            position._play(known)
        return position

    def _play(self, actions: Sequence[int]) -> None:
        texts = tuple(self.machine.action_text(role, action) for role, action in enumerate(actions))
        self.state = self.machine.play(self.state, actions)
        self.played.append(texts)

    def _guess(self, role: int, answered: tuple[int, str] | None) -> int:
        legal = self.legal_texts(role)
        if not legal:
            raise ValueError(f"{self.machine.roles[role]} has no legal move that it could have made")
        own = self.machine.find_action(role, answered[1]) if answered and answered[0] == role else None
        action = own if own in self.machine.legal(self.state, role) else self.machine.find_action(role, legal[0])
        assert action is not None
        return action
