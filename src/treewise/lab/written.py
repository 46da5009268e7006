"""Files that are written whole, or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["check_output", "replacing"]


@contextmanager
def replacing(target: str | Path) -> Iterator[Path]:
    """A place to write to, which becomes `target` when the block ends; what was there stays if anything goes wrong.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     target = Path(folder) / "report.md"
    ...     with replacing(target) as place:
    ...         count = place.write_text("whole")
    ...     [path.read_text() for path in Path(folder).iterdir()]
    ['whole']
    """
    real = Path(target).resolve()
    if real.exists() and not real.is_file():  # a terminal, a pipe: nothing to lose, and nothing to put in their place
        yield real
        return
    if not real.parent.is_dir():
        raise ValueError(f"{target}: there is no folder {real.parent}")
    handle, name = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.", suffix=real.suffix)
    os.close(handle)
    place = Path(name)
    try:
        yield place
        place.chmod(real.stat().st_mode if real.exists() else 0o666 & ~_umask())
        place.replace(real)
    finally:
        place.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def check_output(output: Path, *sources: Path) -> None:
    """ValueError if a file is to be written over what it is made of.

    >>> check_output(Path("a.sqlite"), Path("a.toml"), Path("./a.sqlite"))
    Traceback (most recent call last):
    ValueError: --output a.sqlite would overwrite what it is made of: give it another name
    """
    kept = {Path(f"{source}{ending}").resolve() for source in sources for ending in ("", "-wal", "-shm")}
    if output.resolve() in kept:
        raise ValueError(f"--output {output} would overwrite what it is made of: give it another name")
