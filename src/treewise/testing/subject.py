"""What is checked, seen the same way whoever wrote it: a game in C++, or a state class in Python."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from treewise.game import CHANCE, SIMULTANEOUS, TERMINAL, Game, State, as_state

Move = int | list[int]
"""What `apply` takes: one action, or one for each player where several act at once."""

REQUIRED = ("current_player", "legal_actions", "apply", "is_terminal", "returns", "clone")


class NotAGame(TypeError):
    """What was given is neither a game nor a state, and makes none."""


@dataclass(frozen=True)
class Subject:
    """A game under check: how to start a match, and what the game declares about itself."""

    name: str
    make: Callable[[], Any]
    native: bool
    num_players: int
    capabilities: frozenset[str]
    min_utility: float
    max_utility: float
    max_length: int
    num_action_ids: int | None
    zero_sum: bool

    def has(self, capability: str) -> bool:
        """Whether the game has the capability of this name."""
        return capability in self.capabilities

    def choices(self, state: Any) -> list[list[int]]:
        """The legal actions: one list, or one for each player where several act at once."""
        if state.current_player() == SIMULTANEOUS:
            return [_plain(listed(state, "legal_actions", player)) for player in range(self.num_players)]
        return [_plain(listed(state, "legal_actions"))]

    def view(self, state: Any) -> dict[str, Any]:
        """Everything one can ask a state: two states are equal if and only if their views are."""
        over = bool(state.is_terminal())
        view: dict[str, Any] = {
            "current_player": TERMINAL if over else state.current_player(),
            "is_terminal": over,
            "returns": listed(state, "returns"),
            "legal_actions": [] if over else self.choices(state),
        }
        if has_text(state):
            view["str"] = str(state)
        for capability in ("hash", "rewards", "score", "features", "scene"):
            if self.has(capability):
                value = getattr(state, capability)()
                view[capability] = value if capability in ("hash", "score") else list(value)
        if self.has("hidden"):
            view["observation"] = [state.observation(player) for player in range(self.num_players)]
        if not over and view["current_player"] == CHANCE and self.has("chance"):
            view["chance_outcomes"] = [tuple(pair) for pair in state.chance_outcomes()]
        return view


def has_text(state: Any) -> bool:
    """Whether the state draws itself, instead of printing its address in memory."""
    return any("__str__" in kind.__dict__ or "__repr__" in kind.__dict__ for kind in type(state).__mro__[:-1])


def listed(state: Any, method: str, *arguments: Any) -> list[Any]:
    """What a method that lists something gives, as a list; TypeError if it is nothing of that kind."""
    value = getattr(state, method)(*arguments)
    if not hasattr(value, "__iter__"):
        raise TypeError(f"{type(state).__name__}.{method}() is {value!r}, not a list")
    return list(value)


def _plain(actions: list[Any]) -> list[Any]:
    """Actions as `apply` gets them from a search: numbers of any kind as ints."""
    return [
        operator.index(action) if isinstance(action, Integral) and not isinstance(action, bool) else action
        for action in actions
    ]


def subject_of(thing: Any) -> Subject:
    """Reads a game, a state, or a class or function that makes the initial state; what is declared is what the engine
    reads of it.

    >>> import treewise
    >>> subject_of(treewise.load_game("pig(players=3)")).num_players
    3
    """
    make = _maker(thing)
    state = make()
    missing = _missing_methods(state)
    if missing:
        raise NotAGame(f"not a state: {type(state).__name__} has no method {', '.join(missing)}")
    game = as_state(state).game
    return Subject(
        name=game.name,
        make=make,
        native=isinstance(state, State),
        num_players=game.num_players,
        capabilities=frozenset(game.capabilities),
        min_utility=game.min_utility,
        max_utility=game.max_utility,
        max_length=game.max_length,
        num_action_ids=game.num_action_ids or _declared(state, "num_action_ids") or None,
        zero_sum=_zero_sum(state, game),
    )


def _missing_methods(state: Any) -> list[str]:
    return [name for name in REQUIRED if not callable(getattr(state, name, None))]


def _maker(thing: Any) -> Callable[[], Any]:
    if not isinstance(thing, type):
        if callable(getattr(thing, "initial_state", None)):
            return lambda: thing.initial_state()
        if not _missing_methods(thing):
            return lambda: thing.clone()
    if callable(thing):
        return lambda: thing()
    raise NotAGame(f"expected a game, a state, or what makes the initial state, not {type(thing).__name__}")


def _declared(state: Any, name: str) -> Any:
    """An attribute of the state, or of its game."""
    return getattr(state, name, getattr(getattr(state, "game", None), name, None))


def _zero_sum(state: Any, game: Game) -> bool:
    """What the game says or, if it says nothing, whether it looks as if: two players, and as much to lose as to win."""
    declared = _declared(state, "zero_sum")
    return game.num_players == 2 and game.min_utility == -game.max_utility if declared is None else bool(declared)


def differences(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """The names of what differs between two views. The text is compared too, for NaN differs from itself.

    >>> differences({"hash": 1, "str": "a"}, {"hash": 2, "str": "a"})
    ['hash']
    """
    return [
        key
        for key in before.keys() | after.keys()
        if before.get(key) != after.get(key) and repr(before.get(key)) != repr(after.get(key))
    ]
