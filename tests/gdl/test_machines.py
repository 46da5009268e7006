"""What both machines answer alike: what the rules say, also where a match cannot go on or should have ended."""

from collections.abc import Callable

import pytest

from treewise.gdl import parse_sheet
from treewise.gdl.load import machine_of
from treewise.gdl.machine import Machine

Make = Callable[[str], Machine]

STUCK = """(role x) (role y) (init a) (<= (legal ?r (go ?n)) (role ?r) (true a) (n ?n)) (n 1) (n 2) (goal x 40)
(<= (legal x wait) (true b)) (<= (next b) (true a)) (<= terminal (true c))"""


@pytest.fixture(params=["net", "prover"])
def make(request: pytest.FixtureRequest) -> Make:
    return lambda text: machine_of(parse_sheet(text), request.param)


def test_a_role_without_an_action_ends_no_match_by_the_rules(make: Make) -> None:
    machine = make(STUCK)
    state = machine.game.initial_state()
    assert not machine.is_terminal(state)
    state = machine.play(state, [machine.legal(state, role)[0] for role in range(2)])
    assert [len(machine.legal(state, role)) for role in range(2)] == [1, 0]
    assert not machine.is_terminal(state)
    assert machine.goals(state) == [40, 0]
    assert state.is_terminal(), "for a search it has ended"
    assert state.returns() == [0.0, 0.0]


def test_a_terminal_state_without_actions_is_terminal(make: Make) -> None:
    machine = make("(role x) (init a) (<= (legal x go) (true b)) (<= terminal (true a)) (goal x 70)")
    state = machine.game.initial_state()
    assert machine.is_terminal(state)
    assert machine.legal(state, 0) == []
    assert state.returns() == [70.0]


def test_a_terminal_state_may_have_actions(make: Make) -> None:
    machine = make("(role x) (init a) (legal x go) (legal x stay) (<= terminal (true a)) (goal x 70)")
    state = machine.game.initial_state()
    assert machine.is_terminal(state)
    assert [machine.action_text(0, action) for action in machine.legal(state, 0)] == ["go", "stay"]
    assert state.legal_actions() == []


@pytest.mark.parametrize(("goals", "expected"), [("(goal x 20) (<= (goal x 60) (true a))", 60), ("(goal y 1)", 0)])
def test_goals_of_any_state(make: Make, goals: str, expected: int) -> None:
    machine = make(f"(role x) (init a) (legal x go) (<= terminal (true b)) {goals}")
    state = machine.game.initial_state()
    assert machine.goals(state) == [expected]
    assert state.returns() == [0.0]


@pytest.mark.parametrize(
    ("goals", "expected", "warning"),
    [
        ("(goal x 20) (goal x 70)", 70, "x has 2 goals in a terminal state; 70 is taken"),
        ("(<= (goal x 20) (true b))", 0, "x has no goals in a terminal state; 0 is taken"),
        ("(goal x 130)", 100, "a goal of 130; goals are cut"),
        ("(goal x -5)", 0, "a goal of -5; goals are cut"),
    ],
)
def test_of_faulty_goals_both_warn_once(make: Make, goals: str, expected: int, warning: str) -> None:
    def twice() -> list[list[int]]:
        machine = make(f"(role x) (init a) (legal x go) (<= (next b) (true c)) terminal {goals}")
        state = machine.game.initial_state()
        assert state.returns() == [float(expected)]
        return [machine.goals(state), machine.goals(state)]

    with pytest.warns(UserWarning, match=warning) as told:
        assert twice() == [[expected], [expected]]
    assert len(told) == 1
