"""Loading games by their text form, and the constants of the contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, SupportsIndex, cast

from treewise import _core, spec
from treewise._core import CHANCE, SIMULTANEOUS, TERMINAL, Game, State, game_catalogue, make_game, wrap_state
from treewise.wording import shortened

__all__ = [
    "CHANCE",
    "SIMULTANEOUS",
    "TERMINAL",
    "Game",
    "State",
    "as_state",
    "game_names",
    "game_text",
    "load_game",
    "perft",
]

_CATALOGUE: dict[str, dict[str, Any]] = {entry["name"]: entry for entry in game_catalogue()}
_FAMILIES = {
    "gdl": ("treewise.gdl.load", "load_gdl", "sheet_names"),
    "vgdl": ("treewise.vgdl.load", "load_vgdl", "shipped_games"),
}
"""Names of which each text form is another game: where the functions are that load it from the form's arguments, and
that list those which come with the package."""


def game_names() -> list[str]:
    """The names `load_game` knows.

    >>> "breakthrough" in game_names()
    True
    """
    return sorted(_CATALOGUE)


def load_game(text: str) -> Game:
    """Makes a game from its text form: `name`, `name(key=value, …)`, or `FILE.py:NAME` for one in a file of yours.

    >>> load_game("breakthrough(rows=6, columns=6)").num_players
    2
    """
    if not isinstance(text, str):
        raise ValueError(f"a game is loaded by its text form, not by {type(text).__name__}")
    call = spec.parse(text)
    if call.file:
        made = import_module("treewise.own_game").load_own_game(call)
        if isinstance(made, State):
            raise ValueError(f"{text} makes a position in the middle of {made.game.name}, not a game")
        return cast(Game, made)
    if call.name in _FAMILIES:
        module, function, _ = _FAMILIES[call.name]
        loaded: Game = getattr(import_module(module), function)(call.arguments)
        return loaded
    if call.name not in _CATALOGUE:
        raise ValueError(f"unknown game '{shortened(call.name)}'; {_advice(call.name)}")
    return make_game(call.name, _arguments(call))


def _advice(name: str) -> str:
    """How to write a game that a family has by this name, or else the nearest name."""
    for family, (module, _, shipped) in _FAMILIES.items():
        if name in getattr(import_module(module), shipped)():
            return f"write {family}('{name}')"
    return spec.suggest(name, [*_CATALOGUE, *_FAMILIES])


def _arguments(call: spec.Call) -> dict[str, bool | int | float | str]:
    """What a text form gives to a game of the catalogue, by the parameters' names."""
    names = [parameter["name"] for parameter in _CATALOGUE[call.name]["parameters"]]
    arguments: dict[str, bool | int | float | str] = {}
    for position, (given, value) in enumerate(call.arguments.items()):
        by_place = given.isdigit()
        if not names or (by_place and position >= len(names)):
            known = f"only {len(names)}: {', '.join(names)}" if names else "no parameters"
            raise ValueError(f"{call.name}: {len(call.arguments)} parameters given; it has {known}")
        key = names[position] if by_place else given
        if key not in names:
            raise ValueError(f"{call.name}: unknown parameter '{shortened(key)}'; {spec.suggest(key, names)}")
        if key in arguments:
            raise ValueError(f"{call.name}: parameter '{key}' is given twice, by its place and by its name")
        if not isinstance(value, bool | int | float | str):
            raise ValueError(f"{call.name}: parameter '{key}' must be one number, or a text in quotes")
        if isinstance(value, int) and abs(value) >= 2**62:
            raise ValueError(f"{call.name}: parameter '{key}' is out of range")
        arguments[key] = value
    return arguments


def game_text(game: Game, full: bool = False) -> str:
    """The text form that loads an equal game; parameters at their standard values are left out unless `full`.

    >>> game_text(load_game("breakthrough(rows=6, columns=8)"))
    'breakthrough(rows=6)'
    """
    if isinstance(form := getattr(game, "full_text_form" if full else "text_form", None), str):
        return form
    if type(game) is not Game:
        raise ValueError(
            f"'{game.name}' has no text form: load games written in Python by their file, load_game('my_game.py:NAME')"
        )
    given: Mapping[str, Any] = game.parameters
    arguments = {
        declared["name"]: given[declared["name"]]
        for declared in _CATALOGUE[game.name]["parameters"]
        if full or given[declared["name"]] != declared["default"]
    }
    return spec.write(spec.Call(game.name, arguments))


def game_key(game: Game) -> str | None:
    """The full text form, by which games are equal. None: a game without one equals itself only.

    >>> load_game("hex(7)") == load_game("hex(size=7, swap=False)")
    True
    """
    form: str | None = getattr(game, "full_text_form", None)
    return game_text(game, full=True) if type(game) is Game else form


def restore_state(
    game: Game, start: tuple[str, int] | None, history: list[int], seeds: Sequence[tuple[int, int]] = ()
) -> State:
    """Plays a state's history again, with the same dice; what pickling keeps of a state."""
    state = game.initial_state() if start is None else game.parse_state(*start)
    step, seed_at = 0, dict(seeds)
    while True:
        if step in seed_at:
            state.reseed(seed_at[step])
        if step == len(history):
            return state
        if state.current_player() == SIMULTANEOUS:
            state.apply(history[step : step + game.num_players])
            step += game.num_players
        else:
            state.apply(history[step])
            step += 1


def rewrap_state(state: object, first: object, history: list[int], seeds: list[tuple[int, int]]) -> State:
    """A pickled state written in Python: the object, and the one that its game was made from."""
    return wrap_state(state, as_state(first).game, history, seeds)


_METHODS = ("current_player", "legal_actions", "apply", "is_terminal", "returns", "clone")


def as_state(state: object, like: Game | None = None) -> State:
    """The `State` that searches run on: a native state itself, or a wrapped clone of a Python object.

    Any object with `current_player()`, `legal_actions()`, `apply(action)`, `is_terminal()`, `returns()`
    and `clone()` will do; `action_name(action)` and the capabilities are optional. `like` is the game of an earlier
    state of the same match.

    >>> class Countdown:
    ...     def __init__(self, left=3): self.left = left
    ...     def current_player(self): return 0
    ...     def legal_actions(self): return [n for n in (1, 2) if n <= self.left]
    ...     def apply(self, action):
    ...         if action not in self.legal_actions():
    ...             raise ValueError("take one or two")
    ...         self.left -= action
    ...     def is_terminal(self): return self.left == 0
    ...     def returns(self): return [1.0 if self.left == 0 else 0.0]
    ...     def clone(self): return Countdown(self.left)
    >>> perft(Countdown(), 2)
    3
    """
    if isinstance(state, State):
        return state
    if isinstance(state, type | Game):
        name = state.__name__ if isinstance(state, type) else state.name
        raise TypeError(f"expected a state of '{name}', not the class or the game itself: make one first")
    missing = [name for name in _METHODS if not callable(getattr(state, name, None))]
    if missing:
        listed = ", ".join(f"{name}()" for name in missing)
        raise TypeError(f"{type(state).__name__} is no state of a game: it has no {listed}")
    return wrap_state(state, like)


def perft(state: object, depth: SupportsIndex) -> int:
    """The number of sequences of `depth` actions (1000 at most) from `state`: the first check of any rules.

    >>> perft(load_game("breakthrough").initial_state(), 3)
    11132
    """
    return _core.perft(as_state(state), depth)
