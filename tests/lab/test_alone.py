"""Entrants that play alone: what their files ask, what is played, recorded, resumed and told."""

from __future__ import annotations

import csv
import os
import signal
import sqlite3
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from small_experiments import (
    ALONE,
    Here,
    contents,
    count,
    experiment,
    play_here,
    play_in_processes,
    printed,
    start_run,
    wait_for,
    write,
)

from treewise import match as match_module
from treewise import play_match
from treewise.cli import main
from treewise.compositions import parse_search
from treewise.lab import LocalExecutor, load, read_experiment, run
from treewise.lab.database import SCHEMA
from treewise.lab.document import read_document
from treewise.lab.ending import Ending
from treewise.lab.executor import FinishedMatch, Result, play
from treewise.lab.experiment import resolve
from treewise.lab.outcome import Figure, Published
from treewise.lab.schedule import schedule
from treewise.lab.store import Store
from treewise.lab.tally import Tally
from treewise.match import final_score

TOTAL = 4 * (2 * 3 + 1)


def test_a_file_becomes_a_cell_for_each_entrant_and_game(tmp_path: Path) -> None:
    asked = experiment(tmp_path, ALONE)
    assert (asked.pairing, asked.base, asked.sources) == ("alone", "few", {"paper": "A paper, Table 1"})
    named = [(cell.title, cell.a, cell.b, cell.part, cell.matches) for cell in asked.cells]
    assert named == [
        *((f"Small {part}", entrant, "", part, 4) for part in (1, 2, 3) for entrant in ("few", "more")),
        ("Wide", "few", "", 0, 4),
    ]
    assert all(cell.alone and cell.players == 1 and cell.entrants == [(cell.a, cell.a_text)] for cell in asked.cells)
    limits = {cell.a: str(parse_search(cell.a_text).limit.text()) for cell in asked.cells}
    assert limits == {"few": "simulations(count=2)", "more": "simulations(count=20)"}
    assert asked.published == (
        Published("paper", "Small", "few", None, Figure(7.0, 0.5)),
        Published("paper", "Small", "more", Figure(50.0), Figure(9.5, 1.0, "++")),
        Published("paper", "Overall", "few", None, Figure(8.0)),
    )


def test_the_first_entrant_is_the_base_unless_told(tmp_path: Path) -> None:
    assert experiment(tmp_path, ALONE.replace('base = "few"\n', "")).base == "few"
    assert experiment(tmp_path, ALONE.replace('base = "few"', 'base = "more"')).base == "more"


MISTAKES = [
    ("matches = 4", 'matches = 4\nbudgets = { few = "simulations(9)" }', "entrants keep their own limits"),
    ("matches = 4", "matches = 4\ncontrol = true", "'control' is not for pairing = 'alone'"),
    ("matches = 4", "matches = 4\nsprt = { p0 = 0.5, p1 = 0.6 }", "'sprt' is not for pairing = 'alone'"),
    ('pairing = "alone"', 'pairing = "round_robin"', "'sources' is only for pairing = 'alone'"),
    ("columns=4)", "columns=5)", "games: 'same_game(rows=4, columns=5, "),
    ('"same_game(rows=4, columns=4)"', '"tic_tac_toe"', "has 2 players: nobody can play it alone"),
    ('"same_game(rows=4, columns=4)"', "3", "'games' must be a list of text forms"),
    ('label = "Small"\n', "", "'label' is missing"),
    ('label = "Wide"', 'label = "Small"\ngames = ["same_game"]', "in place of 'game'"),
    ('label = "Wide"', 'label = "Overall"', "'Overall' is the row of all games"),
    ('game = "same_game(rows=4, columns=8)"\n', 'game = "same_game"\nmatches = 0\n', "must be at least 1"),
    ("reference.paper", "reference.papers", "unknown key 'papers'; did you mean 'paper'?"),
    ("{ few = { score = [7, 0.5] }", "{ fw = { score = [7, 0.5] }", "unknown key 'fw'; did you mean 'few'?"),
    ("score = [7, 0.5]", "scores = [7, 0.5]", "unknown key 'scores'; did you mean 'score'?"),
    ("score = [7, 0.5]", "score = [7, -1]", "'score' must be [mean, standard error]"),
    ("score = [7, 0.5]", "score = []", "'score' must be [mean, standard error]"),
    ("score = [7, 0.5]", 'score = [7, 1, "+++"]', "'score' must be [mean, standard error]"),
    ('"uct(simulations=2)"', '"uct(simulation=2)"', "entrant 'few': "),
    ('"uct(simulations=2)"', '"uct(simulations=0)"', "entrant 'few': 'simulations(count=0)' ends a search before"),
    (
        '"uct(simulations=2)"',
        '"uct(simulations=20)"',
        "'few' on 'Small 1' and 'more' on 'Small 1' are the same searches",
    ),
    (
        '"same_game(rows=4, columns=8)"',
        '"same_game(rows=4, columns=4)"',
        "'few' on 'Small 1' and 'few' on 'Wide' are the",
    ),
    ("seed = 5", "seed = 5\nopening = 30", "[[games]] 1 (Small): opening = 30: a match has no more than"),
]


@pytest.mark.parametrize(("right", "wrong", "message"), MISTAKES)
def test_mistakes_are_named_with_their_place(tmp_path: Path, right: str, wrong: str, message: str) -> None:
    assert right in ALONE
    with pytest.raises(ValueError, match=r"small\.toml: ") as error:
        experiment(tmp_path, ALONE.replace(right, wrong, 1))
    assert message in str(error.value)


def test_games_of_a_row_are_for_who_plays_alone(tmp_path: Path) -> None:
    paired = '{0}[entrants]\nA = "uct"\nB = "uct(c=1)"\n[[games]]\nlabel = "x"\ngames = ["tic_tac_toe"]'
    with pytest.raises(ValueError, match="'games' is for pairing = 'alone'"):
        experiment(tmp_path, paired.format('name = "x"\nmatches = 2\nbudgets = { few = "simulations(2)" }\n'))


# ---- what is played


def test_all_entrants_have_the_same_seeds_and_every_match_its_own(tmp_path: Path) -> None:
    asked = experiment(tmp_path, ALONE)
    seeds: dict[tuple[str, str], list[int]] = {}
    for fixture in schedule(asked.cells):
        assert fixture.seats == (0,)
        (match,) = fixture.matches
        cell = asked.cells[fixture.cell]
        assert match.searches == (cell.a_text,)
        seeds.setdefault((cell.title, cell.a), []).append(match.seed)
    assert all(seeds[f"Small {part}", "few"] == seeds[f"Small {part}", "more"] for part in (1, 2, 3))
    different = [seed for (_, entrant), found in seeds.items() if entrant == "few" for seed in found]
    assert len(set(different)) == len(different) == 16


def test_cells_take_turns_match_by_match(tmp_path: Path) -> None:
    fixtures = list(schedule(experiment(tmp_path, ALONE).cells))
    assert [(fixture.index, fixture.cell) for fixture in fixtures] == [(i, cell) for i in range(4) for cell in range(7)]


def test_seeds_depend_neither_on_place_nor_on_labels_nor_on_other_entrants(tmp_path: Path) -> None:
    def keys(text: str) -> set[bytes]:
        return {match.key for fixture in schedule(experiment(tmp_path, text).cells) for match in fixture.matches}

    before = keys(ALONE)
    assert keys(ALONE.replace("few", "less").replace('"Small"', '"Tiny"').replace("[sources]", "[sources]\n")) == before
    assert keys(ALONE.replace("more =", 'most = "uct(simulations=99)"\nmore =', 1)) > before
    assert keys(ALONE.replace("matches = 4", "matches = 6")) > before
    assert not keys(ALONE.replace("seed = 5", "seed = 6")) & before


def test_a_run_goes_on_where_the_last_one_ended(tmp_path: Path) -> None:
    asked, store = experiment(tmp_path, ALONE), tmp_path / "a.sqlite"
    assert play_here(asked, store, most=9).tally.done == 9
    executor = Here()
    assert run(asked, store, executor).complete
    assert len(executor.submitted) == TOTAL - 9
    assert play_in_processes(asked, tmp_path / "b.sqlite").played == TOTAL
    assert contents(store) == contents(tmp_path / "b.sqlite")
    assert play_here(experiment(tmp_path, ALONE.replace("matches = 4", "matches = 5")), store).played == 7


def test_kill_9_loses_only_what_was_being_played(tmp_path: Path) -> None:
    slow = ALONE.replace("simulations=20", "simulations=4000").replace("rows=4", "rows=7")
    file, store = write(tmp_path, slow), tmp_path / "killed.sqlite"
    process = start_run(file, "--store", store, "--processes", "1")
    wait_for(lambda: count(store) >= 3, process)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = contents(store)
    assert 3 <= len(before) < TOTAL
    asked = read_experiment(file)
    assert play_in_processes(asked, store).complete
    assert contents(store).items() >= before.items()
    assert len(contents(store)) == TOTAL


def test_entrants_that_are_the_same_search_share_matches(tmp_path: Path) -> None:
    twice = resolve(read_document(write(tmp_path, ALONE.replace("uct(simulations=20)", "uct(simulations=2)"))))
    stopped = play_here(twice, tmp_path / "a.sqlite")
    assert (stopped.played, stopped.tally.done, stopped.complete) == (TOTAL, TOTAL, True)
    assert len(contents(tmp_path / "a.sqlite")) == 16


def test_how_far_long_matches_are_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["treewise.lab.run"], "_LOOK", 0.05)
    long = (
        ALONE.replace("uct(simulations=2)", "mcts(limit=seconds(0.05))")
        .replace("rows=4", "rows=8")
        .replace("matches = 4", "matches = 1")
    )
    seen: list[int] = []
    executor = LocalExecutor(1)
    try:
        run(experiment(tmp_path, long), tmp_path / "a.sqlite", executor, report=lambda tally: seen.append(tally.steps))
    finally:
        executor.close()
    assert any(one < other for one, other in pairwise(seen))
    assert max(seen) <= 64


# ---- endings


def test_what_a_match_alone_ends_with() -> None:
    assert [Ending((returns,), 3.0).result for returns in (1e7 + 3, 3.0, 3 - 1e7)] == ["won", "neither", "lost"]
    assert Ending((0.0,), 3.0, cut=True).result == "neither"
    assert (Ending((12.0,)).result, Ending((12.0,)).points) == ("", 12.0)
    assert [Ending((1e7 + score,), score).points for score in (-2.0, 0.0, 0.5, 7.0)] == [1.0, 1.0, 0.5, 7.0]
    assert [Ending((score - 1e7,), score).points for score in (-2.0, 0.0)] == [-2.0, 0.0]


def test_the_score_of_a_state_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    def state(players: int, capabilities: list[str]) -> Any:
        game = SimpleNamespace(num_players=players, capabilities=capabilities)
        return SimpleNamespace(game=game, score=lambda: 7)

    assert final_score(state(1, ["rewards", "score"])) == 7.0
    assert final_score(state(1, ["rewards"])) is None
    assert final_score(state(2, ["score"])) is None
    game, searches = "same_game(rows=3, columns=3)", [parse_search("uct(simulations=3)")]
    assert play_match(game, searches).score is None
    monkeypatch.setattr(match_module, "final_score", lambda end: end.returns()[0] + 1)
    record = play_match(game, searches)
    assert record.score == record.returns[0] + 1


class Scripted(Here):
    """Ends matches as a list of (returns, score) says, without playing them."""

    def __init__(self, endings: list[tuple[float, float]]) -> None:
        super().__init__()
        self.endings = endings

    def results(self, timeout: float) -> list[Result]:
        match = self.queue.pop(0)
        returns, score = self.endings[len(self.submitted) - len(self.queue) - 1]
        played = play(replace(match, game="same_game(rows=3, columns=3)"))
        assert isinstance(played, FinishedMatch)
        record = replace(played.record, returns=(returns,), score=score)
        return [replace(played, planned=match, record=record)]


ONE = """
name = "one"
pairing = "alone"
matches = 4
entrants = { A = "uct(simulations=2)" }
[[games]]
game = "same_game(rows=3, columns=3)"
"""


@pytest.fixture
def scripted(tmp_path: Path) -> Path:
    """Won with 5 points, won with none, lost with 2, neither with 3."""
    store, told = tmp_path / "one.sqlite", list[str]()

    def report(tally: Tally) -> None:
        told.append(tally.latest.standing if tally.latest else "")

    executor = Scripted([(1e7 + 5, 5.0), (1e7, 0.0), (2 - 1e7, 2.0), (3.0, 3.0)])
    run(experiment(tmp_path, ONE), store, executor, report=report)
    assert told == ["", "A won 100.0 % of 1", "A won 100.0 % of 2", "A won 66.7 % of 3", "A won 50.0 % of 4"]
    return store


def test_endings_come_back_from_the_store(scripted: Path) -> None:
    played = load(scripted).cells[0].played
    assert [match.result for match in played] == ["won", "won", "lost", "neither"]
    assert [match.points for match in played] == [5.0, 1.0, 2.0, 3.0]
    assert [match.score for match in played] == [1.0, 1.0, 0.0, 0.0]
    with Store(scripted) as opened:
        assert [ending.score for ending in opened.endings().values()] == [5.0, 0.0, 2.0, 3.0]
        assert [stored.record.score for stored in opened.matches()] == [5.0, 0.0, 2.0, 3.0]
        with opened.database.reading() as db:
            (key,) = db.execute("SELECT key FROM match ORDER BY id").fetchone()
            assert opened.find(db, key) == Ending((1e7 + 5,), 5.0)
            assert opened.find(db, bytes(32)) is None


def test_a_store_of_before_scores_is_read_and_continued(tmp_path: Path) -> None:
    asked, store = experiment(tmp_path, ONE), tmp_path / "old.sqlite"
    play_here(asked, store, most=2)
    db = sqlite3.connect(store)
    for column in ("score", "digest"):
        db.execute(f"ALTER TABLE match DROP COLUMN {column}")
    db.execute("ALTER TABLE experiment DROP COLUMN digest")
    db.execute("DROP TABLE replay")
    db.execute("PRAGMA user_version = 1")
    db.commit()
    db.close()
    with Store(store) as opened:
        assert [ending.score for ending in opened.endings().values()] == [None, None]
    assert [match.result for match in load(store).cells[0].played] == ["", ""]
    run(asked, store, Scripted([(1e7, 1.0), (2.0, 2.0)]))
    assert [match.result for match in load(store).cells[0].played] == ["", "", "won", "neither"]
    db = sqlite3.connect(store)
    assert db.execute("PRAGMA user_version").fetchone() == (SCHEMA,)
    with pytest.raises(sqlite3.IntegrityError, match="immutable"):
        db.execute("UPDATE match SET score = 9")
    db.close()


def test_a_definition_of_before_is_read(tmp_path: Path) -> None:
    paired = '[entrants]\nA = "uct"\nB = "uct(c=1.0)"\n[[games]]\ngame = "tic_tac_toe"\n'
    asked = experiment(tmp_path, 'name = "x"\nmatches = 2\nbudgets = { few = "simulations(2)" }\n' + paired)
    store = tmp_path / "x.sqlite"
    play_here(asked, store)
    db = sqlite3.connect(store)
    remove = "json_remove(definition, '$.base', '$.sources', '$.published', '$.cells[0].part')"
    db.execute("DROP TRIGGER experiment_update")
    db.execute(f"UPDATE experiment SET digest = NULL, definition = {remove}")
    db.commit()
    db.close()
    with Store(store) as opened:
        assert opened.experiment("x") == asked


# ---- the command line


def test_status_and_export(scripted: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = printed(capsys, "status", str(scripted))
    assert "50.0 %" in status
    assert "2.8" in status  # 5, 1, 2 and 3 points
    assert "4 of 4 matches are finished." in status
    printed(capsys, "export", str(scripted), "--output", str(tmp_path / "one.csv"))
    with (tmp_path / "one.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(row["result"], row["score"], row["returns_a"]) for row in rows] == [
        ("won", "5.0", "10000005.0"),
        ("won", "1.0", "10000000.0"),
        ("lost", "2.0", "-9999998.0"),
        ("neither", "3.0", "3.0"),
    ]
    assert not {"b", "b_text", "seats", "moves_b"} & set(rows[0])
    pytest.importorskip("pyarrow")
    printed(capsys, "export", str(scripted), "--output", str(tmp_path / "one.parquet"))


def test_status_puts_the_games_of_a_row_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, ALONE)
    printed(capsys, "run", str(file), "--processes", "1", "--most", "8", "--games", "Small")
    rows = [line.split("│") for line in printed(capsys, "status", str(file)).splitlines() if line.startswith("│")]
    assert [[cell.strip() for cell in row[1:5]] for row in rows] == [
        ["Small", "few", "4", "12"],
        ["Small", "more", "4", "12"],
        ["Wide", "few", "0", "4"],
    ]


def test_games_may_be_files_in_a_folder_of_the_user(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = (
        "(role me) (init (left 2)) (legal me go) (<= (next (left 1)) (true (left 2))) (<= (next done) (true (left 1)))"
    )
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "mine.kif").write_text(f"{sheet} (<= terminal (true done)) (goal me 70)", encoding="utf-8")
    text = ONE.replace("same_game(rows=3, columns=3)", "gdl(path='mine.kif')").replace(
        "matches", 'folder = "HERE"\nmatches'
    )
    file = write(tmp_path, text)
    assert main(["lab", "run", str(file), "--processes", "1"]) == 2
    assert "name their folder by --folder or HERE" in capsys.readouterr().err
    before = os.getcwd()
    printed(capsys, "run", str(file), "--processes", "1", "--folder", str(tmp_path / "files"))
    assert os.getcwd() == before
    outcome = load(tmp_path / "small.sqlite").cells[0]
    assert "path='mine.kif'" in outcome.cell.game
    assert [match.points for match in outcome.played] == [70.0] * 4


def test_the_example_is_the_one_in_the_documentation(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    example = (root / "examples" / "experiments" / "alone.toml").read_text(encoding="utf-8")
    assert f"```toml\n{example}```" in (root / "docs" / "lab.md").read_text(encoding="utf-8")
    assert len(experiment(tmp_path, example).cells) == 6
