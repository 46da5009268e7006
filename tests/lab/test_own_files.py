"""Experiments with games, parts and searches in Python files: processes, resuming, files that change."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from small_experiments import contents, experiment, play_here, play_in_processes, write

import treewise
from own_files import imports_forgotten, own
from treewise.cli import main
from treewise.lab import Candidates, LocalExecutor, RayExecutor, load, read_experiment, run, tune
from treewise.lab.report import build, to_markdown
from treewise.lab.run import MatchError

__all__ = ["own"]

OWN = """
name = "own"
seed = 3
pairing = "gauntlet"
matches = 4
control = true
budgets = { few = "simulations(12)" }
[entrants]
base = "uct(c={c})"
first = "mcts(playout=my_parts.py:First(x=2))"
restless = "mcts(playout=my_parts.py:Restless)"
whole = "my_parts.py:build(c={c})"
[[games]]
game = "nim.py:Nim(heaps=[2, 3])"
label = "Nim"
values = { c = 0.7 }
[[games]]
game = "tic_tac_toe"
values = { c = 1.0 }
"""
TOTAL = 32


def test_processes_play_the_same_matches(own: Path) -> None:
    asked = experiment(own, OWN)
    assert play_here(asked, own / "here.sqlite").played == TOTAL
    assert play_in_processes(asked, own / "there.sqlite").played == TOTAL
    assert contents(own / "here.sqlite") == contents(own / "there.sqlite")
    assert play_here(read_experiment(own / "small.toml"), own / "there.sqlite").played == 0


def test_compiled_games_are_played_in_processes(own: Path) -> None:
    pytest.importorskip("numba")
    asked = experiment(own, OWN.replace("nim.py:Nim(heaps=[2, 3])", "countdown.py:Countdown"))
    assert play_in_processes(asked, own / "there.sqlite").played == TOTAL
    play_here(asked, own / "here.sqlite")
    assert contents(own / "here.sqlite") == contents(own / "there.sqlite")


def test_a_sweep_over_a_parameter_of_ones_own(own: Path) -> None:
    entrants = OWN[OWN.index("[entrants]") : OWN.index("[[games]]")]
    swept = '[entrants]\nbase = "uct(c=1)"\nfirst = "my_parts.py:build(c={k})"\n'
    swept += '[sweep]\nparameter = "k"\nvalues = [0.1, 2]\n'
    text = OWN.replace(entrants, swept).replace("gauntlet", "sweep").replace("values = { c = 0.7 }\n", "")
    asked = experiment(own, text.replace("values = { c = 1.0 }\n", ""))
    assert [cell.value for cell in asked.cells if not cell.control] == [0.1, 2, 0.1, 2]
    assert play_here(asked, own / "a.sqlite").complete


def test_the_store_and_its_report_need_no_files(own: Path) -> None:
    """To look at a store runs nobody's program, and works where the files are not."""
    store = own / "a.sqlite"
    asked = experiment(own, OWN)
    play_here(asked, store)
    for name in ("nim.py", "my_parts.py"):
        (own / name).write_text("raise SystemExit('it was run')", encoding="utf-8")
    outcome = load(store)
    assert sum(len(each.played) for each in outcome.cells) == TOTAL
    assert "nim.py:Nim(heaps=[2, 3], digest='" in to_markdown(build(outcome))
    (own / "nim.py").unlink()
    assert load(store) == outcome


@pytest.mark.parametrize("name", ["nim.py", "rules.py", "my_parts.py"])
def test_a_changed_file_is_noticed(own: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    file, commands = write(own, OWN), ("run", "status", "report")
    with imports_forgotten(own):
        assert main(["lab", "run", str(file), "--processes", "1"]) == 0
        before = [cell.seed for cell in read_experiment(file).cells]
    assert capsys.readouterr().err == ""
    (own / name).write_text((own / name).read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    path = name.replace("rules", "nim")
    with imports_forgotten(own):
        for command in commands[1:]:
            assert main(["lab", command, str(file)]) == 0
            note = (
                f"{path} has changed since 'treewise lab run' last read it: what follows is by the file as it was then"
            )
            assert capsys.readouterr().err == f"{note}\n"
        assert [cell.seed for cell in read_experiment(file).cells] == before
        assert main(["lab", "run", str(file), "--processes", "1"]) == 0
    shown, played = capsys.readouterr(), 24 if name == "my_parts.py" else 16
    assert f"{played} matches of {own / 'small.sqlite'} from before {path}, or a file that it" in shown.err
    assert f"{played} matches played; {TOTAL} of {TOTAL} are in" in shown.out
    with imports_forgotten(own):
        assert main(["lab", "status", str(file)]) == 0
    assert capsys.readouterr().err == ""


def test_a_file_that_changes_while_it_is_played_ends_the_run(own: Path) -> None:
    asked, store = experiment(own, OWN), own / "a.sqlite"
    (own / "nim.py").write_text((own / "nim.py").read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    with pytest.raises(MatchError, match=r"^nim\.py has changed, .*\. Run it again, to play by what it is now$"):
        play_in_processes(asked, store)


def test_mistakes_are_told_with_their_place(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(own, OWN.replace("nim.py:Nim(heaps=[2, 3])", "nim.py:Nim(heap=3)"))
    assert main(["lab", "run", str(file)]) == 2
    place = f"{file}: [[games]] 1 (Nim): game: nim.py:Nim: unknown parameter 'heap'; did you mean 'heaps'?"
    assert capsys.readouterr().err == f"treewise lab: {place}\n"
    file = write(own, OWN.replace("my_parts.py:First", "my_parts.py:Nothing"))
    assert main(["lab", "run", str(file)]) == 2
    assert "entrant 'first': my_parts.py:Nothing: unknown parameter 'x'; it has none" in capsys.readouterr().err
    (own / "nim.py").write_text("\nraise KeyError(1)", encoding="utf-8")
    assert main(["lab", "run", str(write(own, OWN))]) == 2
    assert capsys.readouterr().err.endswith("game: nim.py cannot be imported: KeyError in nim.py:2: 1\n")


def test_what_a_part_raises_is_told_with_its_place(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (own / "my_parts.py").read_text(encoding="utf-8").replace("return actions[0]", "return {}[self.x]")
    (own / "my_parts.py").write_text(text, encoding="utf-8")
    assert main(["lab", "run", str(write(own, OWN)), "--processes", "2"]) == 2
    assert "a match failed with KeyError in choose(), my_parts.py:14: " in capsys.readouterr().err


def test_tuning_a_parameter_of_ones_own(own: Path) -> None:
    pytest.importorskip("optuna")
    asked = Candidates("nim.py:Nim", "my_parts.py:build(c={c})", "uct(c=1)", {"c": "0:2"}, budget="simulations(9)")
    executor = LocalExecutor(2)
    try:
        tuning = tune(asked, own / "t.sqlite", executor, trials=2, matches=2, confirm=2)
    finally:
        executor.close()
    assert len(tuning.trials) == 2
    assert tuning.best.text.startswith("my_parts.py:build(c=")


@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="needs the extra ray")
def test_a_ray_cluster_plays_them(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = Path(str(treewise.__file__)).resolve().parents[1]
    monkeypatch.setenv("PYTHONPATH", str(package))  # a relative one means nothing in this folder
    asked = experiment(own, OWN)
    executor = RayExecutor("local", matches=2)
    try:
        assert run(asked, own / "there.sqlite", executor).played == TOTAL
    finally:
        executor.close()
    play_here(asked, own / "here.sqlite")
    assert contents(own / "here.sqlite") == contents(own / "there.sqlite")
