"""What every reasoner over a rulesheet offers: a game for the search, and the answers that a match needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from treewise.gdl.terms import Sheet

MAX_LENGTH = 1000
"""Joint actions after which a playout or match is cut off, unless told otherwise."""


class Machine(Protocol):
    """A rulesheet that can be played. `game` is an ordinary game, its states are what a search takes; the methods
    say what the rules say, of all roles at every state, those without a choice included.

    Rules may leave a role without a legal action in a state that is not terminal. There the game has ended for a
    search, with returns of 0; here it has not: `is_terminal` is false and `legal` is empty.

    Actions are numbers of their role, stable for the life of the machine.
    """

    kind: str
    """"net" or "prover"."""
    sheet: Sheet
    roles: tuple[str, ...]
    game: Any

    def legal(self, state: Any, role: int) -> list[int]:
        """The role's legal actions, ascending. Empty where the sheet gives none."""

    def play(self, state: Any, actions: Sequence[int]) -> Any:
        """The state after a joint action, one of each role."""

    def is_terminal(self, state: Any) -> bool:
        """Whether `terminal` holds; whether somebody can move is asked of `legal`."""

    def goals(self, state: Any) -> list[int]:
        """Each role's goal at this state, terminal or not, 0 to 100: the highest of several, 0 where there is none."""

    def facts(self, state: Any) -> list[str]:
        """What is true, spelt as in the sheet, sorted."""

    def action_text(self, role: int, action: int) -> str:
        """An action as the sheet spells it."""

    def find_action(self, role: int, text: str) -> int | None:
        """The action that a text means, whatever its case and blanks; none if the role never has it."""
