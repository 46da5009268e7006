"""The project's own rulesheets: what they declare, how many matches they allow, and golden matches."""

import gzip
import itertools
import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from sheet_matches import NAMES, fingerprint, golden, joint_actions, legal, machine, play, transcript
from treewise.gdl import Prover, Sheet, load_sheet, sheet_names
from treewise.gdl.load import sheet_path
from treewise.gdl.terms import Term

# Sequences of joint actions of length 1, 2, ... from the start. Those up to chinook are the counts of the public
# rulesheets by the prover of ggp-base (the 552 of merrills is 24 times 23), the last four published or plain.
PERFT = {
    "zhadu": [25, 625],
    "ttcc4": [9, 81, 701],
    "skirmish": [20, 400],
    "sheepwolf": [2, 14, 56],
    "quad": [234],
    "merrills": [24, 552],
    "knightthrough": [40, 1600],
    "connect5": [64],
    "checkers": [7, 49, 379],
    "breakthrough": [22, 484],
    "tictactoe3d": [64],
    "chinesecheckers": [7, 49, 343],
    "battle": [1936],
    "chinook": [81],
    "tic_tac_toe": [9, 72, 504],
    "connect_four": [8, 64, 512],
    "hex": [81],
    "reversi": [4, 12, 56, 244],
}

GENERAL_SUM = {"skirmish", "chinesecheckers", "battle", "chinook"}
AT_ONCE = {"battle", "chinook"}


def renamed(sheet: Sheet, old: str, new: str) -> Sheet:
    """The rules of one keyword under the name of another."""
    rules = [rule for rule in sheet.rules if rule.head.name != new]
    return Sheet(
        tuple(replace(rule, head=Term(new, rule.head.args)) if rule.head.name == old else rule for rule in rules),
        sheet.roles,
        sheet.spelling,
    )


@cache
def declared_facts(name: str) -> set[str]:
    sheet = load_sheet(name)
    return set(map(sheet.spell, Prover(renamed(sheet, "base", "init")).initial))


@cache
def declared_actions(name: str) -> list[set[str]]:
    sheet = load_sheet(name)
    prover = Prover(renamed(sheet, "input", "legal"))
    return [set(map(sheet.spell, prover.legal([], role))) for role in prover.roles]


def test_all_are_shipped() -> None:
    assert set(NAMES) <= set(sheet_names())


@pytest.mark.parametrize("name", NAMES)
def test_begins_with_a_description(name: str) -> None:
    lines = sheet_path(name).read_text(encoding="utf-8").splitlines()
    comment = list(itertools.takewhile(lambda line: line.startswith(";"), lines))
    assert re.search(r"Players: .*, (in turn; .* begins|both at once)\.", comment[0])
    assert comment[-1].startswith("; Source: ")
    assert 4 <= len(comment) <= 6
    assert max(map(len, lines)) <= 120


@pytest.mark.parametrize("name", NAMES)
def test_perft(name: str) -> None:
    rules = machine(name)
    states = [rules.game.initial_state()]
    for count in PERFT[name]:
        states = [
            play(rules, state, list(joint)) for state in states for joint in itertools.product(*legal(rules, state))
        ]
        assert len(states) == count
        states = [state for state in states if not rules.is_terminal(state)]


@pytest.mark.parametrize("name", NAMES)
def test_golden_matches(name: str) -> None:
    """A short and a long one, with different results."""
    short, long = golden(name)
    for match in (short, long):
        assert list(transcript(machine(name), joint_actions(match))) == match


@pytest.mark.parametrize("name", NAMES)
def test_facts_and_actions_are_declared(name: str) -> None:
    """Along the golden matches. Turn-taking games have a choice for one role at a time."""
    rules = machine(name)
    facts, actions = declared_facts(name), declared_actions(name)
    for match in golden(name):
        state = rules.game.initial_state()
        for joint in joint_actions(match):
            choices = legal(rules, state)
            assert set(rules.facts(state)) <= facts
            assert all(set(choice) <= declared for choice, declared in zip(choices, actions, strict=True))
            assert sum(len(choice) > 1 for choice in choices) <= 1 or name in AT_ONCE
            state = play(rules, state, joint)


@pytest.mark.parametrize("name", NAMES)
def test_goals_add_up(name: str) -> None:
    ends = [[int(goal) for goal in match[-1].split()[2:]] for match in golden(name)]
    assert all(sum(goals) == 100 for goals in ends) or name in GENERAL_SUM


def test_a_changed_rule_changes_the_fingerprint() -> None:
    """The golden matches can fail."""
    rules = machine("tic_tac_toe")
    state = rules.game.initial_state()
    other = play(rules, state, ["(mark 1 1)", "noop"])
    assert fingerprint(rules, state) != fingerprint(rules, other)


def table() -> dict[str, list[str]]:
    """The rows of the table in the documentation."""
    page = Path(__file__).parents[2] / "docs" / "gdl_games.md"
    rows = re.findall(r"^\| `(\w+)` \|(.*)\|$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: [cell.strip() for cell in row.split("|")] for name, row in rows}


@pytest.mark.parametrize("name", NAMES)
def test_documentation(name: str) -> None:
    players, at_once, constant, facts, actions, first, longest = table()[name]
    rules = machine(name)
    choices = legal(rules, rules.game.initial_state())
    assert players == ", ".join(rules.roles)
    assert (at_once == "yes") == (name in AT_ONCE)
    assert (constant == "yes") == (name not in GENERAL_SUM)
    assert int(facts) == len(declared_facts(name))
    assert int(actions) == sum(map(len, declared_actions(name)))
    assert first == (" and ".join(str(len(choice)) for choice in choices) if name in AT_ONCE else str(len(choices[0])))
    assert max(len(match) - 1 for match in golden(name)) <= int(longest)


@pytest.mark.long
@pytest.mark.parametrize(("number", "name"), list(enumerate(NAMES[:14], 1)))
def test_traces_of_public_sheets(number: int, name: str, shared_gdl: Path) -> None:
    """Random matches on the public rulesheets of the same games, recorded with ggp-base's prover."""
    rules = machine(name)
    (trace,) = (shared_gdl / "golden").glob(f"{number:02}_{name}*.trace.jsonl.gz")
    with gzip.open(trace, "rt", encoding="utf-8") as lines:
        steps = [json.loads(line) for line in lines]
    for step in steps:
        if step["step"] == 0:
            state = rules.game.initial_state()
        assert rules.facts(state) == sorted(step["state"])
        assert rules.is_terminal(state) == step["terminal"]
        if step["terminal"]:
            assert dict(zip(rules.roles, rules.goals(state), strict=True)) == step["goals"]
        else:
            expected = [sorted(step["legal"][role]) for role in rules.roles]
            assert legal(rules, state) == expected
            state = play(rules, state, step["move"])
