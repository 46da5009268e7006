"""Files that are written whole or not at all: errors name the file that was asked for, and old files stay."""

from __future__ import annotations

import errno
import os
import resource
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from treewise.lab import export
from treewise.lab.written import check_place, replacing


@contextmanager
def small_files_only(most: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def write_text(place: Path) -> None:
    place.write_text("x" * 100_000, encoding="utf-8")


def write_parquet(place: Path) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.Table.from_pylist([{"a": os.urandom(100_000)}]), place)


@pytest.mark.parametrize("write", [write_text, write_parquet])
def test_a_write_that_fails_in_the_middle(tmp_path: Path, write: Callable[[Path], None]) -> None:
    target = tmp_path / "a.parquet"
    target.write_text("before")
    with pytest.raises(OSError) as error, small_files_only(10_000), replacing(target) as place:  # noqa: PT011
        write(place)
    assert str(error.value) == f"{target} was not written: the file would be larger than is allowed"
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.parquet", "before")]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_a_full_disk() -> None:
    with pytest.raises(OSError, match="/dev/full was not written: the disk is full"), replacing("/dev/full") as place:
        write_text(place)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (errno.EACCES, "its folder may not be written"),
        (errno.EROFS, "the disk can only be read"),
        (errno.EIO, "Input/output error"),
    ],
)
def test_a_folder_that_takes_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, words: str) -> None:
    def refuse(**names: Any) -> None:
        raise OSError(code, os.strerror(code), f"{names['dir']}/{names['prefix']}x1y2z3")

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    target = tmp_path / "a.md"
    for attempt in (lambda: check_place(target), replacing(target).__enter__):
        with pytest.raises(OSError) as error:  # noqa: PT011
            attempt()
        assert str(error.value) == f"{target} was not written: {words}"


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    for attempt in (lambda: check_place(tmp_path), lambda: replaced(tmp_path)):
        with pytest.raises(OSError, match="was not written: it is a folder"):
            attempt()


def test_parquet_does_not_remove_what_it_cannot_write_to(tmp_path: Path) -> None:
    """It may be a device."""
    pytest.importorskip("pyarrow.parquet")
    target = tmp_path / "a.parquet"
    with pytest.raises(OSError, match="File too large"), small_files_only(10_000):
        export._write_parquet(target, [{"a": os.urandom(100_000)}])
    assert target.exists()


def replaced(target: Path) -> None:
    with replacing(target) as place:
        place.write_text("")


def test_a_reader_that_has_gone_is_not_a_problem_of_the_disk() -> None:
    with pytest.raises(BrokenPipeError), replacing("/dev/null"):
        raise BrokenPipeError


def test_a_place_is_tried_without_a_trace(tmp_path: Path) -> None:
    target = tmp_path / "a.md"
    check_place(target)
    assert list(tmp_path.iterdir()) == []
    target.write_text("before")
    check_place(target)
    check_place("/dev/null")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.md", "before")]
    with pytest.raises(ValueError, match="there is no folder"):
        check_place(tmp_path / "none" / "a.md")
