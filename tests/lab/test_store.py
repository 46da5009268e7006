"""The store: what is written is read back, never changed, and refused clearly where it cannot be read."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from small_experiments import SMALL, Here, contents, experiment, play_here

from treewise import load_game, parse_search, play_match
from treewise.lab import StoreError, load, run
from treewise.lab.executor import play
from treewise.lab.outcome import Cell
from treewise.lab.schedule import PlannedMatch, schedule
from treewise.lab.store import Store
from treewise.match import apply_step, final_returns


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    store = tmp_path / "small.sqlite"
    play_here(experiment(tmp_path), store, source=SMALL)
    return store


def test_records_are_read_back_as_they_were_played(tmp_path: Path, filled: Path) -> None:
    planned = [match for f in schedule(experiment(tmp_path).cells, 1) for match in f.matches]
    found = contents(filled)
    assert set(found) == {match.key for match in planned}
    for match in planned:
        assert found[match.key] == (match, play(match).record)


def test_a_record_can_be_replayed(filled: Path) -> None:
    with Store(filled) as store:
        for each in store.matches():
            state = load_game(each.planned.game).initial_state()
            for step in each.record.actions:
                apply_step(state, step)
            assert final_returns(state) == each.record.returns
            searches = [parse_search(text) for text in each.planned.searches]
            assert play_match(each.planned.game, searches, each.planned.seed, 1, False) == each.record


def test_joint_actions_and_several_players(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", write=True) as store:
        played = [
            play(PlannedMatch(game, ("uct(simulations=5)",) * players, 1, 0, False))
            for game, players in (("goofspiel(cards=3)", 2), ("pig(players=3, goal=10)", 3))
        ]
        with store.database.transaction() as db:
            assert [store.record(db, match) for match in played] == [True, True]  # type: ignore[arg-type]
            assert [store.record(db, match) for match in played] == [False, False]  # type: ignore[arg-type]
        assert [each.record for each in store.matches()] == [match.record for match in played]  # type: ignore[union-attr]


def test_the_outcome_comes_from_the_store_alone(tmp_path: Path, filled: Path) -> None:
    asked = experiment(tmp_path)
    (tmp_path / "small.toml").unlink()
    outcome = load(filled, "small")
    assert tuple(each.cell for each in outcome.cells) == asked.cells
    assert (outcome.name, outcome.seed, outcome.opening, outcome.pairing) == ("small", 3, 1, "gauntlet")
    records = contents(filled)
    for fixture in schedule(asked.cells, 1):
        played = outcome.cells[fixture.cell].played[fixture.index]
        record = records[fixture.matches[0].key][1]
        a, b = fixture.seats.index(0), fixture.seats.index(1)
        assert played.index == fixture.index
        assert played.returns == (record.returns[a], record.returns[b])  # type: ignore[attr-defined]
        assert played.score == (played.returns[0] - played.returns[1]) / 4 + 0.5
        assert played.simulations == tuple(12 * moves for moves in played.moves)
        assert sum(played.moves) + 1 == played.length  # one step was the opening
        assert min(played.seconds) > 0
        assert "engine" in played.version
        assert "Python" in played.machine


def test_one_player_games_give_both_sides(tmp_path: Path) -> None:
    text = """
    name = "one"
    matches = 3
    budgets = { few = "simulations(5)" }
    entrants = { A = "uct(c=0.1)", B = "uct(c=3.0)" }
    [[games]]
    game = "same_game(rows=4, columns=4)"
    """
    asked, store = experiment(tmp_path, text), tmp_path / "one.sqlite"
    stopped = play_here(asked, store)
    assert (stopped.played, stopped.tally.done, stopped.complete) == (3, 3, True)
    outcome = load(store).cells[0]
    for fixture, played in zip(schedule(asked.cells), outcome.played, strict=True):
        a, b = (play(match).record.returns[0] for match in fixture.matches)  # type: ignore[union-attr]
        assert played.returns == (a, b)
        assert played.score == ((a > b) + (a >= b)) / 2
        assert stopped.tally.cells[0].scores[fixture.index] == played.score


def test_nothing_finished_can_be_changed(filled: Path) -> None:
    before = contents(filled)
    db = sqlite3.connect(filled)
    changes = [
        "UPDATE {} SET rowid = rowid",
        "DELETE FROM {}",
        "REPLACE INTO {0} SELECT * FROM {0}",
    ]
    for table in ("match", "seat", "game", "search", "origin", "experiment"):
        for change in changes:
            if table == "seat":
                change = change.replace("rowid = rowid", "returns = 0")
            with pytest.raises(sqlite3.IntegrityError, match="immutable"):
                db.execute(change.format(table))
    db.rollback()
    db.close()
    assert contents(filled) == before


def test_experiments_are_kept_as_they_were_asked(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    play_here(experiment(tmp_path), store, source=SMALL)
    play_here(experiment(tmp_path), store, source=SMALL)
    more = SMALL.replace("matches = 6", "matches = 8")
    stopped = play_here(experiment(tmp_path, more), store, source=more)
    assert stopped.played == 2 * 6
    play_here(experiment(tmp_path, SMALL.replace('"small"', '"other"')), store)
    with Store(store) as opened:
        assert opened.names() == ["small", "other"]
        assert opened.experiment("small") == experiment(tmp_path, more)
        rows = opened.database.connection.execute("SELECT name, source FROM experiment").fetchall()
    assert rows == [("small", SMALL), ("small", more), ("other", "")]
    with pytest.raises(StoreError, match=r"several experiments; choose one of: 'small', 'other'"):
        load(store)
    with pytest.raises(StoreError, match="no experiment 'big'"):
        load(store, "big")


def test_a_parameter_added_later_does_not_orphan_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = tmp_path / "a.sqlite"
    asked = experiment(tmp_path)
    with monkeypatch.context() as older:
        older.setattr("treewise.lab.records._current_search", lambda text: text)
        assert play_here(replace(asked, cells=tuple(map(_older, asked.cells))), store).complete
    assert [len(cell.played) for cell in load(store).cells] == [6] * 6
    executor = Here()
    assert run(asked, store, executor).complete
    assert executor.submitted == []
    with Store(store) as opened:
        all_of_them = opened.endings()
        some = set(list(all_of_them)[-5:])
        assert opened.endings(some) == {key: all_of_them[key] for key in some}


def _older(cell: Cell) -> Cell:
    """As a version that did not know `memory_mb` wrote it."""
    a, b = (text.replace(", memory_mb=2048.0", "") for text in (cell.a_text, cell.b_text))
    assert a != cell.a_text
    return replace(cell, a_text=a, b_text=b)
