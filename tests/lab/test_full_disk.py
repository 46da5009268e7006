"""A full disk: a clear error, nothing lost of what was recorded, and the run goes on when there is room."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from small_experiments import LONGER, contents, experiment, play_here, write

from treewise.lab import StoreError, load
from treewise.lab.database import Database
from treewise.lab.tally import Tally


@pytest.fixture
def undisturbed(tmp_path: Path) -> dict[bytes, tuple[object, ...]]:
    play_here(experiment(tmp_path, LONGER), tmp_path / "undisturbed.sqlite")
    return contents(tmp_path / "undisturbed.sqlite")


def test_no_page_left(
    tmp_path: Path, undisturbed: dict[bytes, tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, store = experiment(tmp_path, LONGER), tmp_path / "a.sqlite"
    play_here(asked, store, most=2)
    pages = store.stat().st_size // 4096
    prepare = Database._prepare

    def with_few_pages(self: Database) -> None:
        prepare(self)
        self.connection.execute(f"PRAGMA max_page_count = {pages + 3}")

    with monkeypatch.context() as full:
        full.setattr(Database, "_prepare", with_few_pages)
        with pytest.raises(StoreError, match=r"a\.sqlite: the disk is full\. All matches recorded so far are safe"):
            play_here(asked, store)
    finished = contents(store)
    assert 2 < len(finished) < len(undisturbed)
    assert finished.items() <= undisturbed.items()
    assert play_here(asked, store).complete
    assert contents(store) == undisturbed


def limited_run(file: Path, most_bytes: int) -> subprocess.CompletedProcess[str]:
    """`treewise lab run` in a process that may not write files beyond a size."""
    command = [sys.executable, "-m", "treewise", "lab", "run", str(file), "--processes", "1"]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=100,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes)),
    )


def test_a_write_that_fails(tmp_path: Path, undisturbed: dict[bytes, tuple[object, ...]]) -> None:
    file, store = write(tmp_path, LONGER), tmp_path / "small.sqlite"
    done = limited_run(file, 200_000)
    assert done.returncode == 2
    assert done.stderr.startswith(f"treewise lab: {store}: the disk ")
    assert "run it again" in done.stderr
    assert done.stderr.count("\n") == 1
    finished = contents(store)
    assert 0 < len(finished) < len(undisturbed)
    assert finished.items() <= undisturbed.items()
    assert play_here(experiment(tmp_path, LONGER), store).complete
    assert contents(store) == undisturbed


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "tiny"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("needs the right to mount a small file system")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_without_room(tmp_path: Path, tiny_disk: Path, undisturbed: dict[bytes, tuple[object, ...]]) -> None:
    asked, store = experiment(tmp_path, LONGER), tiny_disk / "a.sqlite"
    ballast = tiny_disk / "ballast"

    def fill(tally: Tally) -> None:
        with suppress(OSError), ballast.open("ab") as file:
            file.write(b"x" * 4096)

    with pytest.raises(StoreError, match="the disk is full"):
        play_here(asked, store, report=fill)
    assert 0 < sum(len(cell.played) for cell in load(store).cells) < len(undisturbed)
    assert contents(store).items() <= undisturbed.items()
