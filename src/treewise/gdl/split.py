"""Predicates taken apart by the constants in their heads.

`(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))` is sound although `goal` depends on its own absence: the two goals are
different things. Where all heads of a predicate have constants in some place, each of them becomes a predicate of its
own, and the old one collects them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from treewise.gdl.prover.levels import Predicate, predicate
from treewise.gdl.terms import Argument, Literal, Rule, Term, Variable, is_ground


def split(rules: Mapping[Predicate, list[Rule]], names: Iterable[Predicate]) -> dict[Predicate, list[Rule]]:
    """The rules with the predicates of these names taken apart.

    >>> from treewise.gdl import parse_sheet
    >>> rules = parse_sheet("(<= (goal ?r 0) (role ?r) (not (goal ?r 100))) (<= (goal ?r 100) (true (won ?r)))").rules
    >>> for found in split({("goal", 2): list(rules)}, [("goal", 2)]).values():
    ...     print(*found)
    (<= (goal ?0 ?1) (goal 0 ?0 ?1)) (<= (goal ?0 ?1) (goal 100 ?0 ?1))
    (<= (goal 0 ?r 0) (role ?r) (not (goal 100 ?r 100)))
    (<= (goal 100 ?r 100) (true (won ?r)))
    """
    places = {name: _constant_places(rules[name]) for name in names}
    places = {name: found for name, found in places.items() if found}
    made: dict[Predicate, list[Rule]] = {}
    for name in places:
        atom = Term(name[0], tuple(Variable(str(place)) for place in range(name[1])))
        heads = dict.fromkeys(_renamed(rule.head, places).name for rule in rules[name])
        made[name] = [Rule(atom, (Literal(Term(head, atom.args)),)) for head in heads]
    for rule in (rule for found in rules.values() for rule in found):
        body = (replace(c, atom=_renamed(c.atom, places)) if isinstance(c, Literal) else c for c in rule.body)
        new = replace(rule, head=_renamed(rule.head, places), body=tuple(body))
        made.setdefault(predicate(new.head), []).append(new)
    return made


def _constant_places(rules: Iterable[Rule]) -> tuple[int, ...]:
    columns: Iterable[tuple[Argument, ...]] = zip(*(rule.head.args for rule in rules), strict=True)
    return tuple(place for place, column in enumerate(columns) if all(map(is_ground, column)))


def _renamed(atom: Term, places: Mapping[Predicate, tuple[int, ...]]) -> Term:
    constants = [atom.args[place] for place in places.get(predicate(atom), ())]
    if not constants or not all(map(is_ground, constants)):
        return atom
    return Term(" ".join([atom.name, *map(str, constants)]), atom.args)  # no name of a source holds a blank
