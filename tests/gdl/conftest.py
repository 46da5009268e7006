"""Other people's rulesheets, which are no part of the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared_gdl() -> Path:
    """The folder `gdl` of the shared data; tests that need it are skipped without it."""
    root = Path(__file__).parents[2]
    folder = Path(os.environ.get("TREEWISE_SHARED", root.parent / "shared" / "data")) / "gdl"
    if not folder.is_dir():
        pytest.skip(f"no rulesheets of others in {folder}: set TREEWISE_SHARED to the folder that holds gdl/")
    return folder
