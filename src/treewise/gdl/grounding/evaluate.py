"""A ground program run in plain Python: slow, short, and the yardstick for every rewrite of programs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from treewise.gdl.ground import GroundProgram
from treewise.gdl.grounding.rulebook import Body, bodies_of
from treewise.gdl.language.connected import connected
from treewise.gdl.terms import Term


@dataclass(slots=True)
class Evaluator:
    """Answers about states, which are sets of facts.

    >>> from treewise.gdl import parse_sheet
    >>> from treewise.gdl.grounder import ground
    >>> rules = "(role x) (init (at 1)) (<= (legal x (to 2)) (true (at 1))) (<= (next (at ?n)) (does x (to ?n)))"
    >>> run = Evaluator(ground(parse_sheet(rules + "(<= terminal (true (at 2))) (<= (goal x 100) terminal)")))
    >>> after = run.play(run.initial, run.legal(run.initial)[0])
    >>> [str(fact) for fact in after], run.is_terminal(after), run.goals(after)
    (['(at 2)'], True, [[100]])
    """

    program: GroundProgram
    bodies: list[list[Body]] = field(init=False)
    order: list[list[int]] = field(init=False)
    last: tuple[Collection[Term], Sequence[Term], list[bool]] | None = None
    """The state and actions asked about last, and their model."""

    def __post_init__(self) -> None:
        known = bodies_of(self.program)
        self.bodies = [known.get(atom, []) for atom in range(self.program.num_atoms + 1)]
        reads = [sorted({abs(literal) for body in bodies for literal in body}) for bodies in self.bodies]
        self.order = [part for part in connected(reads) if self.bodies[part[0]]]

    @property
    def initial(self) -> frozenset[Term]:
        """The facts of the initial state."""
        return frozenset(self.program.facts[number] for number in self.program.initial)

    def model(self, state: Collection[Term], joint: Sequence[Term] = ()) -> list[bool]:
        """Whether atoms hold, by their numbers."""
        if self.last is None or self.last[:2] != (state, joint):
            self.last = state, joint, self._model(state, joint)
        return self.last[2]

    def _model(self, state: Collection[Term], joint: Sequence[Term]) -> list[bool]:
        program = self.program
        given = [atom for fact, atom in zip(program.facts, program.true.tolist(), strict=True) if fact in state]
        for action, actions, atoms in zip(joint, program.actions, program.does, strict=bool(joint)):
            given += [atom for other, atom in zip(actions, atoms.tolist(), strict=True) if other == action]
        # From behind, by negative numbers, the list says what does not hold.
        holds = [False] * (program.num_atoms + 1) + [True] * program.num_atoms
        for atom in filter(None, given):
            holds[atom], holds[-atom] = True, False
        for part in self.order:
            self._complete(part, holds)
        return holds

    def _complete(self, part: list[int], holds: list[bool]) -> None:
        """The least fixpoint of atoms that depend on each other."""
        value, waiting = holds.__getitem__, part
        while waiting:
            left = []
            for atom in waiting:
                for body in self.bodies[atom]:
                    if all(map(value, body)):
                        holds[atom], holds[-atom] = True, False
                        break
                else:
                    left.append(atom)
            waiting = left if len(left) < len(waiting) and len(part) > 1 else []

    def play(self, state: Collection[Term], joint: Sequence[Term]) -> frozenset[Term]:
        """The facts after an action of each role."""
        holds = self.model(state, joint)
        pairs = zip(self.program.facts, self.program.next, strict=True)
        return frozenset(fact for fact, atom in pairs if holds[atom])

    def legal(self, state: Collection[Term]) -> list[list[Term]]:
        """Each role's legal actions."""
        holds = self.model(state)
        pairs = zip(self.program.actions, self.program.legal, strict=True)
        return [[a for a, atom in zip(actions, atoms, strict=True) if holds[atom]] for actions, atoms in pairs]

    def is_terminal(self, state: Collection[Term]) -> bool:
        """Whether the state is final."""
        return self.model(state)[self.program.terminal]

    def goals(self, state: Collection[Term]) -> list[list[int]]:
        """All goals that each role has."""
        holds = self.model(state)
        return [[value for value, atom in own if holds[atom]] for own in self.program.goals]
