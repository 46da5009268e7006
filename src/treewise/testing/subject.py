"""What is checked, seen the same way whoever wrote it: a game in C++, or a state class in Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from treewise.game import CHANCE, SIMULTANEOUS

Move = int | list[int]
"""What `apply` takes: one action, or one for each player where several act at once."""

_METHODS = {
    "hash": "hash",
    "chance": "chance_outcomes",
    "rewards": "rewards",
    "hidden": "resample",
    "quality": "quality",
    "winning": "winning_actions",
    "policy": "playout_candidates",
    "dice": "reseed",
    "score": "score",
    "features": "features",
    "scene": "scene",
}
"""The method that a Python state has if it has the capability."""

REQUIRED = ("current_player", "legal_actions", "apply", "is_terminal", "returns", "clone", "action_name")


@dataclass(frozen=True)
class Subject:
    """A game under check: how to start a match, and what the game declares about itself."""

    name: str
    make: Callable[[], Any]
    num_players: int
    capabilities: frozenset[str]
    min_utility: float | None
    max_utility: float | None
    num_action_ids: int | None
    zero_sum: bool

    def has(self, capability: str) -> bool:
        """Whether the game has the capability of this name."""
        return capability in self.capabilities

    def choices(self, state: Any) -> list[list[int]]:
        """The legal actions: one list, or one for each player where several act at once."""
        if state.current_player() == SIMULTANEOUS:
            return [list(state.legal_actions(player)) for player in range(self.num_players)]
        return [list(state.legal_actions())]

    def view(self, state: Any) -> dict[str, Any]:
        """Everything one can ask a state: two states are equal if and only if their views are."""
        over = bool(state.is_terminal())
        view: dict[str, Any] = {
            "current_player": state.current_player(),
            "is_terminal": over,
            "returns": list(state.returns()),
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


def missing_methods(state: Any) -> list[str]:
    """The obligatory methods that the state lacks."""
    return [name for name in REQUIRED if not callable(getattr(state, name, None))]


def subject_of(thing: Any) -> Subject:
    """Reads a game, a state, or a class or function that makes the initial state.

    >>> import treewise
    >>> subject_of(treewise.load_game("pig(players=3)")).num_players
    3
    """
    make = _maker(thing)
    state = make()
    missing = missing_methods(state)
    if missing:
        raise TypeError(f"not a state: {type(state).__name__} has no method {', '.join(missing)}")
    sources = [thing, getattr(state, "game", None), state]
    players = _declared(sources, "num_players")
    low, high = _declared(sources, "min_utility"), _declared(sources, "max_utility")
    ids = _declared(sources, "num_action_ids")
    return Subject(
        name=_name(sources),
        make=make,
        num_players=len(state.returns()) if players is None else int(players),
        capabilities=_capabilities(sources, state),
        min_utility=None if low is None else float(low),
        max_utility=None if high is None else float(high),
        num_action_ids=None if ids is None else int(ids),
        zero_sum=bool(_declared(sources, "zero_sum")),
    )


def _maker(thing: Any) -> Callable[[], Any]:
    if not isinstance(thing, type):
        if callable(getattr(thing, "initial_state", None)):
            return lambda: thing.initial_state()
        if not missing_methods(thing):
            return lambda: thing.clone()
    if callable(thing):
        return lambda: thing()
    raise TypeError(f"expected a game, a state, or what makes the initial state, not {type(thing).__name__}")


def _declared(sources: Sequence[Any], name: str) -> Any:
    for source in sources:
        value = getattr(source, name, None)
        if value is not None and not isinstance(value, property):
            return value() if callable(value) else value
    return None


def _name(sources: Sequence[Any]) -> str:
    for source in sources:
        name = getattr(source, "name", None) or getattr(source, "__name__", None)
        if isinstance(name, str):
            return name
    return type(sources[-1]).__name__


def _capabilities(sources: Sequence[Any], state: Any) -> frozenset[str]:
    declared = _declared(sources, "capabilities")
    if declared is not None:
        return frozenset(declared)
    return frozenset(name for name, method in _METHODS.items() if callable(getattr(state, method, None)))


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
