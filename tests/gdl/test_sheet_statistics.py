"""Random playouts of our rulesheets on the fast machine end as those of the public ones do with the prover."""

import pytest
from sheet_statistics import PUBLIC, Figure, measure, recorded

from treewise.gdl import load_machine


def assert_alike(name: str, playouts: int) -> None:
    found, expected = measure(load_machine(name, "net").game, playouts, seed=0), recorded()[name]
    assert found.keys() == expected.keys()
    for key, figure in found.items():
        assert figure.differs(expected[key]) < 4, (name, key, figure, expected[key])


@pytest.mark.parametrize("name", PUBLIC)
def test_playouts_end_alike(name: str) -> None:
    assert_alike(name, 500 if name == "skirmish" else 2000)


@pytest.mark.long
@pytest.mark.parametrize("name", PUBLIC)
def test_many_playouts_end_alike(name: str) -> None:
    assert_alike(name, 20_000)


def test_games_can_be_told_apart() -> None:
    """By their lengths and results alone."""
    figures = recorded()
    assert max(own.differs(figures["connect5"][key]) for key, own in figures["tictactoe3d"].items()) > 10
    assert Figure(1, 0).differs(Figure(1, 0)) == 0
    assert Figure(1, 0).differs(Figure(2, 0)) > 4
