"""Constants worked into a ground program: atoms that can never hold, atoms that always do.

The grounder takes every negated literal that depends on the state as possible. Here the question is asked again with
what is known by then, over all states that can be reached: facts that hold at first and always come back are constant,
facts that never come true are gone, and so are actions that are never legal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from treewise.gdl.ground import GroundProgram, Ids
from treewise.gdl.grounding.rulebook import outputs, renamed_outputs
from treewise.gdl.grounding.slices import slices, starts_after

Mask = NDArray[np.bool_]


def fold(program: GroundProgram) -> GroundProgram:
    """The same game without constants in its rules.

    >>> from treewise.gdl import parse_sheet
    >>> from treewise.gdl.grounder import ground_plainly
    >>> rules = "(role x) (init a) (<= (next a) (true a)) (<= (next b) (true a) (not (true c))) (<= (next c) (true c))"
    >>> folded = fold(ground_plainly(parse_sheet(rules)))
    >>> [str(fact) for fact in folded.facts], len(folded.heads)
    (['a', 'b'], 1)
    """
    possible, certain = _constants(program)
    always = program.num_atoms + 1
    program = _without_constants(program, possible, certain, always)

    def name(atom: int) -> int:
        return always if certain[atom] else atom if possible[atom] else 0

    return _shortened(renamed_outputs(program, name), always)


def _constants(program: GroundProgram) -> tuple[Mask, Mask]:
    """Which atoms may hold, and which always do, in states that can be reached."""
    chain = _Chain.of(program)
    negated = chain.negative(program)
    certain = np.zeros(program.num_atoms + 1, bool)
    while True:
        possible = chain.run(program.true[program.initial], ~_any(negated, certain, len(chain.heads)), chain.all_rules)
        before = certain.sum()
        certain = _certain(program, chain, ~_any(negated, possible, len(chain.heads)))
        if certain.sum() == before:
            return possible, certain


def _certain(program: GroundProgram, chain: _Chain, firm: Mask) -> Mask:
    """What always holds: suppose that the initial facts do, and give up those that do not come back."""
    lasting = program.initial[program.next[program.initial] > 0]
    while True:
        certain = chain.run(program.true[lasting], firm, chain.own_rules)
        back = certain[program.next[lasting]]
        if back.all():
            return certain
        lasting = lasting[back]


def _any(pairs: tuple[Ids, Ids], mask: Mask, rules: int) -> Mask:
    """Of each rule, whether one of its negated atoms is in the mask."""
    found = np.zeros(rules, bool)
    found[pairs[0][mask[pairs[1]]]] = True
    return found


@dataclass(slots=True)
class _Chain:
    """Forward chaining over the rules and, behind them, over `true` from `next` and `does` from `legal`."""

    heads: Ids
    counts: Ids
    readers: Ids
    """The rules in which each atom stands, atom by atom."""
    starts: NDArray[np.int64]
    own: int
    num_atoms: int

    @classmethod
    def of(cls, program: GroundProgram) -> _Chain:
        rule = np.repeat(np.arange(len(program.heads)), np.diff(program.starts))
        positive = program.body > 0
        extra_heads = np.concatenate((program.true, *program.does))
        extra_bodies = np.concatenate((program.next, *program.legal))
        read = (extra_heads > 0) & (extra_bodies > 0)
        own = len(program.heads)
        heads = np.concatenate((program.heads, extra_heads[read]))
        atoms = np.concatenate((program.body[positive], extra_bodies[read]))
        rules = np.concatenate((rule[positive], own + np.arange(read.sum())))
        order = np.argsort(atoms, kind="stable")
        starts = np.concatenate(([0], np.cumsum(np.bincount(atoms, minlength=program.num_atoms + 1))))
        counts = np.bincount(rules, minlength=len(heads)).astype(np.int32)
        return cls(heads, counts, rules[order].astype(np.int32), starts, own, program.num_atoms)

    @property
    def all_rules(self) -> Mask:
        return np.ones(len(self.heads), bool)

    @property
    def own_rules(self) -> Mask:
        return np.arange(len(self.heads)) < self.own

    def negative(self, program: GroundProgram) -> tuple[Ids, Ids]:
        """Rule and atom of each negated literal."""
        rule = np.repeat(np.arange(len(program.heads), dtype=np.int32), np.diff(program.starts))
        return rule[program.body < 0], -program.body[program.body < 0]

    def run(self, start: Ids, allowed: Mask, used: Mask) -> Mask:
        """The atoms that follow from some by the rules that are allowed."""
        allowed = allowed & used
        known = np.zeros(self.num_atoms + 1, bool)
        missing = self.counts.copy()
        new = np.concatenate((start, self.heads[(missing == 0) & allowed]))
        while len(new := np.unique(new[~known[new]])):
            known[new] = True
            _, reached = slices(self.readers, self.starts[new], self.starts[new + 1])
            np.subtract.at(missing, reached, 1)
            fired = reached[(missing[reached] == 0) & allowed[reached]]
            new = self.heads[fired]
        known[0] = False
        return known


def _without_constants(program: GroundProgram, possible: Mask, certain: Mask, always: int) -> GroundProgram:
    """Rules that can fire, without the conditions that are always met; one rule for what always holds."""
    rule = np.repeat(np.arange(len(program.heads)), np.diff(program.starts))
    atoms = np.abs(program.body)
    met = np.where(program.body > 0, certain[atoms], ~possible[atoms])
    failed = np.where(program.body > 0, ~possible[atoms], certain[atoms])
    keep = possible[program.heads] & ~certain[program.heads]
    keep[rule[failed]] = False
    starts, kept = slices(np.arange(len(atoms), dtype=np.int32), program.starts[:-1][keep], program.starts[1:][keep])
    wanted = ~met[kept]
    starts = starts_after(starts, wanted)
    body = program.body[kept][wanted]
    true = np.where(certain[program.true], 0, program.true).astype(np.int32)
    return replace(
        program,
        true=true,
        num_atoms=always,
        heads=np.append(program.heads[keep], np.int32(always)),
        starts=np.append(starts, starts[-1]),
        body=body,
    )


def _shortened(program: GroundProgram, always: int) -> GroundProgram:
    """Without facts that never come true, actions that are never legal and goals that are never reached."""
    initially = np.zeros(len(program.facts), bool)
    initially[program.initial] = True
    keep = initially | (program.next > 0)
    number = np.cumsum(keep) - 1
    if always not in outputs(program):
        program = replace(program, heads=program.heads[:-1], starts=program.starts[:-1], num_atoms=always - 1)
    legal = [atoms > 0 for atoms in program.legal]
    return replace(
        program,
        facts=tuple(fact for fact, kept in zip(program.facts, keep, strict=True) if kept),
        initial=number[program.initial].astype(np.int32),
        true=program.true[keep],
        next=program.next[keep],
        actions=tuple(
            tuple(action for action, kept in zip(own, mask, strict=True) if kept)
            for own, mask in zip(program.actions, legal, strict=True)
        ),
        does=tuple(atoms[mask] for atoms, mask in zip(program.does, legal, strict=True)),
        legal=tuple(atoms[mask] for atoms, mask in zip(program.legal, legal, strict=True)),
        goals=tuple(tuple(pair for pair in own if pair[1]) for own in program.goals),
        sees=tuple(tuple(pair for pair in own if pair[1]) for own in program.sees),
    )
