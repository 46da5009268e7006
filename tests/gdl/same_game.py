"""The circuit against slower reasoners, along the same random playthroughs."""

from __future__ import annotations

import random
from typing import Any

from treewise import _core
from treewise.gdl.ground import GroundProgram
from treewise.gdl.grounding.evaluate import Evaluator
from treewise.gdl.machine import Machine
from treewise.gdl.net_machine import NetMachine
from treewise.gdl.terms import Sheet, Term


def net_of(program: GroundProgram, **options: Any) -> NetMachine:
    """The fast machine of a program that comes from no sheet."""
    return NetMachine(Sheet((), program.roles), program, **options)


def assert_right(program: GroundProgram, seed: int = 0, matches: int = 3, steps: int = 12, **options: Any) -> int:
    """Against plain evaluation of the ground rules; returns the number of states compared. Playthroughs take turns, so
    that the circuit moves between quite different states."""
    chance, run, net = random.Random(seed), Evaluator(program), net_of(program, **options)
    live = [(run.initial, net.game.initial_state()) for _ in range(matches)]
    compared = 0
    while live and compared < matches * steps:
        compared += 1
        state, found = live.pop(chance.randrange(len(live)))
        joint = _compare(run, net, state, found, chance)
        if joint is None:
            continue
        actions = [net.find_action(role, str(action)) for role, action in enumerate(joint)]
        live.append((run.play(state, joint), net.play(found, actions)))  # type: ignore[arg-type]
    return compared


def _compare(run: Evaluator, net: NetMachine, state: Any, found: Any, chance: random.Random) -> list[Term] | None:
    """A legal joint action; none at the end."""
    holds = run.model(state)
    assert net.facts(found) == sorted(map(str, state))
    over = holds[run.program.terminal]
    assert net.is_terminal(found) == over
    legal = run.legal(state)
    for role, own in enumerate(legal):
        assert sorted(net.action_text(role, action) for action in net.legal(found, role)) == sorted(map(str, own))
    goals = [sorted((value for value, atom in own if holds[atom]), reverse=True) for own in run.program.goals]
    assert [_core.gdl_goals(found, role) for role in range(len(goals))] == goals
    stuck = not over and not all(legal)
    assert found.is_terminal() == (over or stuck)
    assert found.returns() == ([float(max(own, default=0)) for own in goals] if over else [0.0] * len(goals))
    return None if over or stuck else [chance.choice(own) for own in legal]


def assert_agree(one: Machine, two: Machine, seed: int = 0, matches: int = 3, steps: int = 12) -> int:
    """Two machines of one sheet; returns the number of states compared."""
    chance, compared = random.Random(seed), 0
    for _ in range(matches):
        state, other = one.game.initial_state(), two.game.initial_state()
        for _ in range(steps):
            compared += 1
            joint = _same_answers(one, two, state, other, chance)
            if joint is None:
                break
            state = one.play(state, [_action(one, role, text) for role, text in enumerate(joint)])
            other = two.play(other, [_action(two, role, text) for role, text in enumerate(joint)])
    return compared


def _same_answers(one: Machine, two: Machine, state: Any, other: Any, chance: random.Random) -> list[str] | None:
    assert one.facts(state) == two.facts(other)
    assert one.is_terminal(state) == two.is_terminal(other)
    legal = [_texts(one, state, role) for role in range(len(one.roles))]
    assert legal == [_texts(two, other, role) for role in range(len(two.roles))]
    assert one.goals(state) == two.goals(other)
    assert state.is_terminal() == other.is_terminal()
    if state.is_terminal():
        assert state.returns() == other.returns()
        return None
    return [chance.choice(own) for own in legal]


def _texts(machine: Machine, state: Any, role: int) -> list[str]:
    return sorted(machine.action_text(role, action) for action in machine.legal(state, role))


def _action(machine: Machine, role: int, text: str) -> int:
    action = machine.find_action(role, text)
    assert action is not None
    return action
