"""Games written in Python: played as they are, with every capability, and their mistakes named."""

import gc
import math
import random
import threading
import weakref
from typing import Any, ClassVar

import numpy as np
import pytest
from python_breakthrough import Breakthrough
from python_game import Nim

import treewise
from treewise import information


class Coin:
    """One player calls a coin; options make it wrong in one place each."""

    answers: ClassVar[dict[str, Any]] = {}

    def __init__(self, tossed: int = -1, called: int = -1) -> None:
        self.tossed, self.called = tossed, called

    def current_player(self) -> Any:
        return self.answers.get("current_player", 0 if self.called < 0 else treewise.CHANCE)

    def legal_actions(self) -> Any:
        return self.answers.get("legal_actions", [0, 1])

    def chance_outcomes(self) -> Any:
        return self.answers.get("chance_outcomes", [(0, 0.25), (1, 0.75)])

    def apply(self, action: int) -> None:
        if self.called < 0:
            self.called = action
        else:
            self.tossed = action

    def is_terminal(self) -> bool:
        return self.tossed >= 0

    def returns(self) -> Any:
        return self.answers.get("returns", [float(self.tossed == self.called and self.is_terminal())])

    def clone(self) -> Any:
        if "clone" in self.answers:
            return self.answers["clone"](self)
        return type(self)(self.tossed, self.called)


def wrong(**answers: Any) -> Any:
    return type("Wrong", (Coin,), {"answers": answers})()


class Pennies:
    """Matching pennies twice, with a reward after each; everything else a game can have, too."""

    simultaneous = True
    num_players = 2
    min_utility, max_utility, max_length = -2.0, 2.0, 2

    def __init__(self, played: tuple[tuple[int, int], ...] = ()) -> None:
        self.played = played

    def current_player(self) -> int:
        return treewise.SIMULTANEOUS

    def legal_actions(self, player: int) -> range:
        return range(2 + player)

    def apply(self, actions: list[int]) -> None:
        self.played += ((actions[0], actions[1]),)

    def is_terminal(self) -> bool:
        return len(self.played) == 2

    def rewards(self) -> tuple[float, float]:
        gain = 1.0 if self.played and self.played[-1][0] == self.played[-1][1] else -1.0
        return gain, -gain

    def returns(self) -> list[float]:
        total = sum(1.0 if a == b else -1.0 for a, b in self.played)
        return [total, -total]

    def clone(self) -> "Pennies":
        return Pennies(self.played)

    def hash(self) -> int:
        return -1 - len(self.played)

    def resample(self, player: int, seed: int) -> "Pennies":
        rng = random.Random(seed)
        hidden = [tuple(pair[p] if p == player else rng.randrange(2) for p in (0, 1)) for pair in self.played]
        return Pennies(tuple(hidden))  # type: ignore[arg-type]

    def observation(self, player: int) -> str:
        return " ".join(str(pair[player]) for pair in self.played)

    def quality(self) -> float:
        return 0.5


def test_what_is_no_method_is_no_capability() -> None:
    """A class may switch off what it inherits, and keep numbers under these names."""

    class Bare(Nim):
        action_name: Any = None
        hash: Any = 0
        quality: Any = 0.5

        def clone(self) -> Any:
            copy = Bare(self.heaps)
            copy.player = self.player
            return copy

    state = treewise.as_state(Bare((1, 2)))
    assert state.action_name(102) == "102"
    assert not {"hash", "quality"} & set(state.game.capabilities)
    assert treewise.uct(simulations=50).run(state).action in (1, 101, 102)


def test_nim_is_played_as_it_is() -> None:
    first = Nim((1, 2))
    state = treewise.as_state(first)
    assert state.game.name == "Nim"
    assert (state.game.num_players, state.game.min_utility, state.game.max_length) == (2, -1.0, 10000)
    assert state.legal_actions() == [1, 101, 102]
    assert state.action_name(102) == "2 of heap 2"
    assert str(state) == "| ||"
    state.apply(102)
    assert first.heaps == [1, 2], "the object given must stay as it was"
    state.apply(1)
    assert state.is_terminal()
    assert state.current_player() == treewise.TERMINAL
    assert state.legal_actions() == []
    assert state.returns() == [-1.0, 1.0]
    assert state.history() == [102, 1]
    assert str(state.game.initial_state()) == "| ||"


def test_illegal_actions_are_refused() -> None:
    state = treewise.as_state(Nim())
    with pytest.raises(ValueError, match=r"illegal action 7; 12 legal: 1 \(1 of heap 1\)"):
        state.apply(7)


def test_breakthrough_equals_the_game_in_cpp() -> None:
    ours, native = treewise.as_state(Breakthrough()), treewise.load_game("breakthrough").initial_state()
    assert [treewise.perft(Breakthrough(), depth) for depth in (1, 2, 3)] == [22, 484, 11132]
    for seed in range(5):
        a, b = ours.clone(), native.clone()
        assert a.playout(seed) == b.playout(seed)
        assert (a.history(), a.returns()) == (b.history(), b.returns())
        again, other = ours.clone(), native.clone()
        for action in a.history():
            assert sorted(again.legal_actions()) == sorted(other.legal_actions())
            assert again.action_name(action) == other.action_name(action)
            again.apply(action)
            other.apply(action)


def test_native_states_pass_through() -> None:
    state = treewise.load_game("pig").initial_state()
    assert treewise.as_state(state) is state


def test_chance() -> None:
    state = treewise.as_state(Coin())
    assert state.game.num_players == 1
    assert state.game.capabilities == ["chance"]
    state.apply(1)
    assert state.current_player() == treewise.CHANCE
    assert state.chance_outcomes() == [(0, 0.25), (1, 0.75)]
    heads = 0
    for seed in range(400):
        copy = state.clone()
        copy.playout(seed)
        heads += copy.history()[-1]
    assert 250 < heads < 350
    assert treewise.perft(Coin(), 2) == 4


def test_simultaneous_and_the_other_capabilities() -> None:
    state = treewise.as_state(Pennies())
    assert state.game.capabilities == ["hash", "simultaneous", "rewards", "hidden", "quality"]
    assert treewise.perft(state, 2) == 36
    assert state.legal_actions(1) == [0, 1, 2]
    assert state.hash() == 2**64 - 1
    with pytest.raises(ValueError, match="player 0: illegal action 2"):
        state.apply([2, 0])
    state.apply([1, 1])
    assert state.rewards() == [1.0, -1.0]
    assert state.observation(1) == "1"
    drawn = {state.resample(0, seed).observation(1) for seed in range(20)}
    assert drawn == {"0", "1"}
    assert state.observation(1) == "1"
    assert state.playout(3) == 1
    assert len(state.history()) == 4
    assert state.returns()[0] == -state.returns()[1]


def test_winning_actions_and_candidates() -> None:
    class Policy(Nim):
        def winning_actions(self) -> list[int]:
            return [100 * i + n for i, n in enumerate(self.heaps) if n and n == sum(self.heaps)]

        def playout_candidates(self, seed: int) -> list[int]:
            assert 0 <= seed < 2**64
            return self.winning_actions() or [self.legal_actions()[0]] * 3

        def clone(self) -> "Policy":
            copy = Policy(tuple(self.heaps))
            copy.player = self.player
            return copy

    state = treewise.as_state(Policy((2, 2)))
    assert state.winning_actions() == []
    assert state.playout_candidates(1) == [1, 1, 1]
    assert state.playout(1, policy=True) == 3
    assert state.returns() == [1.0, -1.0]


def test_numpy_numbers_and_any_iterable_will_do() -> None:
    state = treewise.as_state(wrong(legal_actions=np.array([1, 0]), returns=np.zeros(1)))
    assert state.legal_actions() == [1, 0]
    assert treewise.as_state(wrong(current_player=np.int8(0))).current_player() == 0


@pytest.mark.parametrize(
    ("answers", "error", "message"),
    [
        ({"legal_actions": []}, ValueError, r"Wrong\.legal_actions\(\): no action"),
        ({"legal_actions": None}, TypeError, r"Wrong\.legal_actions\(\): expected a list, got NoneType"),
        ({"legal_actions": [0.5]}, TypeError, r"Wrong\.legal_actions\(\): an action must be a whole number"),
        ({"legal_actions": ["a"]}, TypeError, "must be a whole number, not str"),
        ({"legal_actions": [-1]}, ValueError, "action -1 is out of range"),
        ({"legal_actions": [2**31]}, ValueError, "action 2147483648 is out of range"),
        ({"legal_actions": [10**30]}, ValueError, "an action is out of range"),
        ({"current_player": 1}, ValueError, r"Wrong\.current_player\(\): player 1, expected 0 to 0"),
        ({"current_player": -4}, ValueError, "player -4"),
        ({"current_player": "x"}, TypeError, "a player must be a whole number, not str"),
        ({"current_player": treewise.TERMINAL}, ValueError, r"is_terminal\(\) is false"),
        ({"current_player": treewise.SIMULTANEOUS}, ValueError, "simultaneous = True"),
        ({"current_player": -1, "chance_outcomes": [(0, 0.5)]}, ValueError, "sum to 0.5"),
        ({"current_player": -1, "chance_outcomes": [(0, 2), (1, -1)]}, ValueError, "negative probability"),
        ({"current_player": -1, "chance_outcomes": [(0, 10**400)]}, ValueError, "a number that is too large"),
        ({"current_player": -1, "chance_outcomes": [0, 1]}, TypeError, "expected a list, got int"),
        ({"current_player": -1, "chance_outcomes": []}, ValueError, "no outcome"),
        ({"clone": lambda self: self}, ValueError, r"Wrong\.clone\(\): returned the state itself"),
        ({"clone": lambda self: None}, TypeError, r"Wrong\.clone\(\): expected another Wrong, got NoneType"),
        ({"returns": 3}, TypeError, r"Wrong\.returns\(\): expected a list, got int"),
        ({"returns": []}, ValueError, "0 numbers"),
    ],
)
def test_wrong_answers_are_named(answers: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        treewise.as_state(wrong(**answers)).playout(1)
    with pytest.raises(error, match=message):
        treewise.perft(wrong(**answers), 3)


class Unreadable(Coin):
    """Its texts have half a surrogate pair, which no terminal and no file can write."""

    def action_name(self, action: int) -> str:
        return f"\ud800{action}"

    def observation(self, player: int) -> str:
        return "\udfff"

    def resample(self, player: int, seed: int) -> Any:
        return self.clone()

    def __str__(self) -> str:
        return "board\ud800"


def test_texts_that_are_no_text_are_named() -> None:
    state = treewise.as_state(Unreadable())
    asked = {"action_name": lambda: state.action_name(1), "observation": lambda: state.observation(0)}
    for method, ask in (asked | {"__str__": lambda: str(state)}).items():
        with pytest.raises(ValueError, match=rf"^Unreadable\.{method}\(\): a text with half a surrogate pair"):
            ask()
    with pytest.raises(ValueError, match=r"Unreadable\.action_name\(\): "):
        treewise.uct(simulations=5).replace(information=information.Open()).run(state)


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ([math.nan], ValueError, "not finite"),
        ([math.inf], ValueError, "not finite"),
        ([2.0], ValueError, r"2\.0+ lies outside \[-1\.0+, 1\.0+\]"),
        (["x"], TypeError, "expected a number, got str"),
        ([0.0, 0.0], ValueError, "2 numbers, expected one for each of 1 players"),
    ],
)
def test_wrong_returns_are_named(values: list[Any], error: type[Exception], message: str) -> None:
    class Wrong(Coin):
        num_players = 1

        def returns(self) -> Any:
            return values

    state = treewise.as_state(Wrong())
    state.playout(1)
    with pytest.raises(error, match=rf"Wrong\.returns\(\): .*{message}"):
        state.returns()


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({"num_players": 7}, "num_players is 7, expected 1 to 6"),
        ({"num_players": 0}, "num_players is 0"),
        ({"max_length": 0}, "max_length is 0"),
        ({"min_utility": 1.0}, "min_utility must be less"),
        ({"max_utility": math.nan}, "not finite"),
    ],
)
def test_wrong_attributes_are_named(attributes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        treewise.as_state(type("Wrong", (Coin,), attributes)())


def test_attributes_may_stand_on_the_game() -> None:
    class Pair(Coin):
        class game:
            num_players, max_utility, max_length = 1, 5, 9

    game = treewise.as_state(Pair()).game
    assert (game.num_players, game.max_utility, game.max_length) == (1, 5.0, 9)


class Trouble(Exception):
    pass


@pytest.mark.parametrize("method", ["legal_actions", "apply", "is_terminal", "current_player", "clone"])
def test_exceptions_pass_through_unharmed(method: str) -> None:
    class Failing(Nim):
        armed = False

        def clone(self) -> "Failing":
            copy = Failing(tuple(self.heaps))
            copy.player = self.player
            return copy

    original = getattr(Failing, method)

    def fail(*arguments: Any) -> Any:
        if Failing.armed:
            raise Trouble(method)
        return original(*arguments)

    setattr(Failing, method, fail)
    state = treewise.as_state(Failing())
    Failing.armed = True
    with pytest.raises(Trouble, match=method):
        treewise.perft(state, 3)
    if method != "clone":
        with pytest.raises(Trouble, match=method):
            state.playout(1)
    Failing.armed = False
    assert treewise.perft(Failing(), 1) == 12


def test_what_is_no_state_is_refused() -> None:
    with pytest.raises(TypeError, match=r"int is no state of a game: it has no current_player\(\), legal_a"):
        treewise.as_state(3)
    with pytest.raises(TypeError, match="expected a state of 'Nim'"):
        treewise.as_state(Nim)
    with pytest.raises(TypeError, match="expected a state of 'breakthrough'"):
        treewise.perft(treewise.load_game("breakthrough"), 1)


def test_games_in_python_have_no_text_form() -> None:
    game = treewise.as_state(Nim()).game
    with pytest.raises(ValueError, match="no text form"):
        treewise.game_text(game)
    with pytest.raises(ValueError, match="no text form of positions"):
        game.parse_state("x")


def test_threads_take_turns() -> None:
    counts: list[int] = []
    threads = [threading.Thread(target=lambda: counts.append(treewise.perft(Nim(), 4))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [treewise.perft(Nim(), 4)] * 4


def test_objects_are_freed_with_their_states() -> None:
    class Tracked(Nim):
        alive: ClassVar[list[Any]] = []

        def __init__(self, heaps: tuple[int, ...] = (3, 4, 5)) -> None:
            super().__init__(heaps)
            self.alive.append(weakref.ref(self))

        def clone(self) -> "Tracked":
            return Tracked(tuple(self.heaps))

    state = treewise.as_state(Tracked())
    treewise.perft(state, 3)
    copy = state.clone()
    del state, copy
    gc.collect()
    assert [ref() for ref in Tracked.alive if ref() is not None] == []
