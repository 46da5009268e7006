"""How the tests of broken games look for what is broken."""

import random
from typing import Any

import pytest

from treewise.testing import assert_game, check_game


def assert_found(game: Any, kind: str, words: str) -> None:
    """Fails unless the suite finds a problem of this kind and says it in these words."""
    random.seed(1)  # for rules that draw where they should not
    report = check_game(game, matches=40, max_length=200)
    assert kind in report.kinds, str(report)
    with pytest.raises(AssertionError, match=words):
        assert_game(game, matches=40, max_length=200)


def name_of(value: Any) -> str:
    """The name of a class in a table of tests."""
    return getattr(value, "__name__", "")
