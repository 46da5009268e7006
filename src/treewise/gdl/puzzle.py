"""Rulesheets for one player: the best line that a search of the graph of states finds in a given time.

States that are met again, by another line or later in the match, are looked at once; counters of steps, which would
make every state new, are left out at first. Step by step the search keeps the states with the highest goals so far, at
first few and then ever more, until it has seen all states, found a goal of 100, or run out of time; once it has seen
all states but for the counters, it begins again with these. The best line is kept throughout.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from treewise.gdl.machine import MAX_LENGTH, Machine
from treewise.gdl.syntax import GDLError

BEST = 100
"""The highest goal there is."""
_FIRST_WIDTH = 300
_GROWTH = 10
_PROBES = 20


@dataclass(frozen=True, slots=True)
class Line:
    """Actions from the initial state to an end, and what they win."""

    goal: int
    actions: tuple[int, ...]
    is_best: bool
    """Whether nothing better can be: the goal is 100, or all states were seen."""
    states: int
    """How many were looked at."""


@dataclass(frozen=True, slots=True)
class _Node:
    state: Any
    before: _Node | None = None
    action: int = -1

    def line(self) -> tuple[int, ...]:
        found = []
        node = self
        while node.before is not None:
            found.append(node.action)
            node = node.before
        return tuple(reversed(found))


def solve(machine: Machine, seconds: float = 60.0, seed: int = 0, max_length: int = MAX_LENGTH) -> Line:
    """The best line of a rulesheet for one player that is found in some seconds of the processor.

    >>> from treewise.gdl import machine_of, parse_sheet
    >>> rules = "(role x) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3) (legal x stay) (legal x go)"
    >>> rules += "(<= (next (at ?n)) (does x go) (true (at ?m)) (succ ?m ?n)) (<= (goal x 100) terminal)"
    >>> rules += "(<= (next (at ?n)) (does x stay) (true (at ?n))) (<= terminal (true (at 3)))"
    >>> machine = machine_of(parse_sheet(rules))
    >>> line = solve(machine)
    >>> line.goal, [machine.action_text(0, action) for action in line.actions]
    (100, ['go', 'go', 'go'])
    """
    if len(machine.roles) != 1:
        raise GDLError(f"a puzzle has one role, this rulesheet has {len(machine.roles)}: play it with a search")
    return _Solver(machine, time.thread_time() + seconds, random.Random(seed), max_length).solve()


class _Solver:
    def __init__(self, machine: Machine, until: float, chance: random.Random, max_length: int) -> None:
        self.machine, self.until, self.chance, self.max_length = machine, until, chance, max_length
        self.clock = self._clock()
        self.best: tuple[int, tuple[int, ...]] | None = None
        self.states = 0

    def solve(self) -> Line:
        complete = self._widen_all()
        if complete and self.clock and not self._is_over():
            self.clock = frozenset()
            complete = self._widen_all()
        goal, actions = self.best or (0, ())
        return Line(goal, actions, complete or goal == BEST, self.states)

    def _widen_all(self) -> bool:
        """True once no state was left out."""
        width = _FIRST_WIDTH
        while not self._is_over():
            if self._widen(width):
                return True
            width *= _GROWTH
        return False

    def _is_over(self) -> bool:
        return time.thread_time() > self.until or (self.best is not None and self.best[0] == BEST)

    def _widen(self, width: int) -> bool:
        """Goes through the states step by step, at most `width` at a time; true if none was left out."""
        root = _Node(self.machine.game.initial_state())
        level, seen, complete = [root], {self._key(root.state)}, True
        for _ in range(self.max_length):
            found: list[tuple[int, float, _Node]] = []
            for node in level:
                if self._is_over():
                    return False
                self._expand(node, seen, found)
            if not found:
                return complete
            if len(found) > width:
                found.sort(key=lambda each: each[:2], reverse=True)
                complete = False
            level = [node for _, _, node in found[:width]]
        return False

    def _expand(self, node: _Node, seen: set[frozenset[str]], found: list[tuple[int, float, _Node]]) -> None:
        """Adds the new states behind one, each with its goal and a lot."""
        if node.state.is_terminal():
            return
        for action in node.state.legal_actions():
            state = node.state.clone()
            state.apply(action)
            key = self._key(state)
            if key in seen:
                continue
            seen.add(key)
            self.states += 1
            after = _Node(state, node, action)
            goal = self.machine.goals(state)[0]
            if self.machine.is_terminal(state):
                if self.best is None or goal > self.best[0]:
                    self.best = goal, after.line()
            else:
                found.append((goal, self.chance.random(), after))

    def _key(self, state: Any) -> frozenset[str]:
        return frozenset(self.machine.facts(state)) - self.clock

    def _clock(self) -> frozenset[str]:
        """The facts that the number of steps alone decides, as far as random matches show."""
        matches: list[list[frozenset[str]]] = []
        for _ in range(_PROBES):
            state = self.machine.game.initial_state()
            facts = [frozenset(self.machine.facts(state))]
            while not state.is_terminal() and len(facts) <= self.max_length:
                state.apply(self.chance.choice(state.legal_actions()))
                facts.append(frozenset(self.machine.facts(state)))
            matches.append(facts)
        return _decided_by_time(matches)


def _decided_by_time(matches: Sequence[Sequence[frozenset[str]]]) -> frozenset[str]:
    """The facts that come and go at the same steps in all matches that last as long, each in one step only."""
    steps: dict[str, set[int]] = {}
    for facts in matches:
        for step, own in enumerate(facts):
            for fact in own:
                steps.setdefault(fact, set()).add(step)
    single = {fact: min(when) for fact, when in steps.items() if len(when) == 1}
    return frozenset(
        fact for fact, step in single.items() if all(fact in facts[step] for facts in matches if len(facts) > step)
    )
