"""Python files of the user's: imported once, with a digest of their source, their mistakes told in one line."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import os
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from treewise import spec
from treewise.own.neighbours import digest_of, sources
from treewise.wording import describe, is_own, shortened

__all__ = ["OwnFile", "SourceChanged", "find", "source_digest"]


class SourceChanged(ValueError):
    """A file is no longer what a full text form, or what this process has imported, says."""


@dataclass(frozen=True)
class OwnFile:
    """A Python file that has been imported, as it was then."""

    path: str
    """As it is written in texts: from the working folder on, or from the root."""
    module: ModuleType
    digest: str
    """Of its source, and of the source of the files beside it that it imports."""

    def get(self, name: str) -> Any:
        """The object of this name at the top of the file; ValueError with a suggestion."""
        if not hasattr(self.module, name):
            raise ValueError(f"{self.path} has no '{name}'; {spec.suggest(name, _public_names(self.module))}")
        return getattr(self.module, name)

    def place(self, name: str) -> str:
        """Where a name is defined, for messages: the file and, if it can be told, the line."""
        try:
            body = ast.parse(Path(str(self.module.__file__)).read_bytes()).body
        except (OSError, SyntaxError, ValueError):
            return self.path
        lines = [statement.lineno for statement in body if name in _defined(statement)]
        return f"{self.path}:{lines[-1]}" if lines else self.path


def find(call: spec.Call) -> OwnFile:
    """The file that a call names, imported; ValueError if it has another digest than the call says.

    A file is run as Python runs a program: it may import its neighbours. Paths start from the working folder.

    >>> find(spec.parse("no_such_file.py:Nim"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: no file no_such_file.py (looked for from ... on)
    """
    path = os.path.normpath(call.file)
    file = _place(path)
    contents = sources(file)
    digest = digest_of(file, contents)
    expected = call.arguments.get("digest", digest)
    if expected != digest:
        raise SourceChanged(f"{path} has changed, or a file that it imports: its digest is {digest}, not {expected}")
    return OwnFile(path, _imported(path, file, digest, contents), digest)


def source_digest(path: str) -> str:
    """The digest that a file has now, without importing it.

    >>> len(source_digest(__file__))
    16
    """
    file = _place(path)
    return digest_of(file, sources(file))


def _place(path: str) -> Path:
    file = Path(path)
    if not path.endswith(".py"):
        raise ValueError(f"{shortened(path)} is not a Python file: its name must end in .py")
    if not _is_file(file):
        since = "" if file.is_absolute() else f" (looked for from {shortened(os.getcwd(), 255)} on)"
        raise ValueError(f"no file {shortened(path, 255)}{since}")
    return file.resolve()


def _is_file(file: Path) -> bool:
    try:
        return file.is_file()
    except (OSError, ValueError):  # a name that is too long, or that no file can have
        return False


_DIGEST = "__treewise_digest__"
_SOURCE = "__treewise_source__"
"""What modules have that were imported here: the digest of the user's file; the source of files beside it."""


def _imported(path: str, file: Path, digest: str, contents: dict[Path, bytes]) -> ModuleType:
    """The module of a file, under a name that no other module has: a game may well be called random.py."""
    name = f"{file.stem}@{zlib.crc32(bytes(file)):08x}".replace(".", "_")
    known = sys.modules.get(name)
    if known is not None and getattr(known, _DIGEST, None) == digest:
        return known
    _check_neighbours(path, file, contents)
    module_spec = importlib.util.spec_from_file_location(name, file)
    assert module_spec is not None
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[name] = module  # dataclasses and pickle look it up
    if str(file.parent) in sys.path:
        sys.path.remove(str(file.parent))
    sys.path.insert(0, str(file.parent))  # and it stays: functions import, too
    try:
        exec(compile(contents[file], str(file), "exec", dont_inherit=True), vars(module))
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise ValueError(f"{path} cannot be imported: {describe(error)}") from error
    _check_neighbours(path, file, contents)
    setattr(module, _DIGEST, digest)
    return module


def _check_neighbours(path: str, file: Path, contents: dict[Path, bytes]) -> None:
    """ValueError if what this process has imported, which Python does once, is not what the files beside are now."""
    for place, content in contents.items():
        loaded = sys.modules.get(_module_name(place, file.parent)) if place != file else None
        other = getattr(loaded, "__file__", None)
        if loaded is None or other is None:
            continue
        if Path(other).resolve() != place:
            if is_own(other):
                raise ValueError(
                    f"{path} imports {place.name}, but another file of that name was imported before: {other}"
                )
        elif vars(loaded).setdefault(_SOURCE, content) != content:
            raise SourceChanged(f"{place.name}, which {path} imports, has changed since it was imported: start anew")


def _module_name(place: Path, folder: Path) -> str:
    parts = place.relative_to(folder).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _public_names(module: ModuleType) -> list[str]:
    return [key for key, value in vars(module).items() if not key.startswith("_") and not inspect.ismodule(value)]


def _defined(statement: ast.stmt) -> set[str]:
    """The names that a statement at the top of a file gives a value."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return {target.id for target in targets if isinstance(target, ast.Name)}
