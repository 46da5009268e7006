"""Games in Python files of the user's, by their text form: `my_game.py:Nim(heaps=[3, 4])`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from treewise import _core, spec
from treewise._core import Game, State, unwrap_state
from treewise.game import as_state, load_game
from treewise.own import OwnFile, call_with, find, named, plain, with_digest
from treewise.wording import describe, own_place

__all__ = ["OwnGame", "load_own_game", "own_rules"]


class OwnGame(_core.PythonGame):
    """An ordinary game whose rules are a class in a Python file. `text_form` loads it again."""

    def __init__(self, first: object, text: str, full_text: str) -> None:
        super().__init__(first)
        self.text_form, self.full_text_form = text, full_text

    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]:
        return load_game, (self.full_text_form,)

    def __repr__(self) -> str:
        return f"<Game {self.text_form}>"


def load_own_game(call: spec.Call) -> Game | State:
    """The game that a call makes of what its file has: a class or function that makes the first state, a game, or an
    object with `initial_state`; a `State` if that is not where its game begins.

    The full text form has a digest of the source: a changed file is another game.
    """
    file = find(call)
    call = named(file, call)
    made = _made(file, call)
    if isinstance(made, State) and not _core.is_python_state(made):
        if made.history() or made.start or made.detached:
            return made
        made = made.game
    texts = [spec.write(form) for form in (call, with_digest(file, call))]
    if isinstance(made, Game) and not isinstance(made, _core.PythonGame):
        return _with_text(made, *texts)
    if isinstance(made, Game):
        made = made.initial_state()
    first = unwrap_state(made) if isinstance(made, State) else made
    return OwnGame(_checked(file, call, first), *texts)


def own_rules(call: spec.Call) -> Any:
    """The same as the checks of games want it: what makes the first state as the file has it, or a compiled game."""
    file = find(call)
    call = named(file, call)
    made = _made(file, call)
    itself = made is file.get(call.name)
    return made if itself or isinstance(made, Game) else lambda: _made(file, call)


def _made(file: OwnFile, call: spec.Call) -> Any:
    """A game, or a state; anything else is refused later."""
    made = file.get(call.name)
    if call.arguments or isinstance(made, type) or not (_is_game(made) or _is_state(made)):
        if not callable(made) and not call.arguments:
            return _checked(file, call, made)
        owner = f"{file.path}:{call.name}"
        made = call_with(file, call, {key: plain(owner, key, value) for key, value in call.arguments.items()})
    return made.initial_state() if _is_game(made) and not isinstance(made, Game) else made


def _is_game(thing: Any) -> bool:
    return callable(getattr(thing, "initial_state", None))


def _is_state(thing: Any) -> bool:
    return callable(getattr(thing, "legal_actions", None))


def _checked(file: OwnFile, call: spec.Call, made: Any) -> Any:
    try:
        as_state(made)
    except Exception as error:
        why = describe(error)
        if isinstance(error, TypeError) and own_place(error) is None:
            why = f"it is not a game: {why.removeprefix('TypeError: ')}"
        raise ValueError(f"{file.place(call.name)}: {call.name}: {why}") from error
    return made


def _with_text(game: Any, text: str, full_text: str) -> Game:
    """The game itself if it has a text form of its own, else one with this."""
    if type(game) is Game or getattr(game, "text_form", None):
        return game  # type: ignore[no-any-return]
    if hasattr(game, "with_text_form"):
        game = game.with_text_form(text, full_text)
    else:
        game.text_form, game.full_text_form = text, full_text
    return game  # type: ignore[no-any-return]
