"""Files that others give: never more of them is read than makes sense; what goes wrong is a ValueError in one line."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, cast

from treewise.wording import shortened

__all__ = ["exists", "is_file", "is_folder", "read_bytes", "read_lines", "read_text", "shown", "take", "unpacked"]


def is_file(path: str | Path) -> bool:
    """Whether there is such a file; a name that none can have names none.

    >>> is_file("x" * 5000), is_file("a\\0b")
    (False, False)
    """
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def exists(path: str | Path) -> bool:
    """Whether anything has this name.

    >>> exists("x" * 5000), exists(".")
    (False, True)
    """
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def is_folder(path: str | Path) -> bool:
    """Whether there is such a folder.

    >>> is_folder("x" * 5000)
    False
    """
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


def read_bytes(path: str | Path, most: int, what: str) -> bytes:
    """What a file has, unpacked if its name ends in `.gz`; at most so many bytes.

    >>> read_bytes("no_such_file.kif", 10, "rulesheet")
    Traceback (most recent call last):
    ValueError: cannot read no_such_file.kif: No such file or directory
    """
    with _opened(path, what) as file:
        return take(file, most, f"{shown(path)} is no {what}")


def read_text(path: str | Path, most: int, what: str, encoding: str = "utf-8", errors: str = "replace") -> str:
    """The same as text; unless `errors` says otherwise, bytes that are no text become odd characters."""
    return read_bytes(path, most, what).decode(encoding, errors)


def read_lines(path: str | Path, most: int, what: str, most_of_line: int) -> Iterator[str]:
    """The lines of a file, one at a time, unpacked if its name ends in `.gz`; at most so many bytes in all."""
    left = most
    with _opened(path, what) as file:
        while line := file.readline(most_of_line + 1):
            left -= len(line)
            if len(line) > most_of_line:
                raise _too_long(f"{shown(path)} is no {what}: a line is too long", most_of_line)
            if left < 0:
                raise _too_long(f"{shown(path)} is no {what}", most)
            yield line.decode("utf-8", errors="replace")


def take(file: BinaryIO | IO[bytes], most: int, refusal: str) -> bytes:
    """All of an open file, or ValueError.

    >>> import io
    >>> take(io.BytesIO(b"12345"), 4, "x is no number")
    Traceback (most recent call last):
    ValueError: x is no number: it has more than 4 bytes
    """
    data = file.read(most + 1)
    if len(data) > most:
        raise _too_long(refusal, most)
    return data


def unpacked(data: bytes, most: int, what: str) -> bytes:
    """What `zlib.compress` packed, at most so many bytes.

    >>> unpacked(zlib.compress(bytes(10**6)), 1000, "the actions")
    Traceback (most recent call last):
    ValueError: the actions: it has more than 1,000 bytes
    """
    unpacker = zlib.decompressobj()
    found = unpacker.decompress(data, most + 1)
    if len(found) > most:
        raise _too_long(what, most)
    if not unpacker.eof:
        raise zlib.error("incomplete or truncated stream")
    return found


def shown(path: str | os.PathLike[str]) -> str:
    """A file's name in a message: never a page of it."""
    return shortened(os.fspath(path), 255)


def _too_long(refusal: str, most: int) -> ValueError:
    return ValueError(f"{refusal}: it has more than {most:,} bytes")


@contextmanager
def _opened(path: str | Path, what: str) -> Iterator[IO[bytes]]:
    if "\0" in str(path):
        raise ValueError(f"cannot read {shown(path)!r}: no file has such a name")
    try:
        with cast(IO[bytes], gzip.open(path) if str(path).endswith(".gz") else open(path, "rb")) as file:
            yield file
    except (OSError, EOFError, zlib.error) as error:
        if isinstance(error, OSError) and error.strerror:
            raise ValueError(f"cannot read {shown(path)}: {error.strerror}") from error
        raise ValueError(f"{shown(path)} is no {what}: {error}") from error
