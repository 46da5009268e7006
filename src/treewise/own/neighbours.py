"""Which files beside a Python file belong to it: those that it imports, and those that these import."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

__all__ = ["digest_of", "sources"]


def sources(path: Path) -> dict[Path, bytes]:
    """The contents of a file and of all files of its folder that it imports, also inside of functions.

    What is imported under a name that is only known when it runs, and what is installed, is not among them.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     count = (Path(folder) / "board.py").write_text("ROWS = 3")
    ...     count = (Path(folder) / "nim.py").write_text("from board import ROWS")
    ...     [found.name for found in sources(Path(folder) / "nim.py")]
    ['nim.py', 'board.py']
    """
    folder = path.parent
    found: dict[Path, bytes] = {}
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file in found or not file.is_file():
            continue
        found[file] = file.read_bytes()
        package = file.parent.relative_to(folder).parts
        waiting += [place for name in _imported(package, found[file]) for place in _places(folder, name)]
    return found


def digest_of(path: Path, contents: dict[Path, bytes]) -> str:
    """One digest of all of them, the same wherever the folder is.

    >>> here, there = Path("nim.py"), Path("there/nim.py")
    >>> digest_of(here, {here: b"N = 3"}) == digest_of(there, {there: b"N = 3"})
    True
    """
    whole = hashlib.sha256()
    for file, content in sorted((file.relative_to(path.parent).as_posix(), text) for file, text in contents.items()):
        whole.update(repr((file, content)).encode())
    return whole.hexdigest()[:16]


@lru_cache(maxsize=256)
def _imported(package: tuple[str, ...], content: bytes) -> tuple[str, ...]:
    """The modules that a file of a package imports, by their full names; what is no Python, importing it will tell."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    return tuple(name for node in ast.walk(tree) for name in _names(package, node))


def _names(package: tuple[str, ...], node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        above = package[: len(package) - node.level + 1] if node.level else ()
        base = [*above, *([node.module] if node.module else [])]
        yield from (".".join([*base, alias.name]) for alias in node.names)


def _places(folder: Path, name: str) -> Iterator[Path]:
    """Where the module of a name would be, with the packages that are imported before it."""
    parts = name.split(".")
    for depth in range(1, len(parts) + 1):
        place = folder.joinpath(*parts[:depth])
        yield place.with_name(f"{place.name}.py")
        yield place / "__init__.py"
