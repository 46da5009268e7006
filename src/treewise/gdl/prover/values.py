"""Ground terms as numbers: equal terms are the same number, so that the prover compares and hashes integers only."""

from __future__ import annotations

from threading import Lock

from treewise.gdl.terms import Argument, Term, Variable

Key = tuple[int, ...]
"""A functor's number, then the numbers of the arguments."""


class Values:
    """The ground terms met so far. `ids` finds the number of a term, `rows` what a number stands for.

    >>> values = Values()
    >>> number = values.of(Term("cell", (Term("1"), Term("b"))))
    >>> values.of(Term("cell", (Term("1"), Term("b")))) == number, str(values.term(number))
    (True, '(cell 1 b)')
    """

    def __init__(self) -> None:
        self.ids: dict[Key, int] = {}
        self.rows: list[Key] = [()]  # 0 is no term, so that a number is true where a truth is asked for
        self._functors: dict[tuple[str, int], int] = {}
        self._names: list[str] = []
        self._terms: dict[int, Term] = {}
        self._lock = Lock()

    def functor(self, name: str, arity: int) -> int:
        """The number of a name with so many arguments."""
        with self._lock:
            found = self._functors.setdefault((name, arity), len(self._names))
            if found == len(self._names):
                self._names.append(name)
            return found

    def make(self, key: Key) -> int:
        """The number of a term whose parts are numbers already."""
        with self._lock:
            number = self.ids.get(key)
            if number is None:
                number = len(self.rows)
                self.rows.append(key)
                self.ids[key] = number
            return number

    def of(self, term: Argument) -> int:
        """The number of a ground term."""
        assert not isinstance(term, Variable)
        return self.make((self.functor(term.name, len(term.args)), *map(self.of, term.args)))

    def term(self, number: int) -> Term:
        """The term that a number stands for."""
        if number in self._terms:
            return self._terms[number]
        known, todo = self._terms, [number]
        while todo:  # no recursion: facts may grow deeper than functions may call each other
            functor, *arguments = self.rows[todo[-1]]
            missing = [argument for argument in arguments if argument not in known]
            if missing:
                todo += missing
            else:
                known[todo.pop()] = Term(self._names[functor], tuple(known[argument] for argument in arguments))
        return known[number]
