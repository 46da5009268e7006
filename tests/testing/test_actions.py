"""Who is to act, what may be done, what it is called, and what apply refuses."""

import random
from typing import Any

import pytest
from finding import assert_found, name_of
from sound_games import Sealed, Take, WinningTake

from treewise import CHANCE, TERMINAL


class AcceptsAll(Take):
    def apply(self, action: int) -> None:
        self.taken.append(max(1, min(action, self.left)))


class ChangesBeforeItRefuses(Take):
    def apply(self, action: int) -> None:
        legal = action in self.legal_actions()
        self.taken.append(action if legal else 0)
        if not legal:
            raise ValueError("too late")


class RefusesWithKeyError(Take):
    def apply(self, action: int) -> None:
        if action not in self.legal_actions():
            raise KeyError(action)
        super().apply(action)


class RefusesLegal(Take):
    def apply(self, action: int) -> None:
        if action == 3:
            raise ValueError("three is too many")
        super().apply(action)


class ReturnsAnother(Take):
    def apply(self, action: int) -> Take:  # type: ignore[override]
        other = self.clone()
        Take.apply(other, action)
        return other


class ReturnsAnotherThatWins(WinningTake, ReturnsAnother):
    """The same where other checks apply actions too."""


class Shuffles(Take):
    def legal_actions(self) -> list[int]:
        return random.sample(super().legal_actions(), len(super().legal_actions()))


class AskingChanges(Take):
    """Every so often, who asks for the actions takes a stone."""

    every = 1

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def legal_actions(self) -> list[int]:
        actions = super().legal_actions()
        self.asked += 1
        if self.asked % self.every == 0 and self.left > 1:
            self.taken.append(1)
        return actions


class AskingChangesSeldom(AskingChanges):
    every = 3


class AskingChangesAtTheEnd(Take):
    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def returns(self) -> list[float]:
        self.asked += self.is_terminal()
        return super().returns() if self.asked < 2 else [0.0, 0.0]


class Duplicates(Take):
    def legal_actions(self) -> list[int]:
        return super().legal_actions() * 2


class NoActions(Take):
    def legal_actions(self) -> list[int]:
        return [n for n in super().legal_actions() if n != 1]


class TextActions(Take):
    def legal_actions(self) -> Any:
        return [str(n) for n in super().legal_actions()]


class ActionOutOfRange(Take):
    num_action_ids = 3


class ListsAfterTheEnd(Take):
    def legal_actions(self) -> list[int]:
        return super().legal_actions() or [1]


class ThirdPlayer(Take):
    def current_player(self) -> int:
        return len(self.taken) % 3 if self.left else TERMINAL


class ChanceWithoutOutcomes(Take):
    def current_player(self) -> int:
        return CHANCE if self.left else TERMINAL


class TerminalPlayerTooEarly(Take):
    def current_player(self) -> int:
        return len(self.taken) % 2 if self.left > 3 else TERMINAL


class NumberAsTerminal(Take):
    def is_terminal(self) -> Any:
        return int(self.left == 0)


class SameNames(Take):
    def action_name(self, action: int) -> str:
        return "take some"


class NoNames(Take):
    def action_name(self, action: int) -> str:
        return ""


class Crashes(Take):
    def action_name(self, action: int) -> str:
        return ["one", "two"][action - 1]


class ShortJointAction(Sealed):
    def apply(self, actions: Any) -> None:
        if isinstance(actions, list) and len(actions) == 1 and actions[0] in self.legal_actions(0):
            self.taken += [actions[0], 1]
        else:
            super().apply(actions)


class Unprintable(Take):
    def __str__(self) -> str:
        raise RuntimeError("no")


class UndeclaredSealed(Sealed):
    simultaneous = False


class NamesAreNone(Take):
    action_name = None  # type: ignore[assignment]


BROKEN = [
    (UndeclaredSealed, "mover", "simultaneous = True"),
    (NamesAreNone, "names", "None, not a method"),
    (AcceptsAll, "illegal", "not legal"),
    (AcceptsAll, "after_end", "the match is over"),
    (ChangesBeforeItRefuses, "illegal_changes", "changes the state"),
    (RefusesWithKeyError, "illegal_error", "KeyError"),
    (RefusesLegal, "refused", "three is too many"),
    (ReturnsAnother, "apply", "must change this state; it returned a new one"),
    (ReturnsAnotherThatWins, "apply", "must change this state; it returned a new one"),
    (Shuffles, "unsteady", "different answers: legal_actions; a question changes it, or is random"),
    (AskingChanges, "unsteady", "different answers: .*str; a question changes it"),
    (AskingChangesSeldom, "unsteady", "different answers: .*str; a question changes it"),
    (AskingChangesAtTheEnd, "unsteady", "different answers: returns;"),
    (Duplicates, "duplicates", "more than once"),
    (NoActions, "no_actions", "empty"),
    (TextActions, "actions", "not an int"),
    (ActionOutOfRange, "actions", "num_action_ids"),
    (ListsAfterTheEnd, "after_end", r"return \[\]"),
    (ThirdPlayer, "mover", "players are 0 to 1"),
    (ChanceWithoutOutcomes, "mover", "chance_outcomes"),
    (TerminalPlayerTooEarly, "terminal", "is_terminal"),
    (NumberAsTerminal, "terminal", "not True or False"),
    (SameNames, "names", "both called"),
    (NoNames, "names", "not a text"),
    (Crashes, "error", "IndexError in action_name"),
    (ShortJointAction, "illegal", "accepted"),
    (Unprintable, "str", "RuntimeError"),
]


@pytest.mark.parametrize(("game", "kind", "words"), BROKEN, ids=name_of)
def test_broken_games_are_found(game: type[Take], kind: str, words: str) -> None:
    assert_found(game, kind, words)
