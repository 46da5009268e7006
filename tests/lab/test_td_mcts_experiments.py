"""`experiments/td_mcts`: what Table II of İlhan and Etaner-Uyar 2017 says is asked, of games that exist."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from treewise import explorer, limit, parse_search
from treewise.cli import main
from treewise.lab import Experiment, read_experiment
from treewise.lab.document import Document, read_document
from treewise.lab.papers import experiment_files, papers
from treewise.lab.schedule import schedule

FILES = ("quick", "table_2", "table_2_original")
MORE = Path(__file__).parents[3] / "shared" / "data" / "vgdl" / "more"
ENTRANTS = ["V-MCTS (50)", "TD-MCTS (50)", "TD-MCTS (25)"]


def document(name: str) -> Document:
    return read_document(papers()["td-mcts"] / f"{name}.toml")


@pytest.fixture(scope="module")
def experiments() -> dict[str, Experiment]:
    """Those on the project's own levels."""
    return {name: read_experiment(papers()["td-mcts"] / f"{name}.toml") for name in ("quick", "table_2")}


@pytest.mark.parametrize("name", FILES)
def test_games_of_five_levels_by_three_entrants(name: str) -> None:
    found = document(name)
    assert (found.pairing, found.base, list(found.entrants), found.seed) == ("alone", ENTRANTS[0], ENTRANTS, 2017)
    assert len(found.games) == 10
    assert len({game for entry in found.games for game in entry.games}) == 5 * len(found.games)
    for entry in found.games:
        stem = entry.label.lower().replace(" ", "")
        names = f"path='{stem}.txt'" if name.endswith("original") else f"game='{stem}'"
        assert list(entry.games) == [f"vgdl({names}, level={level})" for level in range(5)]
        assert set(entry.matches.values()) == {6 if name == "quick" else 100}


@pytest.mark.parametrize("name", FILES[1:])
def test_every_figure_of_the_paper_is_there(name: str) -> None:
    found = document(name)
    paper = [each for each in found.published if each.source == "paper"]
    rows = [*(entry.label for entry in found.games), "Overall"]
    assert [(each.game, each.entrant) for each in paper] == [(row, entrant) for row in rows for entrant in ENTRANTS]
    for each in paper:
        for figure in (each.wins, each.score):
            assert figure is not None
            assert figure.error is not None
            assert bool(figure.mark) == (each.entrant != ENTRANTS[0])
    framework = [each for each in found.published if each.source in ("closed", "open")]
    assert len(framework) == 19  # one was not run
    assert all(each.wins and each.wins.error and each.score and each.entrant == ENTRANTS[0] for each in framework)


def test_all_files_say_the_same_but_for_the_levels() -> None:
    quick, table, original = map(document, FILES)
    assert table.published == original.published
    games = {entry.label for entry in quick.games}
    assert quick.published == tuple(each for each in table.published if each.game in games)
    assert quick.entrants == table.entrants == original.entrants


def test_beyond_the_paper_plays_the_games_of_the_table() -> None:
    found, table = document("beyond_original"), document("table_2_original")
    assert [(entry.label, entry.games, entry.matches) for entry in found.games] == [
        (entry.label, entry.games, entry.matches) for entry in table.games
    ]
    assert (found.pairing, found.base, found.seed) == (table.pairing, "TD-MCTS (50)", table.seed)
    assert found.entrants["TD-MCTS (50)"] == table.entrants["TD-MCTS (50)"]
    check_control(found)
    assert len(found.published) == 11
    assert found.reuse


def check_control(found: Document) -> None:
    """The explorer keeps its tree, what it is compared with does not: so it is there without its tree as well."""
    searches = {name: parse_search(text) for name, text in found.entrants.items()}
    assert searches["Explorer (50)"] == explorer()
    assert searches["Explorer (50), new trees"] == explorer().replace(reuse=False)
    assert not searches["TD-MCTS (50)"].reuse


def test_twenty_games_that_nothing_was_tuned_on() -> None:
    untuned, timed = document("beyond_untuned"), document("beyond_real_time")
    check_control(untuned)
    assert [entry.label for entry in untuned.games] == [entry.label for entry in timed.games]
    assert len(untuned.games) == 20
    assert [entry.games[:2] for entry in untuned.games] == [entry.games for entry in timed.games]
    tuned = {entry.label for entry in document("beyond_original").games}
    assert not tuned & {entry.label for entry in untuned.games}
    assert {name.replace(", 40 ms", " (50)") for name in timed.entrants} == set(untuned.entrants) - {
        "Explorer (50), new trees"
    }
    for text in timed.entrants.values():
        assert parse_search(text).limit == limit.Seconds(0.035)


@pytest.mark.skipif(not MORE.exists(), reason="the framework's games are not part of this project")
def test_their_files_can_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(MORE)
    assert len(read_experiment(papers()["td-mcts"].absolute() / "beyond_untuned.toml").cells) == 20 * 5 * 4


def test_each_ingredient_is_left_out_once() -> None:
    found = document("beyond_parts")
    assert found.reuse
    assert [(entry.label, entry.games) for entry in found.games] == [
        (entry.label, entry.games) for entry in document("table_2").games
    ]
    searches = {name: parse_search(text) for name, text in found.entrants.items()}
    whole = searches.pop("Explorer (50)")
    assert whole == explorer()
    for search in searches.values():
        assert len([each for each in fields(search) if getattr(search, each.name) != getattr(whole, each.name)]) == 1


def test_originals_are_left_out_where_nobody_says_where_they_are(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("TREEWISE_VGDL", raising=False)
    files = experiment_files(papers()["td-mcts"], quick=False)
    assert [file.stem for file in files] == ["table_2", "table_2_original"]
    monkeypatch.setattr("treewise.cli.lab_run.play", lambda args: 9)
    main(["reproduce", "td-mcts", "--store", str(tmp_path / "a.sqlite")])
    said = capsys.readouterr()
    assert "table_2_original is left out: --folder or TREEWISE_VGDL would say where its games are" in said.out


def test_the_quick_look_is_the_beginning_of_the_table(experiments: dict[str, Experiment]) -> None:
    quick, table = (
        {match.key for fixture in schedule(experiments[name].cells) for match in fixture.matches}
        for name in ("quick", "table_2")
    )
    assert quick < table
    assert (len(quick), len(table)) == (900, 15_000)


def test_a_match_is_played_and_told(
    experiments: dict[str, Experiment], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    command = ["reproduce", "td-mcts", "--quick", "--store", str(tmp_path / "a.sqlite"), "--processes", "1"]
    assert main([*command, "--games", "Portals", "--most", "2"]) == 0
    out = capsys.readouterr().out
    assert "2 matches played" in out
    assert "paper 12.8 ± 1.0" in out
