"""Trees where several players act at once: walked, saved and loaded, and grown as the expansion says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import treewise
from bonus_reference import Recorder
from faults import Boom
from treewise import Search, SearchTree, decision, expansion, first_play, limit, parallel, selection
from treewise.tree import Node

GAMES = ["goofspiel(cards=5)", "goofspiel(cards=4, players=3, points_order='descending')"]
DESCENDING = "goofspiel(cards=5, points_order='descending')"


def first_choice(game: str) -> treewise.State:
    state = treewise.load_game(game).initial_state()
    while state.current_player() == treewise.CHANCE:
        state.apply(state.legal_actions()[0])
    return state


def check_node(node: Node, state: treewise.State) -> list[tuple[Node, treewise.State]]:
    """The node is the state's, and visits add up; returns what is below."""
    assert node.player == state.current_player()
    if node.player != treewise.SIMULTANEOUS:
        assert node.joint_edges == []
        below = []
        for edge in node.edges:
            assert edge.player == node.player
            if edge.node is not None:
                below.append((edge.node, after(state, edge.action)))
        return below
    through: Counter[int] = Counter()
    for joint in node.joint_edges:
        assert [edge.player for edge in joint.edges] == list(range(state.game.num_players))
        for edge in joint.edges:
            through[edge.index] += joint.visits
    assert len({joint.actions for joint in node.joint_edges}) == len(node.joint_edges)
    ends = after(state, [state.legal_actions(p)[0] for p in range(state.game.num_players)]).is_terminal()
    for edge in node.edges:
        assert edge.node is None
        assert edge.action in state.legal_actions(edge.player)
        assert through[edge.index] == (0 if ends else edge.visits)
    return [(joint.node, after(state, list(joint.actions))) for joint in node.joint_edges]


def after(state: treewise.State, action: Any) -> treewise.State:
    copy = state.clone()
    copy.apply(action)
    return copy


def check(tree: SearchTree, state: treewise.State) -> int:
    open_nodes, count = [(tree.root, state)], 0
    while open_nodes:
        open_nodes += check_node(*open_nodes.pop())
        count += 1
    assert count == sum(1 for _ in tree.walk())
    return count


@pytest.mark.parametrize("game", GAMES)
def test_every_node_is_walked_and_visits_add_up(game: str) -> None:
    state = first_choice(game)
    result = Search(limit=limit.Simulations(600)).run(state, seed=1)
    root = result.tree.root
    assert check(result.tree, state) == result.stats.nodes > 100
    assert sum(joint.visits for joint in root.joint_edges) == root.visits == 600
    visits = [joint.visits for joint in root.joint_edges]
    assert visits == sorted(visits, reverse=True)


def test_a_shared_tree_and_one_that_is_kept() -> None:
    state = first_choice(DESCENDING)
    session = Search(limit=limit.Simulations(800), parallel=parallel.Tree(2)).session(seed=1)
    first = session.run(state)
    below = {joint.actions: joint.visits for joint in first.tree.root.joint_edges}
    check(first.tree, state)
    assert isinstance(first.action, list)
    state.apply(first.action)
    second = session.run(state)
    assert second.stats.reused
    check(second.tree, state)
    assert second.tree.root.visits == 800 + below[tuple(first.action)]


def test_saved_and_loaded(tmp_path: Path) -> None:
    state = first_choice(GAMES[0])
    tree = Search(limit=limit.Simulations(300)).run(state, seed=1).tree
    tree.save(tmp_path / "tree.npz")
    loaded = SearchTree.load(tmp_path / "tree.npz")
    assert {key: column.tolist() for key, column in loaded.columns.items()} == {
        key: column.tolist() for key, column in tree.columns.items()
    }
    assert check(loaded, state) == len(tree.columns["first_edge"])
    root_only = Search(limit=limit.Simulations(0)).run(state).tree
    root_only.save(tmp_path / "root.npz")
    assert SearchTree.load(tmp_path / "root.npz").root.joint_edges == []


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c.pop("joint_child"),
        lambda c: c.pop("chooser"),
        lambda c: c.update(joint_node=c["joint_node"][:-1]),
        lambda c: c.update(joint_edges=c["joint_edges"][:, 0]),
        lambda c: c.update(joint_edges=c["joint_edges"][:, ::-1]),
        lambda c: c.update(joint_edges=c["joint_edges"] + len(c["action"])),
        lambda c: c.update(joint_edges=np.repeat(c["joint_edges"][:1], len(c["joint_edges"]), axis=0)),
        lambda c: c.update(joint_child=np.full_like(c["joint_child"], 1)),
        lambda c: c.update(joint_child=c["joint_child"] + 10**6),
        lambda c: c.update(joint_node=c["joint_node"][::-1].copy()),
        lambda c: c.update(joint_node=c["joint_node"].astype(np.int64) - 1),
        lambda c: c.update(player=np.zeros_like(c["player"])),
    ],
)
def test_joint_actions_that_make_no_sense_are_refused(tmp_path: Path, change: Any) -> None:
    Search(limit=limit.Simulations(200)).run(first_choice(DESCENDING), seed=1).tree.save(tmp_path / "tree.npz")
    with np.load(tmp_path / "tree.npz") as data:
        columns = dict(data)
    change(columns)
    np.savez(tmp_path / "wrong.npz", **columns)
    with pytest.raises(ValueError, match="is not a tree saved by Treewise"):
        SearchTree.load(tmp_path / "wrong.npz")


# ---- lines


def test_a_step_of_a_line_has_an_action_of_each_player() -> None:
    state = first_choice(DESCENDING)
    result = Search(limit=limit.Simulations(3000)).run(state, seed=1)
    assert isinstance(result.action, list)
    assert result.line[0] == tuple(result.action)
    assert len(result.line) > 1
    for step, name in zip(result.line, result.line_names, strict=True):
        assert isinstance(step, tuple)
        assert name == f"({', '.join(state.action_name(action) for action in step)})"
        state.apply(list(step))
    chance = Search(limit=limit.Simulations(500)).run(first_choice(GAMES[0]), seed=1)
    assert len(chance.line) == 1, "nobody decides what comes next"


def test_whether_the_search_goes_on_is_asked_for_each_player() -> None:
    """Values of different players cannot be compared: in goofspiel what one wins the other loses."""
    state = first_choice("goofspiel(cards=4)")
    extended = 0
    for seed in range(20):
        plain = Search(limit=limit.Simulations(200)).run(state, seed=seed)
        longer = Search(limit=limit.Simulations(200), decision=decision.MaxRobust()).run(state, seed=seed)
        settled = True
        for player in (0, 1):
            own = [child for child in plain.children if child.player == player]
            most = max(own, key=lambda child: (child.visits, child.value))
            settled &= most.value == max(child.value for child in own if child.value is not None)
        assert (longer.stats.simulations > 200) == (not settled)
        extended += not settled
    assert extended < 10


# ---- expansion


@pytest.mark.parametrize("kind", [parallel.One(), parallel.Leaf(2)], ids=lambda kind: kind.name)
@pytest.mark.parametrize("after_visits", [1, 3, 20])
def test_a_joint_action_gets_its_node_when_it_was_evaluated_often_enough(after_visits: int, kind: Any) -> None:
    recorder = Recorder()
    rule = expansion.All(after=after_visits)
    search = Search(expansion=rule, bonus=[recorder], limit=limit.Simulations(400), parallel=kind)
    root = search.run(first_choice(DESCENDING), seed=1).tree.root
    through = Counter(tuple(action for _, action in record.trace[:2]) for record in recorder.records)
    assert {joint.actions: joint.visits for joint in root.joint_edges} == {
        actions: visits for actions, visits in through.items() if visits >= after_visits
    }


def test_simulations_that_fail_are_no_evaluations() -> None:
    class Fails:
        calls = 0

        def choose(self, state: Any, actions: list[int], rng: Any) -> int:
            self.calls += 1
            if self.calls <= 3:
                raise Boom("playout")
            return actions[0]

    session = Search(expansion=expansion.All(after=2), playout=Fails(), limit=limit.Simulations(1)).session(seed=1)
    state = first_choice("goofspiel(cards=3, points_order='descending')")
    for _ in range(3):
        with pytest.raises(Boom):
            session.run(state)
    assert session.run(state).tree.root.joint_edges == []


def test_one_action_more_of_each_player_at_every_visit() -> None:
    """Without exploration, and with little hope in what is new, only the expansion makes players try things."""
    timid = {"selection": selection.UCB1(c=0.0), "first_play": first_play.Constant(-5.0)}
    state = first_choice(DESCENDING)
    for count in (1, 2, 3, 5):
        search = Search(expansion=expansion.One(), limit=limit.Simulations(count), **timid)
        visits = search.run(state, seed=1).visits
        for player in (0, 1):
            assert sum(n for key, n in visits.items() if key[0] == player) == count  # type: ignore[index]
            assert sum(n > 0 for key, n in visits.items() if key[0] == player) == count  # type: ignore[index]
    everything = Search(expansion=expansion.All(), limit=limit.Simulations(5), **timid).run(state, seed=1)
    assert sum(n > 0 for n in everything.visits.values()) < 10
