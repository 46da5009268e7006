"""Games written in Python and compiled to machine code: native speed, no GIL, any number of threads.

A game is a class: annotated fields make the record that a state consists of, functions over that record `s`
make the rules. Numba compiles them (extra `compile`); the result is a game like any other.

    from treewise import compiled

    @compiled.game(num_players=2, max_actions=3, max_length=30)
    class Countdown:                                   # take 1, 2 or 3; whoever takes the last one wins
        left: np.int8 = 21
        player: np.int8 = 0

        def current_player(s):
            return s.player

        def legal_actions(s, out):                     # write them, return how many
            n = min(s.left, 3)
            for i in range(n):
                out[i] = i + 1
            return n

        def apply(s, action):
            s.left -= action
            s.player = 1 - s.player

        def is_terminal(s):
            return s.left == 0

        def returns(s, out):
            out[s.player], out[1 - s.player] = -1, 1

    Countdown.initial_state()                          # a State, ready to be searched
    treewise.testing.assert_game(Countdown)            # also compares it with the same functions in plain Python
"""

from __future__ import annotations

import importlib
import pickle
from collections.abc import Callable
from typing import Any

from treewise import _core
from treewise.compiled.primitives import below, bit, clear_lowest, count, lowest, nth, uniform
from treewise.compiled.record import CAPABILITIES, Rules, new_record, read_rules
from treewise.compiled.twin import Twin, TwinState
from treewise.extras import how_to_install
from treewise.game import load_game

__all__ = [
    "CompiledGame",
    "Twin",
    "TwinState",
    "below",
    "bit",
    "clear_lowest",
    "count",
    "game",
    "lowest",
    "nth",
    "uniform",
]


class CompiledGame(_core.CompiledGame):
    """A game whose rules are machine code; made by the decorator `game`.

    Pickled by the name of its class in its module, as functions are: define it at the top of a module.
    """

    twin: Twin
    """The same rules in plain Python."""
    zero_sum: bool | None = None
    """What `treewise.testing.check_game` expects of the sum of the returns; see the decorator."""
    text_form: str | None = None
    full_text_form: str | None = None
    __qualname__: str

    def __init__(self, rules: Rules, code: dict[str, Any], twin: Twin, **info: Any) -> None:
        self._recipe = (rules, code, twin, info)  # the machine code lives as long as these objects
        self.twin = twin
        super().__init__(
            **info,
            capabilities=[name for name, function in CAPABILITIES.items() if function in rules.functions],
            ask=code["ask"].address,
            playout=code["playout"].address,
            hashes="hash" in rules.functions,
            initial=rules.initial,
            texts=_Texts(twin),
        )

    def with_text_form(self, text: str, full_text: str) -> CompiledGame:
        """The same game, as a text form loads it."""
        rules, code, twin, info = self._recipe
        made = CompiledGame(rules, code, twin, **info)
        vars(made).update(vars(self), text_form=text, full_text_form=full_text)
        return made

    def __reduce__(self) -> str | tuple[Any, ...]:
        if self.full_text_form is not None:
            return load_game, (self.full_text_form,)
        try:
            found: Any = importlib.import_module(self.__module__)
            for part in self.__qualname__.split("."):
                found = getattr(found, part)
        except (ImportError, AttributeError):
            found = None
        if found is not self:
            raise pickle.PicklingError(
                f"compiled game '{self.name}': only a game defined at the top of a module under its own name "
                "can be pickled"
            )
        return str(self.__qualname__)

    def __repr__(self) -> str:
        return f"<Game {self.text_form}>" if self.text_form else f"<compiled game {self.name}>"


class _Texts:
    """What the core asks Python for when a person wants to read a state."""

    def __init__(self, twin: Twin) -> None:
        self.twin = twin

    def action_name(self, record: bytes, action: int) -> str:
        return self.twin.state(record).action_name(action)

    def draw(self, record: bytes) -> str:
        return str(self.twin.state(record))

    def observation(self, record: bytes, player: int) -> str:
        return str(self.twin.rules.functions["observation"](new_record(self.twin.rules.dtype, record), player))

    def parse(self, board: str, player: int) -> bytes:
        record = new_record(self.twin.rules.dtype)
        self.twin.rules.functions["parse"](record, board, player)
        return bytes(record.tobytes())


def game(
    *,
    num_players: int,
    max_actions: int,
    name: str | None = None,
    min_utility: float = -1.0,
    max_utility: float = 1.0,
    max_length: int = 10_000,
    zero_sum: bool | None = None,
    num_action_ids: int = 0,
    stable_actions: bool = True,
    max_candidates: int | None = None,
    num_features: int = 0,
    bounds_checks: bool = True,
) -> Callable[[type], CompiledGame]:
    """Turns the class below it into a compiled game.

    The fields of the record are the annotations: NumPy number types, or tuples (type, shape) for small
    arrays; a value given in the class is the field's value in the initial state. The functions:

    - `current_player(s)`, `legal_actions(s, out) -> how many`, `apply(s, action)`, `is_terminal(s)`,
      `returns(s, out)`. Only `apply` may change `s`.
    - optional: `initial(s)` (plain Python, after the fields' values are set), `playout_action(s, rng)` (a
      uniform choice without listing, which makes playouts faster), `winning_actions(s, out)`,
      `playout_candidates(s, rng, out)`, `chance_probabilities(s, out)` (in the order of `legal_actions`),
      `legal_actions_of(s, player, out)` with `apply_joint(s, actions)`, `rewards(s, out)`, `quality(s)`,
      `score(s)`, `features(s, out)`, `hash(s)` (else all fields count), `resample(s, player, rng)` with
      `observation(s, player)`.
    - plain Python, for people: `action_name(s, action)`, `draw(s)`, `observation(s, player)`,
      `parse(s, board, player)`.

    Plain functions that the rules call are compiled with them; define them above the class.

    `max_actions` is the size of `out`; `max_length` cuts playouts; `max_candidates` (8 * max_actions) is the
    size of `out` in `playout_candidates`, `num_features` in `features`. `zero_sum` tells `treewise check` whether
    returns sum to zero (None: if two players have as much to lose as to win). With `bounds_checks`, an index out of
    range or an exception becomes an error of the search; without, code that uses arrays is faster and such an index
    may crash the process.
    """
    info: dict[str, Any] = {
        "num_players": num_players,
        "min_utility": float(min_utility),
        "max_utility": float(max_utility),
        "max_length": max_length,
        "num_action_ids": num_action_ids,
        "stable_actions": stable_actions,
    }
    _check_info(num_players, max_actions, max_length, min_utility, max_utility, num_features)
    candidates = 8 * max_actions if max_candidates is None else max_candidates

    def compile_class(cls: type) -> CompiledGame:
        rules = read_rules(cls)
        if ("features" in rules.functions) != (num_features > 0):
            raise ValueError(f"{rules.name}: a function features(s, out) and num_features=… go together")
        code = _machine().compile_game(rules, num_players, max_actions, candidates, num_features, bounds_checks)
        sizes = {"max_actions": max_actions, "max_candidates": candidates, "num_features": num_features}
        made = CompiledGame(rules, code, Twin(rules, **sizes, **info), name=name or cls.__name__, **sizes, **info)
        made.zero_sum = zero_sum
        made.__module__, made.__qualname__, made.__doc__ = cls.__module__, cls.__qualname__, cls.__doc__
        return made

    return compile_class


def _check_info(players: int, actions: int, length: int, low: float, high: float, features: int) -> None:
    if not 1 <= players <= 6:
        raise ValueError(f"num_players is {players}, expected 1 to 6")
    if not 1 <= actions <= 100_000:
        raise ValueError(f"max_actions is {actions}, expected 1 to 100000")
    if not 0 <= features <= 100_000:
        raise ValueError(f"num_features is {features}, expected 0 to 100000")
    if length < 1:
        raise ValueError("max_length must be positive")
    if not low < high:
        raise ValueError("min_utility must be less than max_utility")


def _machine() -> Any:
    try:
        import numba  # noqa: F401
    except ImportError as error:
        raise ImportError(f"compiled games need Numba: {how_to_install('compile')}") from error
    from treewise.compiled import machine

    return machine
