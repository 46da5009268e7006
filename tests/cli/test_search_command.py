"""`treewise search` and `treewise bench`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import treewise
from treewise import information
from treewise.cli import main
from treewise.cli.notation import find_action, play_actions


@pytest.mark.parametrize("game", treewise.game_names())
def test_every_game_can_be_searched(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", game, "--simulations", "40"]) == 0
    assert "40 simulations" in " ".join(capsys.readouterr().out.split())


def test_board_and_table(capsys: pytest.CaptureFixture[str]) -> None:
    board = ["--board", "xx./oo./...", "--player", "0"]
    assert main(["search", "tic_tac_toe", *board, "--simulations", "500", "--rows", "2"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(" 3 x x .\n 2 o o .\n")
    assert "▶ │ c3" in out
    assert "… 3 more" in out


def test_json_is_the_result_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--actions", "a2a3,h7h6", "--search", "uct(c=1.0, simulations=300)", "--seed", "5", "--json"]
    assert main(["search", "breakthrough", *arguments]) == 0
    printed = json.loads(capsys.readouterr().out)
    state = treewise.load_game("breakthrough").initial_state()
    play_actions(state, "a2a3,h7h6")
    result = treewise.uct(c=1.0, simulations=300).run(state, seed=5)
    assert printed["action"] == result.action
    assert printed["children"] == json.loads(result.to_json())["children"]
    assert printed["search"] == "mcts(selection=ucb1(c=1.0), limit=simulations(count=300))"
    assert printed["state"] == str(state)


def test_options_overrule_the_limit_of_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    main(["search", "tic_tac_toe", "--search", "uct(simulations=300)", "--simulations", "20", "--json"])
    assert json.loads(capsys.readouterr().out)["stats"]["simulations"] == 20
    main(["search", "tic_tac_toe", "--search", "uct(simulations=300)", "--seconds", "0.05", "--json"])
    assert 0.05 <= json.loads(capsys.readouterr().out)["stats"]["seconds"] < 5


def test_hidden_information_is_respected_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    main(["search", "phantom_tic_tac_toe", "--simulations", "40", "--json"])
    search = treewise.parse_search(json.loads(capsys.readouterr().out)["search"])
    assert isinstance(search.information, information.Determinization)


def test_chance_at_the_root_is_drawn_by_the_seed_or_given(capsys: pytest.CaptureFixture[str]) -> None:
    drawn = []
    for seed in range(5):
        main(["search", "goofspiel", "--simulations", "20", "--seed", str(seed), "--json"])
        drawn.append(json.loads(capsys.readouterr().out)["state"])
    assert len(set(drawn)) > 1
    state = treewise.load_game("goofspiel").initial_state()
    name = state.action_name(state.legal_actions()[4])
    main(["search", "goofspiel", "--simulations", "20", "--actions", name, "--json"])
    state.apply(state.legal_actions()[4])
    assert json.loads(capsys.readouterr().out)["state"] == str(state)


def test_actions_where_several_act_at_once() -> None:
    state = treewise.load_game("goofspiel(cards=4)").initial_state()
    prize = state.action_name(state.legal_actions()[0])
    play_actions(state, f"{prize},2,3")
    assert len(state.history()) == 3
    with pytest.raises(ValueError, match="no legal action 'nine'"):
        play_actions(state, "nine")


def test_actions_by_name_in_any_case_or_number() -> None:
    state = treewise.load_game("tic_tac_toe").initial_state()
    legal = state.legal_actions()
    assert find_action(state, "a3") == find_action(state, "A3") == find_action(state, "1") == legal[0]
    for wrong in ("10", "0", "-1", "", "a33"):
        with pytest.raises(ValueError, match="no legal action"):
            find_action(state, wrong)


def test_bench(capsys: pytest.CaptureFixture[str]) -> None:
    short = ["--seconds", "0.01", "--repeats", "3"]
    assert main(["bench", *short]) == 0
    out = capsys.readouterr().out
    assert all(f" {name} " in out for name in treewise.game_names())
    assert main(["bench", "breakthrough(rows=6)", *short, "--json"]) == 0
    measured = json.loads(capsys.readouterr().out)
    (game,) = measured["games"]
    assert game["game"] == "breakthrough(rows=6)"
    for key in ("simulations_per_second", "playouts_per_second"):
        assert len(game[key]) == 3
        assert all(rate > 1000 for rate in game[key])


def test_the_seed_says_how_the_dice_fall_on_the_way(capsys: pytest.CaptureFixture[str]) -> None:
    game = str(Path(__file__).parents[1] / "dice_games.py:Ladder")
    actions = ["--actions", ",".join(["climb"] * 8), "--simulations", "10"]
    boards = []
    for seed in ("1", "1", "2", "3", "4"):
        assert main(["search", game, *actions, "--seed", seed]) == 0
        boards.append(capsys.readouterr().out.splitlines()[0])
    assert boards[0] == boards[1]
    assert len(set(boards)) > 1


@pytest.mark.parametrize(
    ("game", "advice"), [("zelda", "write vgdl('zelda')"), ("hidden_coin", "write gdl('hidden_coin')")]
)
def test_games_of_a_family_need_its_name(game: str, advice: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", game]) == 2
    assert capsys.readouterr().err == f"treewise search: unknown game '{game}'; {advice}\n"
