"""Loading games by their text form, and the constants of the contract."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewise import spec
from treewise._core import CHANCE, SIMULTANEOUS, TERMINAL, Game, State, game_catalogue, make_game, perft

__all__ = [
    "CHANCE",
    "SIMULTANEOUS",
    "TERMINAL",
    "Game",
    "State",
    "game_names",
    "game_text",
    "load_game",
    "perft",
]

_CATALOGUE: dict[str, dict[str, Any]] = {entry["name"]: entry for entry in game_catalogue()}


def game_names() -> list[str]:
    """The names `load_game` knows.

    >>> "breakthrough" in game_names()
    True
    """
    return sorted(_CATALOGUE)


def load_game(text: str) -> Game:
    """Makes a game from its text form, `name` or `name(key=value, …)`.

    >>> load_game("breakthrough(rows=6, columns=6)").num_players
    2
    """
    if not isinstance(text, str):
        raise ValueError(f"a game is loaded by its text form, not by {type(text).__name__}")
    call = spec.parse(text)
    if call.name not in _CATALOGUE:
        raise ValueError(f"unknown game '{call.name}'; {spec.suggest(call.name, _CATALOGUE)}")
    names = [parameter["name"] for parameter in _CATALOGUE[call.name]["parameters"]]
    arguments: dict[str, bool | int | float | str] = {}
    for position, (given, value) in enumerate(call.arguments.items()):
        key = names[position] if given.isdigit() and position < len(names) else given
        if key not in names:
            raise ValueError(f"{call.name}: unknown parameter '{key}'; {spec.suggest(key, names)}")
        if not isinstance(value, bool | int | float | str) or key in arguments:
            raise ValueError(f"{call.name}: parameter '{key}' must be one number or text")
        if isinstance(value, int) and abs(value) >= 2**62:
            raise ValueError(f"{call.name}: parameter '{key}' is out of range")
        arguments[key] = value
    return make_game(call.name, arguments)


def game_text(game: Game) -> str:
    """The text form that loads an equal game; parameters at their standard values are left out.

    >>> game_text(load_game("breakthrough(rows=6, columns=8)"))
    'breakthrough(rows=6)'
    """
    given: Mapping[str, Any] = game.parameters
    arguments = {
        declared["name"]: given[declared["name"]]
        for declared in _CATALOGUE[game.name]["parameters"]
        if given[declared["name"]] != declared["default"]
    }
    return spec.write(spec.Call(game.name, arguments))


def restore_state(game: Game, start: tuple[str, int] | None, history: list[int]) -> State:
    """Plays a state's history again; what pickling keeps of a state."""
    state = game.initial_state() if start is None else game.parse_state(*start)
    step = 0
    while step < len(history):
        if state.current_player() == SIMULTANEOUS:
            state.apply(history[step : step + game.num_players])
            step += game.num_players
        else:
            state.apply(history[step])
            step += 1
    return state


def as_state(state: Any) -> State:
    """The engine's form of a state."""
    if isinstance(state, State):
        return state
    raise TypeError(f"expected a state, not {type(state).__name__}")
