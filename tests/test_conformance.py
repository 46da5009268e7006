"""Every game of the catalogue keeps the contract."""

import pytest

import treewise
from treewise.testing import check_game


@pytest.mark.parametrize("name", treewise.game_names())
def test_game(name: str) -> None:
    report = check_game(treewise.load_game(name), matches=3, seed=1)
    assert report.ok, str(report)


@pytest.mark.long
@pytest.mark.parametrize("name", treewise.game_names())
def test_game_at_length(name: str) -> None:
    report = check_game(treewise.load_game(name), matches=100, seed=2)
    assert report.ok, str(report)
