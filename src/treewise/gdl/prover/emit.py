"""Rules as Python functions: one function for each predicate and pattern of call, made of nested loops over indexes.

A function takes the situation and the arguments that the caller gives, and returns the set of those that the caller
wants (one by itself, several as tuples), or a truth where it wants none. What it returns is kept in the situation's
table. Functions of recursive predicates stop at each recursive call and go on in a continuation (see `tabling`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol

from treewise.gdl.language.dependencies import DOES, TRUE, Predicate, predicate
from treewise.gdl.prover.plan import Condition, Pattern, Plan
from treewise.gdl.prover.program import Program
from treewise.gdl.prover.source import Function, tuple_text
from treewise.gdl.terms import Argument, Distinct, Literal, Term, Variable, variables, variables_of

FACTS, ACTIONS, KINDS = 0, 1, 2
"""Slots of a situation: the set of facts, the action of each role, the facts by functor. Then tables and indexes."""

_MOST_LOOPS = 15  # Python allows 20 in one function

Columns = tuple[int, ...]


class Places(Protocol):
    """Where the functions find each other and their tables."""

    def call(self, name: Predicate, pattern: Pattern) -> int:
        """The slot of a call's table; the function `f{slot}` is made if it is not there yet."""

    def stored(self, name: Predicate, key: Columns, value: Columns) -> str:
        """The name of an index over facts of the sheet."""

    def index(self, functor: int, key: Columns, value: Columns) -> int:
        """The slot of an index over facts of the state."""


class Emitter:
    """Writes the source of the functions for one predicate and one pattern of call."""

    def __init__(self, program: Program, places: Places, name: Predicate, pattern: Pattern, slot: int) -> None:
        self.program = program
        self.places = places
        self.pattern = pattern
        self.slot = slot
        component = program.component.get(name)
        self.inside = set(component.predicates) if component and component.recursive else set[Predicate]()
        self.truth = "f" not in pattern
        self.given = [f"a{place}" for place, kind in enumerate(pattern) if kind == "b"]
        self.functions: list[Function] = []
        self.wanted: list[Argument] = []

    def source(self, plans: Sequence[Plan]) -> str:
        """All functions, the first of them named `f{slot}`."""
        signature = f"def f{self.slot}({', '.join(['S', *self.given])}):"
        key = tuple_text(self.given)
        first = self._begin(signature)
        if self.inside:
            first.line(f"return solve(S, {self.slot}, {key}, g{self.slot}, truths, most)")
            first = self._begin(f"def g{self.slot}(S, R, kept, key):")
            first.line("goal, = kept")
            first.line(f"{tuple_text(self.given)} = key")
            self._rules(plans, first, "R.answer(goal, ())")
        else:
            result = "False" if self.truth else "out"
            first.line(f"out = {'False' if self.truth else 'set()'}")
            self._rules(plans, first, f"S[{self.slot}][{key}] = True; return True")
            first.line(f"S[{self.slot}][{key}] = {result}")
            first.line(f"return {result}")
        return "\n".join(line for function in self.functions for line in function.lines)

    def _begin(self, signature: str, bound: dict[Variable, str] | None = None) -> Function:
        self.now = Function(self.program.values, signature, bound)
        self.functions.append(self.now)
        return self.now

    def _rules(self, plans: Sequence[Plan], function: Function, success: str) -> None:
        for plan in plans:
            self.now, self.success = function, success
            function.begin_rule()
            self._rule(plan)
            function.loops = 0

    def _rule(self, plan: Plan) -> None:
        head = plan.rule.head.args
        self.wanted = [arg for kind, arg in zip(self.pattern, head, strict=True) if kind == "f"]
        self.now.match_all((arg for kind, arg in zip(self.pattern, head, strict=True) if kind == "b"), self.given)
        for place, condition in enumerate(plan.body):
            needed = self._needed(plan.body[place + 1 :])
            if self.now.loops >= _MOST_LOOPS:
                self._go_on(needed.union(variables_of(condition)))
            self._condition(condition, needed)
        self._head()

    def _needed(self, rest: Iterable[Condition]) -> set[Variable]:
        """The variables that matter after a condition."""
        found = {v for condition in rest for v in variables_of(condition)}
        return found.union(v for arg in self.wanted for v in variables(arg))

    def _head(self) -> None:
        for variable in dict.fromkeys(v for arg in self.wanted for v in variables(arg)):
            if variable not in self.now.bound:  # an unsafe rule
                self.now.bound[variable] = self.now.name()
                self.now.loop(f"for {self.now.bound[variable]} in terms:")
        if self.truth:
            self.now.line(self.success)
        else:
            answer = tuple_text([self.now.build(arg) for arg in self.wanted])
            self.now.line(f"R.answer(goal, {answer})" if self.inside else f"out.add({answer})")

    # ---- going on in another function ----

    def _go_on(self, needed: set[Variable]) -> None:
        """Python nests only so many loops: the rest of the rule goes to a function of its own."""
        name, kept = self._keep(needed)
        if self.inside:
            self.now.line(f"{name}(S, R, ({', '.join(['goal', *kept.values()])},), ())")
            self._continuation(name, kept)
        else:
            call = f"{name}({', '.join(['S', 'out', *kept.values()])})"
            self.now.line(f"if {call}: {self.success}" if self.truth else call)
            renamed = _renamed(kept)
            self._begin(f"def {name}({', '.join(['S', 'out', *renamed.values()])}):", renamed).loop("for _ in once:")
            self.success = "return True"

    def _keep(self, needed: set[Variable]) -> tuple[str, dict[Variable, str]]:
        """The name of the next function and the variables that it needs."""
        kept = {variable: name for variable, name in self.now.bound.items() if variable in needed}
        return f"k{self.slot}_{len(self.functions)}", kept

    def _continuation(self, name: str, kept: dict[Variable, str]) -> None:
        renamed = _renamed(kept)
        self._begin(f"def {name}(S, R, kept, answer):", renamed)
        self.now.line(f"{', '.join(['goal', *renamed.values()])}, = kept")
        self.now.loop("for _ in once:")

    # ---- conditions ----

    def _condition(self, condition: Condition, needed: set[Variable]) -> None:
        if isinstance(condition, Distinct):
            if self.now.is_known(condition.left) and self.now.is_known(condition.right):
                # One side is built: two terms that have not been met are not therefore equal.
                self.now.line(f"if {self.now.build(condition.left)} == {self.now.probe(condition.right)}: continue")
            return  # a variable without a value differs from everything
        name = predicate(condition.atom)
        if name == TRUE:
            self._true(condition, needed)
        elif name == DOES:
            self._does(condition)
        elif name in self.inside:
            self._recursive_call(condition.atom, needed)
        elif name in self.program.rules:
            self._call(condition, needed)
        elif name in self.program.facts:
            self._fact(condition, needed)
        else:
            assert not condition.positive  # what is defined nowhere is never true

    def _columns(self, args: Sequence[Argument], needed: set[Variable]) -> tuple[Columns, Columns]:
        """The columns that are known, and those that are not but matter."""
        counts = Counter(v for arg in args for v in variables(arg))
        key = tuple(place for place, arg in enumerate(args) if self.now.is_known(arg))
        return key, tuple(
            place
            for place, arg in enumerate(args)
            if place not in key and not (isinstance(arg, Variable) and counts[arg] == 1 and arg not in needed)
        )

    def _true(self, condition: Literal, needed: set[Variable]) -> None:
        fact = condition.atom.args[0]
        if self.now.is_known(fact):
            self._test(condition, f"{self.now.probe(fact)} in S[{FACTS}]")
        elif isinstance(fact, Variable):
            self._rows(condition, [fact] if fact in needed else [], f"S[{FACTS}]")
        else:
            key, value = self._columns(fact.args, needed)
            functor = self.program.values.functor(fact.name, len(fact.args))
            slot = self.places.index(functor, key, value)
            found = f"(S[{slot}] or index(S, {slot})).get({self._key(fact, key)}, ())"
            self._rows(condition, [fact.args[place] for place in value], found)

    def _fact(self, condition: Literal, needed: set[Variable]) -> None:
        atom = condition.atom
        key, value = self._columns(atom.args, needed)
        index = self.places.stored(predicate(atom), key, value)
        if value:
            self._rows(condition, [atom.args[place] for place in value], f"{index}.get({self._key(atom, key)}, ())")
        else:
            self._test(condition, f"{self._key(atom, key)} in {index}")

    def _does(self, condition: Literal) -> None:
        role, action = condition.atom.args
        now = self.now
        if now.is_known(role) and now.is_known(action):
            self._test(condition, f"S[{ACTIONS}].get({now.probe(role)}, 0) == {now.probe(action)}")
        elif now.is_known(role):
            made = now.name()
            now.line(f"{made} = S[{ACTIONS}].get({now.probe(role)})")
            now.line(f"if {made} is{'' if condition.positive else ' not'} None: continue")
            if condition.positive:
                now.match(action, made)
        else:
            self._rows(condition, [role, action], f"S[{ACTIONS}].items()")

    def _call(self, condition: Literal, needed: set[Variable]) -> None:
        atom = condition.atom
        slot, key, wanted = self._called(atom, needed)
        found, given = self.now.name(), [self.now.build(atom.args[place]) for place in key]
        names = []
        for text in given:
            names.append(text if text.isidentifier() or text.isdigit() else self.now.name())
            if names[-1] != text:
                self.now.line(f"{names[-1]} = {text}")
        self.now.line(f"{found} = S[{slot}].get({tuple_text(names)})")
        self.now.line(f"if {found} is None: {found} = f{slot}({', '.join(['S', *names])})")
        self._rows(condition, wanted, found)

    def _called(self, atom: Term, needed: set[Variable]) -> tuple[int, Columns, list[Argument]]:
        """The slot of a call, the arguments that are given and the terms for those that are wanted."""
        key, value = self._columns(atom.args, needed)
        pattern = "".join("b" if p in key else "f" if p in value else "-" for p in range(len(atom.args)))
        return self.places.call(predicate(atom), pattern), key, [atom.args[place] for place in value]

    def _recursive_call(self, atom: Term, needed: set[Variable]) -> None:
        slot, key, wanted = self._called(atom, needed)
        matched = needed.union(v for arg in wanted for v in variables(arg))
        name, kept = self._keep(matched)
        packed = f"({', '.join(['goal', *kept.values()])},)"
        self.now.line(f"R.ask({slot}, {self._key(atom, key, build=True)}, g{slot}, {name}, {packed})")
        self._continuation(name, kept)
        names = [self.now.name() for _ in wanted]
        if names:
            self.now.line(f"{tuple_text(names)} = answer")
        self.now.match_all(wanted, names)

    def _key(self, atom: Term, columns: Columns, build: bool = False) -> str:
        text = self.now.build if build else self.now.probe
        return tuple_text([text(atom.args[place]) for place in columns])

    def _test(self, condition: Literal, text: str) -> None:
        self.now.line(f"if not {text}: continue" if condition.positive else f"if {text}: continue")

    def _rows(self, condition: Literal, wanted: Sequence[Argument], found: str) -> None:
        """Goes on for each row; a condition that wants nothing of the rows, or wants none, is a test."""
        if not wanted or not condition.positive:
            self._test(condition, found)
        else:
            names = [self.now.name() for _ in wanted]
            self.now.loop(f"for {tuple_text(names)} in {found}:")
            self.now.match_all(wanted, names)


def _renamed(kept: Iterable[Variable]) -> dict[Variable, str]:
    return {variable: f"u{place}" for place, variable in enumerate(kept)}
