"""Games made by chance, as ground programs: turns of several kinds, rules that keep facts, recursion in layers.

Each of the circuit's shortcuts (whose turn it is, phases, groups of legal actions, guarded and switched gates, loops)
applies to some of them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from treewise.gdl.ground import GroundProgram
from treewise.gdl.terms import Term

Body = tuple[int, ...]


@dataclass
class Draft:
    """Rules while they are being made. Atom 1 always holds; a fact or an action is an atom of its own."""

    chance: random.Random
    roles: int
    rules: list[tuple[int, Body]] = field(default_factory=lambda: [(1, ())])
    last: int = 1
    facts: list[int] = field(default_factory=list)
    next: dict[int, int] = field(default_factory=dict)
    initial: set[int] = field(default_factory=set)
    does: list[list[int]] = field(default_factory=list)
    legal: list[list[int]] = field(default_factory=list)
    goals: list[list[tuple[int, int]]] = field(default_factory=list)
    terminal: int = 0

    def atom(self, *bodies: Sequence[int]) -> int:
        """A new atom with these rules."""
        self.last += 1
        self.rules += [(self.last, tuple(body)) for body in bodies]
        return self.last

    def fact(self, initially: bool) -> int:
        """A new fact, by its atom."""
        self.last += 1
        self.facts.append(self.last)
        if initially:
            self.initial.add(self.last)
        return self.last

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def literals(self, pool: Sequence[int], low: int = 1, high: int = 3, negated: float = 0.35) -> list[int]:
        """A few atoms, some of them negated."""
        count = self.chance.randint(low, high)
        return [self.chance.choice(pool) * (-1 if self.often(negated) else 1) for _ in range(count)]

    def layer(self, pool: list[int], size: int) -> list[int]:
        """Atoms over `pool` and each other; some call themselves in circles. All are added to the pool."""
        for _ in range(size):
            if self.often(0.25):
                pool += self.circle(pool)
            else:
                shared = self.literals(pool, 0, 2) if self.often(0.4) else []
                bodies = [[*shared, *self.literals(pool)] for _ in range(self.chance.choice((0, 1, 1, 2, 3, 5)))]
                pool.append(self.atom(*bodies))
        return pool

    def circle(self, pool: Sequence[int]) -> list[int]:
        """Atoms of which each may follow from each other one."""
        own = [self.atom() for _ in range(self.chance.randint(1, 4))]
        for _ in range(self.chance.randint(1, 3 * len(own))):
            body = self.literals(pool, 0, 2) + self.chance.choices(own, k=self.chance.choice((1, 1, 2)))
            self.rules.append((self.chance.choice(own), tuple(body)))
        for _ in range(self.chance.randint(0, 2)):
            self.rules.append((self.chance.choice(own), tuple(self.literals(pool))))
        return own

    def program(self) -> GroundProgram:
        """The finished game."""
        numbers = {atom: number for number, atom in enumerate(self.facts)}
        bodies = [body for _, body in self.rules]
        return GroundProgram(
            roles=tuple(Term(f"r{role}") for role in range(self.roles)),
            facts=tuple(Term(f"f{number:03}") for number in numbers.values()),
            actions=tuple(tuple(Term("ab"[n % 2], (Term(f"{n:03}"),)) for n in range(len(own))) for own in self.does),
            initial=np.array(sorted(numbers[atom] for atom in self.initial), np.int32),
            true=np.array(self.facts, np.int32),
            next=np.array([self.next.get(atom, 0) for atom in self.facts], np.int32),
            does=tuple(np.array(own, np.int32) for own in self.does),
            legal=tuple(np.array(own, np.int32) for own in self.legal),
            terminal=self.terminal,
            goals=tuple(map(tuple, self.goals)),
            sees=((),) * self.roles,
            num_atoms=self.last,
            heads=np.array([head for head, _ in self.rules], np.int32),
            starts=np.concatenate(([0], np.cumsum([len(body) for body in bodies]))).astype(np.int32),
            body=np.array([literal for body in bodies for literal in body], np.int32),
        )


def random_game(seed: int) -> GroundProgram:
    """A game of one to three roles."""
    chance = random.Random(seed)
    draft = Draft(chance, chance.choice((1, 2, 2, 2, 2, 3)))
    plain = [draft.fact(draft.often(0.4)) for _ in range(chance.randint(0, 9))]
    ring = _ring(draft) if draft.often(0.5) else []
    for _ in range(draft.roles):
        count = chance.choice((1, 2, 3, 5, 5, 9))
        draft.does.append([draft.atom() for _ in range(count)])
    control = _control(draft, ring)
    seen = draft.layer([1, *plain, *plain, *ring[:3]] if plain or ring else [1], chance.randint(0, 12))
    _legal(draft, seen, control)
    everything = [*seen, *(atom for own in draft.does for atom in own * 3), *control[:1]]
    done = draft.layer(everything, chance.randint(0, 12))
    for fact in plain:
        draft.next[fact] = _next(draft, fact, done)
    _wide(draft, done)
    draft.terminal = draft.atom((chance.choice(seen), chance.choice(seen))) if draft.often(0.5) else 0
    for _ in range(draft.roles):
        draft.goals.append([(value, chance.choice((0, *seen))) for value in chance.sample((0, 30, 50, 100), 2)])
    return draft.program()


def _ring(draft: Draft) -> list[int]:
    """A clock: facts of which one is true at a time, whatever anybody does."""
    size = draft.chance.randint(2, 5)
    ring = [draft.fact(number == 0) for number in range(size)]
    ends = draft.often(0.3)
    for number, fact in enumerate(ring):
        before = ring[number - 1]
        draft.next[fact] = 0 if ends and number == 0 else draft.atom((before,))
    return ring


# ---- whose turn it is ----------------------------------------------------------------------------------------------


def _control(draft: Draft, ring: list[int]) -> list[int]:
    """Of each role, the literal that says it is to move; 1 where nothing does."""
    kind = draft.chance.choice(("free", "facts", "facts", "facts", "toggle", "phases", "loose"))
    if kind == "phases" and ring and draft.roles == 2:
        return [ring[0], -ring[0]] if draft.often(0.5) or len(ring) != 2 else ring
    if kind == "toggle" and draft.roles == 2:
        fact = draft.fact(draft.often(0.5))
        draft.next[fact] = draft.atom((-fact, *(draft.literals(draft.does[0], 1, 1) if draft.often(0.4) else ())))
        return [fact, -fact]
    if kind == "facts":
        return _control_facts(draft)
    if kind == "loose":
        facts = [draft.fact(draft.often(0.5)) for _ in range(draft.roles)]
        draft.next |= {fact: draft.atom(draft.literals(facts, 1, 2)) for fact in facts}
        return facts
    return [1] * draft.roles


def _control_facts(draft: Draft) -> list[int]:
    """One of these is true at a time; some actions keep the turn, or give it to others."""
    facts = [draft.fact(role == 0) for role in range(draft.roles)]
    keeping = draft.atom(*([atom] for own in draft.does for atom in own if draft.often(0.3)))
    plain = draft.often(0.5)
    flawed = draft.often(0.1)
    for role, fact in enumerate(facts):
        before = facts[role - 1]
        if plain:
            draft.next[fact] = draft.atom([before])
        else:
            draft.next[fact] = draft.atom([before, -keeping], [fact, keeping] if not flawed else [fact])
    return facts


def _legal(draft: Draft, seen: Sequence[int], control: list[int]) -> None:
    for role, own in enumerate(draft.does):
        atoms = []
        for number, _ in enumerate(own):
            condition = draft.literals(seen, 0, 2, 0.5) if draft.often(0.5) else []
            if number == 0 and control[role] != 1:
                atoms.append(_idle(draft, role, control, seen))
            elif number == 0 or draft.often(0.02):
                atoms.append(1 if draft.often(0.9) else draft.atom(condition))
            else:
                bodies = [[control[role], *condition]]
                bodies += [[control[role], *draft.literals(seen)] for _ in range(draft.chance.choice((0, 0, 1, 2)))]
                atoms.append(draft.atom(*bodies))
        draft.legal.append(atoms)


def _idle(draft: Draft, role: int, control: list[int], seen: Sequence[int]) -> int:
    """Those not to move may be idle, and the one to move sometimes, too."""
    bodies = [[-control[role]]]
    if draft.often(0.2) and draft.roles == 2:
        bodies = [[control[1 - role]]]
    if draft.often(0.4):
        bodies.append(draft.literals(seen, 1, 2) + ([control[role]] if draft.often(0.5) else []))
    return 1 if draft.often(0.1) else draft.atom(*bodies)


# ---- what comes true -----------------------------------------------------------------------------------------------


def _next(draft: Draft, fact: int, done: Sequence[int]) -> int:
    """Sometimes a fact stays true unless an action ends it, said in one of the ways of real sheets."""
    kind = draft.chance.randrange(5)
    own = [atom for own in draft.does for atom in own]
    some = draft.chance.sample(own, draft.chance.randint(0, len(own)))
    started = [[atom] for atom in draft.chance.sample(own, min(len(own), 2)) if draft.often(0.5)]
    if kind == 0:
        return draft.chance.choice((0, *done))
    if kind == 1:
        return draft.atom([fact, -draft.atom(*([atom] for atom in some))], *started)
    if kind == 2:
        return draft.atom(*([fact, atom] for atom in some), *started)
    if kind == 3:
        return draft.atom([fact, *(-atom for atom in some)], *started, draft.literals(done))
    return draft.atom(*([fact, atom, *draft.literals(done, 0, 1)] for atom in some), draft.literals(done))


def _wide(draft: Draft, done: list[int]) -> None:
    """A counter that moves on or stays, as one condition wants it: many facts, of which few are true."""
    if draft.often(0.8):
        return
    facts = [draft.fact(number == 0) for number in range(draft.chance.randint(17, 70))]
    counts = draft.atom(draft.literals(done), draft.literals(done))
    stays = draft.often(0.7)
    for before, fact in zip([0, *facts], facts, strict=False):
        bodies = [[before, counts]] if before else []
        draft.next[fact] = draft.atom(*bodies, *([[fact, -counts]] if stays else []))
    draft.legal[0][-1] = draft.atom([draft.legal[0][-1], -facts[1]], [facts[-1]])
