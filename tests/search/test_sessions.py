"""The tree through a match: what is kept of it, and when it begins anew."""

from typing import Any

import pytest
from python_game import Nim

import treewise
from subtrees import subtree
from treewise import Search, decision, information, limit, parallel, playout, proof, selection
from treewise.gdl import load as gdl_load

BREAKTHROUGH = treewise.load_game("breakthrough")


@pytest.mark.parametrize(
    "parts",
    [{}, {"selection": selection.UCB1Tuned()}, {"selection": selection.PUCT(), "proof": proof.Solver()}],
    ids=["uct", "squares", "prior_and_proof"],
)
@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_kept_is_what_was_there(parts: dict[str, Any], threads: int) -> None:
    """Runs of no simulations show the tree as it was kept."""
    state = treewise.load_game("connect_four").initial_state()
    search = Search(limit=limit.Simulations(3000), parallel=parallel.Tree(threads=threads), **parts)
    session = search.session(seed=1)
    tree = session.run(state).tree
    for _ in range(3):
        edge = tree.root.edges[1]
        assert edge.node is not None
        expected = subtree(edge.node)
        visits = edge.visits
        state.apply(edge.action)
        session.advance(edge.action)
        core = session._core
        assert core is not None
        tree = treewise.SearchTree.from_core(core, state, search)
        assert tree.root.visits == visits
        assert subtree(tree.root) == expected
        assert len(tree.columns["node_visits"]) == sum(1 for _ in tree.walk()), "nothing else is kept"
        result = session.run(state)
        assert result.stats.reused
        assert sum(result.visits.values()) == 3000 + sum(edge.visits for edge in tree.root.edges)
        tree = result.tree


def test_native_states_know_how_they_came_about() -> None:
    state = BREAKTHROUGH.initial_state()
    session = treewise.uct(simulations=2000).session(seed=1)
    first = session.run(state)
    before = first.tree.root.edges[0]
    assert before.node is not None
    state.apply(before.action)
    reply = before.node.edges[0]
    assert reply.node is not None
    kept = sum(edge.visits for edge in reply.node.edges)
    state.apply(reply.action)  # two actions at once
    result = session.run(state)
    assert result.stats.reused
    assert sum(result.visits.values()) == 2000 + kept
    with pytest.raises(RuntimeError, match="searched on since"):
        _ = first.tree


def test_unrelated_states_start_afresh() -> None:
    session = treewise.uct(simulations=200).session(seed=1)
    state = BREAKTHROUGH.initial_state()
    assert not session.run(state).stats.reused
    other = BREAKTHROUGH.initial_state()
    other.apply(other.legal_actions()[0])
    side = BREAKTHROUGH.initial_state()
    side.apply(side.legal_actions()[1])
    assert session.run(other).stats.reused
    for unrelated in (
        side,
        state,
        BREAKTHROUGH.parse_state("......../......../2......./......../......../1......./......../........", 0),
        treewise.load_game("breakthrough").initial_state(),
        treewise.load_game("tic_tac_toe").initial_state(),
        Nim(),
        treewise.load_game("goofspiel(cards=3, points_order='descending')").initial_state(),
    ):
        result = session.run(unrelated)
        assert not result.stats.reused
        players = len(result.action) if isinstance(result.action, list) else 1
        assert sum(result.visits.values()) == 200 * players
    assert not treewise.Session(treewise.uct(simulations=10), reuse=False).run(state).stats.reused


def test_reuse_can_be_declined() -> None:
    session = treewise.Session(treewise.uct(simulations=100), seed=1, reuse=False)
    state = BREAKTHROUGH.initial_state()
    for _ in range(3):
        result = session.run(state)
        assert not result.stats.reused
        assert sum(result.visits.values()) == 100
        state.apply(result.action)


class Hashed(Nim):
    def hash(self) -> int:
        return hash((tuple(self.heaps), self.player))

    def clone(self) -> Any:
        copied = Hashed(tuple(self.heaps))
        copied.player = self.player
        return copied


def test_python_states_reuse_what_they_are_told() -> None:
    """An object does not say where it comes from: without `advance`, or a hash that agrees, nothing is kept."""
    session = treewise.uct(simulations=300).session(seed=1)
    state = Nim()
    result = session.run(state)
    state.apply(result.action)
    result = session.run(state)
    assert not result.stats.reused
    assert set(result.visits) == set(state.legal_actions())
    kept = result.visits[result.action]
    session.advance(result.action)
    state.apply(result.action)
    result = session.run(state)
    assert result.stats.reused
    assert sum(result.visits.values()) >= 300 + kept - 5
    assert set(result.visits) == set(state.legal_actions())


class Drawn(Nim):
    """Heaps lose a stone each time, and only the text tells which of them did."""

    def legal_actions(self) -> list[int]:
        return list(range(len(self.heaps))) if any(self.heaps) else []

    def apply(self, action: int) -> None:
        self.heaps[action] = max(0, self.heaps[action] - 1)
        self.player = 1 - self.player

    def clone(self) -> "Drawn":
        copied = type(self)(tuple(self.heaps))
        copied.player = self.player
        return copied

    def __str__(self) -> str:
        return str(self.heaps)


class Addressed(Drawn):
    __str__ = object.__str__


class Undrawn(Drawn):
    def __str__(self) -> str:
        raise RuntimeError("no drawing yet")


def follow(start: Any, announced: int, applied: int) -> treewise.Result:
    session = treewise.uct(simulations=50).session(seed=1)
    session.run(start)
    session.advance(announced)
    state = start.clone()
    state.apply(applied)
    return session.run(state)


def test_python_states_are_compared_with_what_was_announced() -> None:
    """Another state than the announced one gets a tree of its own, and its rules are asked for its own actions only."""
    other = Nim()
    other.apply(205)
    result = follow(Nim(), 1, 205)
    assert not result.stats.reused
    assert set(result.visits) == set(other.legal_actions())
    assert follow(Nim(), 205, 205).stats.reused
    assert follow(Drawn(), 0, 0).stats.reused
    assert not follow(Drawn(), 0, 1).stats.reused, "players and actions are the same, the texts are not"
    assert follow(Addressed(), 0, 0).stats.reused, "a text that differs between clones is not that of a position"
    assert follow(Undrawn(), 0, 0).stats.reused, "a drawing that fails is the concern of those who draw"


def test_simultaneous_python_states_are_compared_too() -> None:
    class Shrinking:
        """Each player has fewer actions after a high one of the other."""

        simultaneous, num_players = True, 2

        def __init__(self, played: tuple[int, ...] = ()) -> None:
            self.played = played

        def current_player(self) -> int:
            return treewise.SIMULTANEOUS

        def legal_actions(self, player: int) -> list[int]:
            return list(range(3 - self.played[1 - player])) if self.played else [0, 1]

        def apply(self, actions: list[int]) -> None:
            self.played += tuple(actions)

        def is_terminal(self) -> bool:
            return len(self.played) == 4

        def returns(self) -> list[float]:
            return [0.0, 0.0]

        def clone(self) -> "Shrinking":
            return Shrinking(self.played)

    for applied, kept in (([0, 1], True), ([1, 0], False)):
        session = treewise.uct(simulations=50).session(seed=1)
        session.run(Shrinking())
        session.advance([0, 1])
        assert session.run(Shrinking(tuple(applied))).stats.reused is kept


@pytest.mark.parametrize("text", ["hex(7)", "goofspiel(cards=4, points_order='descending')", "gdl('tic_tac_toe')"])
def test_equal_games_share_a_tree(text: str) -> None:
    """Whether a state is of the game that was searched, or of an equal one that was loaded again."""
    sessions = [treewise.uct(simulations=50).session(seed=1) for _ in range(2)]
    state = treewise.load_game(text).initial_state()
    action, _ = [session.run(state).action for session in sessions]
    gdl_load._game.cache_clear()
    again = treewise.load_game(text).initial_state()
    assert again.game is not state.game
    for root in (state, again):
        root.apply(action)
    results = [session.run(root) for session, root in zip(sessions, (state, again), strict=True)]
    assert [result.stats.reused for result in results] == [True, True]
    assert results[0].visits == results[1].visits


def test_states_of_equal_games_without_a_history_start_afresh() -> None:
    session = Search(limit=limit.Simulations(50), information=information.Open()).session(seed=1)
    for _ in range(2):
        state = treewise.load_game("phantom_tic_tac_toe").initial_state()
        assert not session.run(state.resample(0, seed=3)).stats.reused


def test_python_states_with_a_hash() -> None:
    session = treewise.uct(simulations=300).session(seed=1)
    state = Hashed()
    result = session.run(state)
    assert session.run(state).stats.reused, "the same state again"
    session.advance(result.action)
    other = Hashed()
    other.apply(next(action for action in other.legal_actions() if action != result.action))
    result = session.run(other)
    assert not result.stats.reused, "not the state that was announced"
    assert set(result.visits) == set(other.legal_actions())


def test_the_search_of_a_session_is_fixed() -> None:
    session = treewise.uct().session()
    with pytest.raises(AttributeError):
        session.search = treewise.enhanced()  # type: ignore[misc]
    with pytest.raises(ValueError, match="seed must be a whole number"):
        treewise.uct().session(seed=1.5)  # type: ignore[arg-type]


def test_matches_through_sessions_stay_legal() -> None:
    """Whole matches with everything that learns, fades, proves and is reused."""
    search = Search(
        playout=playout.Decisive(inner=playout.NGram()),
        proof=proof.Solver(),
        decision=decision.Proportional(),
        limit=limit.Simulations(60),
    )
    for name in ("connect_four", "othello", "breakthrough", "pig", "same_game", "checkers"):
        state = treewise.load_game(name).initial_state()
        session = search.session(seed=3)
        steps = 0
        while not state.is_terminal() and steps < 60:
            if state.current_player() == treewise.CHANCE:
                state.apply(state.legal_actions()[steps % len(state.legal_actions())])
            else:
                result = session.run(state)
                assert set(result.visits) == set(state.legal_actions())
                state.apply(result.action)
            steps += 1
