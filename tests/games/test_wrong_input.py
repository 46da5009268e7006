"""Actions, boards and parameters that are wrong: one clear line, a ValueError, and the state as it was."""

import re
from typing import Any

import numpy as np
import pytest

import treewise

NO_ACTIONS: list[Any] = ["a", "a3", b"x", None, 1.5, 3.0, np.float64(3), {}, {3}, object(), 3j, np.bool_(True)]
ILLEGAL: list[Any] = [2**70, -(2**70), 2**63, 2**31, 9, -1, 10**5000, np.int64(9), np.uint64(2**64 - 1)]
WHOLE: list[Any] = [1, True, np.int8(1), np.int64(1), np.uint64(1), np.array(1)]


def start(text: str = "tic_tac_toe") -> treewise.State:
    return treewise.load_game(text).initial_state()


def one_line(error: BaseException) -> str:
    message = str(error)
    assert "\n" not in message
    assert len(message) < 400
    return message


@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
def test_what_is_no_whole_number_is_no_action(action: Any) -> None:
    state = start()
    for method in (state.apply, state.action_name):
        with pytest.raises(
            ValueError, match=r"an action is a whole number, not \w+; legal_actions\(\) lists"
        ) as caught:
            method(action)
        one_line(caught.value)
    assert state.history() == []


@pytest.mark.parametrize("action", ILLEGAL, ids=lambda action: str(action)[:10] if action != 10**5000 else "long")
def test_numbers_of_any_size_are_illegal_actions(action: Any) -> None:
    state = start()
    for method in (state.apply, state.action_name):
        with pytest.raises(ValueError, match=r"illegal action .*; 9 legal: 0 \(a3\), ") as caught:
            method(action)
        one_line(caught.value)
    assert state.history() == []


@pytest.mark.parametrize("action", WHOLE, ids=repr)
def test_whole_numbers_of_all_kinds_are_actions(action: Any) -> None:
    """`True` too, which is the number 1 in Python."""
    state = start()
    assert state.action_name(action) == "b3"
    state.apply(action)
    assert state.history() == [1]


@pytest.mark.parametrize("actions", [[], [1], (1, 2), np.array([1]), range(2)], ids=repr)
def test_where_one_player_acts_a_list_is_refused(actions: Any) -> None:
    with pytest.raises(ValueError, match="one player acts here"):
        start().apply(actions)


JOINT = {
    "several players act at once": [1, np.int64(1), True],
    "an action is a whole number": ["ab", None, 1.5, {0: 1, 1: 2}, [1.5, 2], ["a", 1], [None, 1], [[1], [2]], b"ab"],
    "expected one for each of 2 players": [[], [1], [1, 2, 3]],
    "player 1: illegal action": [[1, 9], [1, -1], [1, 2**70]],
}


@pytest.mark.parametrize(("message", "given"), [(m, g) for m, many in JOINT.items() for g in many], ids=repr)
def test_wrong_joint_actions(message: str, given: Any) -> None:
    state = start("goofspiel(cards=4, points_order='descending')")
    with pytest.raises(ValueError, match=message) as caught:
        state.apply(given)
    one_line(caught.value)
    assert state.history() == []


@pytest.mark.parametrize("given", [[1, 2], (1, 2), np.array([1, 2]), range(1, 3), [np.int8(1), True + 1]], ids=repr)
def test_joint_actions_of_all_kinds(given: Any) -> None:
    state = start("goofspiel(cards=4, points_order='descending')")
    state.apply(given)
    assert state.history() == [1, 2]


class Meddler:
    """A number that plays its own action when it is looked at."""

    def __init__(self, state: treewise.State, action: int) -> None:
        self.state, self.action = state, action

    def __index__(self) -> int:
        self.state.apply(self.action)
        return self.action


def test_an_action_that_changes_the_state_is_checked_afterwards() -> None:
    state = start()
    with pytest.raises(ValueError, match="illegal action 4"):
        state.apply(Meddler(state, 4))
    assert state.history() == [4]


class Broken:
    def __index__(self) -> int:
        raise KeyError("broken")


def test_what_an_action_raises_goes_through() -> None:
    for call in (start().apply, start().action_name, start().legal_actions):
        with pytest.raises(KeyError, match="broken"):
            call(Broken())


@pytest.mark.parametrize("player", ["x", 1.5, 2**40, 2**80, 2, -1], ids=repr)
def test_wrong_players(player: Any) -> None:
    with pytest.raises(ValueError, match="player"):
        start().legal_actions(player)
    with pytest.raises(ValueError, match="player"):
        treewise.load_game("hex(size=3)").parse_state(".../.../...", player)

    hidden = start("phantom_tic_tac_toe")
    for method in (hidden.resample, hidden.observation):
        with pytest.raises(ValueError, match="player") as caught:
            method(player)
        one_line(caught.value)


NO_SEEDS: list[Any] = ["x", None, 1.5, [1], -1, 2**64, 10**5000]


@pytest.mark.parametrize("seed", NO_SEEDS, ids=lambda seed: repr(seed) if seed != 10**5000 else "long")
def test_wrong_seeds(seed: Any) -> None:
    calls = (
        start().playout,
        start("breakthrough").playout_candidates,
        start("vgdl('aliens')").reseed,
        lambda seed: start("phantom_tic_tac_toe").resample(0, seed),
    )
    for call in calls:
        with pytest.raises(ValueError, match="a seed is a whole number") as caught:
            call(seed)
        one_line(caught.value)


@pytest.mark.parametrize("seed", [0, True, np.int8(1), np.uint64(2**64 - 1), 2**64 - 1], ids=repr)
def test_whole_numbers_of_all_kinds_are_seeds(seed: Any) -> None:
    state, again = start(), start()
    state.playout(seed)
    again.playout(int(seed))
    assert state.history() == again.history()


@pytest.mark.parametrize("number", ["x", 2.0, -1, 2**40, 2**80], ids=repr)
def test_wrong_depths_and_lengths(number: Any) -> None:
    state = start()
    with pytest.raises(ValueError, match=r"^depth is .*expected 0 to 1000$") as caught:
        treewise.perft(state, number)
    one_line(caught.value)
    with pytest.raises(ValueError, match=r"^max_length is ") as caught:
        state.playout(1, max_length=number)
    one_line(caught.value)
    assert state.history() == []


def test_depths_of_all_kinds() -> None:
    assert [treewise.perft(start(), depth) for depth in (0, True, np.int64(2), 10)] == [1, 9, 72, 0]
    with pytest.raises(ValueError, match=r"^depth is a whole number, not NoneType"):
        treewise.perft(start(), None)  # type: ignore[arg-type]


@pytest.mark.parametrize("flag", ["yes", 1, None], ids=repr)
def test_wrong_flags(flag: Any) -> None:
    with pytest.raises(ValueError, match=r"^policy is True or False, not "):
        start("breakthrough").playout(1, policy=flag)
    with pytest.raises(ValueError, match=r"^clip is True or False, not "):
        start("breakthrough").quality(flag)


BOARDS: list[tuple[Any, str]] = [
    (None, "a text is needed, not NoneType"),
    (3, "a text is needed, not int"),
    (b"...", "a text is needed, not bytes"),
    (["..."], "a text is needed, not list"),
    ("", "1 rows given, 3 expected"),
    (".../.../....", "row 3 has 4 cells, 3 expected"),
    ("\0", r"unknown character '\x00'"),
    (".../.../..\n", r"unknown character '\x0a'"),
    (".../.../..\x7f", r"unknown character '\x7f'"),
    (".../.../..é", "unknown character 'é'"),
    (".../.../..\N{BEETLE}.", "unknown character '\N{BEETLE}'"),
    ("\ud800", "surrogate"),
    ("." * 1_000_000, "1 rows given, 3 expected"),
    ("/" * 1_000_000, "1000001 rows given, 3 expected"),
]


@pytest.mark.parametrize(("board", "message"), BOARDS, ids=[message for _, message in BOARDS])
def test_wrong_boards(board: Any, message: str) -> None:
    with pytest.raises(ValueError, match="board: .*" + re.escape(message)) as caught:
        treewise.load_game("hex(size=3)").parse_state(board, 0)
    one_line(caught.value)


NONSENSE: list[Any] = ["", "\0", "é", "/" * 100_000, "." * 100_000, "1 " * 50_000, None, 7]


@pytest.mark.parametrize("name", treewise.game_names())
@pytest.mark.parametrize("board", NONSENSE, ids=lambda board: repr(board)[:8])
def test_no_game_reads_nonsense(name: str, board: Any) -> None:
    with pytest.raises(ValueError, match=r"^board: ") as caught:
        treewise.load_game(name).parse_state(board, 0)
    one_line(caught.value)


PARAMETERS = {
    "hex(7, size=7)": "hex: parameter 'size' is given twice",
    "hex(size=7, size=7)": "hex: 'size' is given twice",
    "hex(7, True, 3)": "hex: 3 parameters given; it has only 2: size, swap",
    "tic_tac_toe(3)": "tic_tac_toe: 1 parameters given; it has no parameters",
    "tic_tac_toe(size=3)": "tic_tac_toe: 1 parameters given; it has no parameters",
    "hex(siz=7)": "hex: unknown parameter 'siz'; did you mean 'size'?",
    "hex(True)": "hex: parameter 'size' must be a whole number",
    "hex('7')": "hex: parameter 'size' must be a whole number",
    "hex(7.0)": "hex: parameter 'size' must be a whole number",
    "hex(inf)": "hex: parameter 'size' must be a whole number",
    "hex(None)": "hex: parameter 'size' must be one number",
    "hex([7])": "hex: parameter 'size' must be one number",
    "hex(size=hex(7))": "hex: parameter 'size' must be one number",
    "hex(1)": "hex: parameter 'size' must be between 2 and 19",
    "hex(-7)": "hex: parameter 'size' must be between 2 and 19",
    "hex(99999999999999999999)": "hex: parameter 'size' is out of range",
    "hex(**{})": "hex: '**' is not known",
    "hex(7, swap=1)": "hex: parameter 'swap' must be True or False",
    "go(komi=True)": "go: parameter 'komi' must be a number",
    "go(komi='7.5')": "go: parameter 'komi' must be a number",
    "go(komi=1e999)": "go: parameter 'komi' must be between -400 and 400",
    "goofspiel(points_order=random)": "goofspiel: parameter 'points_order' must be one number, or a text in quotes",
    "goofspiel(points_order='up')": "goofspiel: parameter 'points_order' must be one of 'random', 'descending'",
    "chinese_checkers(players=5)": "chinese_checkers: players must be 2, 3, 4 or 6",
}


@pytest.mark.parametrize(("text", "message"), PARAMETERS.items())
def test_wrong_parameters(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        treewise.load_game(text)
    one_line(caught.value)
