"""The benchmarks run, and their results and tables have the right shape. What they measure is nobody's test."""

import importlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from treewise import Search, limit, load_game

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"

pytestmark = pytest.mark.skipif(shutil.which(os.environ.get("CXX", "g++")) is None, reason="needs a compiler")


def run(script: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCHMARKS / script), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("pyspiel")
    pytest.importorskip("numba")
    file = tmp_path_factory.mktemp("benchmarks") / "results.json"
    done = run("run.py", "--quick", "--strength", "--repeats", "2", "--json", file)
    assert done.returncode == 0, done.stderr
    return file


def all_rows(results: Path) -> list[dict[str, Any]]:
    return [row for subject in json.loads(results.read_text())["subjects"].values() for row in subject["rows"]]


def test_results(results: Path) -> None:
    read = json.loads(results.read_text())
    assert set(read) == {"machine", "subjects"}
    assert {"cpu", "cores", "compiler", "python", "treewise", "openspiel"} <= set(read["machine"])
    subjects = [
        "against_openspiel",
        "against_by_hand",
        "compiled_python",
        "rulesheets",
        "video_games",
        "six_games",
        "bonuses",
        "laboratory",
        "threads",
        "memory",
        "strength",
    ]
    assert list(read["subjects"]) == subjects
    for subject in read["subjects"].values():
        assert subject["date"]
        assert subject["rows"]
        for row in subject["rows"]:
            figure = row["figure"]
            assert 0 <= figure["low"] <= figure["median"] <= figure["high"]
            assert (row["reached"] is None) == (row["target"] is None)


def test_targets_are_those_promised(results: Path) -> None:
    targets = {row["name"]: row["target"] for row in all_rows(results)}
    assert targets["geometric mean"] == 30
    assert targets["tic_tac_toe"] == 4
    games = ("connect_four", "breakthrough", "checkers", "amazons", "hex 11x11", "othello", "go 9x9")
    assert {targets[game] for game in games} == {10}
    assert targets["breakthrough, UCT"] == targets["breakthrough, uniform playouts"] == 75
    assert targets["go 9x9, uniform playouts"] == 40_000
    assert targets["breakthrough, compiled Python against C++, UCT"] == 25
    assert targets["amazons, quality bonus"] == targets["pentalath, both"] == targets["cannon, combined"] == 97
    assert targets["amazons, plain again"] is targets["checkers, uniform playouts, both"] is None
    assert targets["a match, one worker"] == targets["a match, two workers"] == 5
    assert targets["all games, geometric mean"] == 30
    assert targets["sokoban"] == targets["zelda"] == 10
    assert targets["breakthrough, root parallel"] == 1.9
    assert targets["breakthrough, tree parallel"] == 1.7


def test_one_subject_keeps_the_others(results: Path, tmp_path: Path) -> None:
    file = Path(shutil.copy(results, tmp_path))
    assert run("run.py", "--quick", "--only", "memory", "--json", file).returncode == 0
    before, after = (json.loads(path.read_text())["subjects"] for path in (results, file))
    assert list(before) == list(after)
    assert before["threads"] == after["threads"]


def test_table(results: Path, tmp_path: Path) -> None:
    readme, page = tmp_path / "README.md", tmp_path / "speed.md"
    for file in (readme, page):
        file.write_text("# Title\n\n<!-- speed -->\nold\n<!-- /speed -->\n\nThe rest.\n")
    for _ in range(2):  # writing again changes nothing
        done = run("table.py", "--json", results, "--readme", readme, "--page", page)
        assert done.returncode == 0, done.stderr
    for file, columns in ((readme, 3), (page, 4)):
        text = file.read_text()
        assert text.startswith("# Title\n\n<!-- speed -->\n")
        assert text.endswith("<!-- /speed -->\n\nThe rest.\n")
        assert "\nold\n" not in text
        assert all(line.count("|") == columns + 1 for line in text.splitlines() if line.startswith("|"))
    assert page.read_text().count("\n| geometric mean |") == 1
    assert readme.read_text().count("MCTSBot: geometric mean |") == 1
    missed = [row["name"] for row in all_rows(results) if row["reached"] is False]
    assert all(f": {name} |" in readme.read_text() for name in missed), "what is missed is not hidden"


def test_table_needs_its_place(results: Path, tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text("no place\n")
    done = run("table.py", "--json", results, "--readme", readme, "--page", readme)
    assert done.returncode != 0
    assert "<!-- speed -->" in done.stderr
    assert readme.read_text() == "no place\n"


def test_real_time() -> None:
    done = run("real_time.py", "--runs", "2", "--budget", "0.002")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 16


@pytest.mark.parametrize("file", ["bonuses.py", "laboratory.py"])
def test_on_its_own(file: str) -> None:
    done = run(file, "--quick")
    assert done.returncode == 0, done.stderr
    assert "'treewise': " in done.stdout
    assert "target" in done.stdout


def test_judged_bonuses_leave_the_tree_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS)
    compared = list(importlib.import_module("bonuses").judged())
    assert len(compared) == 6

    def tree(search: Search, game: str) -> tuple[object, ...]:
        found = search.replace(limit=limit.Simulations(300)).run(load_game(game).initial_state(), seed=1)
        return found.value, found.visits, found.stats.nodes, found.stats.mean_depth

    for each in compared:
        plain = tree(each.search, each.game)
        for parts in each.bonuses.values():
            assert tree(each.search.replace(bonus=parts), each.game) == plain
