"""Archives: everything of a store in one small file of columns, and a store again."""

from __future__ import annotations

import io
import json
import random
import shutil
import sqlite3
import zipfile
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_experiments import ALONE, SMALL, experiment, play_here, printed, write

from treewise.cli import main
from treewise.lab import StoreError, load
from treewise.lab.archive import Archive, import_archive, write_archive
from treewise.lab.executor import play
from treewise.lab.schedule import PlannedMatch
from treewise.lab.store import Store


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two experiments, one of them asked twice, joint actions and three players."""
    folder = tmp_path_factory.mktemp("archive")
    file = folder / "small.sqlite"
    more = SMALL.replace("matches = 6", "matches = 8")
    for text in (SMALL, ALONE, more):
        play_here(experiment(folder, text), file, source=text)
    with Store(file, write=True) as opened, opened.database.transaction() as db:
        for game, players in (("goofspiel(cards=3)", 2), ("pig(players=3, goal=10)", 3)):
            assert opened.record(db, play(PlannedMatch(game, ("uct(simulations=5)",) * players, 1, 0, False)))  # type: ignore[arg-type]
    return file


@pytest.fixture(scope="module")
def archive(store: Path) -> Path:
    file = store.with_name("whole.npz")
    write_archive(store, file)
    return file


def rows(store: Path) -> list[list[tuple[Any, ...]]]:
    """Every table as the file has it, but for the numbers of its texts."""
    db = sqlite3.connect(store)
    columns = "key, text, seed, opening, reuse, length, cut, actions, version, machine, finished, score, digest"
    queries = [
        f"SELECT match.id, {columns} FROM match, game, origin WHERE game.id = game AND origin.id = origin ORDER BY 1",
        "SELECT match, player, text, hash, returns, moves, simulations, seconds FROM seat, search WHERE id = search",
        "SELECT * FROM experiment ORDER BY id",
    ]
    found = [db.execute(query).fetchall() for query in queries]
    db.close()
    found[1].sort()
    return found


def test_an_archive_gives_the_same_store(store: Path, archive: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.sqlite"
    count = import_archive(archive, again)
    (matches, seats, asked), found = rows(store), rows(again)
    assert count == len(matches) == 48 + 28 + 2
    for ours, theirs in zip(found, (matches, seats, asked), strict=True):
        for one, other in zip(ours, theirs, strict=True):
            assert one == other
    assert not [row for row in matches if row[-1] is None], "every record has its digest"
    assert {name for _, name, *_ in asked} == {"small", "alone"}
    assert len(asked) == 3


def test_keys_and_digests_are_not_in_it(store: Path, archive: Path) -> None:
    with zipfile.ZipFile(archive) as file:
        content = b"".join(file.read(name) for name in file.namelist())
    for _, key, *_, digest in rows(store)[0]:
        assert key not in content
        assert digest not in content


def test_records_of_before_digests_get_them(store: Path, tmp_path: Path) -> None:
    old = Path(shutil.copy(store, tmp_path / "old.sqlite"))
    db = sqlite3.connect(old)
    for table in ("match", "experiment"):
        db.execute(f"ALTER TABLE {table} DROP COLUMN digest")
    db.execute("PRAGMA user_version = 2")
    db.close()
    write_archive(old, tmp_path / "old.npz")
    import_archive(tmp_path / "old.npz", tmp_path / "new.sqlite")
    assert rows(tmp_path / "new.sqlite") == rows(store)


def test_the_same_matches_make_the_same_file(store: Path, archive: Path, tmp_path: Path) -> None:
    import_archive(archive, tmp_path / "again.sqlite")
    for number, source in enumerate((store, archive, tmp_path / "again.sqlite")):
        write_archive(source, tmp_path / f"{number}.npz")
        assert (tmp_path / f"{number}.npz").read_bytes() == archive.read_bytes()


def test_numpy_reads_the_columns(store: Path, archive: Path) -> None:
    with np.load(archive) as columns, Store(store) as opened:
        matches = list(opened.matches())
        assert columns["length"].tolist() == [each.record.length for each in matches]
        assert columns["seconds"].tolist() == [spent for each in matches for spent in each.record.seconds]


def test_an_archive_is_read_as_its_store_is(store: Path, archive: Path, tmp_path: Path, capsys: Any) -> None:
    for action in ("status", "report"):
        shown = [printed(capsys, action, str(file), "--experiment", "small") for file in (store, archive)]
        assert shown[0] == shown[1]
    for number, file in enumerate((store, archive)):
        printed(capsys, "export", str(file), "--experiment", "alone", "--output", str(tmp_path / f"{number}.csv"))
    assert (tmp_path / "0.csv").read_bytes() == (tmp_path / "1.csv").read_bytes()
    said = printed(capsys, "compare", str(store), str(archive), "--experiment", "small")
    assert "+0.0" in said


def test_the_archive_of_an_experiment_file_is_found(archive: Path, tmp_path: Path, capsys: Any) -> None:
    file = write(tmp_path, SMALL.replace("matches = 6", "matches = 8"))
    shutil.copy(archive, tmp_path / "small.npz")
    assert "48 of 48 matches are finished" in printed(capsys, "status", str(file))
    assert main(["lab", "run", str(file)]) == 2
    error = capsys.readouterr().err
    assert "small.sqlite is not there, but its archive small.npz is: `treewise lab import" in error
    assert not (tmp_path / "small.sqlite").exists()
    said = printed(capsys, "import", str(tmp_path / "small.npz"))
    assert said == f"78 matches copied to {tmp_path / 'small.sqlite'}\n"
    assert printed(capsys, "run", str(file)).startswith("0 matches played; 48 of 48")
    before = (tmp_path / "small.npz").read_bytes()
    printed(capsys, "export", str(file), "--full")
    assert (tmp_path / "small.npz").read_bytes() == before


def test_an_archive_is_not_played_on(archive: Path, tmp_path: Path, capsys: Any) -> None:
    before = archive.read_bytes()
    for arguments in (["run", str(write(tmp_path)), "--store", str(archive)], ["rescue", str(archive), "new.sqlite"]):
        assert main(["lab", *arguments]) == 2
        error = capsys.readouterr().err
        assert "whole.npz is an archive, which is only read: `treewise lab import` makes a store of it" in error
    assert archive.read_bytes() == before


def same(one: list[Any], other: list[Any]) -> bool:
    return [*map(astuple, one)] == [*map(astuple, other)]


def test_damage_is_found_wherever_it_is(archive: Path, tmp_path: Path) -> None:
    """What is read is what was written, or there is one error and no store; the file is left as it was."""
    content, file, target = archive.read_bytes(), tmp_path / "damaged.npz", tmp_path / "new.sqlite"
    with Archive(archive) as whole:
        matches, asked = list(whole.written()), whole.asked()
    rng = random.Random(4)
    places = sorted({*range(0, 64), *range(len(content) - 64, len(content)), *rng.sample(range(len(content)), 300)})
    noticed = 0
    for place in places:
        damaged = bytearray(content)
        damaged[place] ^= 1 << rng.randrange(8)
        file.write_bytes(damaged)
        error = None
        try:
            with Archive(file) as opened:
                assert same(list(opened.written()), matches)
                assert same(opened.asked(), asked)
        except StoreError as found:
            error = str(found)
        if error is not None:
            noticed += 1
            assert "is not a whole archive of matches" in error
            assert "\n" not in error
            with pytest.raises(OSError, match="is not a whole archive"):
                import_archive(file, target)
        assert not target.exists()
        assert file.read_bytes() == damaged
    assert noticed > len(places) / 2


@pytest.mark.parametrize("kept", [0.0, 0.1, 0.5, 0.99])
def test_a_part_of_a_file_is_refused(archive: Path, tmp_path: Path, kept: float) -> None:
    content, file = archive.read_bytes(), tmp_path / "part.npz"
    file.write_bytes(content[: int(kept * len(content))])
    with pytest.raises(StoreError, match=r"part\.npz is not a whole archive of matches \(.*\); it was left as it is"):
        load(file)


def foreign() -> dict[str, bytes]:
    arrays, other = io.BytesIO(), io.BytesIO()
    np.savez(arrays, length=np.arange(3))
    with zipfile.ZipFile(other, "w") as file:
        file.writestr("texts.json", "[]")
    return {"text": b"name = 'an experiment file'\n", "arrays": arrays.getvalue(), "another list": other.getvalue()}


@pytest.mark.parametrize(("content"), foreign().values(), ids=foreign())
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    file, target = tmp_path / "a.npz", tmp_path / "a.sqlite"
    file.write_bytes(content)
    with pytest.raises(StoreError, match="is not a whole archive of matches"):
        import_archive(file, target)
    assert not target.exists()


def changed(archive: Path, target: Path, **changes: Any) -> Path:
    """An archive with some of its members replaced, whole in itself."""
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            change = changes.get(name.partition(".")[0].replace("/", "_"))
            if change and name.endswith(".npy"):
                packed = io.BytesIO()
                np.save(packed, change(np.load(io.BytesIO(content))))
                content = packed.getvalue()
            elif change:
                content = json.dumps(change(json.loads(content))).encode()
            new.writestr(name, content)
    return target


CHANGES = [
    {"length": lambda values: values[1:]},
    {"returns": lambda values: values[1:]},
    {"returns": lambda values: np.append(values, 0.5)},
    {"actions_0": lambda values: values[1:]},
    {"actions_1": lambda values: np.append(values, 1)},
    {"players": lambda values: values * 2},
    {"game": lambda values: values + 100},
    {"origin": lambda values: values.astype(object).astype(str)},
    {"texts": lambda texts: texts | {"format": "treewise matches 9"}},
    {"texts": lambda texts: {"format": texts["format"]}},
]


@pytest.mark.parametrize("change", CHANGES, ids=[next(iter(change)) for change in CHANGES])
def test_columns_that_do_not_fit_are_refused(archive: Path, tmp_path: Path, change: Any) -> None:
    file = changed(archive, tmp_path / "a.npz", **change)
    with pytest.raises(OSError, match="is not a whole archive of matches") as error:
        import_archive(file, tmp_path / "a.sqlite")
    assert "\n" not in str(error.value)
    assert not (tmp_path / "a.sqlite").exists()


def test_nothing_is_written_over(store: Path, archive: Path, tmp_path: Path, capsys: Any) -> None:
    other = tmp_path / "other.sqlite"
    other.write_text("precious")
    with pytest.raises(StoreError, match="is there already"):
        import_archive(archive, other)
    assert other.read_text() == "precious"
    with pytest.raises(ValueError, match=r"the name of an archive must end in \.npz"):
        write_archive(store, tmp_path / "a.parquet")
    with pytest.raises(ValueError, match="would overwrite what it is made of"):
        write_archive(archive, archive)
    for arguments, message in (
        (["export", str(store), "--full", "--experiment", "small"], "--experiment does not go with --full"),
        (["export", str(store), "--experiment", "small"], "say where to: --output PATH"),
        (["import", str(tmp_path / "none.npz")], "none.npz: there is no such archive"),
    ):
        assert main(["lab", *arguments]) == 2
        assert message in capsys.readouterr().err


def test_what_is_huge_when_unpacked_is_refused(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treewise.lab.archive._MOST_BYTES", 1000)
    with pytest.raises(StoreError, match="bytes when unpacked, and 1,000 are the most"):
        Archive(archive)
