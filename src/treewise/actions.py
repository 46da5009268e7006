"""How what a search chose is typed: as a number and as a list of numbers at once.

Where one player moves, an action is a number; where several act at once, it is a list with one of each, and tables have
pairs (player, action) as their keys. Which of the two it is, the game decides, so that no annotation can tell. A union
would make everyone ask for what they know; the types here are both, for type checkers only, so that the code for either
kind of game checks as it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, overload

__all__ = ["Action", "ByAction", "Key", "Step"]

V = TypeVar("V", covariant=True)
T = TypeVar("T")

if TYPE_CHECKING:

    class Action(int, list[int]):  # type: ignore[misc]  # no object is both
        """What to play: a number; a list with one for each player where several act at once."""

    class Step(int, tuple[int, ...]):  # type: ignore[misc]
        """What was played: a number; a tuple with one for each player where several acted at once."""

    class Key(int, tuple[int, int]):  # type: ignore[misc]
        """An action; (player, action) where several players act at once."""

    class ByAction(Mapping[Key, V]):
        """Something for each action."""

        def __getitem__(self, key: int | tuple[int, int], /) -> V: ...
        def __iter__(self) -> Iterator[Key]: ...
        def __len__(self) -> int: ...
        @overload
        def get(self, key: int | tuple[int, int], /) -> V | None: ...
        @overload
        def get(self, key: int | tuple[int, int], /, default: V | T) -> V | T: ...
        def get(self, key: object, /, default: object = None) -> Any: ...  # noqa: D102

else:
    Action, Step, Key, ByAction = int | list[int], int | tuple[int, ...], int | tuple[int, int], Mapping
