"""Games in files of the user's: FILE.py:NAME."""

from __future__ import annotations

import importlib.util
import inspect
import sys
import zlib
from pathlib import Path
from types import ModuleType
from typing import Any

from treewise import spec
from treewise.wording import describe


def load_object(path: Path, name: str) -> Any:
    """The object of this name in a Python file, which is run as Python runs a program: it may import its neighbours.

    >>> load_object(Path("no_such_file.py"), "Nim")
    Traceback (most recent call last):
    ValueError: no file no_such_file.py
    """
    if not path.is_file():
        raise ValueError(f"no file {path}")
    module = _run(path)
    if not hasattr(module, name):
        raise ValueError(f"{path} has no '{name}'; {spec.suggest(name, _public_names(module))}")
    return getattr(module, name)


def _run(path: Path) -> ModuleType:
    """The module of a file, under a name that no other module has: a game may well be called random.py."""
    whole = path.resolve()
    name = f"{path.stem}@{zlib.crc32(bytes(whole)):08x}".replace(".", "_")
    module_spec = importlib.util.spec_from_file_location(name, path)
    if module_spec is None or module_spec.loader is None:
        raise ValueError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[name] = module  # dataclasses and pickle look it up
    if str(whole.parent) not in sys.path:
        sys.path.insert(0, str(whole.parent))  # and it stays: functions import, too
    try:
        module_spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise ValueError(f"{path} cannot be imported: {describe(error)}") from error
    return module


def _public_names(module: ModuleType) -> list[str]:
    return [key for key, value in vars(module).items() if not key.startswith("_") and not inspect.ismodule(value)]
