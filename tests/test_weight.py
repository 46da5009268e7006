"""What is tracked stays small: a checkout is made in seconds, and a mistake is noticed before it is history."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MOST_OF_ALL = 48_000_000
MOST_OF_A_FILE = 12_000_000
LARGER: set[str] = set()
"""Files that may be larger, by their paths, each with a reason."""


@pytest.fixture(scope="module")
def tracked() -> dict[str, int]:
    """The size of every tracked file that is there."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, check=True).stdout
    files = [ROOT / name.decode() for name in listed.split(b"\0") if name]
    return {str(file.relative_to(ROOT)): file.lstat().st_size for file in files if file.exists()}


def test_the_tree_is_small(tracked: dict[str, int]) -> None:
    assert 0 < sum(tracked.values()) <= MOST_OF_ALL


def test_no_file_is_large(tracked: dict[str, int]) -> None:
    large = {name for name, size in tracked.items() if size > MOST_OF_A_FILE}
    assert large <= LARGER, "export a store with `treewise lab export --full`, or name the file with a reason"
    assert set(tracked) >= LARGER


def test_what_can_be_made_again_is_not_tracked(tracked: dict[str, int]) -> None:
    assert not [name for name in tracked if name.endswith((".sqlite", ".sqlite-wal"))]
    assert not [name for name in tracked if name.startswith("experiments/") and name.endswith(".html")]
