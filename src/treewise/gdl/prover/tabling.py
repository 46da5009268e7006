"""Recursion without recursing: each call of a recursive predicate is a goal with answers and with those who wait.

A rule that meets a recursive call stops there and leaves a continuation with the goal; each answer of the goal is
handed to each continuation once. When nothing is left to hand over, all goals have all their answers (the least
fixpoint), and no answer has been derived from itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from treewise.gdl.syntax import GDLError

Situation = list[Any]
"""A state, perhaps with a joint action, and the tables of what has been derived in it."""

Task = tuple[Callable[..., None], tuple[Any, ...], Any]


class Goal:
    """One recursive call while its component is being evaluated."""

    __slots__ = ("answers", "waiting")

    def __init__(self) -> None:
        self.answers: set[Any] = set()
        self.waiting: dict[tuple[Callable[..., None], tuple[Any, ...]], None] = {}


class Run:
    """The evaluation of the goals that one call from outside needs."""

    __slots__ = ("goals", "most", "situation", "tasks")

    def __init__(self, situation: Situation, most: int) -> None:
        self.situation = situation
        self.most = most
        self.goals: dict[tuple[int, Any], Goal] = {}
        self.tasks: list[Task] = []

    def ask(
        self, slot: int, key: Any, start: Callable[..., None], then: Callable[..., None], kept: tuple[Any, ...]
    ) -> None:
        """Has every answer of a goal, present and future, handed to `then` together with what was `kept`."""
        finished = self.situation[slot].get(key)
        if finished is not None:
            for answer in ((),) if finished is True else finished or ():
                self.tasks.append((then, kept, answer))
            return
        goal = self.goals.get((slot, key))
        if goal is None:
            goal = self.goals[slot, key] = Goal()
            self.tasks.append((start, (goal,), key))
        if (then, kept) not in goal.waiting:
            goal.waiting[then, kept] = None
            for answer in goal.answers:
                self.tasks.append((then, kept, answer))

    def answer(self, goal: Goal, answer: Any) -> None:
        """Takes an answer of a goal; one that is known already changes nothing."""
        if answer not in goal.answers:
            goal.answers.add(answer)
            for then, kept in goal.waiting:
                self.tasks.append((then, kept, answer))

    def finish(self) -> None:
        """Hands over answers until none is left."""
        tasks, situation, left = self.tasks, self.situation, self.most
        while tasks:
            left -= 1
            if left < 0:
                raise GDLError(
                    f"more than {self.most:,} derivations in one recursion: its model may be infinite; correct the "
                    "sheet, or allow more with `most_derivations`"
                )
            function, kept, answer = tasks.pop()
            function(situation, self, kept, answer)


def solve(situation: Situation, slot: int, key: Any, start: Callable[..., None], truths: set[int], most: int) -> Any:
    """All answers of a recursive call, or its truth if its slot is among the `truths`. Those of every call that it
    needed are kept in the tables too."""
    run = Run(situation, most)
    run.ask(slot, key, start, _nothing, ())
    run.finish()
    for (other, asked), goal in run.goals.items():
        situation[other][asked] = bool(goal.answers) if other in truths else goal.answers
    return situation[slot][key]


def _nothing(*_: Any) -> None:
    pass
