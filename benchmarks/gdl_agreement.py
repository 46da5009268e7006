"""Do all ways to evaluate a rulesheet agree: the fast machine, the prover, and plain evaluation of the ground rules?

    python benchmarks/gdl_agreement.py [NAME …] [--states 10000] [--seconds 200] [--rules 15] [--results FILE]

Random matches from the start, of the rulesheets that come with Treewise unless some are named. In every state, facts,
legal actions, the end and goals are compared, and so is what follows. The prover may take `--seconds` of processor time
a game, the ground rules, the slowest, `--rules`; what has used them up drops out at the end of a match.
"""

from __future__ import annotations

import argparse
import json
import random
import time
import warnings
from pathlib import Path
from typing import Any, NamedTuple

from treewise.gdl.grounder import ground
from treewise.gdl.grounding.evaluate import Evaluator
from treewise.gdl.load import load_sheet, sheet_names
from treewise.gdl.machine import Machine
from treewise.gdl.net_machine import NetMachine, check_native
from treewise.gdl.prover.machine import ProverMachine
from treewise.gdl.syntax import GDLError
from treewise.gdl.terms import Sheet


class Answers(NamedTuple):
    """What is compared in a state, in lower case."""

    facts: list[str]
    legal: list[list[str]]
    terminal: bool
    goals: list[int]


class OfMachine:
    """The answers of a machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.spent = 0.0
        self.states = 0
        self.state: Any = None

    def begin(self) -> None:
        self.state = self.machine.game.initial_state()

    def answers(self) -> Answers:
        machine, state = self.machine, self.state
        roles = range(len(machine.roles))
        legal = [_sorted(machine.action_text(role, a) for a in machine.legal(state, role)) for role in roles]
        return Answers(_sorted(machine.facts(state)), legal, machine.is_terminal(state), list(machine.goals(state)))

    def play(self, joint: list[str]) -> None:
        actions = [self.machine.find_action(role, text) for role, text in enumerate(joint)]
        if None in actions:
            raise GDLError(f"does not know one of {' '.join(joint)}")
        self.state = self.machine.play(self.state, [action for action in actions if action is not None])


class OfRules:
    """The answers of the ground rules, evaluated all."""

    def __init__(self, run: Evaluator) -> None:
        self.run = run
        self.spent = 0.0
        self.states = 0
        self.state = run.initial
        self.actions = [{str(action).lower(): action for action in own} for own in run.program.actions]

    def begin(self) -> None:
        self.state = self.run.initial

    def answers(self) -> Answers:
        holds = self.run.model(self.state)
        program = self.run.program
        goals = [max((value for value, atom in own if holds[atom]), default=0) for own in program.goals]
        legal = [_sorted(map(str, own)) for own in self.run.legal(self.state)]
        return Answers(_sorted(map(str, self.state)), legal, bool(holds[program.terminal]), goals)

    def play(self, joint: list[str]) -> None:
        self.state = self.run.play(self.state, [self.actions[role][text] for role, text in enumerate(joint)])


def _sorted(texts: Any) -> list[str]:
    return sorted(text.lower() for text in texts)


def compare(sheet: Sheet, states: int, seconds: float, of_rules: float, seed: int = 0) -> dict[str, Any]:
    """Plays random matches until so many states of the fast machine have been compared with the prover's."""
    program = ground(sheet)
    fast, prover = OfMachine(NetMachine(sheet, program)), OfMachine(ProverMachine(sheet))
    rules = OfRules(Evaluator(program))
    chance, met = random.Random(seed), set[tuple[str, ...]]()
    while prover.states < states and prover.spent < seconds:
        live: list[OfMachine | OfRules] = [prover]
        if rules.spent < of_rules and rules.states < states:
            live.append(rules)
        for one in (fast, *live):
            one.begin()
        while (answers := _agreed(fast, live)) is not None:
            met.add(tuple(answers.facts))
            if answers.terminal or not all(answers.legal):
                break
            joint = [chance.choice(own) for own in answers.legal]
            for one in (fast, *live):
                _timed(one, lambda: one.play(joint))  # noqa: B023
        else:
            break
    return {
        "states": prover.states,
        "of_rules": rules.states,
        "distinct": len(met),
        "agree": answers is not None,
        "prover_seconds": round(prover.spent, 1),
        "rules_seconds": round(rules.spent, 1),
    }


def _agreed(fast: OfMachine, live: list[OfMachine | OfRules]) -> Answers | None:
    answers = fast.answers()
    for other in live:
        if _timed(other, other.answers) != answers:
            return None
        other.states += 1
    return answers


def _timed(one: OfMachine | OfRules, call: Any) -> Any:
    begin = time.process_time()
    result = call()
    one.spent += time.process_time() - begin
    return result


def main() -> None:
    """Prints a line of JSON a sheet; those that are among the results already are left out."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("sheets", metavar="NAME", nargs="*", help="files, or names of those that are shipped")
    parser.add_argument("--states", type=int, default=10_000, help="to compare")
    parser.add_argument("--seconds", type=float, default=200, help="of the prover, a game")
    parser.add_argument("--rules", type=float, default=15, help="seconds of the ground rules, a game")
    parser.add_argument("--results", type=Path, help="where the lines go besides; the same command goes on there")
    options = parser.parse_args()
    warnings.simplefilter("ignore")  # of goals that are missing
    done = options.results.read_text().splitlines() if options.results and options.results.exists() else []
    known = {json.loads(line)["sheet"] for line in done}
    for name in options.sheets or sheet_names():
        sheet = load_sheet(name)
        try:
            check_native(sheet)
        except GDLError:
            continue  # the prover plays alone
        if name not in known:
            line = json.dumps({"sheet": str(name), **compare(sheet, options.states, options.seconds, options.rules)})
            print(line, flush=True)
            if options.results:
                with options.results.open("a") as file:
                    file.write(line + "\n")


if __name__ == "__main__":
    main()
