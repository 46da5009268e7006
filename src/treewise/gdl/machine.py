"""What every reasoner over a rulesheet offers: a game for the search, and the answers that a match needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from treewise.gdl.terms import Sheet


class Machine(Protocol):
    """A rulesheet that can be played. `game` is an ordinary game, its states are what a search takes; the methods
    speak of all roles at every state, those without a choice included.

    Actions are numbers of their role, stable for the life of the machine.
    """

    sheet: Sheet
    roles: tuple[str, ...]
    game: Any

    def legal(self, state: Any, role: int) -> list[int]:
        """The role's legal actions, ascending. Empty where the sheet gives none."""

    def play(self, state: Any, actions: Sequence[int]) -> Any:
        """The state after a joint action, one of each role."""

    def is_terminal(self, state: Any) -> bool:
        """Whether the match is over."""

    def goals(self, state: Any) -> list[int]:
        """Each role's goal, 0 to 100: the highest where the sheet gives several, 0 where it gives none."""

    def facts(self, state: Any) -> list[str]:
        """What is true, spelt as in the sheet, sorted."""

    def action_text(self, role: int, action: int) -> str:
        """An action as the sheet spells it."""

    def find_action(self, role: int, text: str) -> int | None:
        """The action that a text means, whatever its case and blanks; none if the role never has it."""
