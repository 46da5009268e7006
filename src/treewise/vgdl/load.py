"""The text form `vgdl(…)`, and the game it makes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from treewise import _core, spec
from treewise.files import is_file
from treewise.game import game_names, load_game
from treewise.vgdl.compiler import Description, compile_description, compile_level
from treewise.vgdl.files import Source, description_path, level_path, read_text, shipped_games
from treewise.vgdl.finding import Finding
from treewise.vgdl.program import Program
from treewise.wording import shortened

_log = logging.getLogger(__name__)

HUGE = 10_000_000.0
"""What a win adds to the score, and a loss takes from it: the framework's own number."""
OPTIONS = ("hidden_shown", "shared_pull", "rules_2016")
"""Defects and older rules of the framework; `docs/vgdl.md` says what each changes."""
_KEPT = 64
"""Games that stay compiled: an experiment takes turns over its games and levels."""


@dataclass(frozen=True)
class GameText:
    """What a text form says. The fields are its parameters, in their order."""

    game: str = ""
    level: int = 0
    path: str = ""
    level_path: str = ""
    win_value: float = HUGE
    hidden_shown: bool = False
    shared_pull: bool = False
    rules_2016: bool = False
    digest: str = ""

    @classmethod
    def read(cls, arguments: Mapping[str, object]) -> GameText:
        """Checks the arguments of a parsed text form.

        >>> GameText.read({"0": "zelda", "level": 2}).level
        2
        """
        given: dict[str, Any] = {}
        for key, value in arguments.items():
            name = _NAMES[int(key)] if key.isdigit() and int(key) < len(_NAMES) else key
            if name not in _DEFAULTS:
                raise ValueError(f"vgdl: unknown parameter '{shortened(key)}'; {spec.suggest(key, _NAMES)}")
            if name in given:
                raise ValueError(f"vgdl: parameter '{name}' is given twice")
            given[name] = _checked(name, value)
        made = cls(**given)
        if bool(made.game) == bool(made.path):
            forms = "vgdl(game='zelda', level=0) or vgdl(path='mygame.txt', level_path='mylevel.txt')"
            raise ValueError(f"vgdl: which game? Write {forms}; shipped are {', '.join(shipped_games())}")
        return made

    def write(self, full: bool = False) -> str:
        """The text form; parameters at their standard values are left out unless `full`."""
        said = {key: value for key, value in vars(self).items() if full or value != _DEFAULTS[key]}
        return spec.write(spec.Call("vgdl", said))

    def source(self) -> Source:
        """The texts that it names."""
        if self.game and self.game not in shipped_games():
            raise ValueError(f"vgdl: unknown game '{shortened(self.game)}'; {spec.suggest(self.game, shipped_games())}")
        path = Path(self.path)
        if not is_file(path):  # a game by name; `path` may be the name of a shipped one, too
            path = description_path(self.game or self.path)
        level = Path(self.level_path) if self.level_path else level_path(path, self.level)
        if not is_file(level):
            raise ValueError(f"vgdl: no file {shortened(str(level), 255)}")
        return Source(read_text(path), read_text(level), str(path), str(level))


_DEFAULTS: Mapping[str, Any] = {field.name: field.default for field in fields(GameText)}
_NAMES = tuple(_DEFAULTS)


class VGDLGame(_core.VgdlGame):
    """An ordinary game for one player whose rules are a description and a level. `text_form` loads it again.

    A pickled game has the texts: it stays the same, whatever becomes of the files.
    """

    text_form: str | None = None
    full_text_form: str | None = None
    program: Program
    recipe: tuple[Callable[..., VGDLGame], tuple[Any, ...]]
    """What makes it again."""

    def __reduce__(self) -> tuple[Any, ...]:
        return self.recipe

    def __repr__(self) -> str:
        return f"<Game {self.text_form or self.name}>"


def load_vgdl(arguments: Mapping[str, object]) -> VGDLGame:
    """The game of the text form `vgdl(game='zelda', level=0)` or `vgdl(path='…', level_path='…')`.

    `win_value` is what winning adds to the score and losing takes from it; `OPTIONS` are off unless they are named.
    `digest` is what `game_text(game, full=True)` adds: changed files are another game.

    >>> from treewise import game_text, load_game
    >>> game_text(load_game("vgdl(game='zelda', level=0)"))
    "vgdl(game='zelda')"
    """
    text = GameText.read(arguments)
    source = text.source()
    if text.digest not in ("", source.digest):
        name = text.game or text.path
        raise ValueError(
            f"vgdl: the files of '{name}' have changed: their digest is {source.digest}, not {text.digest}"
        )
    return _game(replace(text, digest=""), source)


def video_game(text: str, level: int | None = None) -> VGDLGame:
    """A game by its text form, or by a name or file as `description_path` has it, and the number of a level.

    >>> video_game("zelda", level=2)
    <Game vgdl(game='zelda', level=2)>
    """
    shipped = text in shipped_games()
    if shipped or is_file(Path(text)):
        return load_vgdl({"game" if shipped else "path": text, "level": level or 0})
    if "(" not in text and text not in ("vgdl", *game_names()):
        advice = spec.suggest(text, shipped_games())
        raise ValueError(f"unknown video game '{shortened(text, 255)}': neither a file nor a shipped game; {advice}")
    game = load_game(text)
    if not isinstance(game, VGDLGame):
        raise ValueError(f"{text} is no video game; {spec.suggest(text, shipped_games())}")
    if level is not None:
        raise ValueError(f"{text} says its level itself: write vgdl(…, level={level})")
    return game


def make_game(source: Source, *, win_value: float = HUGE, java_random: bool = False, **options: bool) -> VGDLGame:
    """A game from texts. `java_random`: chance is drawn as the framework draws it, for recorded trajectories.

    >>> game = make_game(Source("BasicGame\\n  SpriteSet\\n    box > Passive", "wwww\\nw.Aw\\nwwww"))
    >>> game.initial_state().legal_actions()
    [2, 4, 3, 1]
    """
    description = _description(source.description, source.file)
    level, findings = compile_level(description, source.level, source.level_file)
    _warn(findings)
    program = description.program(level, options)
    game = VGDLGame(name="vgdl", program=program, win_value=win_value, java_random=java_random)
    game.program = program
    game.recipe = _from_texts, (source, win_value, java_random, tuple(options.items()))
    return game


@lru_cache(maxsize=_KEPT)
def _from_texts(source: Source, win_value: float, java_random: bool, options: tuple[tuple[str, bool], ...]) -> VGDLGame:
    """A pickled game. It is made once a process, not once for each state that brings it."""
    return make_game(source, win_value=win_value, java_random=java_random, **dict(options))


@lru_cache(maxsize=_KEPT)
def _description(text: str, file: str) -> Description:
    description = compile_description(text, file)
    _warn(description.findings)
    return description


@lru_cache(maxsize=_KEPT)
def _game(text: GameText, source: Source) -> VGDLGame:
    game = make_game(source, win_value=text.win_value, **{name: getattr(text, name) for name in OPTIONS})
    game.text_form = text.write()
    game.full_text_form = replace(text, digest=source.digest).write(full=True)
    game.recipe = _game, (text, source)
    return game


def _warn(findings: Iterable[Finding]) -> None:
    for finding in findings:
        _log.warning("%s", finding)


def _checked(name: str, value: Any) -> Any:
    default = _DEFAULTS[name]
    if isinstance(default, float) and type(value) is int:
        value = float(value)
    if type(value) is not type(default):
        raise ValueError(f"vgdl: parameter '{name}' must be {spec.type_names[type(default)]}")
    if name == "win_value" and not 0 <= value <= 1e12:
        raise ValueError(f"vgdl: parameter 'win_value' is {value:g}, expected 0 to 1e12")
    if name == "level" and not 0 <= value < 1000:
        raise ValueError(f"vgdl: parameter 'level' is {value}, expected 0 to 999")
    return value
