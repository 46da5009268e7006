"""Whole matches over HTTP, our server and our player, of the games that programs of others are tried with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sheets import LAMPS

from treewise.gdl import load_machine
from treewise.gdl.machine import Machine
from treewise.ggp.entrants import read_entrant
from treewise.ggp.match_server import Conditions, play_ggp_match, read_rules
from treewise.ggp.record import Record
from treewise.limit import Simulations


@pytest.fixture
def lamps(tmp_path: Path) -> Path:
    (tmp_path / "lamps.kif").write_text(LAMPS)
    return tmp_path / "lamps.kif"


def play(port: int, sheet: str | Path, seat: int, scramble: bool) -> tuple[Machine, Record]:
    machine = load_machine(sheet, "prover")
    entrants = [read_entrant("random") for _ in machine.roles]
    entrants[seat] = read_entrant(f"127.0.0.1:{port}")
    conditions = Conditions(start_clock=1, play_clock=10, scramble=scramble)
    return machine, play_ggp_match(read_rules(sheet), entrants, conditions, seed=5)


def replay(machine: Machine, record: Record) -> None:
    """Every move was legal, the match has ended, and the goals are those of its last state."""
    state = machine.game.initial_state()
    for move in record.moves:
        assert not machine.is_terminal(state)
        joint = [machine.find_action(role, text) for role, text in enumerate(move)]
        assert all(action in machine.legal(state, role) for role, action in enumerate(joint))
        state = machine.play(state, joint)  # type: ignore[arg-type]
    assert machine.is_terminal(state)
    assert record.goals == machine.goals(state)


@pytest.mark.parametrize("scramble", [False, True])
@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "breakthrough", "battle", "alone"])
def test_whole_matches(new_player: Callable[..., int], lamps: Path, name: str, scramble: bool) -> None:
    seat = int(scramble and name != "alone")
    port = new_player(limit=Simulations(4))
    machine, record = play(port, lamps if name == "alone" else name, seat, scramble)
    assert record.completed
    assert record.failures(seat) == 0, record.errors
    replay(machine, record)
