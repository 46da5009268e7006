"""`experiments/td_mcts/choose.py`: the rule by which a reading of TD-MCTS is chosen, and what is played by it."""

from __future__ import annotations

import importlib.util
import math
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from treewise.lab import LocalExecutor, load
from treewise.lab.document import read_document
from treewise.lab.experiment import fill
from treewise.lab.outcome import Figure

FOLDER = Path(__file__).parents[2] / "experiments" / "td_mcts"
FILES = ("readings_original", "readings_2016")

SMALL = """
name = "{name}"
seed = 3
pairing = "alone"
base = "V-MCTS (50)"
matches = 4
[sources]
paper = "nobody"
[values]
psi = "psi='action_blocks'"
[entrants]
"V-MCTS (50)" = "gvgai_sample(playouts=2, depth=2)"
"TD-MCTS (50)" = "td_mcts(playouts=3, depth=2)"
"TD-MCTS (25)" = "td_mcts(playouts=2, depth=2)"
"blocks (50)" = "td_mcts(playouts=3, depth=3, playout=true_online_sarsa({{psi}}))"
"blocks (25)" = "td_mcts(playouts=2, depth=3, playout=true_online_sarsa({{psi}}))"
[[games]]
label = "Missile Command"
games = ["vgdl(game='missilecommand', level=0{options})"]
reference.paper."TD-MCTS (50)" = {{ wins = [50, 3], score = [4, 3] }}
reference.paper."TD-MCTS (25)" = {{ wins = [5, 4], score = [2, 4] }}
[[games]]
label = "Aliens"
games = ["vgdl(game='aliens', level=3{options})"]
reference.paper."TD-MCTS (50)" = {{ wins = [9, 4], score = [9, 4] }}
reference.paper."TD-MCTS (25)" = {{ wins = [9, 3], score = [9, 3] }}
[overall.paper]
"TD-MCTS (50)" = {{ wins = [50, 9], score = [25, 9] }}
"TD-MCTS (25)" = {{ wins = [9, 9], score = [8, 9] }}
"""


@pytest.fixture(scope="module")
def choose() -> ModuleType:
    spec = importlib.util.spec_from_file_location("choose_a_reading", FOLDER / "choose.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


def searches(name: str) -> dict[str, str]:
    file = FOLDER / f"{name}.toml"
    values = tomllib.loads(file.read_text(encoding="utf-8"))["values"]
    return {label: fill(text, values) for label, text in read_document(file).entrants.items()}


def test_both_files_ask_the_same_under_other_rules() -> None:
    one, other = (read_document(FOLDER / f"{name}.toml") for name in FILES)
    assert (one.entrants, one.seed, one.published) == (other.entrants, other.seed, other.published)
    assert one.published == tuple(
        each for each in read_document(FOLDER / "table_2_original.toml").published if each.source == "paper"
    )
    for ours, theirs in zip(one.games, other.games, strict=True):
        assert [text.replace(")", ", shared_pull=True, rules_2016=True)") for text in ours.games] == list(theirs.games)


def test_readings_have_two_numbers_of_playouts_and_nothing_else_between_them() -> None:
    found = searches(FILES[0])
    assert found.pop("V-MCTS (50)") == "gvgai_sample(playouts=50)"
    assert len(set(found.values())) == len(found)
    for label, text in found.items():
        if label.endswith("(50)"):
            assert found[label.replace("(50)", "(25)")] == text.replace("playouts=50", "playouts=25")


def test_a_distance_is_the_mean_of_squares_in_standard_errors(choose: ModuleType) -> None:
    keys = [("Zelda", "wins", 50), ("Zelda", "score", 50)]
    found = {keys[0]: [40.0, 60.0], keys[1]: [10.0, 10.0]}
    figures = {keys[0]: Figure(44.0, 2.0), keys[1]: Figure(8.0, 0.5)}
    variances = choose.pooled([found, {keys[0]: [50.0, 50.0], keys[1]: [9.0, 11.0]}])
    assert variances == {keys[0]: 100.0, keys[1]: 1.0}
    wins, score = 36 / (50 + 4 + 0.0025), 4 / (0.5 + 0.25 + 0.0025)
    assert choose.mean_squared_z(found, figures, variances) == pytest.approx((wins + score) / 2)


def test_the_nearest_is_first_and_wins_decide_between_neighbours(choose: ModuleType) -> None:
    rules = choose.Rules("f", 0, 4)
    far, near, nearest = (choose.Standing(n, rules, d, w, 4) for n, d, w in (("a", 3, 99), ("b", 1.04, 9), ("c", 1, 8)))
    assert choose.ranked([far, near, nearest]) == [near, nearest, far]
    assert choose.ranked([]) == []


@pytest.fixture(scope="module")
def played(choose: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("readings")
    for name, options in (("one", ""), ("two", ", rules_2016=True")):
        (folder / f"{name}.toml").write_text(SMALL.format(name=name, options=options), encoding="utf-8")
    plan = choose.Plan(2, 1, (choose.Rules("one", 2, 4), choose.Rules("two", 0, 2)))
    executor = LocalExecutor(1)
    try:
        player = choose.Player(folder, folder / "a.sqlite", executor)
        return folder, player, plan, choose.trials(player, plan)
    finally:
        executor.close()


def runs_of(store: Path, name: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for cell in load(store, name).cells:
        found[cell.cell.a] = found.get(cell.cell.a, 0) + len(cell.played)
    return found


def test_trials_play_all_readings_first_and_then_the_nearest(choose: ModuleType, played: Any) -> None:
    folder, player, plan, standing = played
    assert {(each.reading, each.rules.file, each.runs) for each in standing} == {
        (standing[0].reading, "one", 2),
        (standing[0].reading, "two", 2),
    }
    kept = choose.entrants_of(standing[0].reading)
    first, second = (runs_of(folder / "a.sqlite", name) for name in ("one", "two"))
    assert first == {name: 8 if name in [*kept, "V-MCTS (50)"] else 4 for name in first}
    assert second == {name: 4 if name in [*kept, "V-MCTS (50)"] else 0 for name in second}
    player.until = -math.inf
    assert choose.trials(player, plan) == standing


def test_all_are_measured_by_as_many_runs(choose: ModuleType, played: Any) -> None:
    _, player, _, standing = played
    boards = {choose.Rules(name, 0, 4): player.board(name) for name in ("one", "two")}
    found = choose.standings(boards, [standing[0].reading])
    assert [(each.rules.file, each.runs) for each in found] == [("one", 2), ("two", 2)]  # of four and two
    assert choose.standings({choose.Rules("one", 3, 4): boards[choose.Rules("one", 0, 4)]}, ["TD-MCTS"]) == []


def test_the_row_of_all_games_has_the_error_of_a_mean(choose: ModuleType, played: Any) -> None:
    figures = choose.paper_figures(played[1].board("one"))
    assert len(figures) == 12
    assert figures["Overall", "wins", 50] == Figure(50, 2.5)
    assert figures["Aliens", "score", 25] == Figure(9, 3)


def test_the_hundred_has_the_chosen_reading_beside_the_older(choose: ModuleType, played: Any) -> None:
    folder, _, _, standing = played
    (folder / "hundred.toml").write_text(choose.hundred(folder, standing[0], 7), encoding="utf-8")
    made, chosen = read_document(folder / "hundred.toml"), read_document(folder / f"{standing[0].rules.file}.toml")
    assert (made.seed, made.base, made.published) == (2018, chosen.base, chosen.published)
    assert [(each.games, set(each.matches.values())) for each in made.games] == [
        (each.games, {7}) for each in chosen.games
    ]
    texts = {name: text.replace("{psi}", "psi='action_blocks'") for name, text in chosen.entrants.items()}
    for playouts in (50, 25):
        assert made.entrants[f"TD-MCTS ({playouts})"] == texts[f"{standing[0].reading} ({playouts})"]
        if standing[0].reading != "TD-MCTS":
            assert made.entrants[f"as before ({playouts})"] == texts[f"TD-MCTS ({playouts})"]


def test_the_page_has_all_readings_and_counts_marks(
    choose: ModuleType, played: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, player, plan, standing = played
    monkeypatch.setitem(sys.modules, "choose", choose)
    monkeypatch.syspath_prepend(FOLDER)
    page = importlib.import_module("page")
    (folder / "chosen_original.toml").write_text(choose.hundred(folder, standing[0], 2), encoding="utf-8")
    executor = LocalExecutor(1)
    try:
        other = choose.Player(folder, player.store, executor)
        other.play("chosen_original", ["V-MCTS (50)", "TD-MCTS (50)", "TD-MCTS (25)"], 2)
    finally:
        executor.close()
    first, second, wins, said, *_ = page.page(choose.Player(folder, player.store, None), plan)
    assert {line.split(" | ")[0] for line in first.splitlines()[2:]} == {"| TD-MCTS", "| blocks"}
    assert {line.split(" | ")[1] for line in second.splitlines()[2:]} == {"one", "two"}
    assert wins.splitlines()[0].startswith(
        "| original levels, wins % | V-MCTS (50) | TD-MCTS (50) | paper | TD-MCTS (25)"
    )
    assert "Overall" in wins
    assert said == "Of 0 marks of wins 0 are those of the paper.\n"  # there are none in this one


def test_without_time_nothing_is_played_and_the_store_says_what_is_asked(choose: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text(SMALL.format(name="one", options=""), encoding="utf-8")
    executor = LocalExecutor(1)
    try:
        player = choose.Player(tmp_path, tmp_path / "a.sqlite", executor, -math.inf)
        with pytest.raises(SystemExit, match="nothing can be chosen yet"):
            choose.trials(player, choose.Plan(2, 1, (choose.Rules("one", 2, 4),)))
    finally:
        executor.close()
    assert set(runs_of(tmp_path / "a.sqlite", "one").values()) == {0}
