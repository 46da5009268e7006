"""Machine code kept between processes, found by the content of the rules: editing them finds nothing stale.

The code lies in `TREEWISE_CACHE_DIR`, by default `treewise` in the user's cache folder; an empty value turns
the cache off. Rules that refer to something whose content cannot be told (a module of one's own, an object)
are compiled anew each time. A folder that cannot be written, or a damaged file, only costs the time.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.registry import cpu_target

import treewise.compiled
from treewise.compiled.record import COMPILED, Rules

_KEPT = 200
"""Files that stay in the folder; older ones go when a new one is written."""


@dataclass(frozen=True)
class Code:
    """One C function: where it is, and what keeps it there."""

    address: int
    library: Any
    symbol: str


_loaded: dict[str, dict[str, Code]] = {}


class _UnknownContent(Exception):
    pass


def names_of(code: CodeType) -> set[str]:
    """The global names that a function and the functions inside it use."""
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return set(code.co_names).union(*map(names_of, inner))


def key_of(rules: Rules, settings: tuple[Any, ...]) -> str | None:
    """A digest of all that the machine code depends on, or None where that cannot be told."""
    digest = hashlib.sha256()
    package = Path(treewise.compiled.__file__).parent
    sources = [path.read_bytes() for path in sorted(package.glob("*.py"))]
    versions = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)
    environment = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))
    target = cpu_target.target_context.codegen().magic_tuple()
    for part in (*sources, versions, environment, target, settings, _fields(rules.dtype)):
        digest.update(repr(part).encode())
    try:
        for name in COMPILED:
            if name in rules.functions:
                for text in _content(rules.functions[name], set()):
                    digest.update(f"{name}:{len(text)}:{text}".encode())
    except _UnknownContent:
        return None
    return digest.hexdigest()


def _fields(dtype: np.dtype[Any]) -> list[str]:
    return [f"{name} {dtype.fields[name]}" for name in dtype.names or () if dtype.fields]


def _content(value: Any, seen: set[int]) -> Iterator[str]:
    if isinstance(value, FunctionType):
        yield f"{value.__module__}.{value.__qualname__}"
        if id(value) in seen or value.__module__.startswith("treewise."):
            return
        seen.add(id(value))
        yield from _content(value.__code__, seen)
        yield from _content(value.__defaults__, seen)
        for name in sorted(names_of(value.__code__) & value.__globals__.keys()):
            yield name
            yield from _content(value.__globals__[name], seen)
        for cell in value.__closure__ or ():
            yield from _content(cell.cell_contents, seen)
    elif isinstance(value, CodeType):
        yield repr((value.co_code, value.co_names, value.co_varnames, value.co_freevars))
        yield from _content(value.co_consts, seen)
    elif isinstance(value, tuple):
        yield str(len(value))
        for item in value:
            yield from _content(item, seen)
    elif isinstance(value, np.ndarray | np.generic) and not value.dtype.hasobject:
        yield repr((value.dtype.descr, value.shape, value.tobytes()))
    elif value is None or isinstance(value, bool | int | float | complex | str | bytes):
        yield repr((type(value).__name__, value))
    elif _is_known_by_name(value):
        yield str(value.__name__)
    else:
        raise _UnknownContent


def _is_known_by_name(value: Any) -> bool:
    if isinstance(value, ModuleType):
        return value.__name__.split(".")[0] in ("numpy", "math", "treewise")
    return isinstance(value, type) and value.__module__.split(".")[0] in ("numpy", "builtins")


def load(key: str | None) -> dict[str, Code] | None:
    """The code kept under this key, by name; None where there is none."""
    if key is None or (folder := _folder()) is None:
        return None
    if key not in _loaded:
        try:
            stored = json.loads((folder / f"{key}.json").read_text())
            _loaded[key] = {name: _unpack(stored[name]) for name in ("ask", "playout")}
        except (OSError, ValueError, LookupError, RuntimeError):
            return None
    return _loaded[key]


def save(key: str | None, code: dict[str, Code]) -> None:
    """Keeps the code under this key, for this process and the next."""
    if key is None or (folder := _folder()) is None:
        return
    _loaded[key] = code
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps({name: _pack(item) for name, item in code.items()})
        with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as file:
            file.write(text)
        os.replace(file.name, folder / f"{key}.json")
        for path in sorted(folder.glob("*.json"), key=lambda path: -path.stat().st_mtime)[_KEPT:]:
            path.unlink()


def _folder() -> Path | None:
    given = os.environ.get("TREEWISE_CACHE_DIR")
    if given is not None:
        return Path(given) if given else None
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "treewise"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "treewise"


def _pack(code: Code) -> dict[str, str]:
    name, _, (machine, bitcode) = code.library.serialize_using_object_code()
    return {
        "name": name,
        "symbol": code.symbol,
        "digest": hashlib.sha256(machine + bitcode).hexdigest(),
        "machine": base64.b64encode(machine).decode(),
        "bitcode": base64.b64encode(bitcode).decode(),
    }


def _unpack(item: dict[str, str]) -> Code:
    machine, bitcode = base64.b64decode(item["machine"]), base64.b64decode(item["bitcode"])
    if hashlib.sha256(machine + bitcode).hexdigest() != item["digest"]:
        raise ValueError("damaged file")
    context = cpu_target.target_context
    context.refresh()  # the symbols of Numba's run time must be known before code that uses them is loaded
    library = context.codegen().unserialize_library((item["name"], "object", (machine, bitcode)))
    return Code(library.get_pointer_to_function(item["symbol"]), library, item["symbol"])
