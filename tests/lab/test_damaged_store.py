"""Stores that are damaged, of an older version, or none: what is read is what was written, or an error says so."""

from __future__ import annotations

import random
import shutil
import sqlite3
from pathlib import Path

import pytest
from small_experiments import SMALL, Here, contents, damage_of, experiment, play_here

from treewise.lab import StoreError, load, run
from treewise.lab.database import SCHEMA
from treewise.lab.rescue import Rescued, rescue
from treewise.lab.store import Store


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    store = tmp_path / "small.sqlite"
    play_here(experiment(tmp_path), store, source=SMALL)
    return store


def test_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no such store"):
        load(tmp_path / "none.sqlite")
    assert not (tmp_path / "none.sqlite").exists()
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(tmp_path / "none" / "a.sqlite", write=True)


@pytest.mark.parametrize("write", [False, True])
def test_not_a_database(tmp_path: Path, write: bool) -> None:
    file = tmp_path / "a.sqlite"
    file.write_bytes(b"name = 'an experiment file, not a store'\n" * 100)
    before = file.read_bytes()
    with pytest.raises(StoreError, match="not a Treewise store"):
        Store(file, write)
    assert file.read_bytes() == before


@pytest.mark.parametrize("write", [False, True])
def test_another_program_s_database(tmp_path: Path, write: bool) -> None:
    file = tmp_path / "a.sqlite"
    db = sqlite3.connect(file)
    db.execute("CREATE TABLE recipe (text)")
    db.close()
    before = file.read_bytes()
    with pytest.raises(StoreError, match="another program's database"):
        Store(file, write)
    assert file.read_bytes() == before


@pytest.mark.parametrize("write", [False, True])
def test_newer_schema(filled: Path, write: bool) -> None:
    db = sqlite3.connect(filled)
    db.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    db.close()
    message = rf"written by a newer Treewise \(schema {SCHEMA + 1}, this one knows {SCHEMA}\): upgrade"
    with pytest.raises(StoreError, match=message):
        Store(filled, write)


def test_an_empty_file_is_a_new_store(tmp_path: Path) -> None:
    file = tmp_path / "a.sqlite"
    file.touch()
    with pytest.raises(StoreError, match="nothing has been stored"):
        Store(file)
    with Store(file, write=True) as store:
        assert store.names() == []


@pytest.mark.parametrize("emptied", [True, False])
def test_a_log_that_has_lost_its_file_is_kept(tmp_path: Path, emptied: bool) -> None:
    young, lost = tmp_path / "young.sqlite", tmp_path / "lost.sqlite"
    with Store(young, write=True) as store:
        store.save(experiment(tmp_path), SMALL)
        content = young.read_bytes()
        log = shutil.copy(f"{young}-wal", f"{lost}-wal")  # as `kill -9` leaves it
    before = Path(log).read_bytes()
    if emptied:
        lost.touch()
    for write in (True, False) if emptied else (True,):
        with pytest.raises(StoreError, match=r"its log lost\.sqlite-wal has records; both were left as they are"):
            Store(lost, write=write)
    assert Path(log).read_bytes() == before
    lost.write_bytes(content)
    with Store(lost) as store:
        assert store.names() == ["small"]


def test_a_young_store_says_what_it_is_without_its_log(tmp_path: Path) -> None:
    with Store(tmp_path / "young.sqlite", write=True) as store:
        store.save(experiment(tmp_path), SMALL)
        copy = shutil.copy(tmp_path / "young.sqlite", tmp_path / "copy.sqlite")
    with Store(copy) as store:
        assert store.names() == []


def test_damaged_pages_are_found_before_anything_is_written(tmp_path: Path) -> None:
    file = tmp_path / "a.sqlite"
    asked = experiment(tmp_path, SMALL.replace("matches = 6", "matches = 40"))
    play_here(asked, file)
    content = bytearray(file.read_bytes())
    content[4096 : len(content) - 4096] = b"\xa5" * (len(content) - 8192)
    file.write_bytes(content)
    with pytest.raises(StoreError, match=r"the file is damaged .* rescue what is readable"):
        play_here(asked, file)
    with pytest.raises(StoreError, match="the file is damaged"):
        load(file)
    assert file.read_bytes() == content


def test_half_a_file_is_damaged(tmp_path: Path, filled: Path) -> None:
    content = filled.read_bytes()
    filled.write_bytes(content[: len(content) // 2])
    with pytest.raises(StoreError, match="the file is damaged"):
        play_here(experiment(tmp_path), filled)
    assert filled.read_bytes() == content[: len(content) // 2]


def test_a_folder_without_room_for_the_log_can_be_read(filled: Path) -> None:
    before = contents(filled)
    Path(f"{filled}-shm").mkdir()  # where SQLite would put the index of the log
    assert contents(filled) == before
    with pytest.raises(StoreError):
        Store(filled, write=True)


UNCHECKED = [  # as stores of before have it
    ("UPDATE experiment SET definition = replace(definition, '\"name\":', '\"nimm\":')", "unexpected keyword argument"),
    ("UPDATE experiment SET definition = substr(definition, 2)", "the file is damaged"),
    ("UPDATE experiment SET definition = replace(definition, '\"b_text\":', '\"b_tent\":')", "b_text"),
]
DAMAGES = [
    *((change.replace("SET", "SET digest = NULL,"), message) for change, message in UNCHECKED),
    (
        "UPDATE experiment SET definition = replace(definition, '\"seed\": 3', '\"seed\": 4')",
        "experiment 1: it is not what its digest says",
    ),
    ("UPDATE experiment SET stored = stored + 1", "experiment 1: it is not what its digest says"),
    (
        "UPDATE match SET actions = CAST(substr(actions, 1, length(actions) - 1) || x'00' AS BLOB) WHERE id = 2",
        "match 2",
    ),
    ("UPDATE match SET actions = substr(actions, 2) WHERE id = 5", "match 5: "),
    ("UPDATE match SET actions = x'' WHERE id = 4", "match 4: "),
    ("UPDATE match SET game = 77 WHERE id = 4", "match 4: it is not what its key says"),
    ("UPDATE match SET origin = 77 WHERE id = 4", "match 4: its origin is not there"),
    ("UPDATE seat SET match = 77 WHERE match = 6 AND player = 1", "match 6: it is not what its key says"),
    ("INSERT INTO seat VALUES (77, 0, 1, 1.0, 1, 1, 1.0)", "match 77: it has seats, and is not there"),
    ("UPDATE seat SET search = 77", "KeyError: 77"),
    ("DELETE FROM seat", "the file is damaged"),
    ("UPDATE search SET text = replace(text, 'c=', 'c=1')", "it is not what its hash says"),
    ("UPDATE match SET seed = seed + 1 WHERE id = 3", "match 3: it is not what its key says"),
    ("UPDATE seat SET returns = -returns WHERE match = 2", "it is not what its digest says"),
    ("UPDATE seat SET seconds = seconds + 1e-9 WHERE match = 1 AND player = 1", "it is not what its digest says"),
    (
        "UPDATE seat SET simulations = simulations + 1 WHERE match = 4 AND player = 0",
        "match 4: it is not what its digest",
    ),
    ("UPDATE seat SET moves = moves - 1 WHERE match = 2 AND player = 0", "it is not what its digest says"),
    ("UPDATE match SET length = length + 1 WHERE id = 1", "it is not what its digest says"),
    ("UPDATE match SET cut = 1 - cut WHERE id = 3", "it is not what its digest says"),
    ("UPDATE match SET score = 0 WHERE id = 3", "it is not what its digest says"),
    ("UPDATE match SET finished = finished + 1 WHERE id = 3", "it is not what its digest says"),
    ("UPDATE origin SET machine = upper(machine) || '!'", "it is not what its digest says"),
    ("UPDATE game SET text = CAST(x'ff' AS TEXT) WHERE id = 1", "decode"),
]


@pytest.mark.parametrize(("change", "message"), DAMAGES)
def test_records_that_make_no_sense_are_damaged(filled: Path, change: str, message: str) -> None:
    damage_of(filled, change)
    with pytest.raises(StoreError, match=r"small\.sqlite: the file is damaged \(.*\); it was left as it is") as error:
        load(filled)
    assert message in str(error.value)


@pytest.mark.parametrize("change", [change for change, _ in DAMAGES[:-1]])
def test_what_is_sound_is_rescued_and_the_rest_played_again(tmp_path: Path, filled: Path, change: str) -> None:
    """The new store ends as the old one was before it was damaged."""
    before, asked, rescued = contents(filled), experiment(tmp_path), tmp_path / "rescued.sqlite"
    damage_of(filled, change)
    if not change.startswith("UPDATE experiment"):
        with pytest.raises(StoreError, match="the file is damaged"):
            play_here(asked, filled, source=SMALL)
    content = filled.read_bytes()
    found = rescue(filled, rescued)
    assert filled.read_bytes() == content
    assert found.left
    assert contents(rescued).items() <= before.items()
    assert len(contents(rescued)) == found.matches
    assert play_here(asked, rescued, source=SMALL).played == len(before) - found.matches
    assert contents(rescued) == before
    assert rescue(rescued, tmp_path / "again.sqlite") == Rescued(len(before), ())


def test_one_bit_anywhere_is_noticed_or_changes_nothing(tmp_path: Path, filled: Path) -> None:
    """Whatever reads the file: reports, and runs."""
    asked, before, told = experiment(tmp_path), contents(filled), load(filled)
    content, rng = filled.read_bytes(), random.Random(11)
    noticed = 0
    for _ in range(250):
        damaged = bytearray(content)
        damaged[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        filled.write_bytes(damaged)
        try:
            assert load(filled) == told
            assert contents(filled) == before
            assert play_here(asked, filled, source=SMALL).played == 0
            assert contents(filled) == before
        except StoreError:
            noticed += 1
        for ending in ("-wal", "-shm"):
            Path(f"{filled}{ending}").unlink(missing_ok=True)
    assert noticed > 25, "most of a young store is empty"


def test_a_run_checks_what_others_have_recorded(tmp_path: Path, filled: Path) -> None:
    """Also what it looks up one by one."""
    asked = experiment(tmp_path)
    with Store(filled, write=True) as store:
        damage_of(filled, "UPDATE seat SET returns = -returns WHERE match = 2")
        with pytest.raises(StoreError, match="match 2: it is not what its digest says"):
            run(asked, store, Here())
        with pytest.raises(StoreError, match="match 2: it is not what its digest says"):
            store.endings()


def damage_index(store: Path) -> None:
    """One bit of a key, where the index has it: what the table has is not found there."""
    db = sqlite3.connect(store)
    (page,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_match_1'").fetchone()
    (size,), (key,) = (db.execute(query).fetchone() for query in ("PRAGMA page_size", "SELECT max(key) FROM match"))
    db.close()
    content = bytearray(store.read_bytes())
    place = content.index(key, (page - 1) * size, page * size)
    content[place] ^= 0x01
    store.write_bytes(content)


def test_a_damaged_index_does_not_let_a_match_be_recorded_twice(tmp_path: Path, filled: Path) -> None:
    before, asked = contents(filled), experiment(tmp_path)
    damage_index(filled)
    content = filled.read_bytes()
    message = r"the file is damaged \(.*sqlite_autoindex_match_1.*\); it was left as it is\. `treewise lab rescue"
    with pytest.raises(StoreError, match=message):
        play_here(asked, filled)
    assert filled.read_bytes() == content
    assert rescue(filled, tmp_path / "sound.sqlite") == Rescued(len(before), ())
    assert play_here(asked, tmp_path / "sound.sqlite").played == 0
    assert contents(tmp_path / "sound.sqlite") == before


def test_a_match_that_was_recorded_twice_is_counted_once(tmp_path: Path, filled: Path) -> None:
    """As it could happen before indexes were checked."""
    before = contents(filled)
    damage_index(filled)
    db = sqlite3.connect(filled)
    columns = "key, game, seed, opening, reuse, length, cut, actions, origin, finished, score, digest"
    db.execute(f"INSERT INTO match ({columns}) SELECT {columns} FROM match NOT INDEXED ORDER BY key DESC LIMIT 1")
    (last,) = db.execute("SELECT max(id) FROM match").fetchone()
    (first,) = db.execute("SELECT id FROM match NOT INDEXED ORDER BY key DESC LIMIT 1").fetchone()
    rest = "player, search, returns, moves, simulations, seconds"
    db.execute(f"INSERT INTO seat SELECT {last}, {rest} FROM seat WHERE match = {first}")
    db.commit()
    db.close()
    with pytest.raises(StoreError, match=f"match {last}: its key is there twice"):
        load(filled)
    assert rescue(filled, tmp_path / "sound.sqlite").left == (f"match {last}: its key is there twice",)
    assert contents(tmp_path / "sound.sqlite") == before


def test_nothing_is_rescued_over_another_file(tmp_path: Path, filled: Path) -> None:
    other = tmp_path / "other.sqlite"
    other.write_text("precious")
    with pytest.raises(StoreError, match="is there already"):
        rescue(filled, other)
    assert other.read_text() == "precious"
    with pytest.raises(StoreError, match="there is no such store"):
        rescue(tmp_path / "none.sqlite", tmp_path / "new.sqlite")
    assert not (tmp_path / "new.sqlite").exists()


@pytest.mark.parametrize("write", [False, True])
def test_what_is_no_file_is_no_store(tmp_path: Path, write: bool) -> None:
    for path in (Path("/dev/null"), tmp_path):
        with pytest.raises(StoreError, match=r"name a store|there is no such store"):
            Store(path, write=write)
    assert not Path("/dev/null-journal").exists()


def test_an_empty_database_of_another_program_is_not_taken(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "other.sqlite")
    other.execute("PRAGMA application_id = 77")
    other.execute("PRAGMA user_version = 77")
    other.close()
    with pytest.raises(StoreError, match="another program's database"):
        Store(tmp_path / "other.sqlite", write=True)


def test_a_store_of_before_digests_is_read_and_continued(tmp_path: Path) -> None:
    asked, store = experiment(tmp_path), tmp_path / "old.sqlite"
    play_here(asked, store, most=2)
    db = sqlite3.connect(store)
    for table in ("match", "experiment"):
        db.execute(f"ALTER TABLE {table} DROP COLUMN digest")
    db.execute("DROP TABLE replay")
    db.execute("PRAGMA user_version = 2")
    db.close()
    before = contents(store)
    assert len(before) == 2
    play_here(asked, store)
    after = contents(store)
    assert before.items() < after.items()
    db = sqlite3.connect(store)
    digests = [digest for (digest,) in db.execute("SELECT digest FROM match ORDER BY id")]
    db.close()
    assert digests[:2] == [None, None]
    assert None not in digests[2:]


def test_a_damaged_schema_is_named(filled: Path) -> None:
    content = bytearray(filled.read_bytes())
    content[content.index(b"CREATE TABLE game") + 3] = 0xFF
    filled.write_bytes(content)
    for write in (False, True):
        with pytest.raises(StoreError, match="the file is damaged"):
            Store(filled, write=write)
    assert filled.read_bytes() == content


def test_every_name_is_that_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    play_here(experiment(tmp_path), Path(":memory:"), most=2)
    assert (tmp_path / ":memory:").stat().st_size > 0
    assert sum(len(cell.played) for cell in load(":memory:").cells) == 2
