"""The fast machine is built in another process, which ends with the match."""

from __future__ import annotations

import multiprocessing
import threading
import time
from pathlib import Path

import pytest
from sheets import DIE, HALF_GOAL, NIM

from treewise.gdl import GDLError, parse_sheet
from treewise.gdl.grounding.limits import Limits, TooLarge
from treewise.gdl.machine import Machine
from treewise.gdl.net_machine import NetMachine
from treewise.gdl.terms import Sheet
from treewise.ggp.building import build_net
from treewise.ggp.machines import Machines, slow_machine

NUMBERS = " ".join(f"(number {n})" for n in range(60))
CHOICE = "(<= (legal a (choose ?p ?q ?r ?s ?t)) (number ?p) (number ?q) (number ?r) (number ?s) (number ?t))"
VAST = f"(role a) {NUMBERS} {CHOICE} (init s) (goal a 0) (<= terminal (not (true s)))"
"""Some hundred million moves."""


def test_limits_are_passed_on() -> None:
    with pytest.raises(TooLarge, match="more than 3 rules"):
        build_net(parse_sheet(NIM), threading.Event(), Limits(rules=3))


def test_chance_is_built() -> None:
    assert build_net(parse_sheet(DIE), threading.Event()).kind == "net"


def test_what_is_built_plays() -> None:
    machine = build_net(parse_sheet(NIM), threading.Event())
    assert isinstance(machine, NetMachine)
    legal = machine.legal(machine.game.initial_state(), 0)
    assert [machine.action_text(0, action) for action in legal] == ["(take 1)", "(take 2)"]


@pytest.mark.parametrize(("sheet", "message"), [(NIM + "(sees a nothing)", "no percepts"), (HALF_GOAL, "30.5")])
def test_what_cannot_be_built_says_why(sheet: str, message: str) -> None:
    with pytest.raises(GDLError, match=message):
        build_net(parse_sheet(sheet), threading.Event())


def test_a_process_that_dies_is_survived(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("treewise.ggp.building._ground", int)  # knows nothing of a pipe
    with pytest.raises(MemoryError, match="has died"):
        build_net(parse_sheet(NIM), threading.Event())


def test_the_end_of_a_match_ends_what_is_being_built(caplog: pytest.LogCaptureFixture) -> None:
    def slow(sheet: Sheet, closed: threading.Event) -> Machine:
        assert closed.wait(20)
        raise InterruptedError

    machines = Machines(parse_sheet(NIM), slow_machine, (slow, slow))
    machines.close()
    assert machines.wait(20)
    assert "no faster machine" not in caplog.text


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no processes to look at in /proc")
def test_grounder_and_all_are_ended() -> None:
    closed = threading.Event()
    building = threading.Thread(target=ends_early, args=(closed,))
    building.start()
    while not (children := multiprocessing.active_children()):
        time.sleep(0.01)
    group = children[0].pid
    while not running(group):  # until it has begun
        assert building.is_alive()
        time.sleep(0.01)
    closed.set()
    building.join(20)
    assert not building.is_alive()
    while running(group):
        time.sleep(0.01)


def ends_early(closed: threading.Event) -> None:
    with pytest.raises(InterruptedError):
        build_net(parse_sheet(VAST), closed)


def running(group: int | None) -> list[str]:
    """The processes of a group."""
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, its_group, *_ = file.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(its_group) == group and state not in "ZX":
            found.append(file.parent.name)
    return found
