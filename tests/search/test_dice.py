"""Dice: whose draws they are, what is repeated, what nobody foresees."""

import pickle
from typing import Any

import pytest

import treewise
from dice_games import Gamble, Ladder, Maze
from treewise import Search, evaluator, expansion, information, limit, loop, parallel, playout, proof, uct
from treewise._core import derive_seed
from treewise.match import play_match, starting_state
from treewise.testing import check_game


def heights(state: Any, actions: list[int]) -> list[float]:
    found = []
    for action in actions:
        state.apply(action)
        found.append(state.returns()[0])
    return found


@pytest.mark.parametrize("game", [Ladder, Gamble, Maze])
def test_the_games_keep_the_contract(game: type[Ladder]) -> None:
    report = check_game(game, matches=10)
    assert report.ok, report


def test_a_seed_says_what_is_drawn() -> None:
    climbs = {tuple(heights(reseeded(seed), [1] * 10)) for seed in range(50)}
    assert len(climbs) > 40
    assert heights(reseeded(3), [1] * 10) == heights(reseeded(3), [1] * 10)


def reseeded(seed: int) -> treewise.State:
    state = treewise.as_state(Ladder())
    state.reseed(seed)
    return state


def test_a_copy_draws_what_its_original_would() -> None:
    state = reseeded(5)
    state.apply(1)
    assert heights(state.clone(), [1] * 9) == heights(pickle.loads(pickle.dumps(state)), [1] * 9)


def test_seeds_are_kept_with_their_places() -> None:
    state = reseeded(1)
    state.reseed(2)  # nothing was drawn in between
    state.apply(1)
    state.apply(1)
    state.reseed(2**64 - 1)
    assert state.seeds() == [(0, 2), (2, 2**64 - 1)]
    assert state.clone().seeds() == state.seeds()


def test_games_without_dice_cannot_be_reseeded() -> None:
    state = treewise.load_game("tic_tac_toe").initial_state()
    with pytest.raises(ValueError, match="no capability 'dice'"):
        state.reseed(1)
    assert state.seeds() == []


def test_a_match_has_the_dice_of_its_seed() -> None:
    search = uct(simulations=20)
    record = play_match(Ladder, [search], seed=9)
    state = starting_state(Ladder)
    state.reseed(derive_seed(9, 2**20))
    assert heights(state, [int(action) for action in record.actions])[-1] == record.returns[0]  # type: ignore[call-overload]
    assert play_match(Ladder, [search], seed=9) == record
    assert len({play_match(Ladder, [search], seed=seed).returns for seed in range(8)}) > 1


@pytest.mark.parametrize("kind", [loop.Open(), loop.Closed()])
def test_no_search_foresees_the_draws(kind: loop.Part) -> None:
    """The root's own dice would give 10 or nothing; a search must not find out which."""
    found = []
    for seed in range(6):
        state = treewise.as_state(Gamble())
        state.reseed(seed)
        found.append(uct(simulations=200).replace(loop=kind).run(state, seed=1).visits)
    assert all(visits == found[0] for visits in found)


def test_open_loop_values_are_means_over_the_dice() -> None:
    result = uct(simulations=4000).run(Gamble(), seed=1)
    assert result.values[0] == pytest.approx(4)
    assert result.values[1] == pytest.approx(5, abs=0.2)
    assert result.action == 1


def test_closed_loop_values_come_from_one_draw() -> None:
    """The bet is drawn once: it is worth 10 or nothing for the whole search, and the decision follows the luck."""
    search = uct(simulations=100).replace(loop=loop.Closed())
    values = [search.run(Gamble(), seed=seed).values[1] for seed in range(40)]
    assert set(values) == {0.0, 10.0}
    assert 10 < values.count(10.0) < 30
    assert all(search.run(Gamble(), seed=seed).action == (values[seed] == 10.0) for seed in range(40))


def test_closed_loop_draws_anew_below_what_is_kept() -> None:
    """Nine steps follow the first: their draws differ from simulation to simulation until they are kept."""
    result = Search(loop=loop.Closed(), limit=limit.Simulations(40), horizon=3).run(Ladder(), seed=1)
    for depth, node in result.tree.walk():
        assert depth < 3
        for edge in node.edges:
            if depth == 2 and edge.visits > 1:
                assert is_whole(edge.value), "the state at the horizon is kept: always the same value"
    assert not is_whole(result.values[1])


def is_whole(value: float | None) -> bool:
    return value is not None and value == pytest.approx(round(value), abs=1e-9)


class Counting(Ladder):
    applied = 0

    def apply(self, action: int) -> None:
        type(self).applied += 1
        super().apply(action)


def steps_of(search: Search) -> int:
    state = treewise.as_state(Counting())
    Counting.applied = 0
    search.run(state, seed=1)
    return Counting.applied


def test_closed_loop_does_not_play_the_way_down_again() -> None:
    """50 simulations of ten steps each: open loop plays all of them, closed loop only what follows the parent."""
    search = uct(simulations=50).replace(horizon=10)
    open_steps, closed_steps = steps_of(search), steps_of(search.replace(loop=loop.Closed()))
    depth = search.replace(loop=loop.Closed()).run(Ladder(), seed=1).stats.mean_depth
    slack = 10  # names of the line
    assert 500 <= open_steps <= 500 + slack
    assert closed_steps == pytest.approx(500 - 50 * (depth - 1), abs=slack)


def test_kept_states_count_as_memory() -> None:
    search = Search(loop=loop.Closed(), limit=limit.Simulations(500))
    whole = search.run(Ladder(), seed=1).stats
    assert whole.memory_bytes > 500 * 1024
    small = search.replace(memory_mb=0.05).run(Ladder(), seed=1).stats
    assert small.memory_full
    assert small.memory_bytes <= 50_000
    assert small.simulations == 500


def test_closed_loop_in_a_game_without_dice_changes_nothing() -> None:
    for name in ("breakthrough", "pig", "same_game(rows=4, columns=4)"):
        state = treewise.load_game(name).initial_state()
        search = uct(simulations=500)
        plain, kept = search.run(state, seed=3), search.replace(loop=loop.Closed()).run(state, seed=3)
        assert (plain.visits, plain.values, plain.line) == (kept.visits, kept.values, kept.line)


@pytest.mark.parametrize(("kind", "kept"), [(loop.Open(), True), (loop.Closed(), False)])
def test_trees_between_actions(kind: loop.Part, kept: bool) -> None:
    session = uct(simulations=100).replace(loop=kind).session(seed=1)
    state = treewise.as_state(Ladder())
    session.run(state)
    assert session.run(state).stats.nodes > 0
    session.advance(1)
    state.apply(1)
    assert session.run(state).stats.reused is kept


def test_reuse_belongs_to_the_search() -> None:
    state = treewise.load_game("breakthrough").initial_state()
    session = uct(simulations=100).replace(reuse=False).session(seed=1)
    state.apply(session.run(state).action)
    assert not session.run(state).stats.reused


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="proof: Ladder draws dice"):
        uct().replace(proof=proof.Solver()).run(Ladder())
    with pytest.raises(ValueError, match="threads cannot share"):
        Search(loop=loop.Closed(), parallel=parallel.Tree())
    with pytest.raises(ValueError, match="several act at once"):
        uct().replace(loop=loop.Closed()).run(treewise.load_game("goofspiel").initial_state())


@pytest.mark.parametrize("threads", [parallel.Root(2), parallel.Leaf(2), parallel.Tree(2)])
@pytest.mark.parametrize("kind", [loop.Open(), loop.Closed()])
def test_threads(kind: loop.Part, threads: parallel.Part) -> None:
    if isinstance(kind, loop.Closed) and isinstance(threads, parallel.Tree):
        return
    search = Search(loop=kind, parallel=threads, limit=limit.Simulations(300), horizon=6)
    assert sum(search.run(Maze(), seed=1).visits.values()) == 300


class Climber(Ladder):
    """Climbs ten times, whoever plays: 15 in the mean, by the dice alone."""

    def legal_actions(self) -> list[int]:
        return [] if self.is_terminal() else [1]


def test_leaf_parallel_playouts_have_dice_of_their_own() -> None:
    """Four playouts from one leaf, nine climbs each: with the same dice they would be equal."""
    seen = set[float]()

    class Watch:
        def result(self, record: playout.Record) -> list[float]:
            seen.add(record.outcome[0])
            return list(record.outcome)

    Search(parallel=parallel.Leaf(4), bonus=[Watch()], limit=limit.Simulations(4)).run(Climber(), seed=1)
    assert len(seen) > 1


def test_evaluators_that_play_out_have_dice_of_their_own() -> None:
    """The mean of 63 playouts; with the same dice it would be a whole number."""
    search = Search(evaluator=evaluator.Playouts(count=63), limit=limit.Simulations(1))
    value = search.run(Climber(), seed=1).values[1]
    assert value == pytest.approx(15, abs=1.5)
    assert not is_whole(value)


class LateGamble(Gamble):
    """The bet is the last step."""

    bet_at = 2


class LooksAhead:
    """Takes the action that gives more on a copy: with the copy's dice, which must not be those of the simulation."""

    def choose(self, state: Any, actions: list[int], rng: playout.Rng) -> int:
        return max(actions, key=lambda action: self.after(state, action))

    def after(self, state: Any, action: int) -> float:
        copy = state.clone()
        copy.apply(action)
        return float(copy.returns()[0])


@pytest.mark.parametrize(("policy", "mean"), [(LooksAhead(), 4.5), (playout.Decisive(), 4.75)])
def test_looking_ahead_does_not_foresee_the_simulation(policy: Any, mean: float) -> None:
    """Who knew the dice would bet when that gives 10, and have 7 in the mean, or 6 if decisive moves are all it sees.

    Other dice than those of the simulation say nothing: 4, or 10 or nothing.
    """
    search = Search(playout=policy, expansion=expansion.All(after=10**9), limit=limit.Simulations(1000))
    assert search.run(LateGamble(), seed=1).value == pytest.approx(mean, abs=0.4)


def test_actions_that_depend_on_the_dice() -> None:
    """Nodes were made with other actions than later draws allow: every action that is played is legal (Maze checks)."""
    for kind in (loop.Open(), loop.Closed()):
        result = uct(simulations=500).replace(loop=kind).run(Maze(), seed=2)
        assert sum(result.visits.values()) == 500
        assert len(result.line) == len(result.line_names)
    assert play_match(Maze, [uct(simulations=30)], seed=1).length == 10


def test_hidden_things_and_dice() -> None:
    assert "dice" in treewise.as_state(Ladder()).game.capabilities
    search = uct(simulations=50).replace(information=information.Open())
    assert search.run(Ladder(), seed=1).stats.simulations == 50
