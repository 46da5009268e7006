"""`treewise lab`: run, status, export, and what it says when something is wrong."""

from __future__ import annotations

import csv
import itertools
import re
import shutil
import sqlite3
import sys
from pathlib import Path

import pytest

from treewise.cli import lab_run, main
from treewise.cli.output import in_words
from treewise.extras import how_to_install
from treewise.lab import load, read_experiment
from treewise.lab.written import replacing

EXAMPLE = Path(__file__).parents[2] / "examples" / "experiments" / "small.toml"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, run as its page says."""
    file = Path(shutil.copy(EXAMPLE, tmp_path_factory.mktemp("lab")))
    assert main(["lab", "run", str(file), "--processes", "2"]) == 0
    return file


def test_the_example_is_played(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = load(played.with_suffix(".sqlite"))
    assert [len(each.played) for each in outcome.cells] == [each.cell.matches for each in outcome.cells]
    assert main(["lab", "run", str(played)]) == 0
    assert capsys.readouterr().out == f"0 matches played; 210 of 210 are in {played.with_suffix('.sqlite')}\n"


def test_part_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    store = tmp_path / "a store.sqlite"
    arguments = ["lab", "run", str(EXAMPLE), "--store", str(store), "--processes", "1", "--most", "5"]
    arguments += ["--games", "Tic-tac-toe", "--budget", "few"]
    monkeypatch.setattr(sys, "argv", ["treewise", *arguments])
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert f"5 matches played; 5 of 60 are in {store}" in out
    assert f"To go on: treewise lab run {EXAMPLE} --store '{store}' --processes 1" in out
    found = {(each.cell.game_label, each.cell.budget) for each in load(store).cells if each.played}
    assert found == {("Tic-tac-toe", "few")}
    assert main(["lab", "status", str(store)]) == 0
    status = capsys.readouterr().out
    assert "5 of 210 matches are finished. Left: more than" in status
    assert "?" in status


def test_resume_is_another_name_of_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = Path(shutil.copy(EXAMPLE, tmp_path))
    for action, done in (("run", 5), ("resume", 10)):
        assert main(["lab", action, str(file), "--processes", "1", "--most", "5"]) == 0
        assert f"5 matches played; {done} of 210 are in" in capsys.readouterr().out


@pytest.mark.parametrize("suffix", [".toml", ".sqlite"])
def test_status(played: Path, capsys: pytest.CaptureFixture[str], suffix: str) -> None:
    assert main(["lab", "status", str(played.with_suffix(suffix))]) == 0
    out = capsys.readouterr().out
    assert "Do a solver and MAST help" in out
    assert "210 of 210 matches are finished.\n" in out
    rate = load(played.with_suffix(".sqlite")).cells[0].played
    assert f"{100 * sum(each.score for each in rate) / len(rate):.1f} %" in out


def test_status_tells_of_runs_and_versions(tmp_path: Path, played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from treewise.lab.claims import Claims
    from treewise.lab.schedule import schedule
    from treewise.lab.store import Store

    store = Path(shutil.copy(played.with_suffix(".sqlite"), tmp_path))
    with Store(store, write=True) as opened:
        with opened.database.transaction() as db:
            db.execute("DROP TRIGGER origin_update")
            db.execute("INSERT INTO origin VALUES (9, '9.9.9 engine abc', '')")
            db.execute("DROP TRIGGER match_update")
            db.execute("UPDATE match SET origin = 9, digest = NULL WHERE id = 1")
        claims = Claims(opened.database)
        with opened.database.transaction() as db:
            assert claims.take(db, b"of another experiment")
            asked = load(store)
            for fixture in list(schedule((each.cell for each in asked.cells), asked.opening, asked.reuse))[:2]:
                assert claims.take(db, fixture.matches[0].key)
        assert main(["lab", "status", str(store)]) == 0
        claims.end()
    out = capsys.readouterr().out
    assert "Being played now: 2." in out
    assert "2 versions of the code: " in out
    assert "9.9.9 engine abc" in out


def test_export(tmp_path: Path, played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    for name in ("a.csv", "a.parquet"):
        assert main(["lab", "export", str(played), "--output", str(tmp_path / name)]) == 0
        assert capsys.readouterr().out == f"210 matches written to {tmp_path / name}\n"
    with (tmp_path / "a.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    table = parquet.read_table(tmp_path / "a.parquet").to_pylist()
    outcome = load(played.with_suffix(".sqlite"))
    expected = [(each.cell, match) for each in outcome.cells for match in each.played]
    assert len(rows) == len(table) == len(expected) == 210
    assert [row["key"] for row in rows] == [row["key"] for row in table]
    by_place = {(row["game_label"], row["budget"], row["a"], row["index"]): row for row in table}
    for cell, match in expected:
        row = by_place[cell.game_label, cell.budget, cell.a, match.index]
        assert (row["score"], row["length"], row["a_text"]) == (match.score, match.length, cell.a_text)
        assert (row["returns_a"], row["returns_b"]) == match.returns
        assert row["seats"] == "".join("AB"[entrant] for entrant in match.seats)
    assert rows[0]["finished"] == table[0]["finished"].isoformat()


def test_a_damaged_store_is_rescued(tmp_path: Path, played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, sound = shutil.copy(played.with_suffix(".sqlite"), tmp_path / "small.sqlite"), tmp_path / "sound.sqlite"
    db = sqlite3.connect(store)
    db.execute("DROP TRIGGER match_update")
    db.execute("UPDATE match SET length = 1 + length WHERE id = 7")
    db.commit()
    db.close()
    assert main(["lab", "run", str(played), "--store", str(store)]) == 2
    assert "the file is damaged (match 7: it is not what its digest says)" in capsys.readouterr().err
    assert main(["lab", "rescue", str(store), str(sound)]) == 0
    out = capsys.readouterr().out
    assert f"left behind: match 7: it is not what its digest says\n209 matches copied to {sound}\n" in out
    assert main(["lab", "run", str(played), "--store", str(sound), "--processes", "1"]) == 0
    assert f"1 match played; 210 of 210 are in {sound}\n" in capsys.readouterr().out


def test_a_missing_library_is_named(
    tmp_path: Path, played: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["lab", "export", str(played), "--output", str(tmp_path / "a.parquet")]) == 2
    assert how_to_install("lab") in capsys.readouterr().err


def test_two_experiments_of_one_store_are_compared(
    tmp_path: Path, played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Path(shutil.copy(played.with_suffix(".sqlite"), tmp_path / "both.sqlite"))
    later = tmp_path / "later.toml"
    later.write_text(played.read_text(encoding="utf-8").replace('name = "small"', 'name = "later"'), encoding="utf-8")
    assert main(["lab", "run", str(later), "--store", str(store)]) == 0
    capsys.readouterr()
    for arguments in (
        [str(played), str(later), "--store", str(store)],
        [str(played), str(store), "--store", str(store), "--other-experiment", "later"],
        [str(store), str(store), "--experiment", "small", "--other-experiment", "later"],
    ):
        assert main(["lab", "compare", *arguments]) == 0
        out = capsys.readouterr().out
        assert "No difference shown" in out or "Too few" in out
        assert "Only in" not in out


def test_a_changed_file_is_said(tmp_path: Path, played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = played.with_suffix(".sqlite")
    assert main(["lab", "report", str(played)]) == 0
    assert capsys.readouterr().err == ""
    changed = tmp_path / "small.toml"
    changed.write_text(played.read_text(encoding="utf-8") + "# later\n", encoding="utf-8")
    assert main(["lab", "report", str(changed), "--store", str(store)]) == 0
    assert "has changed since 'treewise lab run' last read it" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "none.toml"], "none.toml: there is no such file"),
        (["run", "EXAMPLE", "--budget", "fwe"], "unknown budget 'fwe'; did you mean 'few'?"),
        (["run", "EXAMPLE", "--games", "tic-tac-toe"], "unknown game 'tic-tac-toe'; did you mean 'Tic-tac-toe'?"),
        (["run", "EXAMPLE", "--minutes", "0"], "the minutes must be more than 0"),
        (["run", "EXAMPLE", "--minutes", "1", "--most", "1"], "not allowed with argument"),
        (["run", "EXAMPLE", "--store", "EXAMPLE"], "this is not a Treewise store, nor any SQLite database"),
        (["status", "none.sqlite"], "none.sqlite: there is no such store"),
        (["status", "STORE", "--experiment", "smal"], "no experiment 'smal'; choose one of: 'small'"),
        (["status", "STORE", "--store", "STORE"], "--store is for experiment files"),
        (["export", "STORE", "--output", "a.xlsx"], "a.xlsx: the name must end in .csv or .parquet"),
        (["export", "STORE"], "say where to: --output PATH, which ends in .csv or .parquet"),
        ([], "the following arguments are required: ACTION"),
    ],
)
def test_messages(
    played: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    places = {"EXAMPLE": shutil.copy(EXAMPLE, tmp_path), "STORE": played.with_suffix(".sqlite")}
    assert main(["lab", *(str(places.get(each, each)) for each in arguments)]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_time_left() -> None:
    assert in_words(7384) == "2 h 3 min"
    assert [in_words(each) for each in (59.6, 90_061, 0, None)] == ["1 min 0 s", "1 d 1 h", "", "?"]


def test_a_log_gets_lines_in_place_of_a_bar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = Path(shutil.copy(EXAMPLE, tmp_path))
    assert main(["lab", "run", str(file), "--processes", "1", "--most", "6"]) == 0
    assert capsys.readouterr().err == "", "nothing in the first minute"
    monkeypatch.setattr(lab_run, "_MINUTE", 0.0)
    assert main(["lab", "run", str(file), "--processes", "1", "--most", "6"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("6 of 210 matches")
    assert re.fullmatch(r"12 of 210 matches, .* left; .*, (few|more): .*", lines[-1])


def test_searches_with_threads_leave_room(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(lab_run, "cores", lambda: 8)
    file = tmp_path / "a.toml"
    for threads, processes in ((1, 8), (3, 2), (16, 1)):
        text = EXAMPLE.read_text(encoding="utf-8")
        file.write_text(text.replace("proof=solver()", f"parallel=tree(threads={threads})"), encoding="utf-8")
        assert lab_run._processes(list(read_experiment(file).cells)) == processes


@pytest.mark.parametrize("ending", ["", "-wal", "-shm"])
def test_what_a_report_is_made_of_is_not_overwritten(
    tmp_path: Path, played: Path, capsys: pytest.CaptureFixture[str], ending: str
) -> None:
    file, store = (Path(shutil.copy(played.with_suffix(suffix), tmp_path)) for suffix in (".toml", ".sqlite"))
    before = file.read_bytes(), store.read_bytes()
    (tmp_path / "link").symlink_to(store)
    outputs = [f"{store}{ending}", str(file), str(tmp_path / "link")]
    for output, action in itertools.product(outputs, (["report", str(file)], ["compare", str(file), str(store)])):
        assert main(["lab", *action, "--output", output]) == 2
        assert f"--output {output} would overwrite what it is made of" in capsys.readouterr().err
    assert (file.read_bytes(), store.read_bytes()) == before
    table = store.rename(tmp_path / "store.csv")
    assert main(["lab", "export", str(table), "--output", str(table)]) == 2
    assert table.read_bytes() == before[1]


def test_a_file_is_replaced_when_it_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "report.md"
    target.write_text("before")
    target.chmod(0o640)

    def fail() -> None:
        with replacing(target) as place:
            place.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("report.md", "before")]
    with replacing(target) as place:
        place.write_text("after")
    assert (target.read_text(), target.stat().st_mode & 0o777) == ("after", 0o640)
    assert [path.name for path in tmp_path.iterdir()] == ["report.md"]
    with replacing("/dev/null") as place:
        place.write_text("nowhere")
    assert not Path("/dev/null").is_file()
    with pytest.raises(ValueError, match="there is no folder"), replacing(tmp_path / "none" / "a.md"):
        pass
