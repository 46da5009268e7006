"""Matches between searches: whose turn, whose seed, whose tree."""

from __future__ import annotations

import random

import pytest

import treewise
from treewise import _core, information, limit, uct
from treewise.game import CHANCE
from treewise.match import MatchRecord, Seat, play_match, sample_outcome, starting_state


def replay(record: MatchRecord, game: str) -> treewise.State:
    state = treewise.load_game(game).initial_state()
    for step in record.actions:
        state.apply(list(step) if isinstance(step, tuple) else step)
    return state


def searches_for(game: str, simulations: int = 30) -> list[treewise.Search]:
    loaded = treewise.load_game(game)
    search = uct(simulations=simulations)
    if "hidden" in loaded.capabilities:
        search = search.replace(information=information.Determinization(worlds=2))
    return [search] * loaded.num_players


@pytest.mark.parametrize("game", [*treewise.game_names(), "pig(players=3)", "goofspiel(players=3, cards=5)"])
def test_record_replays_to_its_returns(game: str) -> None:
    record = play_match(game, searches_for(game, 5), seed=3)
    state = replay(record, game)
    assert tuple(state.returns()) == record.returns or record.cut
    assert state.is_terminal() or record.cut
    assert record.length == len(record.actions)
    assert len(record.seconds) == len(record.simulations) == state.game.num_players
    assert all(seconds > 0 for seconds in record.seconds)


@pytest.mark.parametrize(
    "game", ["breakthrough(rows=5, columns=4)", "pig(goal=20)", "goofspiel", "phantom_tic_tac_toe"]
)
def test_same_seed_same_match(game: str) -> None:
    entrants = searches_for(game)
    one = play_match(game, entrants, seed=5)
    assert play_match(treewise.load_game(game), entrants, seed=5) == one
    assert any(play_match(game, entrants, seed=seed).actions != one.actions for seed in range(3))


def test_each_player_has_the_seed_of_the_rule() -> None:
    record = play_match("breakthrough", [uct(simulations=40), uct(simulations=80)], seed=9)
    state = treewise.load_game("breakthrough").initial_state()
    for player, simulations in enumerate((40, 80)):
        session = uct(simulations=simulations).session(_core.derive_seed(9, 1 + player))
        assert session.run(state).action == record.actions[player]
        state.apply(record.actions[player])


def test_chance_outcomes_come_from_the_match_not_from_the_players() -> None:
    fixed = [play_match("pig(goal=30)", [uct(simulations=n)] * 2, seed=4) for n in (10, 11)]
    rng = random.Random(_core.derive_seed(4, 0))
    for record in fixed:
        state = treewise.load_game("pig(goal=30)").initial_state()
        outcomes = []
        for step in record.actions:
            if state.current_player() == CHANCE:
                outcomes.append(step)
            state.apply(step)
        rng.seed(_core.derive_seed(4, 0))
        assert outcomes == [rng.choices(range(6), [1 / 6] * 6)[0] for _ in outcomes]


def test_players_who_act_at_once_choose_by_their_own_searches() -> None:
    entrants = [uct(simulations=60), uct(c=0.2, simulations=90)]
    record = play_match("goofspiel", entrants, seed=2)
    state = treewise.load_game("goofspiel").initial_state()
    state.apply(record.actions[0])
    for player, search in enumerate(entrants):
        own = search.session(_core.derive_seed(2, 1 + player)).run(state)
        assert isinstance(own.action, list)
        assert record.actions[1][player] == own.action[player]


def test_trees_are_kept_unless_told_otherwise() -> None:
    state = treewise.load_game("breakthrough").initial_state()
    for reuse in (True, False):
        seat = Seat(uct(simulations=3000), player=0, seed=1, reuse=reuse)
        position = state.clone()
        for _ in range(2):
            result = seat.search(position)
            assert isinstance(result.action, int)
            reply = result.line[1]
            for step in (result.action, reply):
                position.apply(step)
                seat.follow(step)
        assert result.stats.reused is reuse
        assert seat.simulations == 6000


def test_match_starts_from_a_state_and_leaves_it_alone() -> None:
    state = treewise.load_game("tic_tac_toe").parse_state("xx./oo./...", 0)
    record = play_match(state, [uct(simulations=200)] * 2)
    assert (record.returns, record.length) == ((1.0, -1.0), 1)
    assert state.history() == []


def test_opening_is_random_and_belongs_to_the_match() -> None:
    openings = {}
    for seed in range(6):
        entrants = [uct(simulations=5), uct(simulations=5)], [uct(simulations=50), uct(simulations=7)]
        first, second = (play_match("breakthrough", pair, seed=seed, opening=4) for pair in entrants)
        assert first.actions[:4] == second.actions[:4]
        openings[seed] = first.actions[:4]
    assert len(set(openings.values())) > 3
    assert play_match("tic_tac_toe", [uct(simulations=5)] * 2, opening=5).length >= 6


def test_opening_that_ends_every_match_is_refused() -> None:
    with pytest.raises(ValueError, match="opening: the match is over after 9 random steps"):
        play_match("tic_tac_toe", [uct(simulations=5)] * 2, opening=9)


def test_cut_match_is_a_draw_and_keeps_collected_rewards() -> None:
    record = play_match("breakthrough", [uct(simulations=5)] * 2, max_length=3)
    assert (record.cut, record.length, record.returns) == (True, 3, (0.0, 0.0))
    record = play_match("same_game", [uct(simulations=5)], max_length=10)
    assert record.cut
    assert record.returns == tuple(replay(record, "same_game").returns())


def test_wrong_input_is_refused() -> None:
    with pytest.raises(ValueError, match="pig has 3 players, but 2 searches are given"):
        play_match("pig(players=3)", [uct(), uct()])
    with pytest.raises(ValueError, match="hides information"):
        play_match("phantom_tic_tac_toe", [uct(), uct()])
    with pytest.raises(ValueError, match="over before it starts"):
        play_match(treewise.load_game("tic_tac_toe").parse_state("xxx/oo./...", 1), [uct(), uct()])
    with pytest.raises(TypeError):
        play_match(17, [uct()])
    with pytest.raises(ValueError, match="negative"):
        play_match("pig", [uct(), uct()], opening=-1)


def test_outcomes_follow_their_probabilities() -> None:
    state = starting_state("pig(sides=2)")
    state.apply(0)
    rng = random.Random(1)
    heads = sum(sample_outcome(state, rng) for _ in range(2000))
    assert 900 < heads < 1100  # 4.5 standard deviations


def test_limit_in_seconds_is_kept() -> None:
    record = play_match("tic_tac_toe", [uct().replace(limit=limit.Seconds(0.01))] * 2)
    assert all(0.01 <= seconds < 2 for seconds in record.seconds)
