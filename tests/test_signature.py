"""The signature of the engine: fixed positions, seeds and searches; one hash a game.

A commit that changes what a search does changes these numbers and says so; run this file to print them again. Only
whole numbers are hashed, and the engine is compiled without fused multiply-adds, so that all processors agree.
"""

import hashlib
import json

import pytest

import treewise
from treewise import Search, information

SEARCHES = [
    "uct(simulations=300)",
    "mcts(selection=ucb1_tuned, first_play=parent(reduction=0.1), limit=simulations(200))",
    "mcts(expansion=one, playout=decisive(inner=mast), proof=solver, limit=simulations(100))",
    "mcts(expansion=all(after=3), playout=ngram(inner=last_good_reply), backup=discounted, limit=simulations(150))",
    "mcts(selection=puct, first_play=constant(0.6), evaluator=playouts(count=2), limit=simulations(100))",
]
MAX_LENGTH = 40
"""Playouts are cut here, which keeps the slowest games short."""

SIGNATURES = {
    "amazons": "aea23b837234",
    "breakthrough": "43353720e93a",
    "cannon": "b0ea2f99a837",
    "checkers": "497e5b7a78e0",
    "chinese_checkers": "69003d937a9b",
    "connect_four": "0de33e536d24",
    "go": "b43819549de7",
    "gomoku": "e9389a203b91",
    "goofspiel": "28e86c64f86f",
    "hex": "b12731522e11",
    "knightthrough": "fd0f90d8e1e3",
    "lines_of_action": "c02a47f7843c",
    "othello": "40de76cb6536",
    "pentalath": "9892f5ddb6d9",
    "phantom_tic_tac_toe": "72096706146c",
    "pig": "cacc2c78d23a",
    "same_game": "53d0999aacf7",
    "tic_tac_toe": "1399242a9706",
}


def states(name: str) -> list[treewise.State]:
    """The first state and a later one, at a choice."""
    found = []
    for length in (0, 7):
        state = treewise.load_game(name).initial_state()
        state.playout(length, max_length=length)
        while state.current_player() == treewise.CHANCE:
            state.apply(state.legal_actions()[-1])
        if not state.is_terminal():
            found.append(state)
    return found


def signature(name: str) -> str:
    lines = []
    for state in states(name):
        for text in SEARCHES:
            search = treewise.parse_search(text).replace(max_length=MAX_LENGTH)
            if "hidden" in state.game.capabilities:
                search = search.replace(information=information.Determinization(worlds=4), proof=None)
            if "rewards" in state.game.capabilities and search.proof is not None:
                search = search.replace(proof=None)
            lines.append(line(search, state))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def line(search: Search, state: treewise.State) -> str:
    session = search.session(seed=11)
    first = session.run(state)
    later = state.clone()
    later.apply(first.action)
    found = [[list(first.visits.items()), first.action, first.line[:1], first.stats.nodes]]
    if not later.is_terminal() and later.current_player() != treewise.CHANCE:
        second = session.run(later)
        found.append([list(second.visits.items()), second.action, second.line[:1], second.stats.nodes])
    return json.dumps(found)


@pytest.mark.parametrize("name", treewise.game_names())
def test_signature(name: str) -> None:
    assert name in SIGNATURES, "run this file and add its line"
    assert signature(name) == SIGNATURES[name]


def test_signature_covers_every_game() -> None:
    assert list(SIGNATURES) == treewise.game_names()


if __name__ == "__main__":
    for game in treewise.game_names():
        print(f'    "{game}": "{signature(game)}",')
