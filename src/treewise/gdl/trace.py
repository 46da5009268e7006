"""Recorded matches, one JSON object a line for each state: to check a machine against another one's answers.

An object has `trace` and `step` (numbers from 0), `terminal`, `state` (the facts), `goals` (of each role, null where
there is none), and, before the end, `legal` (of each role) and `move` (the joint action that was made; none where a
role has no legal action and the match breaks off).
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from treewise.files import read_lines, shown
from treewise.gdl.machine import Machine
from treewise.gdl.syntax import read

Entry = Mapping[str, Any]
_MOST_BYTES = 1_000_000_000
"""Of a file of traces, unpacked; it is read line by line."""
_MOST_OF_LINE = 16_000_000


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a machine first disagrees with a trace.

    >>> print(Difference(trace=2, step=7, field="legal", text="white lacks (move 1 2)"))
    trace 2, step 7, legal: white lacks (move 1 2)
    """

    trace: int
    step: int
    field: str
    text: str

    def __str__(self) -> str:
        return f"trace {self.trace}, step {self.step}, {self.field}: {self.text}"


def read_traces(path: str | Path) -> Iterator[Entry]:
    """The states of a file of traces, packed (`.gz`) or not."""
    for number, line in enumerate(read_lines(path, _MOST_BYTES, "file of traces", _MOST_OF_LINE), start=1):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{shown(path)}, line {number}: not a state of a trace ({error})") from None
        wrong = _malformed(entry)
        if wrong:
            raise ValueError(f"{shown(path)}, line {number}: not a state of a trace ({wrong})")
        yield entry


def _malformed(entry: Any) -> str:
    """What is wrong with the shape of a line; nothing if it is in order."""
    if not isinstance(entry, dict):
        return "not an object"
    lacks = [field for field in ("trace", "step", "state", "terminal") if field not in entry]
    if lacks:
        return f"no field '{lacks[0]}'"
    wrong = (field for field, fits in _SHAPES.items() if field in entry and not fits(entry[field]))
    return next((f"the field '{field}' has another form" for field in wrong), "")


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


_SHAPES: dict[str, Callable[[Any], bool]] = {
    "trace": lambda value: isinstance(value, int),
    "step": lambda value: isinstance(value, int),
    "terminal": lambda value: isinstance(value, bool),
    "state": _is_texts,
    "move": lambda value: value is None or _is_texts(value),
    "legal": lambda value: value is None or (isinstance(value, dict) and all(map(_is_texts, value.values()))),
    "goals": lambda value: value is None or isinstance(value, dict),
}
"""What the fields look like. Those of the end may be null before it, and the other way round."""


def write_traces(path: str | Path, entries: Iterable[Entry]) -> int:
    """Writes states to a file, packed if its name ends in `.gz`; how many they are."""
    count = 0
    with _create(path) as file:
        for entry in entries:
            file.write(json.dumps(entry) + "\n")
            count += 1
    return count


def _create(path: str | Path) -> IO[str]:
    opened = (gzip.open if str(path).endswith(".gz") else open)(path, "wt", encoding="utf-8")
    return cast(IO[str], opened)


def record_trace(machine: Machine, seed: int = 0, trace: int = 0, max_length: int = 1000) -> Iterator[Entry]:
    """A random match: every role chooses uniformly among its legal actions.

    >>> from treewise.gdl import load_machine
    >>> entries = list(record_trace(load_machine("hidden_coin"), seed=1))
    >>> entries[0]["legal"]["guesser"], len(entries), entries[-1]["terminal"]
    (['noop'], 4, True)
    """
    rng = random.Random(seed)
    state = machine.game.initial_state()
    for step in range(max_length + 1):
        over = machine.is_terminal(state)
        goals = machine.goals(state) if over else [None] * len(machine.roles)
        entry: dict[str, Any] = {"trace": trace, "step": step, "terminal": over, "state": machine.facts(state)}
        entry["goals"] = dict(zip(machine.roles, goals, strict=True))
        if over or step == max_length:
            yield entry
            return
        legal = [machine.legal(state, role) for role in range(len(machine.roles))]
        listed = (sorted(_texts(machine, role, actions)) for role, actions in enumerate(legal))
        entry["legal"] = dict(zip(machine.roles, listed, strict=True))
        if not all(legal):  # there the match ends, though not by the rules
            yield entry
            return
        joint = [rng.choice(actions) for actions in legal]
        entry["move"] = [machine.action_text(role, action) for role, action in enumerate(joint)]
        yield entry
        state = machine.play(state, joint)


def _texts(machine: Machine, role: int, actions: Iterable[int]) -> list[str]:
    return [machine.action_text(role, action) for action in actions]


def first_difference(machine: Machine, entries: Iterable[Entry]) -> Difference | None:
    """Plays traces with a machine; the first answer that differs, if any.

    Goals count at the end only, and only where the trace has them: a sheet may give none or several before.

    >>> from treewise.gdl import load_machine
    >>> machine = load_machine("kuhn_poker")
    >>> first_difference(machine, record_trace(machine, seed=3)) is None
    True
    """
    state = None
    for entry in entries:
        if entry["step"] == 0:
            state = machine.game.initial_state()
        elif state is None:
            return _difference(entry, "step", "the trace does not begin with step 0")
        found = next(_differences(machine, state, entry), None)
        if found is not None:
            return found
        told = entry.get("move") or ()
        if told and len(told) != len(machine.roles):
            return _difference(entry, "move", f"{len(told)} actions of {len(machine.roles)} roles")
        joint = [machine.find_action(role, text) for role, text in enumerate(told)]
        if None in joint:
            return _difference(entry, "move", f"the machine does not know {entry['move'][joint.index(None)]}")
        state = machine.play(state, cast(list[int], joint)) if joint else None
    return None


def _differences(machine: Machine, state: Any, entry: Entry) -> Iterator[Difference]:
    wrong = _compared(machine.facts(state), entry["state"])
    if wrong:
        yield _difference(entry, "facts", wrong)
    over = machine.is_terminal(state)
    if over != entry["terminal"]:
        yield _difference(entry, "terminal", f"the machine says {over}, the trace {entry['terminal']}")
    for role, name in enumerate(machine.roles):
        if not over and entry.get("legal"):
            listed = _texts(machine, role, machine.legal(state, role))
            wrong = _compared(listed, _of_role(entry["legal"], name) or ())
            if wrong:
                yield _difference(entry, "legal", f"{name} {wrong}")
        goal = _of_role(entry.get("goals") or {}, name)
        if over and goal is not None and machine.goals(state)[role] != goal:
            yield _difference(entry, "goals", f"{name} has {machine.goals(state)[role]}, in the trace {goal}")


def _difference(entry: Entry, field: str, text: str) -> Difference:
    return Difference(entry["trace"], entry["step"], field, text)


def _of_role(values: Mapping[str, Any], name: str) -> Any:
    return next((value for role, value in values.items() if role.lower() == name.lower()), None)


def _compared(ours: Iterable[str], theirs: Iterable[str]) -> str:
    """What is missing and what is too much; nothing if neither."""
    left, right = set(map(_folded, ours)), set(map(_folded, theirs))
    lacks, extra = sorted(right - left), sorted(left - right)
    parts = [f"lacks {', '.join(lacks[:3])}"] if lacks else []
    parts += [f"has {', '.join(extra[:3])} too much"] if extra else []
    return " and ".join(parts)


def _folded(text: str) -> str:
    """A term in lower case with single blanks."""
    return " ".join(map(str, read(text.lower())))
