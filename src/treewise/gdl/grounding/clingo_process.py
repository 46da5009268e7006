"""The grounder clingo in a process of its own, so that no rulesheet can hang or kill the caller."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import IO

import numpy as np

from treewise.extras import how_to_install
from treewise.gdl.grounding import clingo_child
from treewise.gdl.grounding.rule_arrays import RuleArrays
from treewise.gdl.syntax import GDLError


@dataclass(frozen=True, slots=True)
class Limits:
    """What grounding may cost. Whoever exceeds one of them gets a `TooLarge`."""

    seconds: float = 20.0
    megabytes: int = 1000
    rules: int = 3_000_000


class TooLarge(GDLError):
    """A rulesheet whose ground form exceeds the limits."""


def run_clingo(text: str, limits: Limits) -> RuleArrays:
    """The ground rules of a program but for choices, and the atoms that it shows.

    >>> rules = run_clingo("{a}. b :- a, not c. {c}. d. #show b/0. #show d/0.", Limits())
    >>> len(rules.heads), len(rules.body), sorted(rules.shown)
    (2, 2, ['b', 'd'])
    """
    if importlib.util.find_spec("clingo") is None:
        raise ModuleNotFoundError(f"grounding a rulesheet needs clingo: {how_to_install('gdl')}")
    bounds = map(str, (limits.megabytes << 20, int(limits.seconds) + 2, limits.rules))
    command = [sys.executable, "-P", clingo_child.__file__, *bounds]
    with tempfile.TemporaryFile() as errors:
        try:
            done = subprocess.run(
                command, input=text.encode(), stdout=subprocess.PIPE, stderr=errors, timeout=limits.seconds, check=False
            )
        except subprocess.TimeoutExpired:
            raise TooLarge(f"grounding took longer than {limits.seconds:g} s") from None
        if done.returncode:
            raise _failure(done.returncode, errors, limits)
    return _read(done.stdout)


def _read(data: bytes) -> RuleArrays:
    begin = data.index(b"\n") + 1
    rules, literals, _ = map(int, data[:begin].split())
    numbers = np.frombuffer(data, np.int32, 2 * rules + literals, begin)
    names = data[begin + numbers.nbytes :].decode().splitlines()
    shown = {text: int(atom) for atom, _, text in (name.partition(" ") for name in names)}
    starts = np.concatenate(([0], np.cumsum(numbers[rules : 2 * rules]))).astype(np.int32)
    return RuleArrays(numbers[:rules], starts, numbers[2 * rules :], shown)


def _failure(status: int, errors: IO[bytes], limits: Limits) -> GDLError:
    if status == clingo_child.TOO_MANY_RULES:
        return TooLarge(f"the ground program has more than {limits.rules:,} rules")
    errors.seek(0)
    text = errors.read().decode(errors="replace")
    if "bad_alloc" in text or "MemoryError" in text or status < 0:
        return TooLarge(f"grounding took more than {limits.megabytes:,} MB of memory")
    lines = text.splitlines() or [f"status {status}"]
    return GDLError(f"clingo refused the program: {next((line for line in lines if 'error' in line), lines[-1])}")
