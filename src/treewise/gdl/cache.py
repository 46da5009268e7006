"""Ground programs kept between processes, found by their rules: a sheet is ground once.

They lie in `TREEWISE_CACHE_DIR`, by default `treewise` in the user's cache folder, in `gdl`; an empty value turns the
cache off. The name of a file is a digest of the rules and of the code that grounds them, so that nothing in it is ever
stale; a file that is damaged is made anew, and a folder that cannot be written only costs the time. The files that were
used last stay, up to half a gigabyte.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from functools import cache as remember
from pathlib import Path
from typing import Any

import numpy as np

from treewise import _core
from treewise.gdl.ground import GroundProgram, Ids
from treewise.gdl.terms import Sheet, Term

WORTH_SECONDS = 0.5
"""Of the processor. What takes less is ground as fast as it is read."""
MOST_BYTES = 512 << 20
_DIGEST = 32


def kept(sheet: Sheet, make: Callable[[], GroundProgram], worth: float = WORTH_SECONDS) -> GroundProgram:
    """The ground program of a sheet: the one that is kept, or one made now, and kept if that took long.

    >>> from treewise.gdl import parse_sheet
    >>> from treewise.gdl.grounder import ground
    >>> sheet = parse_sheet("(role x) (init a) (legal x go) (<= (next a) (true a))")
    >>> len(kept(sheet, lambda: ground(sheet)).facts)
    1
    """
    folder = _folder()
    if folder is None:
        return make()
    file = folder / f"{_key(sheet)}.ground"
    with contextlib.suppress(OSError, ValueError, LookupError, TypeError, zlib.error):
        program = _unpack(file.read_bytes())
        file.touch()
        return program
    start = time.thread_time()
    program = make()
    if time.thread_time() - start >= worth:
        with contextlib.suppress(OSError):
            _write(file, _pack(program))
    return program


def _folder() -> Path | None:
    given = os.environ.get("TREEWISE_CACHE_DIR")
    if given is not None:
        return Path(given) / "gdl" if given else None
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "treewise" / "gdl"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "treewise" / "gdl"


def _key(sheet: Sheet) -> str:
    digest = hashlib.sha256(_code())
    for part in (*sheet.roles, None, *sheet.rules):
        text = str(part)
        digest.update(f"{len(text)} {text}".encode())
    return digest.hexdigest()


@remember
def _code() -> bytes:
    """A digest of all that makes a ground program of a sheet."""
    digest = hashlib.sha256()
    package = Path(__file__).parent
    for path in (
        *sorted(package.glob("grounding/*.py")),
        package / "grounder.py",
        package / "ground.py",
        Path(__file__),
    ):
        digest.update(path.read_bytes())
    digest.update(Path(_core.__file__).read_bytes())
    return digest.digest()


def _write(file: Path, data: bytes) -> None:
    """Whole or not at all, whoever else writes it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("wb", dir=file.parent, prefix="new-", delete=False) as new:
        try:
            new.write(data)
            new.close()
            os.replace(new.name, file)
        except OSError:
            os.unlink(new.name)
            raise
    _tidy(file.parent)


def _tidy(folder: Path) -> None:
    """Deletes what was used longest ago, and what a process left that died while it wrote."""
    total = 0
    found = []
    for path in folder.iterdir():
        with contextlib.suppress(OSError):
            found.append((path.stat().st_mtime, path.stat().st_size, path))
    for used, size, path in sorted(found, reverse=True):
        total += size
        forgotten = path.name.startswith("new-") and time.time() - used > 3600
        if total > MOST_BYTES or forgotten:
            with contextlib.suppress(OSError):
                path.unlink()


# ---- as bytes: a digest, then compressed, one line of JSON and the numbers


def _pack(program: GroundProgram) -> bytes:
    numbers = [program.initial, program.true, program.next, *program.does, *program.legal]
    numbers += [program.heads, program.starts, program.body]
    head: dict[str, Any] = {
        "roles": _texts(program.roles),
        "facts": _texts(program.facts),
        "actions": list(map(_texts, program.actions)),
        "terminal": program.terminal,
        "goals": program.goals,
        "sees": [[[_text(percept), atom] for percept, atom in own] for own in program.sees],
        "num_atoms": program.num_atoms,
        "looks": program.looks,
        "lengths": list(map(len, numbers)),
    }
    parts = [json.dumps(head).encode(), b"\n", *(part.astype("<i4").tobytes() for part in numbers)]
    data = zlib.compress(b"".join(parts), 1)
    return hashlib.sha256(data).digest() + data


def _unpack(data: bytes) -> GroundProgram:
    if hashlib.sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
        raise ValueError("damaged file")
    line, _, rest = zlib.decompress(data[_DIGEST:]).partition(b"\n")
    head = json.loads(line)
    numbers: list[Ids] = []
    for length in head["lengths"]:
        numbers.append(np.frombuffer(rest, "<i4", length, 4 * sum(map(len, numbers))).astype(np.int32))
    roles = len(head["roles"])
    return GroundProgram(
        roles=_terms(head["roles"]),
        facts=_terms(head["facts"]),
        actions=tuple(map(_terms, head["actions"])),
        initial=numbers[0],
        true=numbers[1],
        next=numbers[2],
        does=tuple(numbers[3 : 3 + roles]),
        legal=tuple(numbers[3 + roles : 3 + 2 * roles]),
        terminal=head["terminal"],
        goals=tuple(tuple((value, atom) for value, atom in own) for own in head["goals"]),
        sees=tuple(tuple((_term(percept), atom) for percept, atom in own) for own in head["sees"]),
        num_atoms=head["num_atoms"],
        heads=numbers[-3],
        starts=numbers[-2],
        body=numbers[-1],
        looks=head["looks"],
    )


def _text(term: Term) -> Any:
    return [term.name, *map(_text, term.args)] if term.args else term.name  # type: ignore[arg-type]


def _texts(terms: tuple[Term, ...]) -> list[Any]:
    return list(map(_text, terms))


def _term(text: Any) -> Term:
    return Term(text) if isinstance(text, str) else Term(text[0], tuple(map(_term, text[1:])))


def _terms(texts: list[Any]) -> tuple[Term, ...]:
    return tuple(map(_term, texts))
