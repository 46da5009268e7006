"""`treewise lab verify`: a sample of a store's matches, played again by the present engine."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_experiments import ALONE, SMALL, Here, damage_of, experiment, play_here, printed, write

from treewise.cli import main
from treewise.lab import StoreError, load, run
from treewise.lab.archive import import_archive, write_archive
from treewise.lab.executor import FailedMatch, FinishedMatch, LostMatch, Result
from treewise.lab.origin import Origin, origin
from treewise.lab.report import build, to_markdown
from treewise.lab.rescue import rescue
from treewise.lab.store import Store
from treewise.lab.verify import verify

ONE_WITH_A_CLOCK = """
name = "clock"
matches = 2
budgets = { soon = "any([simulations(9), seconds(5)])", few = "simulations(5)" }
entrants = { A = "uct(c=0.5)", B = "uct(c=2)" }
[[games]]
game = "tic_tac_toe"
"""


class Other(Here):
    """An engine that plays a third of the matches otherwise, and fails in another third."""

    def results(self, timeout: float) -> list[Result]:
        number = len(self.submitted) - len(self.queue)
        (found,) = super().results(timeout)
        assert isinstance(found, FinishedMatch)
        if number % 3 == 1:
            return [replace(found, record=replace(found.record, actions=found.record.actions[::-1]))]
        if number % 3 == 2:
            return [FailedMatch(found.planned, "ValueError: no"), LostMatch(found.planned, True)][number % 2 :][:1]
        return [found]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Matches of two versions, a third of them of the older one."""
    file = tmp_path / "small.sqlite"

    class Older(Here):
        def results(self, timeout: float) -> list[Result]:
            return [
                replace(each, origin=Origin("0.0.1", "a machine")) if isinstance(each, FinishedMatch) else each
                for each in super().results(timeout)
            ]

    run(experiment(tmp_path), file, Older(), source=SMALL, most=12)
    play_here(experiment(tmp_path), file, source=SMALL)
    return file


def test_what_is_the_same_is_counted_by_version(store: Path) -> None:
    done: list[int] = []
    found = {each.version: each for each in verify(store, Here(), most=10, report=done.append)}
    assert set(found) == {"0.0.1", origin().version}
    assert [found["0.0.1"].matches, found[origin().version].matches] == [12, 24]
    assert all((each.replayed, each.same, each.others) == (5, 5, []) for each in found.values())
    assert done == list(range(1, 11))
    assert "All matches that were played again came out the same." in to_markdown(build(load(store)))


def test_what_is_not_is_told(store: Path) -> None:
    found = verify(store, Other(), most=12)
    assert sum(each.replayed for each in found) == 12
    assert sum(each.same for each in found) == 4
    assert {why for each in found for _, why in each.others} <= {
        "it comes out otherwise",
        "ValueError: no",
        "its worker died",
    }
    said = to_markdown(build(load(store)))
    assert "36 of the 36 matches were played by versions whose matches no longer come out the same" in said
    assert f"played again by {origin().version.replace('_', chr(92) + '_')}" in said
    again = verify(store, Here(), most=1000)
    assert sum(each.same for each in again) == 36, "the last time counts"
    assert "All matches that were played again came out the same." in to_markdown(build(load(store)))


def test_a_report_counts_the_matches_of_changed_versions(store: Path) -> None:
    class Half(Here):
        def results(self, timeout: float) -> list[Result]:
            (found,) = super().results(timeout)
            assert isinstance(found, FinishedMatch)
            older = found.planned.key in keys
            return [replace(found, record=replace(found.record, length=0))] if older else [found]

    with Store(store) as opened:
        keys = {match.planned.key for match in opened.matches() if match.origin.version == "0.0.1"}
    verify(store, Half(), most=4)
    assert "12 of the 36 matches were played by versions whose" in to_markdown(build(load(store)))


def test_without_a_replay_nothing_is_said(store: Path) -> None:
    said = to_markdown(build(load(store)))
    assert "Replay" not in said
    assert "come out the same" not in said


def test_the_seed_draws_the_sample(store: Path) -> None:
    drawn = []
    for seed in (1, 1, 2):
        executor = Here()
        verify(store, executor, most=6, seed=seed)
        drawn.append({match.key for match in executor.submitted})
    assert drawn[0] == drawn[1] != drawn[2]


def test_matches_by_the_clock_cannot_be_repeated(tmp_path: Path) -> None:
    file = tmp_path / "a.sqlite"
    play_here(experiment(tmp_path, ONE_WITH_A_CLOCK), file)
    (found,) = verify(file, Here())
    assert (found.matches, found.repeatable, found.replayed, found.same) == (4, 2, 2, 2)


def test_one_experiment_of_several(tmp_path: Path, store: Path) -> None:
    play_here(experiment(tmp_path, ALONE), store, source=ALONE)
    executor = Here()
    verify(store, executor, most=1000, name="alone")
    assert len(executor.submitted) == 28
    said = to_markdown(build(load(store, "alone")))
    assert "All matches that were played again came out the same." in said


def test_archives_and_rescued_stores_keep_what_came_out(store: Path, tmp_path: Path) -> None:
    verify(store, Other(), most=12)
    said = to_markdown(build(load(store)))
    archive, again, rescued = (tmp_path / name for name in ("a.npz", "again.sqlite", "rescued.sqlite"))
    write_archive(store, archive)
    assert import_archive(archive, again) == 36
    rescue(store, rescued)
    for file in (archive, again, rescued):
        assert to_markdown(build(load(file))) == said
    write_archive(again, tmp_path / "b.npz")
    assert (tmp_path / "b.npz").read_bytes() == archive.read_bytes()


def test_an_archive_is_only_read(store: Path, tmp_path: Path) -> None:
    archive = tmp_path / "a.npz"
    write_archive(store, archive)
    before = archive.read_bytes()
    assert sum(each.same for each in verify(archive, Here(), most=6)) == 6
    assert archive.read_bytes() == before


def test_a_damaged_replay_is_found(store: Path) -> None:
    verify(store, Here(), most=6)
    damage_of(store, "UPDATE replay SET same = 0 WHERE match = (SELECT min(match) FROM replay)")
    with pytest.raises(StoreError, match="its replay is not what its hash says"):
        load(store)


def test_a_store_of_before_is_extended(store: Path) -> None:
    db = sqlite3.connect(store)
    db.execute("DROP TABLE replay")
    db.execute("ALTER TABLE experiment DROP COLUMN digest")
    db.execute("PRAGMA user_version = 3")
    db.close()
    assert load(store)
    assert sum(each.same for each in verify(store, Here(), most=6)) == 6
    assert any(match.replays for cell in load(store).cells for match in cell.played)


def test_the_command(tmp_path: Path, store: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path)
    said = printed(capsys, "verify", str(file), "--matches", "4", "--processes", "1")
    assert "4 of 4 matches came out the same." in said
    monkeypatch.setattr("treewise.cli.lab_run.make_executor", lambda args, cells: Other())
    assert main(["lab", "verify", str(store), "--matches", "4"]) == 1
    said = capsys.readouterr().out
    assert "2 of 4 matches came out the same." in said
    assert "matches were played by versions that no longer replay." in said
    assert "The first that did not (" in said
    assert "treewise.play_match('" in said
    assert main(["lab", "verify", str(tmp_path / "none.sqlite")]) == 2
    assert "there is no such store" in capsys.readouterr().err
    assert not (tmp_path / "none.sqlite").exists()
