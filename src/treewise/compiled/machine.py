"""From rules in Python to machine code: Numba compiles the rules, and the loops around them, to C functions.

Both entry points catch whatever the rules raise and return a status instead (`CompiledStatus` in
`cpp/game/compiled.h`), so nothing is printed, nothing needs the GIL, and the engine throws a clear error.
Importing this module imports Numba.
"""

from __future__ import annotations

import secrets
from types import CellType, FunctionType
from typing import Any

import numpy as np
from numba import carray, cfunc, from_dtype, njit, types
from numba.core.errors import NumbaError

from treewise.compiled import cache, primitives
from treewise.compiled.intrinsics import local, stack, write_back
from treewise.compiled.record import COMPILED, Rules
from treewise.game import CHANCE, SIMULTANEOUS

JOINT_MARK = 1 << 16  # `CompiledStep::kJointMark` in cpp/game/compiled.h
RAISED, NO_ACTIONS, TOO_MANY, BAD_ACTION, BAD_CHANCE = (np.int64(status) for status in range(-100, -105, -1))


# ---- the rules ---------------------------------------------------------------------------------------------


class _Compiler:
    """Compiles functions of the rules and, with them, every plain function that they call.

    All symbols carry `tag`: code loaded from the cache and code compiled now must never be confused.
    """

    def __init__(self, tag: str, options: dict[str, Any]) -> None:
        self.tag, self.options = tag, options
        self.done: dict[FunctionType, Any] = {}

    def jit(self, function: Any) -> Any:
        """Compiles one function as it is."""
        return njit(self.named(function), no_cpython_wrapper=True, **self.options)

    def entry(self, function: Any, result: Any, *arguments: Any) -> cache.Code:
        """Compiles one function as it is and makes it callable from C."""
        made = cfunc(result(*arguments), **self.options)(self.named(function))
        return cache.Code(made.address, made._library, made.native_name)

    def named(self, function: Any) -> Any:
        function.__qualname__ += self.tag
        return function

    def rule(self, function: FunctionType) -> Any:
        """Compiles a copy of a user's function that calls compiled functions in turn."""
        if function in self.done:
            return self.done[function]
        scope = dict(function.__globals__)
        cells = tuple(CellType() for _ in function.__closure__ or ())
        copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, cells)
        copy.__qualname__ = function.__qualname__
        self.done[function] = compiled = self.jit(copy)
        for name in cache.names_of(function.__code__) & scope.keys():
            scope[name] = self.value(scope[name])
        for cell, original in zip(cells, function.__closure__ or (), strict=True):
            cell.cell_contents = self.value(original.cell_contents)
        return compiled

    def value(self, value: Any) -> Any:
        plain = isinstance(value, FunctionType) and value.__module__ != primitives.__name__
        return self.rule(value) if plain else value


class _Functions(dict[str, Any]):
    """Compiled functions of the rules by name; None for those that the rules lack."""

    def __missing__(self, name: str) -> Any:
        return None


def _compile_rules(rules: Rules, kinds: dict[str, Any], compiler: _Compiler) -> _Functions:
    compiled = _Functions()
    for name, (parameters, result) in COMPILED.items():
        if name not in rules.functions:
            continue
        function = compiler.rule(rules.functions[name])
        signature = tuple(kinds[parameter] for parameter in parameters)
        try:
            function.compile(signature)
        except Exception as error:
            raise TypeError(f"{rules.name}.{name} cannot be compiled: {_reason(error)}") from error
        _check_result(f"{rules.name}.{name}", function.overloads[signature].signature.return_type, result)
        compiled[name] = function
    return compiled


def _check_result(name: str, kind: Any, expected: str) -> None:
    fits = {
        "integer": isinstance(kind, types.Integer | types.IntegerLiteral),
        "truth": isinstance(kind, types.Integer | types.Boolean | types.BooleanLiteral | types.IntegerLiteral),
        "number": isinstance(kind, types.Number | types.IntegerLiteral),
        "nothing": True,
    }
    if not fits[expected]:
        what = {"integer": "a whole number", "truth": "True or False", "number": "a number"}[expected]
        raise TypeError(f"{name} must return {what} on every path; it returns {kind}")


def _reason(error: Exception) -> str:
    """The lines of Numba's message that say what is wrong and where; the rest stays in the cause."""
    if not isinstance(error, NumbaError):
        return f"{type(error).__name__}: {error}"
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    skipped = ("During:", "Overload", "There are", "Enable logging", "This error", "Failed in")
    return "\n  ".join(line for line in lines if not line.startswith(skipped))[:1500]


# ---- the entry points --------------------------------------------------------------------------------------


def compile_game(
    rules: Rules, num_players: int, max_actions: int, max_candidates: int, num_features: int, bounds_checks: bool
) -> dict[str, cache.Code]:
    """The two functions of `CompiledFunctions` by name, from the cache or made now."""
    key = cache.key_of(rules, (num_players, max_actions, max_candidates, num_features, bounds_checks))
    code = cache.load(key)
    if code is not None:
        return code
    compiler = _Compiler(f"_{key or secrets.token_hex(16)}", {"error_model": "numpy", "boundscheck": bounds_checks})
    kinds = {
        "s": from_dtype(rules.dtype),
        "out": types.Array(types.int32, 1, "C"),
        "values": types.Array(types.float64, 1, "C"),
        "rng": types.Array(types.uint64, 1, "C"),
        "action": types.int64,
        "player": types.int64,
    }
    functions = _compile_rules(rules, kinds, compiler)
    record, number = types.CPointer(kinds["s"]), types.int64
    actions, values, word = map(types.CPointer, (types.int32, types.float64, types.uint64))
    ask = _ask(functions, num_players, max_actions, max_candidates, num_features, compiler)
    playout = _playout(functions, num_players, max_actions, compiler)
    code = {
        "ask": compiler.entry(ask, number, number, record, number, actions, values, word),
        "playout": compiler.entry(playout, number, record, word, number, number, actions, types.CPointer(number)),
    }
    cache.save(key, code)
    return code


def _ask(f: _Functions, players: int, room: int, candidates: int, width: int, compiler: _Compiler) -> Any:
    """One branch for each `Question`, in its order. Numba drops the branches whose flag is False."""
    current_player, is_terminal, legal_actions = f["current_player"], f["is_terminal"], f["legal_actions"]
    apply, returns = f["apply"], f["returns"]
    has_hash, hash_of = "hash" in f, f["hash"]
    has_chance, chance = "chance_probabilities" in f, _chance(f, room, compiler)
    has_joint, legal_actions_of, apply_joint = (
        "apply_joint" in f,
        f["legal_actions_of"],
        f["apply_joint"],
    )
    has_rewards, rewards = "rewards" in f, f["rewards"]
    has_hidden, resample = "resample" in f, f["resample"]
    has_quality, quality = "quality" in f, f["quality"]
    has_policy, playout_candidates = "playout_candidates" in f, f["playout_candidates"]
    has_winning, winning_actions = "winning_actions" in f, f["winning_actions"]
    has_score, score = "score" in f, f["score"]
    has_features, features = "features" in f, f["features"]
    outcomes = stack(types.int32, room)

    def answer(question: Any, record: Any, argument: Any, actions: Any, values: Any, word: Any) -> Any:
        s = carray(record, 1)[0]
        if question == 0:
            return np.int64(current_player(s))
        if question == 1:
            return np.int64(1 if is_terminal(s) else 0)
        if question == 2:
            return np.int64(legal_actions(s, carray(actions, room)))
        if question == 3:
            apply(s, argument)
        elif question == 4:
            returns(s, carray(values, players))
        if has_hash and question == 5:
            word[0] = np.uint64(hash_of(s))
        if has_chance and question == 6:
            return chance(s, carray(outcomes(), room), carray(values, room))
        if has_joint:
            if question == 7:
                return np.int64(legal_actions_of(s, argument, carray(actions, room)))
            if question == 8:
                apply_joint(s, carray(actions, players))
        if has_rewards and question == 9:
            rewards(s, carray(values, players))
        if has_hidden and question == 10:
            resample(s, argument, carray(word, 1))
        if has_quality and question == 11:
            values[0] = quality(s)
        if has_policy and question == 12:
            return np.int64(playout_candidates(s, carray(word, 1), carray(actions, candidates)))
        if has_winning and question == 13:
            return np.int64(winning_actions(s, carray(actions, room)))
        if has_score and question == 14:
            values[0] = score(s)
        if has_features and question == 15:
            features(s, carray(values, width))
        return np.int64(0)

    answer = compiler.jit(answer)

    def ask(question: Any, record: Any, argument: Any, actions: Any, values: Any, word: Any) -> Any:
        try:
            return answer(question, record, argument, actions, values, word)
        except Exception:
            return RAISED

    return ask


def _playout(f: _Functions, players: int, room: int, compiler: _Compiler) -> Any:
    play = _loop(f, players, room, compiler)

    def playout(record: Any, rng: Any, limit: Any, traced: Any, trace: Any, entries: Any) -> Any:
        try:
            return play(record, rng, limit, traced, trace, entries)
        except Exception:
            return RAISED

    return playout


def _loop(f: _Functions, players: int, room: int, compiler: _Compiler) -> Any:
    """A whole uniform playout. It draws random numbers as the engine's own loop does (`StateOf::playout`)."""
    has_chance, has_joint = "chance_probabilities" in f, "apply_joint" in f
    current_player, is_terminal, apply = f["current_player"], f["is_terminal"], f["apply"]
    choose, sample = _choice(f, room, compiler), _sample(f, room, compiler)
    choose_joint, apply_joint = _joint(f, room, compiler), f["apply_joint"]
    actions_room, joint_room = stack(types.int32, room), stack(types.int32, players)
    values_room, rng_room = stack(types.float64, room), stack(types.uint64, 1)

    def play(record: Any, seed: Any, limit: Any, traced: Any, steps: Any, entries: Any) -> Any:
        s = local(carray(record, 1)[0])
        rng, out = carray(rng_room(), 1), carray(actions_room(), room)
        trace = carray(steps, 2 * players * limit)
        rng[0] = seed[0]
        length = written = np.int64(0)
        while length < limit and not is_terminal(s):
            player = action = np.int64(0)
            if has_chance or has_joint or traced != 0:
                player = np.int64(current_player(s))
            length += 1
            if has_joint and player == SIMULTANEOUS:
                joint = carray(joint_room(), players)
                action = choose_joint(s, rng, out, joint)
                if action < 0:
                    return action
                if traced != 0:
                    for p in range(players):
                        trace[2 * written], trace[2 * written + 1] = joint[p], p if p == 0 else p + JOINT_MARK
                        written += 1
                apply_joint(s, joint)
                continue
            if has_chance and player == CHANCE:
                action = sample(s, rng, out, carray(values_room(), room))
            else:
                action = choose(s, rng, out)
            if action < 0:
                return action
            if traced != 0:
                trace[2 * written], trace[2 * written + 1] = action, player
                written += 1
            apply(s, action)
        write_back(carray(record, 1)[0], s)
        seed[0] = rng[0]
        entries[0] = written
        return length

    return compiler.jit(play)


def _choice(f: _Functions, room: int, compiler: _Compiler) -> Any:
    """One action of the player to move, uniformly, or a negative status."""
    below, legal_actions, own = primitives.below, f["legal_actions"], f["playout_action"]

    def from_list(s: Any, rng: Any, out: Any) -> Any:
        n = np.int64(legal_actions(s, out))
        if n < 1 or n > room:
            return NO_ACTIONS if n == 0 else TOO_MANY
        action = np.int64(out[below(rng, n)])
        return action if action >= 0 else BAD_ACTION

    def from_rules(s: Any, rng: Any, out: Any) -> Any:
        action = np.int64(own(s, rng))
        return action if action >= 0 else BAD_ACTION

    return compiler.jit(from_rules if own else from_list)


def _chance(f: _Functions, room: int, compiler: _Compiler) -> Any:
    """Fills the outcomes of a chance state and their probabilities; their number or a negative status."""
    legal_actions, chance_probabilities = f["legal_actions"], f["chance_probabilities"]

    def chance(s: Any, out: Any, values: Any) -> Any:
        n = np.int64(legal_actions(s, out))
        if n < 1 or n > room:
            return NO_ACTIONS if n == 0 else TOO_MANY
        chance_probabilities(s, values)
        total = 0.0
        for i in range(n):
            if not values[i] >= 0:
                return BAD_CHANCE
            total += values[i]
        return n if abs(total - 1) <= 1e-6 else BAD_CHANCE

    return compiler.jit(chance)


def _sample(f: _Functions, room: int, compiler: _Compiler) -> Any:
    uniform, chance = primitives.uniform, _chance(f, room, compiler)

    def sample(s: Any, rng: Any, out: Any, values: Any) -> Any:
        n = chance(s, out, values)
        if n < 0:
            return n
        u = uniform(rng)
        i = 0
        while i + 1 < n and u >= values[i]:
            u -= values[i]
            i += 1
        action = np.int64(out[i])
        return action if action >= 0 else BAD_ACTION

    return compiler.jit(sample)


def _joint(f: _Functions, room: int, compiler: _Compiler) -> Any:
    """Fills one action for each player; 0 or a negative status."""
    below, legal_actions_of = primitives.below, f["legal_actions_of"]

    def choose_joint(s: Any, rng: Any, out: Any, joint: Any) -> Any:
        for player in range(len(joint)):
            n = np.int64(legal_actions_of(s, player, out))
            if n < 1 or n > room:
                return NO_ACTIONS if n == 0 else TOO_MANY
            joint[player] = out[below(rng, n)]
            if joint[player] < 0:
                return BAD_ACTION
        return np.int64(0)

    return compiler.jit(choose_joint)
