"""Rulesheets as games: the text form, its errors, what is kept of it."""

import pickle
from pathlib import Path

import pytest

from treewise import game_text, load_game, parse_search
from treewise.gdl import GDLError, load_machine

COUNTDOWN = """
(role left) (init (at 3)) (less 3 2) (less 2 1) (less 1 0)
(<= (legal left (down ?n)) (true (at ?m)) (less ?m ?n)) (<= (legal left stay) (true (at ?n)))
(<= (next (at ?n)) (does left (down ?n))) (<= (next (at ?n)) (does left stay) (true (at ?n)))
(<= terminal (true (at 0))) (<= (goal left 80) (true (at 0))) (<= (goal left 0) (not (true (at 0))))
"""


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "countdown.kif"
    path.write_text(COUNTDOWN)
    return path


def test_a_file_of_ones_own(sheet: Path) -> None:
    game = load_game(f"gdl(path={str(sheet)!r})")
    state = game.initial_state()
    assert (game.num_players, game.min_utility, game.max_utility) == (1, 0, 100)
    assert sorted(state.action_name(action) for action in state.legal_actions()) == ["(down 2)", "stay"]
    result = parse_search("uct(simulations=300)").run(state, seed=1)
    assert state.action_name(result.action) == "(down 2)"


def test_text_forms(sheet: Path) -> None:
    text = f"gdl(path={str(sheet)!r})"
    full = game_text(load_game(text), full=True)
    assert game_text(load_game(f"gdl({str(sheet)!r}, max_length=1000)")) == text
    assert game_text(load_game(full)) == text
    assert game_text(load_game(f"gdl({str(sheet)!r}, sequential=True)")).endswith("sequential=True)")


def test_a_changed_sheet_is_another_game(sheet: Path) -> None:
    full = game_text(load_game(f"gdl({str(sheet)!r})"), full=True)
    sheet.write_text(COUNTDOWN.replace("80", "90"))
    with pytest.raises(ValueError, match="has changed"):
        load_game(full)
    state = load_game(f"gdl({str(sheet)!r})").initial_state()
    while not state.is_terminal():
        state.apply(next(action for action in state.legal_actions() if state.action_name(action) != "stay"))
    assert state.returns() == [90.0]


def test_pickled_states(sheet: Path) -> None:
    state = load_game(f"gdl({str(sheet)!r})").initial_state()
    state.apply(state.legal_actions()[0])
    again = pickle.loads(pickle.dumps(state))
    assert str(again) == str(state)
    assert again.hash() == state.hash()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gdl", "which rulesheet"),
        ("gdl('no_such_game')", "no rulesheet 'no_such_game'"),
        ("gdl('tic_tac_to')", "did you mean 'tic_tac_toe'"),
        ("gdl(file='tic_tac_toe')", "unknown parameter 'file'"),
        ("gdl(3)", "'path' must be a text"),
        ("gdl('tic_tac_toe', max_length=0)", "max_length"),
        ("gdl('tic_tac_toe', max_length=True)", "'max_length' must be a whole number"),
        ("gdl('tic_tac_toe', 10, False, '', False, 5.0, 100, 9, 9)", "takes at most"),
        ("gld('tic_tac_toe')", "did you mean 'gdl'"),
    ],
)
def test_what_cannot_be_loaded(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("(", r"\(")):
        load_game(text)


def test_percepts_are_left_to_the_prover(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(GDLError, match="no percepts"):
        load_machine("kuhn_poker", "net")
    assert load_machine("kuhn_poker").roles
    assert "played by the prover" in caplog.text


def test_unknown_machine() -> None:
    with pytest.raises(ValueError, match="did you mean 'prover'"):
        load_machine("kuhn_poker", "prove")
