"""Two searches paired in a game for one player: both playthroughs are one match, wherever matches are counted."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_experiments import contents, experiment, play_here, printed, write

from treewise.lab import load
from treewise.lab.store import Store

PAIRED = """
name = "paired"
matches = 4
budgets = { few = "simulations(3)" }
entrants = { A = "uct(c=0.5)", B = "uct(c=2)" }
[[games]]
game = "same_game(rows=3, columns=3)"
"""


def test_the_command_counts_as_the_file_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, store = write(tmp_path, PAIRED), tmp_path / "small.sqlite"
    said = [
        printed(capsys, "run", str(file), "--processes", "1", *most).splitlines()[0] for most in (["--most", "3"], [])
    ]
    assert said == [f"3 matches played; 3 of 4 are in {store}", f"1 match played; 4 of 4 are in {store}"]
    assert len(contents(store)) == 8
    assert "4 of 4 matches are finished" in printed(capsys, "status", str(file))


def test_half_a_match_is_made_whole(tmp_path: Path) -> None:
    asked, store = experiment(tmp_path, PAIRED), tmp_path / "a.sqlite"

    def stop(_: object) -> None:
        if len(contents(store)) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_here(asked, store, report=stop)
    stopped = play_here(asked, store)
    assert (stopped.played, stopped.tally.done, stopped.complete) == (3, 4, True)


def test_a_match_is_as_long_as_one_playthrough(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    play_here(experiment(tmp_path, PAIRED), store)
    with Store(store) as opened:
        longest = max(stored.record.length for stored in opened.matches())
    assert all(played.length <= longest for each in load(store).cells for played in each.played)
