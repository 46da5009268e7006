"""What holds for all tests of the command line."""

import pytest


@pytest.fixture(autouse=True)
def _wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are not folded, wherever the tests run."""
    monkeypatch.setenv("COLUMNS", "120")
