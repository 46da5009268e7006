"""Compiled Python: the same games as in C++, equal to their twins, safe with wrong rules, without the GIL."""

import copy
import dataclasses
import gc
import os
import pickle
import random
import subprocess
import sys
import threading
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

import treewise
from treewise import compiled
from treewise._core import compiled_record
from treewise.compiled import CompiledGame, below, check_twin, uniform
from treewise.compiled.twin import _compare

pytest.importorskip("numba")

from compiled_breakthrough import Breakthrough
from compiled_connect_four import ConnectFour


@compiled.game(num_players=2, max_actions=6, max_length=600, num_action_ids=6, name="compiled_pig")
class Pig:
    """Pig to 30 points: the rules of cpp/games/pig.cpp."""

    scores: (np.int16, 2)  # type: ignore[valid-type]
    total: np.int16
    steps: np.int32
    player: np.int8
    rolling: np.bool_
    winner: np.int8 = -1  # type: ignore[assignment]

    def current_player(s: Any) -> Any:
        return treewise.CHANCE if s.rolling else s.player

    def legal_actions(s: Any, out: Any) -> Any:
        n = 6 if s.rolling else 2
        for i in range(n):
            out[i] = i
        return n

    def chance_probabilities(s: Any, out: Any) -> None:
        out[:6] = 1 / 6

    def apply(s: Any, action: Any) -> None:
        s.steps += 1
        if s.rolling:
            s.rolling = False
            s.total = 0 if action == 0 else s.total + action + 1
            if action == 0:
                s.player = 1 - s.player
        elif action == 0:
            s.rolling = True
        else:
            s.scores[s.player] += s.total
            s.total = 0
            if s.scores[s.player] >= 30:
                s.winner = s.player
            else:
                s.player = 1 - s.player

    def is_terminal(s: Any) -> Any:
        return s.winner >= 0 or s.steps >= 1000

    def returns(s: Any, out: Any) -> None:
        out[0] = 0 if s.winner < 0 else 1 if s.winner == 0 else -1
        out[1] = -out[0]


@compiled.game(num_players=2, max_actions=3, max_length=8, min_utility=-5, max_utility=5)
class Everything:
    """Two players choose at once, three times, and hide it; every capability that Pig lacks.

    The record has more than 256 bytes, so it lies on the heap.
    """

    ballast: (np.int8, 300)  # type: ignore[valid-type]
    chosen: (np.int8, (2, 3))  # type: ignore[valid-type]
    gain: np.int8
    score: np.int8
    step: np.int8

    def initial(s: Any) -> None:
        s.chosen[:] = -1

    def current_player(s: Any) -> Any:
        return treewise.SIMULTANEOUS if s.step < 2 else 1

    def legal_actions(s: Any, out: Any) -> Any:
        out[0], out[1] = 0, 2
        return 2

    def legal_actions_of(s: Any, player: Any, out: Any) -> Any:
        for i in range(2 + player):
            out[i] = i
        return 2 + player

    def apply(s: Any, action: Any) -> None:
        s.chosen[1, s.step] = action
        s.gain = action - 1
        s.score += s.gain
        s.step += 1

    def apply_joint(s: Any, actions: Any) -> None:
        s.chosen[0, s.step], s.chosen[1, s.step] = actions[0], actions[1]
        s.gain = 1 if actions[0] == actions[1] else -1
        s.score += s.gain
        s.step += 1

    def is_terminal(s: Any) -> Any:
        return s.step == 3

    def returns(s: Any, out: Any) -> None:
        out[0], out[1] = s.score, -s.score

    def rewards(s: Any, out: Any) -> None:
        out[0], out[1] = s.gain, -s.gain

    def quality(s: Any) -> Any:
        return abs(s.score) / 3

    def winning_actions(s: Any, out: Any) -> Any:
        out[0] = 0
        return 1 if s.score < 0 else 0

    def playout_candidates(s: Any, rng: Any, out: Any) -> Any:
        out[0] = 2 * below(rng, 2)
        return 1

    def hash(s: Any) -> Any:
        return 10 * s.score + s.step

    def resample(s: Any, player: Any, rng: Any) -> None:
        for i in range(s.step):
            s.chosen[1 - player, i] = 0 if uniform(rng) < 0.5 else 1

    def observation(s: Any, player: Any) -> str:
        return " ".join(str(a) for a in s.chosen[player] if a >= 0)

    def parse(s: Any, board: str, player: int) -> None:
        if not board.isdigit():
            raise ValueError("board: the number of steps expected")
        s.step = int(board)


@compiled.game(num_players=1, max_actions=2, max_length=20, min_utility=0, max_utility=50, num_features=3)
class Climb:
    """A step up or down; the top wins, and every step up is a point."""

    height: np.int8
    points: np.int8
    steps: np.int8

    def current_player(s: Any) -> Any:
        return 0

    def legal_actions(s: Any, out: Any) -> Any:
        out[0], out[1] = 0, 1
        return 2

    def apply(s: Any, action: Any) -> None:
        s.height += 2 * action - 1
        s.points += action
        s.steps += 1

    def is_terminal(s: Any) -> Any:
        return s.height == 4 or s.steps == 20

    def returns(s: Any, out: Any) -> None:
        out[0] = s.points + (30 if s.height == 4 else 0)

    def score(s: Any) -> Any:
        return s.points

    def features(s: Any, out: Any) -> None:
        out[0], out[2] = 1, s.height / 4


@compiled.game(num_players=1, max_actions=10, bounds_checks=False)
class Marks:
    """More than 2048 bytes, which playouts do not copy; and without checks."""

    cells: (np.int8, 3000)  # type: ignore[valid-type]
    step: np.int32

    def current_player(s: Any) -> Any:
        return 0

    def legal_actions(s: Any, out: Any) -> Any:
        for i in range(10):
            out[i] = i
        return 10

    def apply(s: Any, action: Any) -> None:
        s.cells[len(s.cells) - 1 - 10 * s.step - action] += 1
        s.step += 1

    def is_terminal(s: Any) -> Any:
        return s.step == 200

    def returns(s: Any, out: Any) -> None:
        out[0] = s.cells.sum() / 200


ALL = [Breakthrough, ConnectFour, Pig, Everything, Climb, Marks]

KINDS = [
    "",
    "none",
    "too many",
    "negative count",
    "negative action",
    "outside",
    "raises",
    "player",
    "chance",
    "nan",
]
KINDS += ["zero", "endless"]


@compiled.game(num_players=2, max_actions=3, max_length=2000)
class Broken:
    """Takes 1 to 3 of 9, and does one thing wrong, given by `kind`."""

    kind: np.int8
    left: np.int8
    player: np.int8

    def parse(s: Any, board: str, player: int) -> None:
        s.kind, s.left, s.player = KINDS.index(board), 9, player

    def current_player(s: Any) -> Any:
        return 2 if s.kind == 7 else treewise.CHANCE if s.kind == 8 else s.player

    def legal_actions(s: Any, out: Any) -> Any:
        for i in range(3):
            out[i] = i + 1
        if s.kind == 1:
            return 0
        if s.kind == 2:
            return len(out) + 1
        if s.kind == 3:
            return -5
        if s.kind == 4:
            out[0] = out[1] = out[2] = -1
        if s.kind == 5:
            out[s.left] = 1
        if s.kind == 6:
            raise ValueError("no")
        return min(s.left, 3)

    def apply(s: Any, action: Any) -> None:
        if s.kind == 10:
            s.left = action // (s.left - 9)
        elif s.kind != 11:
            s.left -= action
        s.player = 1 - s.player

    def is_terminal(s: Any) -> Any:
        return s.left <= 0

    def returns(s: Any, out: Any) -> None:
        out[s.player], out[1 - s.player] = np.nan if s.kind == 9 else -1, 1


@compiled.game(num_players=2, max_actions=2, max_length=50)
class Wrong:
    """What only the twin can find, or only a chance state or an own choice can do wrong."""

    kind: np.int8
    step: np.int8

    def parse(s: Any, board: str, player: int) -> None:
        s.kind = int(board)

    def current_player(s: Any) -> Any:
        return treewise.CHANCE if s.kind == 1 else 0

    def legal_actions(s: Any, out: Any) -> Any:
        out[0], out[1] = 0, 1
        return 2

    def chance_probabilities(s: Any, out: Any) -> None:
        out[0] = out[1] = 0.2

    def playout_action(s: Any, rng: Any) -> Any:
        return below(rng, 0) if s.kind == 2 else -3 if s.kind == 3 else s.kind

    def apply(s: Any, action: Any) -> None:
        s.step += 1

    def is_terminal(s: Any) -> Any:
        return s.step == 5

    def returns(s: Any, out: Any) -> None:
        out[:] = 0

    def hash(s: Any) -> Any:
        if s.step == 0:
            return 8
        return (np.uint64(1) << 63 | 1) >> 60  # `| 1` makes a signed number of it in Numba, not in NumPy


def test_perft() -> None:
    state = Breakthrough.initial_state()
    assert [treewise.perft(state, depth) for depth in range(1, 6)] == [22, 484, 11132, 256036, 6182818]
    state = ConnectFour.initial_state()
    assert [treewise.perft(state, depth) for depth in range(1, 8)] == [
        7,
        49,
        343,
        2401,
        16807,
        117649,
        823536,
    ]


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_equals_its_twin_move_by_move(game: CompiledGame) -> None:
    check_twin(game, matches=6, seed=3)


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_the_twin_is_a_game_in_python(game: CompiledGame) -> None:
    twin = treewise.as_state(game.twin.initial_state())
    assert twin.game.capabilities == [name for name in game.capabilities if name != "parse"]
    assert treewise.perft(twin, 2) == treewise.perft(game.initial_state(), 2)


def test_breakthrough_equals_the_game_in_cpp() -> None:
    native = treewise.load_game("breakthrough").initial_state()
    for seed in range(20):
        ours, theirs = Breakthrough.initial_state(), native.clone()
        rng = random.Random(seed)
        while not theirs.is_terminal():
            assert ours.legal_actions() == theirs.legal_actions()
            assert ours.current_player() == theirs.current_player()
            action = rng.choice(ours.legal_actions())
            assert ours.action_name(action) == theirs.action_name(action)
            ours.apply(action)
            theirs.apply(action)
        assert ours.is_terminal()
        assert ours.returns() == theirs.returns()


@pytest.mark.parametrize(("game", "text"), [(Breakthrough, "breakthrough"), (Pig, "pig(goal=30)")])
def test_playouts_equal_those_in_cpp(game: CompiledGame, text: str) -> None:
    """The loop is compiled, too: the same random numbers must lead to the same match."""
    native = treewise.load_game(text).initial_state()
    for seed in range(200):
        ours, theirs = game.initial_state(), native.clone()
        assert ours.playout(seed) == theirs.playout(seed)
        assert (ours.history(), ours.returns()) == (theirs.history(), theirs.returns())


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.name)
def test_playouts_play_legal_actions(game: CompiledGame) -> None:
    for seed in range(20):
        state = game.initial_state()
        state.playout(seed)
        actions, replay = iter(state.history()), game.initial_state()
        while not replay.is_terminal():
            if replay.current_player() == treewise.SIMULTANEOUS:
                replay.apply([next(actions), next(actions)])
            else:
                replay.apply(next(actions))
        assert next(actions, None) is None
        assert compiled_record(replay) == compiled_record(state)


def test_long_playouts_keep_all_their_steps() -> None:
    """The engine takes the trace in pieces of 128 steps."""
    start = Broken.parse_state("endless")
    for length in (0, 1, 127, 128, 129, 1000):
        state = start.clone()
        assert state.playout(1, max_length=length) == length
        assert len(state.history()) == length
    assert start.clone().playout(1) == 2000
    whole, piece = start.clone(), start.clone()
    whole.playout(5, max_length=300)
    piece.playout(5, max_length=200)
    assert whole.history()[:200] == piece.history()


def test_capabilities() -> None:
    assert Breakthrough.capabilities == ["hash"]
    assert Pig.capabilities == ["hash", "chance"]
    everything = ["hash", "simultaneous", "rewards", "hidden", "quality", "policy", "winning", "parse"]
    assert Everything.capabilities == everything
    state = Everything.parse_state("2", 0)
    assert (state.current_player(), state.legal_actions(), state.hash()) == (1, [0, 2], 2)
    assert {state.playout_candidates(seed)[0] for seed in range(20)} == {0, 2}
    with pytest.raises(ValueError, match="number of steps"):
        Everything.parse_state("x")
    state = Everything.initial_state()
    state.apply([1, 0])
    assert state.winning_actions() == [0]
    assert {state.resample(1, seed).observation(0) for seed in range(20)} == {"0", "1"}
    assert Pig.name == "compiled_pig"
    assert Pig.__doc__ is not None
    assert "30 points" in Pig.__doc__
    assert str(Pig.initial_state()).startswith("steps = 0")


def test_score_and_features() -> None:
    assert Climb.capabilities == ["hash", "score", "features"]
    state = Climb.initial_state()
    assert (state.score(), state.features()) == (0.0, [1.0, 0.0, 0.0])
    state.apply(1)
    assert (state.score(), state.features()) == (1.0, [1.0, 0.0, 0.25])
    search = treewise.parse_search("mcts(playout=true_online_sarsa, max_length=4, limit=simulations(count=200))")
    assert search.run(state, seed=1).action == 1


def test_features_go_with_their_number() -> None:
    functions = Climb.twin.rules.functions
    fields = {"__annotations__": {"height": np.int8, "points": np.int8, "steps": np.int8}}
    with pytest.raises(ValueError, match=r"features\(s, out\) and num_features=… go together"):
        compiled.game(num_players=1, max_actions=2)(type("Changed", (), functions | fields))
    with pytest.raises(ValueError, match="num_features is -1"):
        compiled.game(num_players=1, max_actions=2, num_features=-1)

    def endless(s: Any, out: Any) -> None:
        out[1] = np.inf

    changed = type("Changed", (), functions | fields | {"features": endless})
    game = compiled.game(num_players=1, max_actions=2, num_features=3)(changed)
    with pytest.raises(RuntimeError, match="features gave a number that is not finite"):
        game.initial_state().features()


def test_hash_and_clone() -> None:
    """Different ways to the same position give the same hash: padding does not count."""
    a, b = ConnectFour.initial_state(), ConnectFour.initial_state()
    for action in (0, 1, 2, 3):
        a.apply(action)
    for action in (2, 3, 0, 1):
        b.apply(action)
    assert a.hash() == b.hash()
    copied = a.clone()
    copied.apply(6)
    assert copied.hash() != a.hash()
    assert a.hash() == b.hash()
    seen = set()
    for seed in range(300):
        state = ConnectFour.initial_state()
        state.playout(seed, max_length=10)
        seen.add((state.hash(), str(state)))
    assert len({key for key, _ in seen}) == len({board for _, board in seen}) == len(seen)


def test_threads_run_without_the_gil() -> None:
    expected = {seed: _play(seed) for seed in range(8)}
    found: dict[int, Any] = {}

    def work(seed: int) -> None:
        found[seed] = _play(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


def _play(seed: int) -> tuple[int, list[int]]:
    state = Breakthrough.initial_state()
    count = treewise.perft(state, 4)
    for i in range(200):
        state = Breakthrough.initial_state()
        state.playout(1000 * seed + i)
    return count, state.history()


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("none", "found no legal action in a state that is not terminal"),
        ("too many", "max_actions is 3"),
        ("negative count", "a negative number of actions"),
        ("negative action", "gave a negative action"),
        ("outside", "raised an exception .an index out of range"),
        ("raises", "raised an exception"),
    ],
)
def test_wrong_rules_are_errors_not_crashes(kind: str, message: str) -> None:
    state = Broken.parse_state(kind)
    for ask in (state.legal_actions, lambda: state.playout(1), lambda: treewise.perft(state, 2)):
        with pytest.raises(RuntimeError, match=f"compiled game 'Broken': .* {message}"):
            ask()


@compiled.game(num_players=1, max_actions=1, max_length=9, num_action_ids=3, stable_actions=True)
class Beyond:
    """Has one action after the other, more than it has declared."""

    step: np.int8

    def current_player(s: Any) -> Any:
        return 0

    def legal_actions(s: Any, out: Any) -> Any:
        out[0] = 100_000 * (s.step == 2)
        return 1

    def apply(s: Any, action: Any) -> None:
        s.step += 1

    def is_terminal(s: Any) -> Any:
        return s.step == 9

    def returns(s: Any, out: Any) -> None:
        out[0] = 1


def test_actions_beyond_those_declared_are_errors_not_crashes() -> None:
    for playout in ("mast", "ngram", "uniform"):
        with pytest.raises(RuntimeError, match="one beyond those that were declared"):
            treewise.parse_search(f"mcts(playout={playout})").run(Beyond.initial_state())


def test_other_wrong_answers() -> None:
    for kind in ("player", "chance"):
        with pytest.raises(RuntimeError, match="current_player gave a player out of range"):
            Broken.parse_state(kind).current_player()
    with pytest.raises(RuntimeError, match="returns gave a number that is not finite"):
        Broken.parse_state("nan").returns()
    state = Broken.parse_state("zero")
    state.apply(1)
    assert state.is_terminal(), "whole numbers divided by zero are zero, as in NumPy"
    with pytest.raises(RuntimeError, match="a playout raised an exception"):
        Wrong.parse_state("2").playout(1)
    with pytest.raises(RuntimeError, match="a playout gave a negative action"):
        Wrong.parse_state("3").playout(1)
    with pytest.raises(RuntimeError, match="do not sum to 1"):
        Wrong.parse_state("1").chance_outcomes()
    with pytest.raises(RuntimeError, match="do not sum to 1"):
        Wrong.parse_state("1").playout(1)


def test_the_twin_finds_what_compiled_code_cannot_know() -> None:
    with pytest.raises(AssertionError, match=r"hash\(\) is \d+ compiled and 8 in Python, after \[\d\]"):
        check_twin(Wrong)
    state = Wrong.parse_state("4")
    with pytest.raises(AssertionError, match=r"playout_action chose 4, not legal after \[\]"):
        _compare(state, Wrong.twin.state(compiled_record(state)))
    state = Broken.parse_state("outside")
    with pytest.raises(IndexError, match="out of bounds"):
        Broken.twin.state(compiled_record(state)).legal_actions()


def with_functions(**functions: Any) -> CompiledGame:
    """Broken with some functions replaced."""
    fields = {"kind": np.int8, "left": np.int8, "player": np.int8}
    members = Broken.twin.rules.functions | functions | {"__annotations__": fields}
    return compiled.game(num_players=2, max_actions=3)(type("Changed", (), members))


def not_compilable(s: Any) -> Any:
    return s.missing


def returns_nothing(s: Any, out: Any) -> Any:
    out[0] = 1


def raises_only(s: Any, out: Any) -> Any:
    raise ValueError


@pytest.mark.parametrize(
    ("functions", "error", "message"),
    [
        ({"is_terminal": not_compilable}, TypeError, r"Changed\.is_terminal cannot be compiled: .*missing"),
        ({"legal_actions": returns_nothing}, TypeError, "must return a whole number on every path"),
        ({"legal_actions": raises_only}, TypeError, "must return a whole number on every path"),
        ({"winning_action": returns_nothing}, ValueError, "did you mean 'winning_actions'?"),
        ({"quality": returns_nothing}, ValueError, "quality must have 1 parameters"),
        ({"resample": lambda s, player, rng: None}, ValueError, "resample and observation go together"),
    ],
)
def test_mistakes_are_named_when_the_game_is_made(
    functions: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match="(?s)" + message):
        with_functions(**functions)


def test_mistakes_of_the_record_are_named() -> None:
    make = compiled.game(num_players=2, max_actions=3)

    class Empty:
        pass

    with pytest.raises(ValueError, match="Empty: missing current_player"):
        make(Empty)
    members = {name: function for name, function in vars(ConnectFour.twin.rules)["functions"].items()}
    with pytest.raises(ValueError, match="Bare has no fields"):
        make(type("Bare", (), members))
    with pytest.raises(ValueError, match=r"Text\.name: a field is a NumPy number type"):
        make(type("Text", (), members | {"__annotations__": {"name": str}}))
    with pytest.raises(ValueError, match="num_players is 9"):
        compiled.game(num_players=9, max_actions=3)
    with pytest.raises(ValueError, match="max_actions is 0"):
        compiled.game(num_players=2, max_actions=0)


def test_pickled_by_name() -> None:
    assert pickle.loads(pickle.dumps(Breakthrough)) is Breakthrough
    assert copy.deepcopy(Breakthrough) is Breakthrough
    with pytest.raises(pickle.PicklingError, match="top of a module"):
        pickle.dumps(with_functions())


def test_the_game_lives_as_long_as_its_states() -> None:
    state = with_functions().parse_state("")
    gc.collect()
    assert treewise.perft(state, 3) == 27
    assert isinstance(state.game, CompiledGame)
    assert state.game.twin.num_players == 2


FACTOR = 3


def scaled(s: Any) -> Any:
    return s.left * FACTOR <= 0


def test_code_is_kept_between_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from treewise.compiled import cache, machine

    monkeypatch.setenv("TREEWISE_CACHE_DIR", str(tmp_path))
    first = with_functions(is_terminal=scaled)
    (file,) = tmp_path.iterdir()
    expected = treewise.perft(first.parse_state(""), 5)
    monkeypatch.setattr(machine, "_compile_rules", lambda *_: pytest.fail("compiled again"))
    monkeypatch.setattr(cache, "_loaded", {})
    assert treewise.perft(with_functions(is_terminal=scaled).parse_state(""), 5) == expected
    for damaged in (
        file.read_text()[:5000],
        "{}",
        file.read_text().replace('"machine": "', '"machine": "AAAA'),
    ):
        file.write_text(damaged)
        monkeypatch.setattr(cache, "_loaded", {})
        assert cache.load(file.stem) is None
    monkeypatch.setenv("TREEWISE_CACHE_DIR", "")
    assert cache.load(file.stem) is None


def test_the_key_covers_what_the_rules_use() -> None:
    from treewise.compiled import cache

    def key(end: Any) -> str | None:
        functions = Broken.twin.rules.functions | {"is_terminal": end}
        return cache.key_of(dataclasses.replace(Broken.twin.rules, functions=functions), ())

    def change(scope: dict[str, Any]) -> Any:
        return FunctionType(scaled.__code__, scaled.__globals__ | scope, "scaled")

    def make(limit: Any) -> Any:
        def end(s: Any) -> Any:
            return s.left <= limit

        return end

    assert key(scaled) == key(change({}))
    assert key(scaled) != key(change({"FACTOR": 4}))
    assert key(change({"FACTOR": np.int8(3)})) != key(change({"FACTOR": np.int16(3)}))
    assert key(make(1)) == key(make(1)) != key(make(2))
    assert key(make(make(1))) != key(make(make(2)))
    assert key(change({"FACTOR": object()})) is None


def test_no_text_form() -> None:
    with pytest.raises(ValueError, match="no text form"):
        treewise.game_text(Breakthrough)


def test_without_numba_the_message_says_what_to_install() -> None:
    code = "import sys; sys.modules['numba'] = None\nfrom compiled_breakthrough import Breakthrough"
    path = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=path, check=False)
    assert "ImportError: compiled games need Numba: pip install treewise[compile]" in done.stderr
