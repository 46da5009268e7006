"""A ground program taken apart for changes, and put together again."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from treewise.gdl.ground import GroundProgram, Ids

Body = tuple[int, ...]


def rules_of(program: GroundProgram) -> Iterator[tuple[int, Body]]:
    """Head and body of each rule."""
    body = program.body.tolist()
    starts = program.starts.tolist()
    for head, begin, end in zip(program.heads.tolist(), starts, starts[1:], strict=False):
        yield head, tuple(body[begin:end])


def bodies_of(program: GroundProgram) -> dict[int, list[Body]]:
    """The bodies of each head's rules."""
    bodies: dict[int, list[Body]] = {}
    for head, body in rules_of(program):
        bodies.setdefault(head, []).append(body)
    return bodies


def with_bodies(program: GroundProgram, bodies: Mapping[int, list[Body]]) -> GroundProgram:
    """The program with these rules in place of its own."""
    rules = [(head, body) for head, own in bodies.items() for body in own]
    lengths = np.fromiter((len(body) for _, body in rules), np.int64, len(rules))
    return replace(
        program,
        heads=np.fromiter((head for head, _ in rules), np.int32, len(rules)),
        starts=np.concatenate(([0], np.cumsum(lengths))).astype(np.int32),
        body=np.fromiter(itertools.chain.from_iterable(body for _, body in rules), np.int32, int(lengths.sum())),
    )


def outputs(program: GroundProgram) -> Ids:
    """The atoms that something outside the rules reads, 0 left out."""
    single = [program.terminal, *(atom for pairs in (*program.goals, *program.sees) for _, atom in pairs)]
    atoms = np.unique(np.concatenate((program.next, *program.legal, np.array(single, np.int32))))
    return atoms[atoms > 0].astype(np.int32)


def renamed_outputs(program: GroundProgram, name: Callable[[int], int]) -> GroundProgram:
    """The program with other atoms as outputs; the rules stay."""

    def all_of(atoms: Ids) -> Ids:
        return np.array([name(atom) for atom in atoms.tolist()], np.int32)

    return replace(
        program,
        next=all_of(program.next),
        legal=tuple(map(all_of, program.legal)),
        terminal=name(program.terminal),
        goals=tuple(tuple((value, name(atom)) for value, atom in own) for own in program.goals),
        sees=tuple(tuple((percept, name(atom)) for percept, atom in own) for own in program.sees),
    )
