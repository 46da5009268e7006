"""Grounds rules with the engine, and puts the named atoms in the places of a `GroundProgram`."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Iterable, Mapping

import numpy as np

from treewise import _core
from treewise.gdl.ground import GroundProgram, Ids
from treewise.gdl.grounding.limits import Budget
from treewise.gdl.grounding.numbers import Numbers, ids
from treewise.gdl.syntax import GDLError
from treewise.gdl.terms import Sheet, Term

Found = dict[str, dict[tuple[Term, ...], int]]
"""Atoms by their predicate and arguments."""


def assemble(sheet: Sheet, budget: Budget) -> GroundProgram:
    """The program of a sheet's rules. Facts, actions and percepts are in the order of their text."""
    numbers = Numbers()
    rules = numbers.rules(sheet.rules)
    try:
        ground = _core.gdl_ground(rules, numbers.flags(), budget.engine)
    except ValueError as error:
        raise GDLError(f"the rules cannot be ground: {error}") from None
    heads, starts, body, shown, terms, num_atoms = ground
    found: Found = defaultdict(dict)
    for name, arguments, atom in numbers.shown(shown, numbers.terms(terms)):
        found[name][arguments] = atom
    facts = _in_order(fact for (fact,) in found["true"])
    actions = _actions(found["legal"], sheet)
    index = {fact: number for number, fact in enumerate(facts)}
    return GroundProgram(
        roles=sheet.roles,
        facts=facts,
        actions=actions,
        initial=np.array(sorted(index[fact] for (fact,) in found["init"]), np.int32),
        true=_atoms(found["true"], ((fact,) for fact in facts)),
        next=_atoms(found["next"], ((fact,) for fact in facts)),
        does=_of_roles(found["does"], sheet, actions),
        legal=_of_roles(found["legal"], sheet, actions),
        terminal=found["terminal"].get((), 0),
        goals=tuple(_goals(found["goal"], role) for role in sheet.roles),
        sees=tuple(_percepts(found["sees"], role) for role in sheet.roles),
        num_atoms=num_atoms,
        heads=ids(heads),
        starts=ids(starts),
        body=ids(body),
    )


def _actions(legal: Iterable[tuple[Term, ...]], sheet: Sheet) -> tuple[tuple[Term, ...], ...]:
    of_roles: dict[Term, list[Term]] = {role: [] for role in sheet.roles}
    for role, action in legal:
        if role in of_roles:
            of_roles[role].append(action)
    return tuple(_in_order(of_roles[role]) for role in sheet.roles)


def _goals(found: dict[tuple[Term, ...], int], role: Term) -> tuple[tuple[int, int], ...]:
    return tuple(sorted((_value(value), atom) for (own, value), atom in found.items() if own == role))


def _percepts(found: dict[tuple[Term, ...], int], role: Term) -> tuple[tuple[Term, int], ...]:
    return tuple((percept, found[role, percept]) for percept in _in_order(p for own, p in found if own == role))


def _in_order(terms: Iterable[Term]) -> tuple[Term, ...]:
    return tuple(sorted(terms, key=str))


def _atoms(found: Mapping[tuple[Term, ...], int], keys: Iterable[tuple[Term, ...]]) -> Ids:
    return np.array([found.get(key, 0) for key in keys], np.int32)


def _of_roles(
    found: Mapping[tuple[Term, ...], int], sheet: Sheet, actions: tuple[tuple[Term, ...], ...]
) -> tuple[Ids, ...]:
    pairs = zip(sheet.roles, actions, strict=True)
    return tuple(_atoms(found, ((role, action) for action in own)) for role, own in pairs)


def _value(term: Term) -> int:
    """A goal's value, brought into 0 to 100."""
    try:
        value = int(term.name)
    except ValueError:
        raise GDLError(f"a goal's value is a whole number from 0 to 100, not {term}") from None
    if not 0 <= value <= 100:
        warnings.warn(f"the sheet has a goal of {value}; goals are cut to 0 and 100", stacklevel=2)
    return min(max(value, 0), 100)
