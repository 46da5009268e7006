"""`experiments/ggp`: what Table 2 of Pepels et al. 2014 says is asked, of rulesheets that exist, and can be played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from treewise.bonus import RelativeBonus
from treewise.cli import main
from treewise.compositions import cadia, parse_search
from treewise.gdl import load as gdl_load
from treewise.gdl.load import sheet_names
from treewise.lab import Experiment, read_experiment
from treewise.lab import load as load_store
from treewise.lab.document import read_document
from treewise.lab.outcome import Cell
from treewise.lab.papers import papers
from treewise.lab.schedule import schedule
from treewise.limit import CpuSeconds, Simulations
from treewise.playout import Uniform
from treewise.processes import cached_game

FILES = ("quick", "exploration", "table_2", "equal_time")


@pytest.fixture(scope="module")
def experiments() -> Iterator[dict[str, Experiment]]:
    """Every file, which takes some seconds: all games and searches are built, and put together."""
    yield {name: read_experiment(papers()["ggp"] / f"{name}.toml") for name in FILES}
    cached_game.cache_clear()


def near_cadiaplayer(experiment: Experiment) -> list[Cell]:
    """The cells of the paper's table, without controls and larger budgets."""
    return [cell for cell in experiment.cells if cell.budget == "15 s" and not cell.control]


@pytest.mark.parametrize("name", FILES)
def test_a_file_names_rulesheets_that_exist(name: str) -> None:
    games = [game for entry in read_document(papers()["ggp"] / f"{name}.toml").games for game in entry.games]
    assert len(set(games)) == 14
    assert set(games) <= {f"gdl(path='{sheet}')" for sheet in sheet_names()}


def test_every_cell_of_the_table_is_asked(experiments: dict[str, Experiment]) -> None:
    table = experiments["table_2"]
    asked = near_cadiaplayer(table)
    assert len(asked) == 14 * 2
    assert table.reuse
    assert all(cell.reference and cell.matches >= 400 and cell.kind == "simulations" for cell in asked)
    controls = [cell.game_label for cell in table.cells if cell.control and cell.budget == "15 s"]
    assert controls == [cell.game_label for cell in asked[::2]]


def test_the_bonus_is_all_that_differs(experiments: dict[str, Experiment]) -> None:
    for cell in experiments["table_2"].cells + experiments["equal_time"].cells:
        with_bonus, plain = parse_search(cell.a_text), parse_search(cell.b_text)
        assert with_bonus.replace(bonus=with_bonus.bonus[:1]) == plain
        slope = {"RB, k = 2": 2.0, "RB, k = 1.4": 1.4}
        assert cell.control or list(with_bonus.bonus[1:]) == [RelativeBonus(k=slope[cell.a], a=0.25)]


def test_a_search_has_simulations_enough(experiments: dict[str, Experiment]) -> None:
    table, exploration = (
        {cell.game_label: parse_search(cell.b_text).limit for cell in near_cadiaplayer(experiments[name])}
        for name in ("table_2", "exploration")
    )
    assert all(isinstance(limit, Simulations) and limit.count >= 50 for limit in table.values())
    assert exploration == table


def test_the_quick_look_is_the_beginning_of_the_table(experiments: dict[str, Experiment]) -> None:
    quick, table = (
        {match.key for fixture in schedule(experiments[name].cells, reuse=True) for match in fixture.matches}
        for name in ("quick", "table_2")
    )
    assert quick < table


def test_equal_time_is_in_seconds(experiments: dict[str, Experiment]) -> None:
    cells = experiments["equal_time"].cells
    assert all(isinstance(parse_search(cell.a_text).limit, CpuSeconds) and cell.matches >= 100 for cell in cells)
    asked = [(cell.game_label, cell.a, cell.reference) for cell in near_cadiaplayer(experiments["table_2"])]
    assert [(cell.game_label, cell.a, cell.reference) for cell in cells] == asked


def test_the_playouts_are_all_that_differs_with_ngrams() -> None:
    experiment = read_experiment(papers()["ggp"] / "ngrams.toml")
    assert len({cell.game for cell in experiment.cells}) == len(experiment.cells) == 5
    for cell in experiment.cells:
        ngrams, uniform = parse_search(cell.a_text), parse_search(cell.b_text)
        assert ngrams == cadia(simulations=300)
        assert uniform == ngrams.replace(playout=Uniform())


def test_a_worker_builds_each_game_once(experiments: dict[str, Experiment]) -> None:
    """Cells take turns over all games: a cache that is too small would build one for every match."""
    games = {cell.game for cell in experiments["table_2"].cells}
    first = {text: cached_game(text) for text in games}
    built = gdl_load._game.cache_info().misses
    assert all(cached_game(text) is game for text, game in first.items())
    assert gdl_load._game.cache_info().misses == built


def test_the_quick_look_is_played_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game of turns and one where both act at once, stopped in the middle of the first pair."""
    monkeypatch.setenv("COLUMNS", "120")
    store = tmp_path / "ggp.sqlite"
    command = ["reproduce", "ggp", "--quick", "--store", str(store), "--processes", "1"]
    command += ["--games", "Connect5", "Chinook"]
    assert main([*command, "--most", "1"]) == 0
    assert "1 match played" in capsys.readouterr().out
    assert main([*command, "--most", "7"]) == 0
    out = capsys.readouterr().out
    assert "54.0 ± 1.8" in out
    assert "48.5 ± 2.0" in out
    cells = [cell for cell in load_store(store).cells if cell.played]
    assert [cell.cell.game_label for cell in cells] == ["Connect5"] * 2 + ["Chinook"] * 2
    assert all([match.seats for match in cell.played] == [(0, 1), (1, 0)] for cell in cells)
    assert all(goal in (0, 50, 100) for cell in cells for match in cell.played for goal in match.returns)
