"""The reference reasoner: answers every question about a rulesheet by proof, without grounding it first.

Each predicate is evaluated on demand, for the arguments that a caller gives, and every answer is kept: those that do
not change for the life of the prover, those that depend on the state for the state. See `emit` for how.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

from treewise.gdl.prover.code import Code
from treewise.gdl.prover.program import Relation
from treewise.gdl.prover.tabling import Situation
from treewise.gdl.terms import Sheet, Term

MOST_DERIVATIONS = 5_000_000
"""Of one recursion. A model that is infinite ends there instead of never."""


class Prover:
    """Proves what holds in the states of a rulesheet. States are sets of ground terms.

    Those who play many steps use `situation`, `step` and `ask`, which speak of terms by their numbers (see `Values`).

    >>> from treewise.gdl import parse_sheet
    >>> sheet = parse_sheet("(role x) (init (n 1)) (<= (legal x (add ?k)) (true (n ?k))) (<= terminal (true end))"
    ...                     "(<= (next end) (does x (add 1))) (<= (goal x 100) (true end))")
    >>> prover = Prover(sheet)
    >>> x, = prover.roles
    >>> [str(action) for action in prover.legal(prover.initial, x)]
    ['(add 1)']
    >>> end = prover.next(prover.initial, {x: prover.legal(prover.initial, x)[0]})
    >>> prover.terminal(end), [str(value) for value in prover.goal(end, x)]
    (True, ['100'])
    """

    def __init__(self, sheet: Sheet, most_derivations: int = MOST_DERIVATIONS) -> None:
        self.sheet = sheet
        self.roles = sheet.roles
        self._code = Code(sheet, most_derivations)
        self.values = self._code.program.values
        heights = [component.height for component in self._code.program.components]
        if max(heights, default=0) > 300:  # one call of Python for each predicate on the way down
            sys.setrecursionlimit(max(sys.getrecursionlimit(), 1000 + 2 * max(heights)))
        first = self._code.function(("init", 1), "f")
        self.initial_ids: frozenset[int] = frozenset(self._code.run(self._code.situation(frozenset()), first))
        """The facts of the initial state, as numbers."""
        kinds = self._code.kinds(self.initial_ids)
        self._code.program.state = {functor: Relation(rows) for functor, rows in kinds.items()}
        self._code.planner.forget()
        patterns = {"legal": "bf", "goal": "bf", "sees": "bf", "next": "f", "terminal": ""}
        self._slots = {name: self._code.function((name, len(pattern)), pattern) for name, pattern in patterns.items()}

    @property
    def initial(self) -> frozenset[Term]:
        """The facts of the initial state."""
        return self._terms(self.initial_ids)

    def legal(self, state: Iterable[Term], role: Term) -> list[Term]:
        """The actions that a role may take, sorted by their text."""
        return self._sorted(self.ask(self.situation(map(self.values.of, state)), "legal", self.values.of(role)))

    def terminal(self, state: Iterable[Term]) -> bool:
        """Whether the match is over."""
        return bool(self.ask(self.situation(map(self.values.of, state)), "terminal"))

    def goal(self, state: Iterable[Term], role: Term) -> list[Term]:
        """All goal values that hold for a role: a good sheet gives exactly one at the end of a match."""
        return self._sorted(self.ask(self.situation(map(self.values.of, state)), "goal", self.values.of(role)))

    def next(self, state: Iterable[Term], joint: Mapping[Term, Term]) -> frozenset[Term]:
        """The facts after a joint action."""
        return self._terms(self.ask(self._step(state, joint), "next"))

    def sees(self, state: Iterable[Term], joint: Mapping[Term, Term], role: Term) -> list[Term]:
        """What a role perceives of a joint action (GDL-II), sorted by its text."""
        return self._sorted(self.ask(self._step(state, joint), "sees", self.values.of(role)))

    def situation(self, facts: Iterable[int]) -> Situation:
        """A state to ask questions about; what has been proved in it is kept."""
        return self._code.situation(frozenset(facts))

    def step(self, situation: Situation, actions: Mapping[int, int]) -> Situation:
        """The same with a joint action, the number of each role's."""
        return self._code.step(situation, actions)

    def ask(self, situation: Situation, name: str, *given: int) -> Any:
        """`terminal`: a truth. `next`, or `legal`, `goal` and `sees` of a role: a set of numbers."""
        return self._code.run(situation, self._slots[name], *given)

    def _step(self, state: Iterable[Term], joint: Mapping[Term, Term]) -> Situation:
        of = self.values.of
        return self.step(self.situation(map(of, state)), {of(role): of(action) for role, action in joint.items()})

    def _terms(self, numbers: Iterable[int]) -> frozenset[Term]:
        return frozenset(map(self.values.term, numbers))

    def _sorted(self, numbers: Iterable[int]) -> list[Term]:
        return sorted(map(self.values.term, numbers), key=str)
