"""What objects look like in a shell: one short line that says what they are, never a dump of what they hold."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from python_game import Nim

import treewise
from brief_reprs import check
from own_files import own
from treewise import Search, Stop, gdl, limit, playout, selection, uct
from treewise.gdl.grounder import ground
from treewise.gdl.load import load_sheet
from treewise.match import Seat
from treewise.vgdl.observation import observe

__all__ = ["own"]

FEW = uct(simulations=30)


@cache
def result(game: str = "breakthrough") -> treewise.Result:
    return uct(simulations=500).run(treewise.load_game(game).initial_state(), seed=1)


def goofspiel() -> treewise.Result:
    return result("goofspiel(cards=6, points_order='descending')")


@cache
def comparison() -> treewise.Comparison:
    return treewise.compare("tic_tac_toe", FEW, FEW, matches=60)


class Curious:
    """Keeps what it is shown."""

    def __init__(self) -> None:
        self.seen: dict[str, Any] = {}

    def score(self, children: selection.Children) -> Any:
        self.seen["children"] = children
        return -children.visits

    def choose(self, state: Any, actions: list[int], rng: playout.Rng) -> int:
        self.seen["rng"] = rng
        return actions[0]

    def learn(self, record: playout.Record) -> None:
        self.seen["record"] = record


@cache
def shown(what: str) -> Any:
    part = Curious()
    Search(selection=part, playout=part, limit=limit.Simulations(50)).run(Nim())
    return part.seen[what]


OBJECTS: dict[str, Callable[[], Any]] = {
    "<Result: c2c3 of 22 actions, value -0.040 for player 0, 500 simulations>": result,
    "Stats(simulations=500, ": lambda: result().stats,
    "Child(action=157, name='e2d3', ": lambda: result().children[0],
    "<SearchTree of breakthrough: 69 nodes, 1,564 edges, 500 visits at the root>": lambda: result().tree,
    "<Node 0 of player 0: 500 visits, 22 edges>": lambda: result().tree.root,
    "<Edge 1: action 150 of player 0, 37 visits, value +0.297>": lambda: result().tree.root.edges[0],
    "<Result: (": goofspiel,
    "<JointEdge ": lambda: goofspiel().tree.root.joint_edges[0],
    "<Node 0 of all players: 500 visits, 12 edges>": lambda: goofspiel().tree.root,
    "<Search mcts(limit=simulations(count=30))>": lambda: FEW,
    "<Search mcts(playout=decisive(inner=<Curious>))>": lambda: Search(playout=playout.Decisive(inner=Curious())),
    "<Session of mcts(limit=simulations(count=30)), 0 runs>": FEW.session,
    "<Seat of player 1: mcts(limit=simulations(count=30)), 0 moves>": lambda: Seat(FEW, 1, seed=1),
    "<MatchRecord: returns (": lambda: comparison().encounters[0].records[0],
    "<Encounter 0: seats (A, B), returns (": lambda: comparison().encounters[0],
    "<Comparison: A wins 50.0 % (37.7 to 62.3) of 60 matches of tic_tac_toe": comparison,
    "<Game breakthrough>": lambda: treewise.load_game("breakthrough"),
    "<State of breakthrough, step 0>": lambda: treewise.load_game("breakthrough").initial_state(),
    "<Python game Nim>": lambda: treewise.as_state(Nim()).game,
    "<Game gdl(path='tic_tac_toe')>": lambda: treewise.load_game("gdl('tic_tac_toe')"),
    "<Game vgdl(game='aliens')>": lambda: treewise.load_game("vgdl('aliens')"),
    "<Program: 30×11 cells, 13 types of sprites, 6 pairs>": lambda: treewise.load_game("vgdl('aliens')").program,
    "<Observation of tick 0: score 0, ": lambda: observe(treewise.load_game("vgdl('aliens')").initial_state()),
    "<Sheet: 35 rules, roles xplayer, oplayer>": lambda: load_sheet("tic_tac_toe"),
    "<GroundProgram: ": lambda: ground(load_sheet("tic_tac_toe")),
    "<NetMachine with the roles xplayer, oplayer>": lambda: gdl.load_machine("tic_tac_toe"),
    "<ProverMachine with the roles xplayer, oplayer>": lambda: gdl.load_machine("tic_tac_toe", machine="prover"),
    "<Stop, not set>": Stop,
    "<Rng of the search>": lambda: shown("rng"),
    "<Children: ": lambda: shown("children"),
    "<Record of a simulation of ": lambda: shown("record"),
}


@pytest.mark.parametrize("text", OBJECTS)
def test_objects_of_the_library(text: str) -> None:
    check(OBJECTS[text](), text)


def test_compiled_games() -> None:
    pytest.importorskip("numba")
    from compiled_connect_four import ConnectFour

    check(ConnectFour, "<compiled game ConnectFour>")
    check(ConnectFour.twin, "<twin of ConnectFour>")


def test_files_of_ones_own(own: Path) -> None:
    check(treewise.load_game("nim.py:Nim"), "<Game nim.py:Nim>")
    check(treewise.parse_search("my_parts.py:search"), "<Search my_parts.py:search>")
    search = treewise.parse_search("mcts(playout=my_parts.py:First(x=2))")
    check(search, "<Search mcts(playout=my_parts.py:First(x=2))>")
    check(search.playout, "<playout my_parts.py:First(x=2)>")
    check(
        treewise.parse_search("my_parts.py:search").replace(bonus=[Curious()]),
        "<Search mcts(playout=<First>, bonus=[<C",
    )


def test_every_public_class_is_among_them() -> None:
    made = {cls for thing in OBJECTS.values() for cls in type(thing()).__mro__}
    for name in treewise.__all__:
        cls = getattr(treewise, name)
        if inspect.isclass(cls) and not issubclass(cls, BaseException):
            assert cls in made, f"what does a {name} look like?"


def test_a_search_with_a_part_in_python_can_be_printed() -> None:
    search = Search(selection=Curious(), playout=playout.Decisive(inner=Curious()), limit=limit.Simulations(5))
    parts = "selection=<Curious>, playout=decisive(inner=<Curious>), limit=simulations(count=5)"
    assert str(search) == f"mcts({parts})"
    with pytest.raises(ValueError, match=r"selection is written in Python \(Curious\) and has no text form; one that"):
        search.text()
