"""Games, states, searches and results are pickled and copied."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from python_game import Nim

import treewise
from dice_games import Ladder
from faults import GAMES, positions
from treewise import limit
from treewise.part import part_classes

# ---- copies

COPIES: list[Callable[[Any], Any]] = [
    lambda x: pickle.loads(pickle.dumps(x)),
    lambda x: pickle.loads(pickle.dumps(x, protocol=2)),
    copy.copy,
    copy.deepcopy,
]


def test_sessions_say_what_to_copy_instead() -> None:
    session = treewise.uct(simulations=5).session()
    for make in COPIES:
        with pytest.raises(TypeError, match=r"a session cannot be pickled or copied.* pickle session\.search"):
            make(session)


@pytest.mark.parametrize("name", GAMES)
def test_games_and_states_are_copied(name: str) -> None:
    for make in COPIES:
        game = treewise.load_game(name)
        assert make(game).parameters == game.parameters
        assert make(game) == game
        assert hash(make(game)) == hash(game)
        for state in [*positions(name), *boards(game)]:
            made = make(state)
            assert str(made) == str(state)
            assert made.history() == state.history()
            assert made.start == state.start
            assert made.current_player() == state.current_player()
            if "hash" in game.capabilities:
                assert made.hash() == state.hash()
            before = str(state)
            made.playout(5, max_length=3)
            assert str(state) == before, "they share nothing"


def boards(game: treewise.Game) -> list[treewise.State]:
    board = {"tic_tac_toe": "x../.../...", "go": "/".join(["1........"] + ["........."] * 8)}.get(game.name)
    if board is None:
        return []
    state = game.parse_state(board, 1)
    later = state.clone()
    later.apply(later.legal_actions()[-1])
    return [state, later]


def test_states_of_python_games_are_copied() -> None:
    state = treewise.as_state(Nim())
    state.apply(state.legal_actions()[0])
    for make in COPIES:
        made = make(state)
        assert made.legal_actions() == state.legal_actions()
        assert made.history() == state.history() == [1]
        replayed = made.game.initial_state()
        replayed.apply(1)
        assert replayed.legal_actions() == state.legal_actions(), "the game still begins where it began"
        made.apply(101)
        assert (made.history(), state.history()) == ([1, 101], [1])
    assert repr(state.game) == "<Python game Nim>"
    with pytest.raises(ValueError, match="no text form"):
        pickle.dumps(state.game)


def test_seeds_of_python_states_are_copied() -> None:
    state = treewise.as_state(Ladder())
    state.reseed(5)
    state.apply(state.legal_actions()[0])
    state.reseed(6)
    for make in COPIES:
        assert make(state).seeds() == state.seeds() == [(0, 5), (1, 6)]


def test_drawn_states_are_not_pickled() -> None:
    state = treewise.load_game("phantom_tic_tac_toe").initial_state()
    drawn = state.resample(0, seed=1)
    with pytest.raises(ValueError, match="cannot be pickled"):
        pickle.dumps(drawn)
    assert str(copy.deepcopy(drawn)) == str(drawn)


def test_searches_and_results_are_copied() -> None:
    state = treewise.load_game("goofspiel(cards=4, points_order='descending')").initial_state()
    for make in COPIES:
        for family, parts in part_classes().items():
            for name, cls in parts.items():
                part = cls(limits=(limit.Proven(),)) if family == "limit" and name in ("any", "all") else cls()  # type: ignore[call-arg]
                assert make(part) == part
        search = treewise.enhanced(simulations=100)
        assert make(search) == search
        assert make(search).identity() == search.identity()
        result = treewise.uct(simulations=100).run(state, seed=2)
        made = make(result)
        assert made == result
        assert made.to_json() == result.to_json()
        assert str(made) == str(result)
        with pytest.raises(RuntimeError, match="has no tree"):
            _ = made.tree
        assert result.tree.root.visits == 100, "the original keeps it"


def test_tables_of_joint_actions_say_whose_they_are() -> None:
    """The first player's choice is not marked in the second player's rows."""
    state = treewise.load_game("goofspiel(cards=4, points_order='descending')").initial_state()
    result = treewise.uct(simulations=200).run(state, seed=2)
    assert isinstance(result.action, list)
    text = str(result)
    assert "player" in text.splitlines()[2]
    assert sum("▶" in line for line in text.splitlines()) == 2
    rows = [line.strip("│ ").replace("│", "").split() for line in text.splitlines() if "▶" in line]
    assert [row[1] for row in rows] == ["0", "1"]
