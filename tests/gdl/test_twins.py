"""Rulesheets of games that are also written in C++: the same matches, action by action."""

import random
from collections.abc import Callable

import pytest

import treewise
from sheet_matches import legal, machine, play

LETTERS = " abcdefghijklm"


def squares(words: list[str]) -> str:
    """(move 1 2 2 3) as a2b3."""
    numbers = list(map(int, words[1:]))
    return "".join(f"{LETTERS[x]}{y}" for x, y in zip(numbers[::2], numbers[1::2], strict=True))


def column(words: list[str]) -> str:
    return LETTERS[int(words[1])]


def lettered(words: list[str]) -> str:
    return words[1] + words[2]


def two_letters(words: list[str]) -> str:
    return f"{words[1]}{LETTERS.index(words[2])}"


TWINS: dict[str, tuple[str, Callable[[list[str]], str]]] = {
    "breakthrough": ("breakthrough", squares),
    "knightthrough": ("knightthrough", squares),
    "tic_tac_toe": ("tic_tac_toe", squares),
    "connect_four": ("connect_four(rows=6, columns=8)", column),
    "hex": ("hex(size=9)", lettered),
    "reversi": ("othello", squares),
    "connect5": ("gomoku(size=8, line=5)", two_letters),
}


def compare(name: str, seed: int) -> None:
    text, spell = TWINS[name]
    rules, twin = machine(name), treewise.load_game(text).initial_state()
    state, chance = rules.game.initial_state(), random.Random(seed)
    while not rules.is_terminal(state):
        player, choices = twin.current_player(), legal(rules, state)
        assert choices[1 - player] == ["noop"]
        names = {"pass" if c == "noop" else spell(c.strip("()").split()): c for c in choices[player]}
        actions = {twin.action_name(action): action for action in twin.legal_actions()}
        assert set(names) == set(actions)
        chosen = chance.choice(sorted(names))
        joint = ["noop", "noop"]
        joint[player] = names[chosen]
        state = play(rules, state, joint)
        twin.apply(actions[chosen])
        assert twin.is_terminal() == rules.is_terminal(state)
    assert rules.goals(state) == [50 + 50 * value for value in twin.returns()]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", TWINS)
def test_twins(name: str, seed: int) -> None:
    compare(name, seed)


@pytest.mark.long
@pytest.mark.parametrize("name", TWINS)
def test_twins_in_many_matches(name: str) -> None:
    for seed in range(2, 150):
        compare(name, seed)
