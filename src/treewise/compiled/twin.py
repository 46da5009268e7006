"""The twin of a compiled game: the same functions, run as plain Python on NumPy records.

It is slow and careful: NumPy checks every index, and exceptions show where they come from.
`treewise.testing.check_game` plays both side by side, which finds where compiled code means something else than Python
does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from treewise.compiled.record import Rules, new_record
from treewise.game import SIMULTANEOUS

_WORD = (1 << 64) - 1


class Twin:
    """The game of the twin's states; `initial_state()` gives a state that any search takes."""

    def __init__(self, rules: Rules, max_actions: int, max_candidates: int, num_features: int, **info: Any) -> None:
        self.rules, self.max_actions, self.max_candidates = rules, max_actions, max_candidates
        self.num_features = num_features
        self.num_players: int = info["num_players"]
        self.min_utility: float = info["min_utility"]
        self.max_utility: float = info["max_utility"]
        self.max_length: int = info["max_length"]
        self.stable_actions: bool = info["stable_actions"]
        self._state_class = _state_class(rules)

    def __repr__(self) -> str:
        return f"<twin of {self.rules.name}>"

    def initial_state(self) -> TwinState:
        """A new state at the start of the match."""
        return self._state_class(self, self.rules.initial)

    def state(self, record: bytes) -> TwinState:
        """The state with this record, as a compiled state's bytes give it."""
        return self._state_class(self, record)


class TwinState:
    """One position; capabilities come from subclasses, since `hasattr` is how they are found."""

    simultaneous = False

    def __init__(self, game: Twin, record: bytes) -> None:
        self.game = game
        self.record = new_record(game.rules.dtype, record)

    def _call(self, name: str, *arguments: Any) -> Any:
        with np.errstate(all="ignore"):  # numbers wrap around here as they do in machine code
            return self.game.rules.functions[name](self.record, *arguments)

    def _list(self, name: str, *arguments: Any, room: int | None = None) -> list[int]:
        out = np.zeros(room or self.game.max_actions, np.int32)
        size = int(self._call(name, *arguments, out))
        if not 0 <= size <= len(out):
            raise ValueError(f"{self.game.rules.name}.{name} returned {size}, expected 0 to {len(out)}")
        return [int(action) for action in out[:size]]

    def _values(self, name: str, size: int) -> list[float]:
        out = np.zeros(size)
        self._call(name, out)
        return [float(value) for value in out]

    def clone(self) -> TwinState:
        """A copy that shares nothing with this state."""
        return type(self)(self.game, self.record.tobytes())

    def current_player(self) -> int:
        """The player to move, or CHANCE or SIMULTANEOUS."""
        return int(self._call("current_player"))

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The actions that may be applied, by `player` where several act at once."""
        if player is not None and self.simultaneous and self.current_player() == SIMULTANEOUS:
            return self._list("legal_actions_of", player)
        return self._list("legal_actions")

    def apply(self, action: int | list[int]) -> None:
        """Plays one action, or one for each player."""
        if isinstance(action, list):
            self._call("apply_joint", np.array(action, np.int32))
        else:
            self._call("apply", int(action))

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return bool(self._call("is_terminal"))

    def returns(self) -> list[float]:
        """Each player's utility so far."""
        return self._values("returns", self.game.num_players)

    def hash(self) -> int:
        """The same key as the compiled state's."""
        if "hash" in self.game.rules.functions:
            return int(self._call("hash")) & _WORD
        seed = 0
        for word in np.frombuffer(self.record.tobytes(), np.uint64):
            seed = _mix(seed, int(word))
        return seed

    def action_name(self, action: int) -> str:
        """The action in the game's notation, or its number."""
        return str(self._call("action_name", action)) if "action_name" in self.game.rules.functions else str(action)

    def __str__(self) -> str:
        if "draw" in self.game.rules.functions:
            return str(self._call("draw"))
        return "\n".join(f"{name} = {self.record[name]}" for name in self.game.rules.dtype.names or ())


def _mix(seed: int, word: int) -> int:
    """`mix` of `cpp/base/bits.h`."""
    product = (seed ^ 0x9E3779B97F4A7C15) * (word ^ 0xD6E8FEB86659FD93)
    folded = (product >> 64) ^ (product & _WORD)
    return (folded * 0xFF51AFD7ED558CCD + word) & _WORD


def _generator(seed: int) -> Any:
    return np.array([seed & _WORD], np.uint64)


def _rewards(self: TwinState) -> list[float]:
    return self._values("rewards", self.game.num_players)


def _chance_outcomes(self: TwinState) -> list[tuple[int, float]]:
    actions = self.legal_actions()
    probabilities = self._values("chance_probabilities", self.game.max_actions)
    return list(zip(actions, probabilities[: len(actions)], strict=True))


def _quality(self: TwinState) -> float:
    return float(self._call("quality"))


def _score(self: TwinState) -> float:
    return float(self._call("score"))


def _features(self: TwinState) -> list[float]:
    return self._values("features", self.game.num_features)


def _winning_actions(self: TwinState) -> list[int]:
    return self._list("winning_actions")


def _playout_candidates(self: TwinState, seed: int = 0) -> list[int]:
    return self._list("playout_candidates", _generator(seed), room=self.game.max_candidates)


def _playout_action(self: TwinState, seed: int = 0) -> int:
    return int(self._call("playout_action", _generator(seed)))


def _resample(self: TwinState, player: int, seed: int = 0) -> TwinState:
    copy = self.clone()
    copy._call("resample", player, _generator(seed))
    return copy


def _observation(self: TwinState, player: int) -> str:
    return str(self._call("observation", player))


_CAPABILITIES = {
    "rewards": ("rewards", _rewards),
    "chance_probabilities": ("chance_outcomes", _chance_outcomes),
    "quality": ("quality", _quality),
    "score": ("score", _score),
    "features": ("features", _features),
    "winning_actions": ("winning_actions", _winning_actions),
    "playout_candidates": ("playout_candidates", _playout_candidates),
    "playout_action": ("playout_action", _playout_action),
    "resample": ("resample", _resample),
    "observation": ("observation", _observation),
    "apply_joint": ("simultaneous", True),
}


def _state_class(rules: Rules) -> type[TwinState]:
    members = dict(_CAPABILITIES[name] for name in _CAPABILITIES if name in rules.functions)
    return type(rules.name, (TwinState,), members)
