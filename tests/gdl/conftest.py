"""Data of others, where it is: rulesheets and traces that the project does not ship."""

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared_gdl() -> Path:
    """The folder `gdl` of the shared data, named by TREEWISE_SHARED or beside the checkout."""
    beside = Path(__file__).parents[3] / "shared" / "data"
    folder = Path(os.environ.get("TREEWISE_SHARED", beside)) / "gdl"
    if not folder.is_dir():
        pytest.skip(f"no rulesheets of others in {folder}: set TREEWISE_SHARED to the folder that holds gdl/")
    return folder
