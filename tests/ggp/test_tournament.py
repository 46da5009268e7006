"""Tournaments: who meets whom in which seat, what is stored, and what the standings say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from sheets import DIE, LAMPS, NIM, STUCK

from treewise.ggp.entrants import read_entrant
from treewise.ggp.match_server import Conditions, Rules, read_rules
from treewise.ggp.standings import standings
from treewise.ggp.tournament import Finished, Tournament, play_tournament
from treewise.lab import load
from treewise.lab.report import build, terminal_text
from treewise.lab.store import Store

THREE = """
(role a) (role b) (role c) (init s)
(<= (legal ?r x) (role ?r)) (<= (legal ?r y) (role ?r))
(<= (next (chose ?r ?m)) (does ?r ?m))
(<= terminal (not (true s)))
(<= (goal ?r 100) (true (chose ?r x))) (<= (goal ?r 10) (true (chose ?r y)))
"""


def make(folder: Path, sheet: str, players: Sequence[str], matches: int, **changes: object) -> Tournament:
    file = folder / "small.kif"
    file.write_text(sheet)
    rules: Rules = read_rules(file)
    return Tournament(rules, list(map(read_entrant, players)), Conditions(1, 10), matches, **changes)  # type: ignore[arg-type]


def test_two_seats_all_meet_all_with_seats_swapped(tmp_path: Path) -> None:
    planned = list(make(tmp_path, NIM, ["legal", "random", "flat"], 2).planned())
    assert [(match.meeting, match.seats) for match in planned] == [
        ((0, 1), (0, 1)),
        ((0, 1), (1, 0)),
        ((0, 2), (0, 2)),
        ((0, 2), (2, 0)),
        ((1, 2), (1, 2)),
        ((1, 2), (2, 1)),
    ]
    assert planned[0].match.seed == planned[1].match.seed != planned[2].match.seed


def test_one_seat_everybody_plays_alone(tmp_path: Path) -> None:
    planned = list(make(tmp_path, LAMPS, ["legal", "random"], 2).planned())
    assert [(match.meeting, match.seats) for match in planned] == [((0,), (0,)), ((1,), (1,))] * 2
    assert len({match.match.key for match in planned}) == 4


def test_more_seats_rotate(tmp_path: Path) -> None:
    planned = list(make(tmp_path, THREE, ["legal", "random", "flat"], 4).planned())
    assert [match.seats for match in planned] == [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 1, 2)]
    seeds = [match.match.seed for match in planned]
    assert seeds[0] == seeds[1] == seeds[2] != seeds[3]


@pytest.mark.parametrize(
    ("sheet", "players", "message"),
    [
        (NIM, ["legal"], "is for 2 players: name at least 2, not 1"),
        (THREE, ["legal"] * 4, "is for 3 players: name 3, not 4"),
        (NIM, ["localhost:9147", "localhost:9147"], "cannot play against itself"),
    ],
)
def test_what_cannot_be_played(tmp_path: Path, sheet: str, players: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make(tmp_path, sheet, players, 2)


def test_results_standings_and_records(tmp_path: Path) -> None:
    tournament = make(tmp_path, NIM, ["mcts(proof=solver)", "legal"], 4)
    finished = play_tournament(tournament, folder=tmp_path / "records")
    assert len(list((tmp_path / "records").glob("*.json"))) == 4
    solver, legal = standings(tournament, finished)
    assert (solver.entrant, solver.against, solver.matches) == ("mcts(proof=solver)", "legal", 4)
    assert (solver.tally, legal.tally, legal.goals.value) == ((4, 0, 0), (0, 0, 4), 0.0)
    assert solver.score is not None
    assert (solver.score.value, solver.score.high, solver.goals.value) == (1.0, 1.0, 100.0)
    assert solver.score.low < 1.0
    assert solver.failures == 0


def test_scores_of_several_seats() -> None:
    match = Finished((0, 1, 2), 0, (2, 0, 1), (50.0, 50.0, 10.0), None)
    assert [match.score(entrant) for entrant in range(3)] == [0.5, 0.0, 0.5]
    assert [match.goal(entrant) for entrant in range(3)] == [50.0, 10.0, 50.0]


def test_all_together_is_a_row_of_its_own(tmp_path: Path) -> None:
    tournament = make(tmp_path, NIM, ["legal", "random", "mcts(proof=solver)"], 2, seed=3)
    rows = standings(tournament, play_tournament(tournament))
    assert [row.against for row in rows].count("all") == 3
    together = next(row for row in rows if row.against == "all" and row.entrant == "mcts(proof=solver)")
    assert (together.matches, together.tally) == (4, (4, 0, 0))


def test_nobody_wins_alone(tmp_path: Path) -> None:
    tournament = make(tmp_path, LAMPS, ["legal", "flat"], 2)
    for row in standings(tournament, play_tournament(tournament)):
        assert (row.against, row.matches, row.tally, row.score) == ("", 2, None, None)


def test_intervals_of_goals_stay_where_goals_are(tmp_path: Path) -> None:
    tournament = make(tmp_path, LAMPS, ["legal"], 3)
    finished = [Finished((0,), index, (0,), (goal,), None) for index, goal in enumerate((0.0, 0.0, 100.0, 100.0))]
    (row,) = standings(tournament, finished)
    assert (row.goals.value, row.goals.low, row.goals.high) == (50.0, 0.0, 100.0)
    (same,) = standings(tournament, [Finished((0,), index, (0,), (100.0,), None) for index in range(4)])
    assert same.goals.low == float("-inf"), "matches that are all alike say nothing of others"


def test_the_store_gets_the_results_and_a_second_run_continues(tmp_path: Path) -> None:
    store = tmp_path / "lab.sqlite"
    players = ["mcts(proof=solver)", "legal"]
    play_tournament(make(tmp_path, NIM, players, 2), store)
    with Store(store) as opened:
        stored = list(opened.matches())
    assert [match.record.returns for match in stored] == [(100.0, 0.0), (0.0, 100.0)]
    assert [match.planned.game.split("(")[0] for match in stored] == ["rulesheet", "rulesheet"]
    assert len(stored[0].record.actions) == stored[0].record.length == 3
    again = play_tournament(make(tmp_path, NIM, players, 4), store)
    assert [match.record is None for match in again] == [True, True, False, False]
    assert [match.goals for match in again[:2]] == [(100.0, 0.0), (0.0, 100.0)]
    report = terminal_text(build(load(store)))
    assert "mcts(proof=solver)" in report
    assert "100.0" in report


def test_other_games_are_stored_too(tmp_path: Path) -> None:
    store = tmp_path / "lab.sqlite"
    play_tournament(make(tmp_path, DIE, ["legal"], 2), store)
    with Store(store) as opened:
        assert [len(match.record.returns) for match in opened.matches()] == [1, 1], "nothing of the server's own role"
        assert opened.names() == []


def test_a_match_that_is_called_off_has_no_result(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = tmp_path / "lab.sqlite"
    assert play_tournament(make(tmp_path, STUCK, ["legal", "random"], 2), store, tmp_path / "records") == []
    assert len(list((tmp_path / "records").glob("*.json"))) == 2
    with Store(store) as opened:
        assert opened.endings() == {}
    assert caplog.text.count("a match was called off after") == 2
    assert "has no legal move, though the match is not over" in caplog.text
