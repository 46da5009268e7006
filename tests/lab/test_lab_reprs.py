"""What the laboratory's objects look like in a shell."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_experiments import ALONE, SMALL, Here

from brief_reprs import check
from treewise.lab import Candidates, load, read_experiment, run, tune
from treewise.lab.report import build
from treewise.lab.store import Store


def test_objects_of_the_laboratory(tmp_path: Path) -> None:
    for text, name in ((SMALL, "small"), (ALONE, "alone")):
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
        asked, path = read_experiment(tmp_path / f"{name}.toml"), tmp_path / f"{name}.sqlite"
        stopped = run(asked, path, Here())
        count = f"{stopped.tally.asked} of {stopped.tally.asked} matches"
        check(asked, f"<Experiment '{name}': {len(asked.cells)} cells, {stopped.tally.asked} matches>")
        check(asked.cells[0], "<Cell: ")
        check(stopped, f"Stopped(played={stopped.played}, tally=<Tally: {count}>)")
        outcome = load(path)
        check(outcome, f"<ExperimentOutcome '{name}': {len(asked.cells)} cells, {count}>")
        check(outcome.cells[0], "<CellOutcome: ")
        check(outcome.cells[0].played[0], "<Played: match 0, score ")
        check(build(outcome), "<Report 'small': " if name == "small" else "<Report 'alone': ")
        check(build(outcome).sections[0], "<Section '")
        with Store(path) as store:
            assert repr(store) == f"<Store {path}>"
            check(next(store.matches()), "<StoredMatch: <PlannedMatch of ")


def test_a_tuning(tmp_path: Path) -> None:
    pytest.importorskip("optuna")
    asked = Candidates("tic_tac_toe", "uct(c={c})", "uct(c=1)", {"c": "0:2"}, budget="simulations(5)")
    tuning = tune(asked, tmp_path / "t.sqlite", Here(), trials=3, matches=20)
    check(tuning, "<Tuning of uct(c={c}): 3 trials, best <Trial ")
    check(tuning.trials[0], "<Trial 0: uct(c=")
