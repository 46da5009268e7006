"""The lines of one generated Python function, and which variables of the rule have values in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from treewise.gdl.prover.values import Values
from treewise.gdl.terms import Argument, Term, Variable, is_ground, variables


def tuple_text(parts: Sequence[str]) -> str:
    """One part by itself, several (or none) as a tuple: the form in which rows, keys and answers are kept.

    >>> tuple_text(["x"]), tuple_text(["x", "y"]), tuple_text([])
    ('x', '(x, y)', '()')
    """
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


class Function:
    """Every condition that fails says `continue`: the whole body stands in a loop that runs once."""

    def __init__(self, values: Values, signature: str, bound: dict[Variable, str] | None = None) -> None:
        self.values = values
        self.lines = [signature]
        self.bound = bound or {}
        self.loops = 0
        self._names = 0

    def line(self, text: str) -> None:
        """One statement at the present depth."""
        self.lines.append("    " * (self.loops + 1) + text)

    def loop(self, text: str) -> None:
        """A loop, in which all that follows stands."""
        self.line(text)
        self.loops += 1

    def begin_rule(self) -> None:
        """Forgets the variables of the rule before."""
        self.bound, self.loops = {}, 0
        self.loop("for _ in once:")

    def name(self) -> str:
        """A name that the function does not have yet."""
        self._names += 1
        return f"v{self._names}"

    def is_known(self, term: Argument) -> bool:
        """Whether all variables of a term have values."""
        return all(variable in self.bound for variable in variables(term))

    def build(self, term: Argument) -> str:
        """An expression for the number of a term whose variables have values. Each term inside of others has a line of
        its own before: terms nest deeper than expressions of Python may."""
        if isinstance(term, Variable) or is_ground(term):
            return self.probe(term)
        key, number = self.name(), self.name()
        self.line(f"{key} = {self._key(term)}")
        self.line(f"{number} = ids.get({key}) or make({key})")
        return number

    def probe(self, term: Argument) -> str:
        """The same, but None where no such term has been met."""
        if isinstance(term, Variable):
            return self.bound[term]
        return str(self.values.of(term)) if is_ground(term) else f"ids.get({self._key(term)})"

    def _key(self, term: Term) -> str:
        functor = self.values.functor(term.name, len(term.args))
        return tuple_text([str(functor), *map(self.build, term.args)])

    def match(self, term: Argument, value: str) -> None:
        """Goes on only where a term can be the value; its variables then have values."""
        if isinstance(term, Variable) and term not in self.bound:
            self.bound[term] = value
        elif self.is_known(term):
            self.line(f"if {value} != {self.probe(term)}: continue")
        else:
            assert isinstance(term, Term)
            row, parts = self.name(), [self.name() for _ in term.args]
            self.line(f"{row} = rows[{value}]")
            self.line(f"if {row}[0] != {self.values.functor(term.name, len(term.args))}: continue")
            self.line(f"{', '.join(['_', *parts])} = {row}")
            for argument, part in zip(term.args, parts, strict=True):
                self.match(argument, part)

    def match_all(self, terms: Iterable[Argument], values: Iterable[str]) -> None:
        """The same for several at once."""
        for term, value in zip(terms, values, strict=True):
            self.match(term, value)
