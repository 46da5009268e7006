"""`experiments/quality_rewards`: tables that ask what Pepels et al. 2014 say, and a page that says what was played."""

from __future__ import annotations

import importlib
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_experiments import play_here

import treewise
from treewise.bonus import QualityBonus, QualityOnly, RelativeBonus
from treewise.compositions import parse_search
from treewise.lab import read_experiment
from treewise.lab.document import read_document
from treewise.lab.outcome import Cell
from treewise.limit import Simulations

FOLDER = Path(__file__).parents[2] / "experiments" / "quality_rewards"
TABLES = ("table_1", "table_3", "table_4", "table_4_quality_only")
SLOPES = {
    "Amazons": (2.2, 1.6),
    "Breakthrough": (8.0, 2.0),
    "Cannon": (3.0, 4.0),
    "Checkers": (2.8, 2.0),
    "Chinese Checkers": (1.2, 2.8),
    "Pentalath": (1.0, 1.6),
}
"""The paper's k: of the Relative Bonus and of the Qualitative Bonus."""


def cells(name: str) -> tuple[Cell, ...]:
    return read_experiment(FOLDER / f"{name}.toml").cells


def bonuses(entrant: str, game: str) -> list[Any]:
    if entrant == "quality only":
        return [QualityOnly()]
    name, _, parameter = entrant.partition(", ")
    a = "online" if parameter == "a'" else float(parameter.removeprefix("a = "))
    length, quality = SLOPES[game]
    relative, qualitative = RelativeBonus(k=length, a=a), QualityBonus(k=quality, a=a, clip=False)
    return {"RB": [relative], "QB": [qualitative], "both": [relative, qualitative]}[name]


@pytest.mark.parametrize("name", [*TABLES, "tuned", "author_second"])
def test_the_bonus_is_all_that_differs(name: str) -> None:
    for cell in cells(name):
        entrant, plain = parse_search(cell.a_text), parse_search(cell.b_text)
        added = list(entrant.bonus)[len(plain.bonus) :]
        assert entrant.replace(bonus=plain.bonus) == plain
        assert added == ([] if cell.control else bonuses(cell.a, cell.game_label))


@pytest.mark.parametrize(("name", "part"), [("tuned", "selection"), ("author_second", "limit")])
def test_what_the_tables_ask_is_asked_with_one_part_changed(name: str, part: str) -> None:
    asked = {(cell.game, cell.a, cell.budget): cell for table in TABLES for cell in cells(table) if not cell.control}
    for cell in cells(name):
        if cell.control:
            continue
        other = asked[cell.game, cell.a, cell.budget]
        assert cell.matches == (other.matches if name == "tuned" else 400)
        assert cell.reference
        assert other.reference
        assert (cell.reference.rate, cell.reference.half_width) == (other.reference.rate, other.reference.half_width)
        ours, theirs = parse_search(cell.a_text), parse_search(other.a_text)
        assert ours != theirs
        assert ours.replace(**{part: getattr(theirs, part)}) == theirs


def test_the_tables_have_the_constants_that_were_asked_about() -> None:
    exploration = {entry.label: entry.values for entry in read_document(FOLDER / "exploration.toml").games}
    for name in TABLES:
        for entry in read_document(FOLDER / f"{name}.toml").games:
            assert entry.values["c"] == exploration[entry.label]["c"]
    for entry in read_document(FOLDER / "tuned.toml").games:
        assert entry.values["c"] == exploration[entry.label]["half"]


@pytest.fixture(scope="module")
def filled() -> Callable[[str, Path], str]:
    fill: Callable[[str, Path], str] = runpy.run_path(str(FOLDER / "page.py"))["filled"]
    return fill


def test_the_page_has_the_figures_of_the_matches(filled: Callable[[str, Path], str]) -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert filled(page, FOLDER / "matches.npz") == page


def test_a_page_says_what_has_not_been_played(filled: Callable[[str, Path], str], tmp_path: Path) -> None:
    page, store = (FOLDER / "README.md").read_text(encoding="utf-8"), tmp_path / "begun.sqlite"
    for name in (*TABLES, "tuned", "author_second", "reasons"):
        play_here(read_experiment(FOLDER / f"{name}.toml"), store, most=0)
    assert "| Cannon | not played | 62.8 ± 1.3, not shown |" in filled(page, store)


def test_a_page_without_a_place_for_them_is_refused(filled: Callable[[str, Path], str]) -> None:
    with pytest.raises(SystemExit, match="the page needs <!-- tables -->"):
        filled("Nothing here.", FOLDER / "matches.npz")


def test_the_trial_of_a_sigmoid_goes_on_with_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(FOLDER)
    trials = importlib.import_module("sigmoid_table")
    trial, other, results = trials.Trial(2, 0.25, True), trials.Trial(2, None, True), tmp_path / "scores.csv"
    trials.play_missing(trial, 2, 1, results)
    begun = results.read_text(encoding="utf-8")
    trials.play_missing(other, 2, 1, results)
    trials.play_missing(trial, 20, 2, results)
    assert results.read_text(encoding="utf-8").startswith(begun)
    assert sorted(trials.scores_of(trial, results)) == list(range(20))
    assert sorted(trials.scores_of(other, results)) == [0, 1]
    assert "20 of 20 matches" in capsys.readouterr().out


@pytest.mark.parametrize("a", [None, 0.25])
def test_the_trial_of_a_sigmoid_has_our_bonus_but_for_the_table(
    a: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Written in Python it gives the same tree, node for node, until the table turns a sign."""
    monkeypatch.syspath_prepend(FOLDER)
    trials = importlib.import_module("sigmoid_table")
    state = treewise.load_game("breakthrough").initial_state()
    ours = RelativeBonus(k=SLOPES["Breakthrough"][0], a=a or "online")
    expected = trials.PLAIN.replace(bonus=[ours], limit=Simulations(500)).run(state, seed=4)
    for table in (False, True):
        found = trials.Trial(500, a, table).search(state, bonused=True).run(state, seed=4)
        assert (found.values == expected.values) is not table
