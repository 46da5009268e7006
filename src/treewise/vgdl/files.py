"""The files of games: those that come with the package, and the user's own."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from treewise import files, spec
from treewise.files import is_file
from treewise.vgdl.syntax import MOST_CHARACTERS
from treewise.wording import shortened

_SHIPPED = Path(__file__).with_name("games")


@dataclass(frozen=True)
class Source:
    """The texts of a description and a level, with the files they are from."""

    description: str
    level: str
    file: str = "<description>"
    level_file: str = "<level>"

    @property
    def digest(self) -> str:
        """Says whether either text has changed."""
        return hashlib.sha256(f"{self.description}\0{self.level}".encode()).hexdigest()[:16]


def shipped_games() -> list[str]:
    """The games that come with the package.

    >>> "zelda" in shipped_games()
    True
    """
    return sorted(path.stem for path in _SHIPPED.glob("*.txt") if "_lvl" not in path.stem)


def shipped_levels(game: str) -> list[int]:
    """The numbers of a shipped game's levels.

    >>> shipped_levels("zelda")
    [0, 1, 2, 3, 4]
    """
    return sorted(int(path.stem.rpartition("_lvl")[2]) for path in _SHIPPED.glob(f"{game}_lvl*.txt"))


def summary(game: str) -> str:
    """What a shipped game is about: the comment that it begins with."""
    return (_SHIPPED / f"{game}.txt").read_text(encoding="utf-8").partition("\n")[0].removeprefix("#").strip()


def description_path(name: str) -> Path:
    """The file of a description: the name of a game that comes with the package, or a path.

    The name wins over a file of the working directory that is called like it, which is ./zelda.

    >>> description_path("zelda").name
    'zelda.txt'
    """
    if name in shipped_games():
        return _SHIPPED / f"{name}.txt"
    if not is_file(Path(name)):
        advice = spec.suggest(name, shipped_games())
        raise ValueError(f"no game '{shortened(name, 255)}': neither a file nor a shipped game; {advice}")
    return Path(name)


def level_path(description: Path, level: int) -> Path:
    """The file of a description's level by number: `zelda.txt` has `zelda_lvl0.txt`, … beside it."""
    path = description.with_name(f"{description.stem}_lvl{level}.txt")
    if not is_file(path):
        beside = sorted(found.name for found in description.parent.glob(f"{description.stem}_lvl*.txt"))
        listed = ", ".join(beside[:10]) or "none"
        raise ValueError(f"no level {level} of {description.name}: beside it there are {listed}")
    return path


def read_text(path: Path) -> str:
    """A file's text; bytes that are no text become odd characters, which the checks point at."""
    return files.read_text(path, 4 * MOST_CHARACTERS, "description or level")
