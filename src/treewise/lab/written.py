"""Files that are written whole, or not at all."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["check_output", "check_place", "replacing"]

_WORDS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "your share of the disk is full",
    errno.EFBIG: "the file would be larger than is allowed",
    errno.EROFS: "the disk can only be read",
    errno.EACCES: "its folder may not be written",
    errno.EPERM: "its folder may not be written",
    errno.EISDIR: "it is a folder",
}


@contextmanager
def replacing(target: str | Path) -> Iterator[Path]:
    """A place to write to, which becomes `target` when the block ends; what was there stays if anything goes wrong.

    What goes wrong with files is an OSError that names the target and says what it is, whatever the file was called.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     target = Path(folder) / "report.md"
    ...     with replacing(target) as place:
    ...         count = place.write_text("whole")
    ...     [path.read_text() for path in Path(folder).iterdir()]
    ['whole']
    """
    with _explained(target):
        real = Path(target).resolve()
        if real.exists() and not real.is_file():  # a terminal, a pipe: nothing to lose, nothing to put in their place
            yield real
            return
        place = _beside(target, real)
        try:
            yield place
            place.chmod(real.stat().st_mode if real.exists() else 0o666 & ~_umask())
            place.replace(real)
        finally:
            with suppress(OSError):  # the first error counts
                place.unlink(missing_ok=True)


def check_place(target: str | Path) -> None:
    """The error that `replacing` would end with, before there is anything to write.

    >>> check_place("no_such_folder/report.md")
    Traceback (most recent call last):
    ValueError: no_such_folder/report.md: there is no folder no_such_folder
    """
    with _explained(target):
        real = Path(target).resolve()
        if real.is_dir():
            raise IsADirectoryError(errno.EISDIR, "")
        if real.is_file() or not real.exists():
            _beside(target, real).unlink()


@contextmanager
def _explained(target: str | Path) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:  # whoever reads it has seen enough
        raise
    except OSError as error:
        words = _WORDS.get(error.errno or 0, error.strerror or str(error))
        raise OSError(f"{target} was not written: {words}") from error


def _beside(target: str | Path, real: Path) -> Path:
    """A new file in the folder of the target."""
    if not real.parent.is_dir():
        raise ValueError(f"{target}: there is no folder {Path(target).parent}")
    handle, name = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.", suffix=real.suffix)
    os.close(handle)
    return Path(name)


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
