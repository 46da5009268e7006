"""The compiled form of a rulesheet: its functions, and the tables that they fill."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from treewise.gdl.language.dependencies import Predicate
from treewise.gdl.prover.emit import ACTIONS, FACTS, KINDS, Columns, Emitter
from treewise.gdl.prover.levels import Level
from treewise.gdl.prover.plan import Pattern, Plan, Planner
from treewise.gdl.prover.program import Program, pick
from treewise.gdl.prover.tabling import Situation, solve
from treewise.gdl.syntax import GDLError
from treewise.gdl.terms import Sheet

# A predicate that does not change is evaluated as a whole, beforehand, if that is not too much work.
_MOST_WORK = 50_000
# A variable that nothing binds stands for any of the sheet's terms, if they are so few.
_MOST_TERMS = 200


class Code:
    """Functions are made when they are first asked for, with all that they call."""

    def __init__(self, sheet: Sheet, most_derivations: int) -> None:
        self.program = Program(sheet)
        self.planner = Planner(self.program)
        self.space = self._names(min(most_derivations, _MOST_WORK))
        self._first: Situation = [frozenset(), {}, {}]
        self._levels: list[Level] = [Level.STATE] * 3
        self._slots: dict[tuple[Predicate, Pattern], int] = {}
        self._indexes: dict[tuple[int, Columns, Columns], int] = {}
        self._index_of: dict[int, tuple[int, Columns, Columns]] = {}
        self._stored: dict[tuple[Predicate, Columns, Columns], str] = {}
        self._unwritten: list[tuple[Predicate, Pattern, int]] = []
        self._warned: set[int] = set()
        self._state_slots: list[int] = []
        self._step_slots: list[int] = []
        self._settle()
        self.space["most"] = most_derivations

    def _names(self, most_derivations: int) -> dict[str, Any]:
        """What the functions find under its name."""
        values = self.program.values
        names: dict[str, Any] = {"ids": values.ids, "rows": values.rows, "make": values.make}
        names |= {"once": (0,), "terms": self.program.terms, "solve": solve, "index": self._fill_index}
        return names | {"truths": set[int](), "most": most_derivations}

    # ---- what the functions ask for while they are written ----

    def call(self, name: Predicate, pattern: Pattern) -> int:
        """The slot of the table of a call; its function is written before anything runs."""
        slot = self._slots.get((name, pattern))
        if slot is None:
            slot = self._slots[name, pattern] = self._slot({}, self.program.level(name))
            self._unwritten.append((name, pattern, slot))
            if "f" not in pattern:
                self.space["truths"].add(slot)
        return slot

    def stored(self, name: Predicate, key: Columns, value: Columns) -> str:
        """The name of an index over facts of the sheet."""
        text = self._stored.setdefault((name, key, value), f"E{len(self._stored)}")
        if text not in self.space:
            self.space[text] = self.program.facts[name].index(key, value)
        return text

    def index(self, functor: int, key: Columns, value: Columns) -> int:
        """The slot of an index over facts of the state."""
        slot = self._indexes.get((functor, key, value))
        if slot is None:
            slot = self._indexes[functor, key, value] = self._slot({}, Level.STATE)
            self._index_of[slot] = (functor, key, value)
        return slot

    def _slot(self, content: Any, level: Level) -> int:
        self._first.append(content)
        self._levels.append(level)
        return len(self._first) - 1

    # ---- functions ----

    def function(self, name: Predicate, pattern: Pattern) -> int:
        """The slot of a call that can be run: `space[f"f{slot}"]` is its function."""
        slot = self.call(name, pattern)
        while self._unwritten:
            self._write(*self._unwritten.pop())
        self._state_slots = [slot for slot, level in enumerate(self._levels) if level > Level.STATIC]
        self._step_slots = [slot for slot, level in enumerate(self._levels) if level == Level.STEP]
        return slot

    def _write(self, name: Predicate, pattern: Pattern, slot: int) -> None:
        plans = [plan for plan in self.planner.plans(name, pattern) if self._usable(plan)]
        source = Emitter(self.program, self, name, pattern, slot).source(plans)
        exec(compile(source, f"<{name[0]} {pattern}>", "exec"), self.space)

    def _usable(self, plan: Plan) -> bool:
        if plan.complete or len(self.program.terms) <= _MOST_TERMS:
            return True
        if id(plan.rule) not in self._warned:
            self._warned.add(id(plan.rule))
            warnings.warn(f"left out, since a variable has no value: {plan.rule}", stacklevel=2)
        return False

    # ---- tables ----

    def _settle(self) -> None:
        """Evaluates what does not change, from the bottom up, as far as that is little work."""
        for component in self.program.components:
            if component.level == Level.STATIC:
                found = {name: self._all_rows(name) for name in component.predicates}
                for name, rows in found.items():
                    if rows is not None:
                        self.program.settle(name, rows)
                self.planner.forget()

    def _all_rows(self, name: Predicate) -> Iterable[tuple[int, ...]] | None:
        pattern = "f" * name[1]
        plans = self.planner.plans(name, pattern)
        if not all(plan.safe for plan in plans) or sum(plan.work for plan in plans) > _MOST_WORK:
            return None
        slot = self.function(name, pattern)
        try:
            answers = self.run(self.situation(frozenset()), slot)
        except GDLError:
            self.program.large[name] = _MOST_WORK
            return None
        if name[1] == 0:
            return [()] if answers else []
        return [(answer,) for answer in answers] if name[1] == 1 else answers

    def _fill_index(self, situation: Situation, slot: int) -> dict[Any, Any]:
        functor, key, value = self._index_of[slot]
        kinds = situation[KINDS]
        if kinds is None:
            kinds = situation[KINDS] = self.kinds(situation[FACTS])
        made: dict[Any, list[Any]] = {}
        for row in kinds.get(functor, ()):
            made.setdefault(pick(row, key), []).append(pick(row, value))
        situation[slot] = made
        return made

    def kinds(self, facts: Iterable[int]) -> dict[int, list[tuple[int, ...]]]:
        """The arguments of facts, by functor."""
        rows, kinds = self.program.values.rows, dict[int, list[tuple[int, ...]]]()
        for fact in facts:
            functor, *arguments = rows[fact]
            kinds.setdefault(functor, []).append(tuple(arguments))
        return kinds

    def situation(self, facts: frozenset[int]) -> Situation:
        """A state in which nothing has been derived yet."""
        made = self._first.copy()
        for slot in self._state_slots:
            made[slot] = {}
        made[FACTS], made[ACTIONS], made[KINDS] = facts, {}, None
        return made

    def step(self, situation: Situation, actions: Mapping[int, int]) -> Situation:
        """A state with a joint action; what has been derived without the action is kept."""
        made = situation.copy()
        for slot in self._step_slots:
            made[slot] = {}
        made[ACTIONS] = actions
        return made

    def run(self, situation: Situation, slot: int, *given: int) -> Any:
        """The answers of a call, from the table if they are known."""
        found = situation[slot].get(given[0] if len(given) == 1 else given)
        return self.space[f"f{slot}"](situation, *given) if found is None else found
