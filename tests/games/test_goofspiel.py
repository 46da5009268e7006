"""Goofspiel: OpenSpiel's rules, counts, ties and returns."""

import random

import pyspiel
import pytest

import treewise
from treewise import CHANCE, SIMULTANEOUS


@pytest.mark.parametrize("order", ["random", "descending", "ascending"])
@pytest.mark.parametrize(("cards", "players"), [(13, 2), (4, 2), (6, 3), (5, 4), (2, 2)])
def test_against_openspiel(cards: int, players: int, order: str) -> None:
    game = treewise.load_game(f"goofspiel(cards={cards}, players={players}, points_order='{order}')")
    spiel = pyspiel.load_game(
        f"goofspiel(num_cards={cards},players={players},points_order={order},returns_type=win_loss)"
    )
    assert (game.min_utility, game.max_utility) == (spiel.min_utility(), spiel.max_utility())
    rng = random.Random(cards)
    for _ in range(100):
        ours, theirs = game.initial_state(), spiel.new_initial_state()
        while not ours.is_terminal():
            if ours.current_player() == CHANCE:
                assert theirs.is_chance_node()
                assert ours.chance_outcomes() == theirs.chance_outcomes()
                outcome = rng.choice(ours.legal_actions())
                ours.apply(outcome)
                theirs.apply_action(outcome)
            else:
                assert ours.current_player() == SIMULTANEOUS
                assert theirs.is_simultaneous_node()
                legal = [ours.legal_actions(player) for player in range(players)]
                assert legal == [theirs.legal_actions(player) for player in range(players)]
                bids = [rng.choice(hand) for hand in legal]
                ours.apply(bids)
                theirs.apply_actions(bids)
        assert theirs.is_terminal()
        assert ours.returns() == pytest.approx(theirs.returns())
        points = [int(n) for n in str(theirs).splitlines()[-1].split()[1:]]
        assert [f"player {p}: {n} points, hand" for p, n in enumerate(points)] == str(ours).splitlines()[1:]


def test_perft() -> None:
    """Two players with n cards each can play them in (n!)^2 ways; the last round plays itself."""
    fixed = treewise.load_game("goofspiel(cards=4, points_order='descending')").initial_state()
    assert [treewise.perft(fixed, depth) for depth in (1, 2, 3, 4)] == [16, 144, 576, 0]
    drawn = treewise.load_game("goofspiel(cards=3)").initial_state()
    assert [treewise.perft(drawn, depth) for depth in (1, 2, 3, 4, 5)] == [3, 27, 54, 216, 0]


def test_the_highest_bid_takes_the_prize_unless_made_twice() -> None:
    state = treewise.load_game("goofspiel(cards=4, players=3, points_order='ascending')").initial_state()
    assert str(state).startswith("prize 1\n")
    state.apply([3, 3, 2])  # 4, 4 and 3: nobody takes the 1
    assert "0 points, hand 1 2 4" in str(state)
    state.apply([2, 1, 3])  # 3, 2 and 4: the 2 goes to player 2
    assert "player 2: 2 points, hand 1 2" in str(state)
    state.apply([0, 2, 1])  # 1, 3 and 2 for the 3, then 2, 1 and 1 for the 4
    assert str(state).startswith("the match is over")
    assert [line.split()[2] for line in str(state).splitlines()[1:]] == ["4", "3", "2"]
    assert state.returns() == [1.0, -0.5, -0.5]


def test_shared_wins_and_draws() -> None:
    state = treewise.load_game("goofspiel(cards=4, players=3, points_order='ascending')").initial_state()
    for bids in ([0, 1, 0], [1, 2, 1], [3, 0, 2]):  # 1 and 2 to player 1, 3 to player 0, 4 to nobody
        assert state.returns() == [0.0, 0.0, 0.0], "before the end nobody has won"
        state.apply(bids)
    assert state.returns() == [0.5, 0.5, -1.0]
    state = treewise.load_game("goofspiel(cards=3, points_order='descending')").initial_state()
    state.apply([1, 1])
    state.apply([2, 2])
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]


@pytest.mark.parametrize("bids", [[0], [0, 0, 0], [0, 9], [-1, 0]])
def test_illegal_bids_are_refused(bids: list[int]) -> None:
    state = treewise.load_game("goofspiel(cards=4, points_order='ascending')").initial_state()
    with pytest.raises(ValueError, match="action"):
        state.apply(bids)


@pytest.mark.parametrize("text", ["goofspiel(cards=1)", "goofspiel(cards=33)", "goofspiel(points_order='up')"])
def test_parameters_are_checked(text: str) -> None:
    with pytest.raises(ValueError, match="goofspiel: parameter"):
        treewise.load_game(text)


@pytest.mark.parametrize("players", [2, 6])
def test_the_most_cards(players: int) -> None:
    state = treewise.load_game(f"goofspiel(cards=32, players={players})").initial_state()
    assert state.playout(1) == 62
    assert state.is_terminal()
    assert sum(state.returns()) == pytest.approx(0)
