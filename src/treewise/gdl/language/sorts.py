"""What the arguments of a rulesheet can be, from the places that a variable joins.

A sort is a set of argument places: of predicates, and of functions wherever they stand. Two places belong together if
some rule has one variable in both. The ground terms found at the places of a sort are its values. This is coarser than
what the rules derive, and needs no derivation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from treewise.gdl.terms import Argument, Distinct, Rule, Term, Variable, variables

_Place = tuple[str, int, int]
_FACTS = frozenset({"true", "init", "next", "base"})
_MOVES = frozenset({"does", "legal", "input"})
_ROLES = _MOVES | {"goal", "sees"}


class Sorts:
    """The sorts of some rules.

    >>> from treewise.gdl import parse_sheet
    >>> sheet = parse_sheet("(init (on 1)) (succ 1 2) (<= (next (on ?y)) (true (on ?x)) (succ ?x ?y))")
    >>> [str(value) for value in Sorts(sheet.rules).values(Variable("y"), sheet.rules[-1])]
    ['1', '2']
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._parent: dict[_Place, _Place] = {}
        found: dict[_Place, dict[Term, None]] = {}
        for rule in rules:
            joined: dict[Variable, _Place] = {}
            for place, argument in _places(rule):
                if isinstance(argument, Variable):
                    self._join(joined.setdefault(argument, place), place)
                elif not any(variables(argument)):
                    found.setdefault(place, {})[argument] = None
        self._values: dict[_Place, dict[Term, None]] = {}
        for place, terms in found.items():
            self._values.setdefault(self._root(place), {}).update(terms)

    def values(self, variable: Variable, rule: Rule) -> tuple[Term, ...]:
        """What a variable of one of the rules can be, in the order of the text."""
        place = next((place for place, argument in _places(rule) if argument == variable), None)
        return () if place is None else tuple(self._values.get(self._root(place), ()))

    def _join(self, one: _Place, other: _Place) -> None:
        self._parent[self._root(one)] = self._root(other)

    def _root(self, place: _Place) -> _Place:
        while (parent := self._parent.get(place, place)) != place:
            place = parent
        return place


def is_role(variable: Variable, atom: Term) -> bool:
    """Whether the variable stands where the atom names a role."""
    return atom.name in _ROLES and len(atom.args) == 2 and atom.args[0] == variable


def _places(rule: Rule) -> Iterator[tuple[_Place, Argument]]:
    atoms = [rule.head, *(c.atom for c in rule.body if not isinstance(c, Distinct))]
    todo = [(atom, True) for atom in atoms]
    for term, is_atom in todo:
        for index, argument in enumerate(term.args):
            yield _place(term, index, is_atom), argument
            if isinstance(argument, Term) and argument.args:
                todo.append((argument, False))


def _place(term: Term, index: int, is_atom: bool) -> _Place:
    """Facts, moves and roles are the same things wherever a keyword speaks of them."""
    if not is_atom:
        return f"{term.name} term", len(term.args), index
    if term.name in _FACTS and len(term.args) == 1:
        return "true", 1, 0
    if term.name in _ROLES and index == 0:
        return "role", 1, 0
    return ("does" if term.name in _MOVES else term.name), len(term.args), index
