"""Ground programs kept between processes."""

from __future__ import annotations

import os
from dataclasses import fields
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from treewise.gdl import cache, load_sheet, parse_sheet
from treewise.gdl.ground import GroundProgram
from treewise.gdl.grounder import ground
from treewise.gdl.terms import Sheet


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TREEWISE_CACHE_DIR", str(tmp_path))
    return tmp_path / "gdl"


class Maker:
    """Grounds a sheet, and counts how often it is asked to."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet, self.calls = sheet, 0

    def __call__(self) -> GroundProgram:
        self.calls += 1
        return ground(self.sheet)


def same(one: GroundProgram, two: GroundProgram) -> bool:
    return all(equal(getattr(one, field.name), getattr(two, field.name)) for field in fields(GroundProgram))


def equal(one: object, two: object) -> bool:
    if isinstance(one, np.ndarray):
        return isinstance(two, np.ndarray) and one.dtype == two.dtype and bool(np.array_equal(one, two))
    if isinstance(one, tuple) and isinstance(two, tuple):
        return len(one) == len(two) and all(map(equal, one, two))
    return one == two


@pytest.mark.parametrize("name", ["breakthrough", "hex", "kuhn_poker"])
def test_made_once(folder: Path, name: str) -> None:
    sheet = load_sheet(name)
    make = Maker(sheet)
    first = cache.kept(sheet, make, worth=0)
    again = cache.kept(sheet, make, worth=0)
    assert make.calls == 1
    assert same(first, again)
    assert len(list(folder.iterdir())) == 1


def test_what_is_quick_is_not_kept(folder: Path) -> None:
    sheet = load_sheet("tic_tac_toe")
    make = Maker(sheet)
    cache.kept(sheet, make, worth=100)
    cache.kept(sheet, make, worth=100)
    assert make.calls == 2
    assert not folder.exists()


def test_an_empty_value_turns_it_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREEWISE_CACHE_DIR", "")
    make = Maker(load_sheet("tic_tac_toe"))
    for _ in range(2):
        cache.kept(make.sheet, make, worth=0)
    assert make.calls == 2


@pytest.mark.parametrize("damage", [b"", b"x" * 40, None, "flip"])
def test_damaged_files_are_made_anew(folder: Path, damage: bytes | str | None) -> None:
    sheet = load_sheet("tic_tac_toe")
    make = Maker(sheet)
    cache.kept(sheet, make, worth=0)
    (file,) = folder.iterdir()
    data = file.read_bytes()
    if damage is None:
        file.write_bytes(data[:-5])
    elif isinstance(damage, bytes):
        file.write_bytes(damage)
    else:
        file.write_bytes(data[:50] + bytes([data[50] ^ 1]) + data[51:])
    assert same(cache.kept(sheet, make, worth=0), cache.kept(sheet, make, worth=0))
    assert make.calls == 2
    assert file.read_bytes() == data


def test_other_rules_have_other_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = parse_sheet("(role x) (init a) (legal x go) (<= terminal (true a))")
    two = parse_sheet("(role x) (init b) (legal x go) (<= terminal (true b))")
    for sheet in (one, two):
        assert same(cache.kept(sheet, Maker(sheet), worth=0), ground(sheet))
    assert len(list(folder.iterdir())) == 2
    monkeypatch.setattr(cache, "_code", lambda: b"another version")
    make = Maker(one)
    cache.kept(one, make, worth=0)
    assert make.calls == 1


def test_it_stays_small(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sheets = [parse_sheet(f"(role x) (init (at {n})) (legal x go)") for n in range(5)]
    for age, sheet in enumerate(sheets):
        cache.kept(sheet, Maker(sheet), worth=0)
        newest = max(folder.iterdir(), key=lambda path: path.stat().st_mtime)
        os.utime(newest, (1000 + age, 1000 + age))
    size = newest.stat().st_size
    left = folder / "new-left"
    left.write_bytes(b"from a process that died")
    os.utime(left, (1, 1))
    monkeypatch.setattr(cache, "MOST_BYTES", 3 * size)
    last = parse_sheet("(role x) (init (at 9)) (legal x go)")
    cache.kept(last, Maker(last), worth=0)
    assert len(list(folder.iterdir())) <= 3
    assert not left.exists()
    make = Maker(last)
    cache.kept(last, make, worth=0)
    assert make.calls == 0, "what was used last stays"


def test_a_folder_that_cannot_be_written_costs_only_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_text("no folder")
    monkeypatch.setenv("TREEWISE_CACHE_DIR", str(file))
    make = Maker(load_sheet("tic_tac_toe"))
    assert cache.kept(make.sheet, make, worth=0).facts


def test_several_write_at_a_time(folder: Path) -> None:
    sheet = load_sheet("tic_tac_toe")
    found: list[GroundProgram] = []
    threads = [Thread(target=lambda: found.append(cache.kept(sheet, Maker(sheet), worth=0))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert all(same(found[0], each) for each in found)
    assert [path.suffix for path in folder.iterdir()] == [".ground"]
