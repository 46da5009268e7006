"""Sets of actions as conditions: "one of these is done", said with as few actions as possible.

Each role does exactly one action. So a set of nearly all of them is "none of the others", and a set of nearly all
actions of some kinds (those that share a name) is "one of these kinds, but none of the few exceptions".
"""

from __future__ import annotations

import functools
import operator
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from treewise.gdl.ground import GroundProgram
from treewise.gdl.rulebook import Body, Rulebook

Actions = tuple[int, ...]
"""Of each role, a set of its actions: bit i stands for action i. It holds if one of them is done."""

TRUE: Body = ()


@dataclass(frozen=True, slots=True)
class _Plan:
    """How a set of one role's actions is said: actions one by one, and a base with exceptions."""

    single: int
    base: int = 0
    exceptions: int = 0
    cost: int = 0


@dataclass(slots=True)
class ActionSets:
    """Makes the atoms of sets of actions, each set once."""

    program: GroundProgram
    book: Rulebook
    made: dict[Actions, Body] = field(default_factory=dict)
    listed: dict[tuple[int, int], int] = field(default_factory=dict)
    plans: dict[tuple[int, int], _Plan] = field(default_factory=dict)
    kinds: list[list[int]] = field(init=False)
    """Of each role, the sets of actions that share a name."""

    def __post_init__(self) -> None:
        self.kinds = []
        for actions in self.program.actions:
            kinds: dict[tuple[str, int], int] = defaultdict(int)
            for number, action in enumerate(actions):
                kinds[action.name, len(action.args)] |= 1 << number
            self.kinds.append(list(kinds.values()))

    def all(self, role: int) -> int:
        """The set of all of a role's actions."""
        return (1 << len(self.program.actions[role])) - 1

    def cost(self, actions: Actions) -> int:
        """How many rules it takes to say a set."""
        return sum(self._plan(role, bits).cost for role, bits in enumerate(actions) if bits)

    def condition(self, actions: Actions) -> Body:
        """The condition, at most one literal, that one of some actions is done."""
        if actions not in self.made:
            bodies = self.bodies(actions)
            if TRUE in bodies:
                self.made[actions] = TRUE
            else:
                self.made[actions] = bodies[0] if [len(b) for b in bodies] == [1] else (self.book.fresh(bodies),)
        return self.made[actions]

    def bodies(self, actions: Actions) -> list[Body]:
        """The same as the bodies of rules of which one must hold."""
        return [body for role, bits in enumerate(actions) if bits for body in self._bodies(role, bits)]

    def _plan(self, role: int, bits: int) -> _Plan:
        if (role, bits) not in self.plans:
            base = 0
            for kind in self.kinds[role]:
                base |= kind if 2 * (bits & kind).bit_count() > kind.bit_count() else 0
            plans = [_Plan(bits, cost=bits.bit_count())]
            for whole in dict.fromkeys((base, self.all(role))):
                single, exceptions = bits & ~whole, whole & ~bits
                plans.append(_Plan(single, whole, exceptions, single.bit_count() + exceptions.bit_count() + 1))
            self.plans[role, bits] = min(plans, key=lambda plan: plan.cost)
        return self.plans[role, bits]

    def _bodies(self, role: int, bits: int) -> list[Body]:
        """The rules' bodies of a set of one role's actions."""
        plan = self._plan(role, bits)
        bodies: list[Body] = [(atom,) for atom in self._atoms(role, plan.single)]
        if plan.base:
            base = TRUE if plan.base == self.all(role) else self._whole(role, plan.base)
            bodies.append((*base, *(-atom for atom in self._one_of(role, plan.exceptions))))
        return bodies

    def _whole(self, role: int, base: int) -> Body:
        """The condition that an action of some kinds is done."""
        others = self.all(role) & ~base
        if base.bit_count() <= others.bit_count():
            return self._one_of(role, base)
        return tuple(-atom for atom in self._one_of(role, others))

    def _one_of(self, role: int, bits: int) -> Body:
        """The atom of a set said action by action; nothing for the empty set."""
        atoms = self._atoms(role, bits)
        if len(atoms) <= 1:
            return tuple(atoms)
        key = (role, bits)
        if key not in self.listed:
            self.listed[key] = self.book.fresh((atom,) for atom in atoms)
        return (self.listed[key],)

    def _atoms(self, role: int, bits: int) -> list[int]:
        found = []
        while bits:
            lowest = bits & -bits
            found.append(int(self.program.does[role][lowest.bit_length() - 1]))
            bits ^= lowest
        return found


def union(sets: Iterable[Actions]) -> Actions:
    """All actions of some sets.

    >>> union([(1, 0), (4, 2)])
    (5, 2)
    """
    return tuple(functools.reduce(operator.or_, bits) for bits in zip(*sets, strict=True))
