"""The conformance suite finds nothing in sound rules, says where a problem is, and what it cannot check."""

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from sound_games import SOUND, Take
from test_actions import (
    AskingChanges,
    AskingChangesSeldom,
    Duplicates,
    RefusesLegal,
    ReturnsAnother,
    ReturnsAnotherThatWins,
    SameNames,
    Shuffles,
)
from test_clones import DeeplySharedClone, ForgetfulClone, LateClone, Random
from test_returns import Endless, LostRewards, NotANumber

import treewise
from treewise.testing import Report, check_game
from treewise.testing.subject import REQUIRED


@pytest.mark.parametrize("game", SOUND)
def test_sound_games_pass(game: type[Take]) -> None:
    report = check_game(game, matches=40)
    assert report.ok, str(report)
    assert report.steps > 20


def test_one_fault_gives_one_problem() -> None:
    """A fault is not taken for another one, as far as it can be told."""
    alone = [RefusesLegal, Duplicates, NotANumber, DeeplySharedClone, LostRewards, SameNames]
    alone += [ReturnsAnother, ReturnsAnotherThatWins, Shuffles, AskingChanges, AskingChangesSeldom]
    random.seed(1)
    assert [len(check_game(game).problems) for game in alone] == [1] * len(alone)


def test_a_problem_says_where_it_is() -> None:
    report = check_game(ForgetfulClone, matches=5)
    problem = next(problem for problem in report.problems if problem.kind == "clone")
    assert (problem.match, problem.step) == (0, 3)
    assert "(match 0, step 3)" in str(report)


def test_the_step_of_a_replay_is_one_of_the_match() -> None:
    random.seed(1)
    for seed in range(20):
        report = check_game(Random, matches=1, seed=seed)
        assert all(0 <= problem.step <= report.steps for problem in report.problems), str(report)


def test_a_replay_says_where_it_differs() -> None:
    """Only the end differs, so it must be the last step, on whatever way it was found."""
    for seed in range(20):
        report = check_game(LateClone, matches=1, seed=seed)
        assert [problem.step for problem in report.problems] == [report.steps] * len(report.problems), str(report)


def test_what_may_be_checked() -> None:
    game = treewise.load_game("tic_tac_toe")
    late = game.initial_state()
    for cell in (0, 1, 2, 3):
        late.apply(cell)
    reports = [check_game(thing, matches=3) for thing in (game, late, game.initial_state, Take, Take())]
    assert all(report.ok for report in reports), reports
    assert reports[1].steps < reports[0].steps
    assert [report.name for report in reports][::3] == ["tic_tac_toe", "Take"]
    assert len(late.history()) == 4, "the state that was given is left alone"


@pytest.mark.parametrize("thing", [7, "tic_tac_toe", object])
def test_what_may_not_be_checked(thing: object) -> None:
    with pytest.raises(TypeError, match=r"state"):
        check_game(thing)


def test_the_same_seed_gives_the_same_report() -> None:
    assert check_game(Take, seed=3) == check_game(Take, seed=3)
    assert isinstance(check_game(Take), Report)


class Early(Take):
    def __init__(self) -> None:
        raise KeyError("early")


class NoReturns(Take):
    def returns(self) -> None:  # type: ignore[override]
        return None


class NoReturnsLater(Take):
    def returns(self) -> list[float]:
        return [0.0, 0.0] if self.left else None  # type: ignore[return-value]


class TwoPlayers(Take):
    num_players = "two"  # type: ignore[assignment]


class ReturnsItself(Take):
    def clone(self) -> Take:
        return self


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (Early, r"KeyError in __init__\(\), test_check_game.py:\d+: 'early'"),
        (NoReturns, r"TypeError: NoReturns.returns\(\) is None, not a list"),
        (NoReturnsLater, r"TypeError: NoReturnsLater.returns\(\) is None, not a list"),
        (TwoPlayers, r"TypeError: TwoPlayers.num_players\(\): num_players must be a whole number, not str"),
        (ReturnsItself, r"ReturnsItself.clone\(\): returned the state itself; .*"),
    ],
)
def test_errors_are_problems_also_before_the_first_step(game: type[Take], text: str) -> None:
    report = check_game(game, matches=5)
    assert report.kinds == {"error"}, str(report)
    assert re.fullmatch(text, report.problems[0].text), str(report)
    assert report.name == game.__name__


def test_an_endless_match_is_the_last_one() -> None:
    report = check_game(Endless, max_length=30)
    assert (report.matches, report.steps) == (1, 30)
    assert str(report).startswith("Endless: 1 kind of problem in 1 match, 30 steps\n")


def test_a_match_ends_before_its_game_is_cut() -> None:
    class Short(Take):
        max_length = 4

    report = check_game(Short, matches=50, seed=1)
    assert report.kinds == {"endless"}
    assert "not over after 4 steps, where searches cut it" in str(report)
    assert check_game(Short, matches=50, seed=1, max_length=9).ok


def test_one_match_is_no_plural() -> None:
    assert str(check_game(Take, matches=1)).startswith("Take: no problems in 1 match, ")


def test_it_is_there_without_an_import_of_its_own_but_not_before_it_is_asked_for() -> None:
    program = """
import sys, treewise
assert "treewise.testing" not in sys.modules
assert not hasattr(treewise, "nothing_like_it")
print(treewise.testing.check_game(treewise.load_game("tic_tac_toe"), matches=1).ok)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("True\n", "")


@pytest.mark.parametrize("page", ["README.md", "docs/python_games.md"])
def test_pages_agree_on_how_many_methods_a_game_needs(page: str) -> None:
    text = (Path(__file__).parents[2] / page).read_text(encoding="utf-8")
    assert re.findall(r"class with (\w+) methods", text) == [{6: "six"}[len(REQUIRED)]]
