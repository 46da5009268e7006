"""What reads the players' actions, said with as few of them as possible.

Frame axioms name nearly every action ("a move that leaves this cell alone"). Here rules that differ only in the action
they ask for are taken together, and the set of their actions is said the short way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from treewise.gdl.action_sets import Actions, ActionSets, union
from treewise.gdl.ground import GroundProgram
from treewise.gdl.prune import read_by
from treewise.gdl.rulebook import Body, Rulebook

MOST_ACTIONS = 20_000
"""With more, sets of them take more time and memory than they save."""


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
    if sum(map(len, program.actions)) > MOST_ACTIONS or _depends_on_actions(program):
        return program
    book = Rulebook.of(program)
    does = tuple(np.array([atom or book.fresh(()) for atom in own.tolist()], np.int32) for own in program.does)
    program = replace(program, does=does)
    return _Shortening(program, book, ActionSets(program, book)).run()


def _depends_on_actions(program: GroundProgram) -> bool:
    """Whether legal actions, goals or the end do: they are asked where nothing is done yet."""
    single = [program.terminal, *(atom for own in program.goals for _, atom in own)]
    asked = np.concatenate((*program.legal, np.array(single, np.int32)))
    return bool(read_by(program, asked[asked > 0])[np.concatenate(program.does)].any())


@dataclass(slots=True)
class _Shortening:
    program: GroundProgram
    book: Rulebook
    made: ActionSets
    sets: dict[int, Actions] = field(default_factory=dict)
    """Atoms that are nothing but sets of actions."""
    uses: Counter[Actions] = field(default_factory=Counter)

    def run(self) -> GroundProgram:
        self._find_sets()
        old, self.book.bodies = self.book.bodies, {}
        groups = {head: self._grouped(bodies) for head, bodies in old.items()}
        self._count_uses(groups)
        for head in old:
            if head in self.sets and self.made.cost(self.sets[head]) > 1:
                self.made.made.setdefault(self.sets[head], (head,))
        for head, bodies in old.items():
            others = [self._restated(body) for body in bodies if self._place(body) is None]
            self.book.bodies[head] = [*others, *self._short(head, groups[head])]
        return self.book.put_into(self.program)

    def _count_uses(self, groups: dict[int, dict[Body, list[Actions]]]) -> None:
        for head, group in groups.items():
            for rest, members in group.items():
                self.uses.update({*members, union(members)} if head not in self.sets else set(members))
                self.uses.update(self.sets[abs(literal)] for literal in rest if abs(literal) in self.sets)

    # ---- sets of actions

    def _find_sets(self) -> None:
        nothing = (0,) * len(self.program.roles)
        for role, atoms in enumerate(self.program.does):
            for action, atom in enumerate(atoms.tolist()):
                self.sets[atom] = (*nothing[:role], 1 << action, *nothing[role + 1 :])
        waiting = [head for head, bodies in self.book.bodies.items() if bodies and all(len(b) == 1 for b in bodies)]
        size = -1
        while size != len(waiting):
            size = len(waiting)
            for head in waiting:
                found = [self._set(literal) for (literal,) in self.book.bodies[head]]
                if None not in found:
                    self.sets[head] = union(actions for actions in found if actions is not None)
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
        return (*actions[:role], actions[role] ^ self.made.all(role), *actions[role + 1 :])

    def _place(self, body: Body) -> int | None:
        """Where a body asks for a set of actions; none if it does so not just once."""
        places = [p for p, literal in enumerate(body) if abs(literal) in self.sets and self._set(literal) is not None]
        return places[0] if len(places) == 1 else None

    # ---- rules

    def _grouped(self, bodies: list[Body]) -> dict[Body, list[Actions]]:
        """The bodies with one set of actions: what else they ask for, and those sets."""
        found: dict[Body, list[Actions]] = defaultdict(list)
        for body in bodies:
            place = self._place(body)
            if place is not None and (actions := self._set(body[place])) is not None:
                found[*body[:place], *body[place + 1 :]].append(actions)
        return found

    def _short(self, head: int, group: dict[Body, list[Actions]]) -> Iterator[Body]:
        for rest, members in group.items():
            whole = union(members)
            apart = sum(1 + self._share(actions) for actions in set(members))
            if self.made.made.get(whole) == (head,) and not rest:
                together = whole in members or self.made.cost(whole) <= apart
                yield from self.made.bodies(whole) if together else self._each(rest, members)
            else:
                yield from self._each(rest, [whole] if 1 + self._share(whole) <= apart else members)

    def _each(self, rest: Body, members: list[Actions]) -> Iterator[Body]:
        for actions in dict.fromkeys(members):
            yield (*self._restated(rest), *self.made.condition(actions))

    def _share(self, actions: Actions) -> float:
        """The rules that a set costs each of its users."""
        cost = self.made.cost(actions)
        return cost / max(self.uses[actions], 1) if cost > 1 else 0

    def _restated(self, body: Body) -> Body:
        found: list[int] = []
        for literal in body:
            actions = self._set(literal)
            if actions is not None:
                found += self.made.condition(actions)
            elif abs(literal) in self.sets:
                found += [-other for other in self.made.condition(self.sets[abs(literal)])]
            else:
                found.append(literal)
        return tuple(found)
