"""Other people's games and recordings, which are no part of the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared_vgdl() -> Path:
    """The folder `vgdl` of the shared data; tests that need it are skipped without it."""
    root = Path(__file__).parents[2]
    folder = Path(os.environ.get("TREEWISE_SHARED", root.parent / "shared" / "data")) / "vgdl"
    if not folder.is_dir():
        pytest.skip(f"no games of others in {folder}: set TREEWISE_SHARED to the folder that holds vgdl/")
    return folder
