"""The project's own rulesheets, and golden files of matches on them.

A golden file holds matches; a match is a line for each step: the fingerprint of the state and the joint action played;
at the end the fingerprint and the goals. `PYTHONPATH=src python tests/sheet_matches.py` makes the fingerprints and
goals anew from the actions, after a deliberate change of a sheet.
"""

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from treewise.gdl import load_machine
from treewise.gdl.machine import Machine

GOLDEN = Path(__file__).parent / "gdl" / "golden"
NAMES = (
    "zhadu",
    "ttcc4",
    "skirmish",
    "sheepwolf",
    "quad",
    "merrills",
    "knightthrough",
    "connect5",
    "checkers",
    "breakthrough",
    "tictactoe3d",
    "chinesecheckers",
    "battle",
    "chinook",
    "tic_tac_toe",
    "connect_four",
    "hex",
    "reversi",
)


@cache
def machine(name: str) -> Machine:
    return load_machine(name, "prover")


def legal(machine: Machine, state: Any) -> list[list[str]]:
    """Of each role, what it may do, as text."""
    return [
        sorted(machine.action_text(role, action) for action in machine.legal(state, role))
        for role in range(len(machine.roles))
    ]


def play(machine: Machine, state: Any, joint: list[str]) -> Any:
    actions = [machine.find_action(role, text) for role, text in enumerate(joint)]
    assert all(action is not None for action in actions), f"no such actions: {joint}"
    return machine.play(state, actions)


def fingerprint(machine: Machine, state: Any) -> str:
    """A hash of all that can be asked about a state."""
    lines = machine.facts(state)
    if machine.is_terminal(state):
        lines = [*lines, f"goals {machine.goals(state)}"]
    else:
        lines = [*lines, *map(str, legal(machine, state))]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def transcript(machine: Machine, joints: list[list[str]]) -> Iterator[str]:
    """The lines of a match with these joint actions."""
    state = machine.game.initial_state()
    for joint in joints:
        yield f"{fingerprint(machine, state)} {' | '.join(joint)}"
        state = play(machine, state, joint)
    assert machine.is_terminal(state), "the match is not over"
    yield f"{fingerprint(machine, state)} goals {' '.join(map(str, machine.goals(state)))}"


def golden(name: str) -> list[list[str]]:
    """The matches of a golden file, as lines."""
    text = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    return [match.splitlines() for match in text.strip().split("\n\n")]


def joint_actions(match: list[str]) -> list[list[str]]:
    return [line.split(" ", 1)[1].split(" | ") for line in match[:-1]]


if __name__ == "__main__":
    for name in NAMES:
        matches = ["\n".join(transcript(machine(name), joint_actions(match))) for match in golden(name)]
        (GOLDEN / f"{name}.txt").write_text("\n\n".join(matches) + "\n", encoding="utf-8")
