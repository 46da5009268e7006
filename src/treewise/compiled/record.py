"""The record of a compiled game: its fields, their layout, and what the rules class must contain."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np

from treewise import spec

# The parameters of each function of the rules, as Numba will type them, and what it returns.
COMPILED: dict[str, tuple[tuple[str, ...], str]] = {
    "current_player": (("s",), "integer"),
    "legal_actions": (("s", "out"), "integer"),
    "apply": (("s", "action"), "nothing"),
    "is_terminal": (("s",), "truth"),
    "returns": (("s", "values"), "nothing"),
    "playout_action": (("s", "rng"), "integer"),
    "winning_actions": (("s", "out"), "integer"),
    "playout_candidates": (("s", "rng", "out"), "integer"),
    "chance_probabilities": (("s", "values"), "nothing"),
    "legal_actions_of": (("s", "player", "out"), "integer"),
    "apply_joint": (("s", "out"), "nothing"),
    "rewards": (("s", "values"), "nothing"),
    "quality": (("s",), "number"),
    "score": (("s",), "number"),
    "features": (("s", "values"), "nothing"),
    "hash": (("s",), "integer"),
    "resample": (("s", "player", "rng"), "nothing"),
}
PLAIN: dict[str, int] = {"initial": 1, "action_name": 2, "draw": 1, "observation": 2, "parse": 3}
"""Functions that stay Python, with the number of their parameters."""

CAPABILITIES = {
    "chance": "chance_probabilities",
    "simultaneous": "apply_joint",
    "rewards": "rewards",
    "hidden": "resample",
    "quality": "quality",
    "policy": "playout_candidates",
    "winning": "winning_actions",
    "score": "score",
    "features": "features",
    "parse": "parse",
}
"""The capabilities of the core and the function that gives each; every compiled game can be hashed."""

REQUIRED = ("current_player", "legal_actions", "apply", "is_terminal", "returns")
TOGETHER = (("legal_actions_of", "apply_joint"), ("resample", "observation"))


@dataclass(frozen=True)
class Rules:
    """A rules class taken apart: the record's layout, the functions by name, the first record."""

    name: str
    dtype: np.dtype[Any]
    functions: dict[str, FunctionType]
    initial: bytes


def read_rules(cls: type) -> Rules:
    """Takes a rules class apart and checks all that can be checked before compiling."""
    functions = {name: member for name, member in vars(cls).items() if inspect.isfunction(member)}
    known = {name: len(parameters) for name, (parameters, _) in COMPILED.items()} | PLAIN
    for name, function in functions.items():
        if name not in known:
            raise ValueError(
                f"{cls.__name__}: unknown function '{name}'; {spec.suggest(name, known)} "
                "(functions of your own belong outside the class, above it)"
            )
        if len(inspect.signature(function).parameters) != known[name]:
            raise ValueError(f"{cls.__name__}.{name} must have {known[name]} parameters, `s` first")
    missing = [name for name in REQUIRED if name not in functions]
    if missing:
        raise ValueError(f"{cls.__name__}: missing " + ", ".join(f"{name}(s, …)" for name in missing))
    for first, second in TOGETHER:
        if (first in functions) != (second in functions):
            raise ValueError(f"{cls.__name__}: {first} and {second} go together")
    dtype = _layout(cls)
    return Rules(cls.__name__, dtype, functions, _first_record(cls, dtype, functions.get("initial")))


def new_record(dtype: np.dtype[Any], data: bytes | None = None) -> Any:
    """A NumPy record of its own memory, with fields as attributes."""
    buffer = bytearray(dtype.itemsize) if data is None else bytearray(data)
    return np.frombuffer(buffer, np.dtype((np.record, dtype)))[0]


def _layout(cls: type) -> np.dtype[Any]:
    """Fields with the largest alignment first, so that all padding lies at the end, where it stays zero."""
    fields: list[tuple[str, np.dtype[Any]]] = []
    for name, annotation in inspect.get_annotations(cls, eval_str=True).items():
        field: np.dtype[Any]
        try:
            field = np.dtype(annotation)
        except TypeError:
            field = np.dtype(object)
        if field.base.kind not in "biuf":
            raise ValueError(
                f"{cls.__name__}.{name}: a field is a NumPy number type (np.int8, np.uint64, np.float64 …) "
                f"or a tuple (type, shape), not {annotation!r}"
            )
        fields.append((name, field))
    if not fields:
        raise ValueError(f"{cls.__name__} has no fields: annotate them, as in `player: np.int8`")
    fields.sort(key=lambda item: -item[1].alignment)
    offsets, end = [], 0
    for _, field in fields:
        offsets.append(end)
        end += field.itemsize
    parts = {
        "names": [name for name, _ in fields],
        "formats": [field for _, field in fields],
        "offsets": offsets,
        "itemsize": -(-end // 8) * 8,
    }
    return np.dtype(parts, align=True)  # type: ignore[call-overload, no-any-return]


def _first_record(cls: type, dtype: np.dtype[Any], initial: FunctionType | None) -> bytes:
    record = new_record(dtype)
    for name in dtype.names or ():
        if name in vars(cls):
            record[name] = vars(cls)[name]
    if initial is not None:
        initial(record)
    return bytes(record.tobytes())
