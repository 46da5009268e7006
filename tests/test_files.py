"""Files that others give: names that are too long, files that are too large, packed ones that expand to gigabytes."""

import gzip
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import treewise
from treewise.cli import main
from treewise.files import read_bytes, read_lines, unpacked
from treewise.gdl import load_machine
from treewise.gdl.trace import read_traces
from treewise.lab import read_experiment
from treewise.lab.store import pack_actions, unpack_actions
from treewise.vgdl.trace import difference, is_finished, read_trace

LONG = "a" * 5000


def trajectory(game: str) -> dict[str, Any]:
    return {"game": game, "level": 0, "seed": 1, "initial": [], "steps": [{"win": 1}]}


NAMES: dict[str, Callable[[Path], object]] = {
    "gdl": lambda folder: treewise.load_game(f"gdl('{LONG}')"),
    "gdl_path": lambda folder: treewise.load_game(f"gdl('{LONG}/{LONG}.kif')"),
    "machine": lambda folder: load_machine(LONG),
    "vgdl": lambda folder: treewise.load_game(f"vgdl('{LONG}')"),
    "vgdl_path": lambda folder: treewise.load_game(f"vgdl(path='{LONG}')"),
    "vgdl_level": lambda folder: treewise.load_game(f"vgdl('zelda', level_path='{LONG}')"),
    "catalogue": lambda folder: treewise.load_game(LONG),
    "parameter": lambda folder: treewise.load_game(f"hex({LONG}=3)"),
    "search": lambda folder: treewise.parse_search(LONG),
    "part": lambda folder: treewise.parse_search(f"mcts(selection={LONG})"),
    "value": lambda folder: treewise.parse_search(f"mcts(reuse='{LONG}')"),
    "trajectory": lambda folder: difference(trajectory(LONG), folder, folder),
    "trajectory_level": lambda folder: difference({**trajectory("a"), "level_file": LONG}, folder, folder),
    "trajectory_file": lambda folder: read_trace(folder / f"{LONG}.json.gz"),
    "traces": lambda folder: list(read_traces(folder / f"{LONG}.jsonl")),
    "experiment": lambda folder: read_experiment(folder / LONG),
    "own": lambda folder: treewise.load_game(f"{LONG}.py:Nim"),
}


@pytest.mark.parametrize("name", NAMES)
def test_long_names_are_refused_in_one_short_line(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^.{1,1500}$") as caught:
        NAMES[name](tmp_path)
    assert "Errno" not in str(caught.value)


@pytest.mark.parametrize(
    "arguments",
    [
        [LONG],
        ["search", LONG],
        ["search", "hex", "--seconds", LONG],
        ["search", "hex", "--search", LONG],
        ["search", f"{LONG}.py:Nim"],
        ["gdl", "info", LONG],
        ["gdl", "check", LONG],
        ["gdl", "verify", "tic_tac_toe", LONG],
        ["vgdl", "info", LONG],
        ["vgdl", "verify", LONG, "--games", LONG],
        ["lab", "run", LONG],
        ["lab", "status", LONG],
        ["lab", "status", f"{LONG}.sqlite"],
        ["parts", LONG],
        ["reproduce", LONG],
        ["games", LONG],
    ],
    ids=lambda arguments: " ".join(arguments)[:20],
)
def test_commands_refuse_long_names_in_one_short_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert "Errno" not in message
    assert len(message) < 1500


@pytest.mark.parametrize(
    "broken",
    [{}, {"steps": 5}, {"steps": []}, {"steps": [1]}, {"steps": [{}]}, {"steps": [{"win": "x"}]}, {"steps": None}],
)
def test_whether_a_broken_trajectory_is_finished(broken: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"tick \d+ is not in the form of docs/vgdl.md"):
        is_finished(broken)


def bomb(path: Path) -> Path:
    """A small file that unpacks to two gigabytes."""
    path.write_bytes(32 * gzip.compress(b" " * 2**26))
    return path


def hollow(path: Path) -> Path:
    """A file of four gigabytes that takes no space."""
    with path.open("wb") as file:
        file.truncate(2**32)
    return path


READERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "rulesheet": (".kif", lambda path: treewise.load_game(f"gdl('{path}')")),
    "level": (".txt", lambda path: treewise.load_game(f"vgdl('zelda', level_path='{path}')")),
    "description": (".txt", lambda path: treewise.load_game(f"vgdl(path='{path}', level_path='{path}')")),
    "trajectory": (".json", read_trace),
    "packed_trajectory": (".json.gz", read_trace),
    "traces": (".jsonl", lambda path: list(read_traces(path))),
    "packed_traces": (".jsonl.gz", lambda path: list(read_traces(path))),
    "experiment": (".toml", read_experiment),
}


@pytest.mark.parametrize("reader", READERS)
def test_files_of_gigabytes_are_not_read(reader: str, tmp_path: Path) -> None:
    ending, read = READERS[reader]
    path = tmp_path / f"large{ending}"
    with pytest.raises(ValueError, match=r"large.* is no .*: .*has more than [\d,]+ bytes"):
        read(bomb(path) if ending.endswith(".gz") else hollow(path))


def test_a_rulesheet_of_gigabytes_from_the_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with open("/dev/zero", encoding="latin-1") as endless:
        monkeypatch.setattr("sys.stdin", endless)
        assert main(["gdl", "check", "-"]) == 2
    assert "this is no rulesheet: it has more than 16,000,000 bytes" in capsys.readouterr().err


def test_traces_that_are_too_long_in_all(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    path.write_bytes(b"123456789\n" * 10)
    assert len(list(read_lines(path, 100, "file of traces", 10))) == 10
    for most, most_of_line in ((99, 10), (100, 9)):
        with pytest.raises(ValueError, match="has more than"):
            list(read_lines(path, most, "file of traces", most_of_line))


def test_records_of_a_store_that_expand_to_gigabytes() -> None:
    actions = tuple(range(1000))
    assert unpack_actions(pack_actions(actions)) == actions
    with pytest.raises(ValueError, match="actions of a match: it has more than"):
        unpack_actions(zlib.compress(b" " * 2**27))


def test_what_is_just_small_enough_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json.gz"
    path.write_bytes(gzip.compress(b"12345"))
    assert read_bytes(path, 5, "text") == b"12345"
    with pytest.raises(ValueError, match=r"a\.json\.gz is no text: it has more than 4 bytes"):
        read_bytes(path, 4, "text")
    assert unpacked(zlib.compress(b"12345"), 5, "it") == b"12345"
    with pytest.raises(zlib.error):
        unpacked(zlib.compress(b"12345" * 100)[:-7], 10**6, "it")


def test_a_trajectory_is_read_packed_and_not(tmp_path: Path) -> None:
    written = json.dumps(trajectory("a")).encode()
    (tmp_path / "a.json").write_bytes(written)
    (tmp_path / "b.json.gz").write_bytes(gzip.compress(written))
    assert read_trace(tmp_path / "a.json") == read_trace(tmp_path / "b.json.gz") == trajectory("a")


def test_nul_in_a_name() -> None:
    for text in ("gdl('a\\0b')", "vgdl(path='a\\0b')"):
        with pytest.raises(ValueError, match="neither a file nor"):
            treewise.load_game(text)
