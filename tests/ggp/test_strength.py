"""The player's search is worth more than playouts alone: it beats flat Monte Carlo with as many simulations."""

from __future__ import annotations

import pytest

from treewise.comparison import compare
from treewise.compositions import cadia, parse_search
from treewise.ggp.entrants import FLAT_MONTE_CARLO
from treewise.limit import Simulations


@pytest.mark.parametrize(
    ("simulations", "matches"), [(100, 40), pytest.param(1000, 200, marks=pytest.mark.long)], ids=["short", "long"]
)
@pytest.mark.parametrize("sheet", ["breakthrough", "connect_four"])
def test_it_beats_flat_monte_carlo(sheet: str, simulations: int, matches: int) -> None:
    flat = parse_search(FLAT_MONTE_CARLO).replace(limit=Simulations(simulations))
    found = compare(f"gdl('{sheet}')", cadia(simulations=simulations), flat, matches, seed=1)
    assert found.verdict == "A is better", (found.wins, found.draws, found.losses)
    for encounter in found.encounters:
        assert all(encounter.total("simulations", who) == simulations * encounter.total("moves", who) for who in (0, 1))
