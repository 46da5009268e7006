"""Traces: written, read, and compared with a machine's answers, also from the command line."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from treewise.cli import main
from treewise.gdl import load_machine
from treewise.gdl.trace import first_difference, read_traces, record_trace, write_traces


def entries(seed: int = 1) -> list[dict[str, Any]]:
    return [dict(entry) for entry in record_trace(load_machine("kuhn_poker"), seed)]


@pytest.mark.parametrize("name", ["trace.jsonl", "trace.jsonl.gz"])
def test_what_is_written_is_read(tmp_path: Path, name: str) -> None:
    assert write_traces(tmp_path / name, entries()) == len(entries())
    assert list(read_traces(tmp_path / name)) == entries()


def test_a_trace_has_everything() -> None:
    first, *_, last = entries()
    assert first["state"] == ["(phase deal)"]
    assert len(first["legal"]["random"]) == 6
    assert len(first["move"]) == 3
    assert first["goals"] == {"first": None, "second": None, "random": None}
    assert last["terminal"]
    assert sum(last["goals"].values()) == 100
    assert "move" not in last


def test_case_and_blanks_do_not_matter() -> None:
    trace = entries()
    for entry in trace:
        entry["state"] = [fact.upper().replace(" ", "  ") for fact in entry["state"]]
        entry["move"] = [move.upper().replace("(", "( ") for move in entry.get("move", ())]
        entry["goals"] = {role.upper(): goal for role, goal in entry["goals"].items()}
    assert first_difference(load_machine("kuhn_poker"), trace) is None


def change_fact(trace: list[dict[str, Any]]) -> None:
    trace[2]["state"][0] = "(hand first ace)"


def change_legal(trace: list[dict[str, Any]]) -> None:
    trace[1]["legal"]["first"].append("(raise 5)")


def change_terminal(trace: list[dict[str, Any]]) -> None:
    trace[-1]["terminal"] = False


def change_goal(trace: list[dict[str, Any]]) -> None:
    trace[-1]["goals"]["second"] += 1


def change_move(trace: list[dict[str, Any]]) -> None:
    trace[1]["move"][0] = "(raise 5)"


def cut_start(trace: list[dict[str, Any]]) -> None:
    del trace[0]


@pytest.mark.parametrize(
    ("change", "step", "field", "text"),
    [
        (change_fact, 2, "facts", "lacks (hand first ace)"),
        (change_legal, 1, "legal", "first lacks (raise 5)"),
        (change_terminal, -1, "terminal", "the machine says True, the trace False"),
        (change_goal, -1, "goals", "second has"),
        (change_move, 1, "move", "the machine does not know (raise 5)"),
        (cut_start, 1, "step", "does not begin with step 0"),
    ],
)
def test_every_difference_is_found(change: Any, step: int, field: str, text: str, tmp_path: Path, capsys: Any) -> None:
    trace = copy.deepcopy(entries())
    last = trace[-1]["step"]
    change(trace)
    difference = first_difference(load_machine("kuhn_poker"), trace)
    assert difference is not None
    assert (difference.step, difference.field) == (last if step < 0 else step, field)
    assert text in difference.text
    write_traces(tmp_path / "wrong.jsonl", trace)
    assert main(["gdl", "verify", "kuhn_poker", str(tmp_path / "wrong.jsonl")]) == 1
    assert f"wrong.jsonl: trace 0, step {difference.step}, {field}: " in capsys.readouterr().out


def test_goals_before_the_end_do_not_count() -> None:
    trace = entries()
    trace[0]["goals"] = {"first": 99, "second": 1, "random": 0}
    trace[-1]["goals"]["first"] = None
    assert first_difference(load_machine("kuhn_poker"), trace) is None


def test_record_and_verify_commands(tmp_path: Path, capsys: Any) -> None:
    file = str(tmp_path / "made.jsonl.gz")
    assert main(["gdl", "record", "hidden_coin", file, "--matches", "4", "--seed", "5"]) == 0
    assert main(["gdl", "verify", "hidden_coin", file, file]) == 0
    assert capsys.readouterr().out.count("4 traces, 16 states, no difference") == 2


def test_what_is_no_trace_is_refused(tmp_path: Path, capsys: Any) -> None:
    good = {"trace": 0, "step": 0, "terminal": False, "state": [], "legal": {"x": ["a"]}, "goals": {}, "move": ["a"]}
    wrong = {"trace": "x", "step": None, "terminal": 1, "state": 3, "legal": ["a"], "goals": [1], "move": [7]}
    for text, told in [
        ("{", "Expecting property name"),
        ("[]", "not an object"),
        ('{"step": 0}', "no field 'trace'"),
        *((json.dumps(good | {field: value}), f"'{field}' has another form") for field, value in wrong.items()),
    ]:
        (tmp_path / "bad.jsonl").write_text(text)
        assert main(["gdl", "verify", "hidden_coin", str(tmp_path / "bad.jsonl")]) == 2
        error = capsys.readouterr().err
        assert "bad.jsonl, line 1: not a state of a trace (" in error
        assert told in error
    (tmp_path / "bad.jsonl").write_text("")
    assert main(["gdl", "verify", "hidden_coin", str(tmp_path / "bad.jsonl")]) == 2
    assert "there is no trace in it" in capsys.readouterr().err
    assert main(["gdl", "verify", "hidden_coin", str(tmp_path / "absent.jsonl")]) == 2
    assert main(["gdl", "verify", "no_such_sheet", "x"]) == 2


def test_info_shows_what_the_game_is_like(capsys: Any) -> None:
    assert main(["gdl", "info", "kuhn_poker", "--playouts", "30"]) == 0
    shown = capsys.readouterr().out
    for text in ("first, second, random", "chance, hidden, one at a time", "constant sum: always 100", "at most 4"):
        assert text in shown


def test_info_as_json(tmp_path: Path, capsys: Any) -> None:
    endless = "(role x) (role y) (init a) (init (to x)) (<= (next ?f) (true ?f)) (<= terminal (true b))"
    moves = "(legal x go) (legal x stay) (legal y go) (legal y stay)"
    (tmp_path / "endless.kif").write_text(f"{endless} {moves}")
    assert main(["gdl", "info", str(tmp_path / "endless.kif"), "--playouts", "3", "--max-length", "5", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["unfinished_share"], facts["simultaneous_share"], facts["branching_mean"]) == (1.0, 1.0, 2.0)
    assert (facts["length_mean"], facts["constant_sum"], facts["facts_seen"]) == (None, None, 2)
    assert facts["actions_seen"] == [2, 2]
    assert main(["gdl", "info", str(tmp_path / "endless.kif"), "--playouts", "3", "--max-length", "5"]) == 0
    assert "no match ended" in capsys.readouterr().out


STUCK = "(role x) (init a) (<= (legal x go) (true a)) (<= (next b) (does x go)) (<= terminal (true c)) (goal x 1)"


def test_a_match_that_breaks_off_is_recorded_until_there(tmp_path: Path) -> None:
    sheet, trace = str(tmp_path / "stuck.kif"), str(tmp_path / "stuck.jsonl")
    Path(sheet).write_text(STUCK)
    assert main(["gdl", "record", sheet, trace]) == 0
    last = list(read_traces(trace))[-1]
    assert (last["step"], last["terminal"], last["legal"], last.get("move")) == (1, False, {"x": []}, None)
    for machine in ("net", "prover"):
        assert main(["gdl", "verify", sheet, trace, "--machine", machine]) == 0
    assert main(["gdl", "bench", sheet, "--seconds", "0.01", "--check", "5"]) == 0


def test_a_joint_action_has_one_of_each_role() -> None:
    trace = entries()
    trace[0]["move"] = trace[0]["move"][:2]
    difference = first_difference(load_machine("kuhn_poker"), trace)
    assert difference is not None
    assert difference.text == "2 actions of 3 roles"
