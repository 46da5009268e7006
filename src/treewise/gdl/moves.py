"""What reads the players' actions, said with as few of them as possible.

Each role does exactly one action. So "a move that leaves this cell alone" is "not one of the few that touch it":
frame axioms that name nearly every action become the negation of the others. Sets of actions are kept as bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from treewise.gdl.ground import GroundProgram
from treewise.gdl.prune import read_by
from treewise.gdl.rulebook import Body, Rulebook

Actions = tuple[int, ...]
"""Of each role, a set of its actions: bit i stands for action i. It holds if one of them is done."""


def shorten_moves(program: GroundProgram) -> GroundProgram:
    """The program with rules that differ only in their actions made one, and large sets of actions negated.

    >>> from treewise.gdl import parse_sheet
    >>> from treewise.gdl.grounder import ground_plainly
    >>> moves = " ".join(f"(legal x {n})" for n in range(9))
    >>> sheet = parse_sheet(f"(role x) (init a) {moves} (<= (next a) (true a) (does x ?n) (distinct ?n 3))")
    >>> long = ground_plainly(sheet)
    >>> len(long.body), len(shorten_moves(long).body)
    (16, 2)
    """
    if _depends_on_actions(program):
        return program
    book = Rulebook.of(program)
    does = tuple(np.array([atom or book.fresh(()) for atom in own.tolist()], np.int32) for own in program.does)
    return _Shortening(replace(program, does=does), book).run()


def _depends_on_actions(program: GroundProgram) -> bool:
    """Whether legal actions, goals or the end do: they are asked where nothing is done yet."""
    single = [program.terminal, *(atom for own in program.goals for _, atom in own)]
    asked = np.concatenate((*program.legal, np.array(single, np.int32)))
    return bool(read_by(program, asked[asked > 0])[np.concatenate(program.does)].any())


@dataclass(slots=True)
class _Shortening:
    program: GroundProgram
    book: Rulebook
    sets: dict[int, Actions] = field(default_factory=dict)
    """Atoms that are nothing but sets of actions."""
    made: dict[Actions, int] = field(default_factory=dict)
    """Literals that stand for sets; 0 for what always holds."""

    def run(self) -> GroundProgram:
        self._find_sets()
        old, self.book.bodies = self.book.bodies, {}
        for head, bodies in old.items():
            self.book.bodies[head] = [(*rest, *self._of_set(actions)) for rest, actions in self._grouped(head, bodies)]
        return self.book.put_into(self.program)

    # ---- sets of actions

    def _find_sets(self) -> None:
        nothing = (0,) * len(self.program.roles)
        for role, atoms in enumerate(self.program.does):
            for action, atom in enumerate(atoms.tolist()):
                self.sets[atom] = (*nothing[:role], 1 << action, *nothing[role + 1 :])
        self.sets.pop(0, None)
        waiting = [head for head, bodies in self.book.bodies.items() if bodies and all(len(b) == 1 for b in bodies)]
        size = -1
        while size != len(waiting):
            size = len(waiting)
            for head in waiting:
                found = [self._set(literal) for (literal,) in self.book.bodies[head]]
                if None not in found:
                    self.sets[head] = _union(nothing, (actions for actions in found if actions is not None))
            waiting = [head for head in waiting if head not in self.sets]

    def _set(self, literal: int) -> Actions | None:
        """The set that a literal is; none if it is something else. The absence of an action is another action."""
        actions = self.sets.get(abs(literal))
        if actions is None or literal > 0:
            return actions
        roles = [role for role, bits in enumerate(actions) if bits]
        if len(roles) != 1:
            return None
        (role,) = roles
        return (*actions[:role], actions[role] ^ self._all(role), *actions[role + 1 :])

    def _all(self, role: int) -> int:
        return (1 << len(self.program.actions[role])) - 1

    # ---- rules

    def _grouped(self, head: int, bodies: list[Body]) -> Iterator[tuple[Body, Actions | None]]:
        """The rules of a head, those that differ in one set of actions only taken together."""
        together: dict[Body, Actions] = {}
        for body in bodies:
            places = [place for place, literal in enumerate(body) if self._set(literal) is not None]
            if len(places) != 1:
                yield self._restated(body), None
                continue
            (place,) = places
            actions = self._set(body[place])
            assert actions is not None
            rest = self._restated((*body[:place], *body[place + 1 :]))
            together[rest] = _union(together.get(rest, (0,) * len(actions)), [actions])
        yield from together.items()

    def _restated(self, body: Body) -> Body:
        found: list[int] = []
        for literal in body:
            actions = self._set(literal)
            if actions is not None:
                found += self._of_set(actions)
            elif abs(literal) in self.sets:
                found += [-other for other in self._of_set(self.sets[abs(literal)])]
            else:
                found.append(literal)
        return tuple(found)

    def _of_set(self, actions: Actions | None) -> Body:
        """The condition, at most one literal, that says that one of some actions is done."""
        if actions is None:
            return ()
        if actions not in self.made:
            self.made[actions] = self._make(actions)
        return (self.made[actions],) if self.made[actions] else ()

    def _make(self, actions: Actions) -> int:
        bodies: list[Body] = []
        for role, bits in enumerate(actions):
            others = bits ^ self._all(role)
            if bits and not others:
                return 0
            if bits.bit_count() <= others.bit_count() + 1:
                bodies += [(atom,) for atom in self._atoms(role, bits)]
            else:
                bodies.append((-self._any(role, others),))
        return bodies[0][0] if len(bodies) == 1 else self.book.fresh(bodies)

    def _any(self, role: int, bits: int) -> int:
        """The atom that says that one of a role's actions is done."""
        actions = tuple(bits if other == role else 0 for other in range(len(self.program.roles)))
        if actions not in self.made:
            atoms = self._atoms(role, bits)
            self.made[actions] = atoms[0] if len(atoms) == 1 else self.book.fresh((atom,) for atom in atoms)
        return self.made[actions]

    def _atoms(self, role: int, bits: int) -> list[int]:
        return [atom for action, atom in enumerate(self.program.does[role].tolist()) if bits >> action & 1]


def _union(first: Actions, others: Iterable[Actions]) -> Actions:
    for other in others:
        first = tuple(a | b for a, b in zip(first, other, strict=True))
    return first
