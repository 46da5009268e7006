"""What a result says of a search that could be better."""

from __future__ import annotations

import json

import pytest

import treewise
from treewise import Search, parse_search
from treewise.cli import main


def remarks(search: str, game: str, simulations: int = 500) -> tuple[str, ...]:
    state = treewise.load_game(game).initial_state()
    return parse_search(search).replace(limit=treewise.limit.Simulations(simulations)).run(state, seed=1).remarks


@pytest.mark.parametrize(("game", "hint"), [("vgdl('zelda')", "explorer()"), ("same_game", "bounds='node'")])
@pytest.mark.parametrize("search", ["uct", "mcts(selection=ucb1_tuned)"])
def test_even_visits_in_a_wide_range_are_remarked(search: str, game: str, hint: str) -> None:
    (remark,) = remarks(search, game, 3000)
    assert remark.startswith("the visits are nearly even")
    assert hint in remark
    assert "\n" not in remark


@pytest.mark.parametrize(
    ("search", "game", "simulations"),
    [
        ("uct(c=0)", "vgdl('zelda')", 500),  # not even
        ("mcts(selection=ucb1(bounds='node'))", "vgdl('zelda')", 500),
        ("explorer", "vgdl('zelda')", 500),
        ("uct", "vgdl('zelda')", 50),  # too few to say
        ("uct", "hex(size=5)", 3000),  # a range that results fill
        ("uct", "goofspiel(cards=4)", 500),
    ],
)
def test_nothing_is_remarked(search: str, game: str, simulations: int) -> None:
    if game.startswith("goofspiel"):
        state = treewise.load_game(game).initial_state()
        while state.current_player() == treewise.game.CHANCE:
            state.apply(state.legal_actions()[0])
        assert Search().run(state).remarks == ()
    else:
        assert remarks(search, game, simulations) == ()


def test_remarks_are_printed_and_exported() -> None:
    state = treewise.load_game("vgdl('zelda')").initial_state()
    result = treewise.uct(simulations=500).run(state)
    assert "nearly even" in str(result)
    assert json.loads(result.to_json())["remarks"] == list(result.remarks)
    assert "+0," not in str(result)
    assert f"{result.value:+,.0f} for player 0" in str(result)


def test_commands_choose_what_suits(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "vgdl('zelda')", "--json", "--simulations", "60"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert "foraging" in shown["search"]
    assert shown["remarks"] == []


@pytest.mark.parametrize("search", ["uct", "enhanced"])
def test_fewer_simulations_than_actions_are_remarked(search: str) -> None:
    (remark,) = remarks(search, "go", 20)
    assert remark == (
        "20 simulations for 82 actions, so that most are never tried: give it more time, or a quicker playout"
    )
    assert remarks(search, "go", 81)[0].startswith("81 simulations for 82 actions, so that some")
    assert remarks(search, "go", 82) == ()


def test_visits_of_a_kept_tree_count_as_simulations() -> None:
    state = treewise.load_game("go(size=5)").initial_state()
    session = treewise.uct(simulations=2000).session(seed=1)
    state.apply(session.run(state).action)
    assert treewise.uct(simulations=5).run(state).remarks != ()
    assert session.run(state).remarks == ()


def test_a_proven_root_needs_no_more_simulations() -> None:
    state = treewise.load_game("gomoku(size=5, line=4)").parse_state("xxx../ooo../...../...../.....", 0)
    result = treewise.enhanced(simulations=1).run(state)
    assert result.proof == [1, -1]
    assert result.remarks == ()
