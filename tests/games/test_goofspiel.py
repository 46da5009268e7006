"""Goofspiel: OpenSpiel's rules, counts, ties and returns, positions from text."""

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
    assert str(state).startswith("prize 1, to come 2 3 4\n")
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


def test_positions_from_text() -> None:
    game = treewise.load_game("goofspiel(cards=4, points_order='descending')")
    state = game.parse_state("3: 1 2/0: 1 2 4/4: 1 2 3")
    assert str(state) == "prize 3, to come 1 2\nplayer 0: 0 points, hand 1 2 4\nplayer 1: 4 points, hand 1 2 3\n"
    state.apply([3, 2])
    assert str(state) == "prize 2, to come 1\nplayer 0: 3 points, hand 1 2\nplayer 1: 4 points, hand 1 2\n"
    state.apply([1, 0])  # 2 against 1 takes the 2, then 1 against 2 loses the 1
    assert str(state) == "the match is over\nplayer 0: 5 points, hand\nplayer 1: 5 points, hand\n"
    assert state.returns() == [0.0, 0.0]
    drawn = treewise.load_game("goofspiel(cards=4)").parse_state("0: 1 4/0: 3 4/2: 1 2")
    assert drawn.chance_outcomes() == [(0, 0.5), (3, 0.5)]


@pytest.mark.parametrize("order", ["random", "descending", "ascending"])
def test_a_board_of_the_start_is_the_start(order: str) -> None:
    game = treewise.load_game(f"goofspiel(cards=3, points_order='{order}')")
    table = {"random": "0: 1 2 3", "descending": "3: 1 2", "ascending": "1: 2 3"}[order]
    assert game.parse_state(f"{table}/0: 1 2 3/0: 1 2 3").hash() == game.initial_state().hash()


BROKEN = {
    "": "1 rows given, 3 expected",
    "3: 1 2/0: 1 2 4": "2 rows given, 3 expected",
    "3: 1 2/0: 1 2 4/4: 1 2 3/": "4 rows given, 3 expected",
    "3 1 2/0: 1 2 4/4: 1 2 3": "a row has the prize, ':' and a list of cards",
    "3: 1 2/: 1 2 4/4: 1 2 3": "a row has the points, ':' and a list of cards",
    "3: 1: 2/0: 1 2 4/4: 1 2 3": "a row has the prize, ':' and a list of cards",
    "5: 1 2/0: 1 2 4/4: 1 2 3": "the prize must be a number from 0 to 4",
    "3: 1 5/0: 1 2 4/4: 1 2 3": "a card must be a number from 1 to 4",
    "3: 1 x/0: 1 2 4/4: 1 2 3": "a card must be a number from 1 to 4",
    "3: 1 2/0: 1 2 2/4: 1 2 3": "card 2 is there twice",
    "3: 1 3/0: 1 2 4/4: 1 2 3": "not still to come",
    "3: 1 2/0: 1 2/4: 1 2 3": "player 0 has 2 cards, but 3 prizes are left",
    "3: 1 2/0: 1 2 4/5: 1 2 3": "more points than the prizes that are gone",
    "3: 1 2/2: 1 2 4/3: 1 2 3": "more points than the prizes that are gone",
    "3: 1 2/11: 1 2 4/4: 1 2 3": "the points must be a number from 0 to 10",
    "3:/0: 1/4: 1": "the last round plays itself",
}


@pytest.mark.parametrize("order", ["random", "descending"])
@pytest.mark.parametrize(("board", "message"), BROKEN.items())
def test_broken_boards_are_refused(board: str, message: str, order: str) -> None:
    with pytest.raises(ValueError, match=f"board: .*{message}"):
        treewise.load_game(f"goofspiel(cards=4, points_order='{order}')").parse_state(board)


@pytest.mark.parametrize("table", ["0: 1 2 3", "2: 1 3", "1: 2 3"])
def test_prizes_in_a_fixed_order_come_in_it(table: str) -> None:
    game = treewise.load_game("goofspiel(cards=3, points_order='descending')")
    with pytest.raises(ValueError, match="the prize on the table must be 3"):
        game.parse_state(f"{table}/0: 1 2 3/0: 1 2 3")
    with pytest.raises(ValueError, match="leave the player at 0"):
        game.parse_state("3: 1 2/0: 1 2 3/0: 1 2 3", 1)


def test_random_boards_give_a_state_that_can_be_played_or_a_value_error() -> None:
    rng, accepted = random.Random(4), 0
    for number in range(3000):
        order = ("random", "descending", "ascending")[number % 3]
        game = treewise.load_game(f"goofspiel(cards=4, points_order='{order}')")
        piles = [sorted(rng.sample([1, 2, 3, 4], rng.choice([2, 2, 3, 4]))) for _ in range(3)]
        rows = [f"{rng.randrange(5)}:" + "".join(f" {card}" for card in pile) for pile in piles]
        try:
            state = game.parse_state("/".join(rows))
        except ValueError:
            continue
        accepted += 1
        state.playout(number)
        assert state.is_terminal()
        assert sum(state.returns()) == pytest.approx(0)
    assert accepted > 20
