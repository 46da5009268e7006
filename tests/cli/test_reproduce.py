"""`treewise reproduce`: a paper's tables, played and shown beside the published figures."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

import pytest

from treewise.cli import main
from treewise.extras import how_to_install
from treewise.lab import load, read_experiment
from treewise.lab.papers import experiment_files, papers
from treewise.lab.store import Store


def test_a_few_matches_of_the_quick_look(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    store = tmp_path / "quick.sqlite"
    arguments = ["reproduce", "quality-rewards", "--quick", "--store", str(store), "--processes", "1"]
    assert main([*arguments, "--games", "Pentalath", "--most", "3"]) == 0
    out = capsys.readouterr().out
    assert "3 matches played" in out
    assert "51.4 ± 1.4" in out
    assert sum(len(each.played) for each in load(store).cells) == 3


def test_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines() == [
        "ggp: quick, table_2",
        "quality-rewards: quick, table_1, table_3, table_4, table_4_quality_only",
        "td-mcts: quick, table_2, table_2_original",
    ]
    assert main(["reproduce", "quality-reward"]) == 2
    assert "did you mean 'quality-rewards'?" in capsys.readouterr().err


def test_what_the_tables_need_is_asked_for_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "statsmodels", None)
    store = tmp_path / "quick.sqlite"
    assert main(["reproduce", "quality-rewards", "--quick", "--store", str(store)]) == 2
    assert f"the laboratory needs statsmodels: {how_to_install('lab')}" in capsys.readouterr().err
    assert not store.exists()


@pytest.mark.parametrize("quick", [True, False])
def test_every_cell_of_the_paper_is_asked(quick: bool) -> None:
    """Six games; RB, QB and both with two sizes at each budget, and the quality alone at the smaller one."""
    cells = [
        cell for file in experiment_files(papers()["quality-rewards"], quick) for cell in read_experiment(file).cells
    ]
    published = [cell for cell in cells if cell.reference]
    assert len(published) == (42 if quick else 6 * (6 * 2 + 1))
    if not quick:
        for cell in published:
            small = 400 if cell.game_label == "Amazons" else 1000
            assert cell.matches >= (small if cell.budget == "1 s" else 200), cell


def test_most_is_for_all_tables_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "tables.sqlite"
    arguments = ["reproduce", "quality-rewards", "--store", str(store), "--processes", "1", "--games", "Breakthrough"]
    played: list[tuple[str, int | None, list[str], list[str]]] = []

    def play(args: Namespace) -> int | None:
        played.append((args.file.stem, args.most, args.games, args.budget))
        with Store(store, write=True):
            return 2 if args.most is None else min(2, args.most)

    monkeypatch.setattr("treewise.cli.lab_run.play", play)
    assert main([*arguments, "--most", "7", "--budget", "5 s", "1 s"]) == 0
    assert played == [
        ("table_1", 7, ["Breakthrough"], ["5 s", "1 s"]),
        ("table_3", 5, ["Breakthrough"], ["5 s", "1 s"]),
        ("table_4", 3, ["Breakthrough"], ["5 s", "1 s"]),
        ("table_4_quality_only", 1, ["Breakthrough"], ["1 s"]),
    ]
    played.clear()
    assert main([*arguments, "--most", "4"]) == 0
    assert [(name, most) for name, most, *_ in played] == [("table_1", 4), ("table_3", 2)]
    played.clear()
    assert main([*arguments, "--budget", "5 s"]) == 0
    assert [name for name, *_ in played] == ["table_1", "table_3", "table_4"], "the last has no larger budget"
    played.clear()
    for wrong, message in (("--budget=5", "unknown budget '5'"), ("--games=Chess", "unknown game 'Chess'")):
        assert main([*arguments[:6], wrong]) == 2
        assert message in capsys.readouterr().err
    assert played == []
