"""The schedule: the same list every time, balanced, and stable when an experiment grows."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from small_experiments import SMALL, experiment

from treewise.lab.outcome import Cell
from treewise.lab.schedule import Fixture, PlannedMatch, schedule


def cell(number: int, matches: int, players: int = 2, alike: bool = False) -> Cell:
    texts = ("mcts", "mcts" if alike else f"mcts(memory_mb={number}.0)")
    return Cell("game", "game", "few", "simulations", "A", "B", *texts, matches, seed=number, players=players)


cells = st.lists(
    st.builds(cell, st.integers(0, 2**64 - 1), st.integers(1, 9), st.integers(1, 5), st.booleans()),
    max_size=5,
    unique_by=lambda each: each.seed,
)


def of_cell(fixtures: list[Fixture], number: int) -> list[Fixture]:
    return [fixture for fixture in fixtures if fixture.cell == number]


@given(cells)
def test_every_match_once_and_always_the_same(asked: list[Cell]) -> None:
    fixtures = list(schedule(asked, 2, True))
    assert fixtures == list(schedule(asked, 2, True))
    for number, each in enumerate(asked):
        assert [fixture.index for fixture in of_cell(fixtures, number)] == list(range(each.matches))


@given(cells, st.integers(1, 9))
def test_more_matches_extend_the_list_of_a_cell(asked: list[Cell], more: int) -> None:
    longer = [replace(each, matches=each.matches + more) for each in asked]
    before, after = list(schedule(asked)), list(schedule(longer))
    for number, each in enumerate(asked):
        assert of_cell(after, number)[: each.matches] == of_cell(before, number)


@given(cells, st.integers(2, 9))
def test_another_cell_changes_no_other(asked: list[Cell], matches: int) -> None:
    before = list(schedule(asked))
    after = list(schedule([cell(5, matches), *asked]))
    for number in range(len(asked)):
        assert [each.matches for each in of_cell(after, number + 1)] == [
            each.matches for each in of_cell(before, number)
        ]


@given(cells)
def test_cells_take_turns(asked: list[Cell]) -> None:
    done = Counter[int]()
    for fixture in schedule(asked):
        done[fixture.cell] += 1
        open_cells = [number for number, each in enumerate(asked) if done[number] < each.matches]
        assert all(done[number] >= done[fixture.cell] - 2 for number in open_cells)


@given(cells)
def test_pairs_swap_seats_and_share_a_seed(asked: list[Cell]) -> None:
    fixtures = list(schedule(asked))
    for number, each in enumerate(asked):
        found = of_cell(fixtures, number)
        for first, second in zip(found[::2], found[1::2], strict=False):
            seeds = {match.seed for fixture in (first, second) for match in fixture.matches}
            if each.players == 1:
                assert first.seats == second.seats == (0, 1)
            else:
                assert [1 - entrant for entrant in first.seats] == list(second.seats)
                assert len(seeds) == (2 if each.a_text == each.b_text else 1)


@given(cells)
def test_no_match_is_planned_twice(asked: list[Cell]) -> None:
    keys = [match.key for fixture in schedule(asked) for match in fixture.matches]
    assert len(set(keys)) == len(keys)
    assert all(0 <= match.seed < 2**63 for fixture in schedule(asked) for match in fixture.matches)


@given(st.integers(0, 2**64 - 1), st.booleans())
def test_one_player_gets_both_entrants_with_the_same_seed(seed: int, alike: bool) -> None:
    for fixture in schedule([cell(seed, 4, players=1, alike=alike)]):
        a, b = fixture.matches
        assert (a.searches, b.searches) == (("mcts",), ("mcts",) if alike else (f"mcts(memory_mb={seed}.0)",))
        assert (a.seed == b.seed) != alike


def test_everything_that_determines_a_match_is_in_its_key() -> None:
    match = PlannedMatch("tic_tac_toe", ("a", "b"), 1, 0, False)
    others = [
        replace(match, game="hex"),
        replace(match, searches=("b", "a")),
        replace(match, seed=2),
        replace(match, opening=1),
        replace(match, reuse=True),
    ]
    assert len({each.key for each in [match, *others, replace(match)]}) == 6


def test_seeds_depend_neither_on_place_nor_on_labels(tmp_path: Path) -> None:
    def seeds(text: str) -> dict[tuple[str, str, str], int]:
        return {(each.game, each.a_text, each.b_text): each.seed for each in experiment(tmp_path, text).cells}

    before = seeds(SMALL)
    assert len(set(before.values())) == len(before) == 6
    renamed = seeds(SMALL.replace("MAST =", "'the best' =").replace('label = "Breakthrough"', 'label = "B"'))
    assert renamed == before
    grown = seeds(
        SMALL.replace("greedy =", 'wide = "uct(c=9)"\ngreedy =').replace(
            "[[games]]", '[[games]]\ngame = "pig"\nvalues = { c = 1 }\n[[games]]', 1
        )
    )
    assert grown.items() > before.items()
    other = seeds(SMALL.replace("seed = 3", "seed = 4"))
    assert not set(other.values()) & set(before.values())
