"""Puzzles: the best line is found, kept, and can be played."""

from __future__ import annotations

from pathlib import Path

import pytest

from treewise.cli import main
from treewise.gdl import GDLError, load_machine, machine_of, parse_for_play
from treewise.gdl.machine import Machine
from treewise.gdl.puzzle import Line, solve

MORE = Path(__file__).parents[3] / "shared" / "data" / "gdl" / "more"

# Two switches and a lamp; a counter of steps ends the match after six. Lit is worth 60, lit with the second switch off
# 100; switching off too early loses everything.
LAMP = """(role x) (init (step 0)) (init off) {steps}
(<= (legal x (flip ?s)) (switch ?s)) (switch a) (switch b) (<= (legal x wait) (true off))
(<= (next (on ?s)) (does x (flip ?s)) (not (true (on ?s))))
(<= (next (on ?s)) (true (on ?s)) (not (does x (flip ?s))))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= (next lit) (true lit))
(<= (next lit) (true (on a)) (true (on b)) (does x (flip b)))
(<= (next off) (true off) (does x wait))
(<= terminal (true (step 6)))
(<= (goal x 60) (true lit) (true (on b))) (<= (goal x 100) (true lit) (not (true (on b))))
(<= (goal x 0) (not (true lit)))"""
STEPS = " ".join(f"(succ {n} {n + 1})" for n in range(6))
WORSE = LAMP.replace("goal x 100", "goal x 80")


def machine(text: str) -> Machine:
    sheet, _ = parse_for_play(text.format(steps=STEPS))
    return machine_of(sheet)


def play(made: Machine, line: Line) -> list[int]:
    state = made.game.initial_state()
    for action in line.actions:
        state.apply(action)
    assert made.is_terminal(state)
    return made.goals(state)


def test_the_line_wins_what_it_says() -> None:
    made = machine(LAMP)
    line = solve(made, seconds=20)
    assert line.goal == 100
    assert line.is_best
    assert play(made, line) == [100]


def test_all_states_seen_is_the_best() -> None:
    made = machine(WORSE)
    line = solve(made, seconds=20)
    assert (line.goal, line.is_best) == (80, True)
    assert play(made, line) == [80]


def test_counters_of_steps_do_not_make_states_new() -> None:
    """Sixteen positions of a lamp that ends the match when it is done, though at many different steps."""
    ends = LAMP + "(<= terminal (true lit) (not (true (on b))))"
    line = solve(machine(ends), seconds=20)
    assert line.goal == 100
    assert line.states <= 16


def test_no_time_finds_nothing_and_says_so() -> None:
    line = solve(machine(LAMP), seconds=0)
    assert line == Line(goal=0, actions=(), is_best=False, states=line.states)


def test_same_seed_same_line() -> None:
    assert solve(machine(LAMP), seed=3) == solve(machine(LAMP), seed=3)


def test_puzzles_have_one_role() -> None:
    with pytest.raises(GDLError, match="a puzzle has one role, this rulesheet has 2"):
        solve(load_machine("tic_tac_toe"))


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "lamp.kif"
    file.write_text(LAMP.format(steps=STEPS))
    assert main(["gdl", "solve", str(file)]) == 0
    found = capsys.readouterr()
    assert len(found.out.splitlines()) == 6
    assert "goal 100 in 6 steps" in found.err


@pytest.mark.long
@pytest.mark.parametrize("name", ["eightPuzzle", "hanoi7_bugfix"])
def test_public_puzzles_are_solved(name: str) -> None:
    file = MORE / f"{name}.kif"
    if not file.exists():
        pytest.skip(f"{name}: the public rulesheets are not here")
    made = load_machine(file)
    line = solve(made, seconds=60)
    assert line.goal == 100
    assert play(made, line) == [100]
