"""Checks of names and of the shape of rules: what may be a slip, and what other programs may read differently."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator

from treewise.gdl.language.checks.source import (
    Source,
    is_variable,
    parts,
    predicate,
    shown,
    spelt,
    symbols,
)
from treewise.gdl.language.conditions import keyword, leaves
from treewise.gdl.language.dependencies import DOES, TRUE, Predicate
from treewise.gdl.language.finding import Finding, found
from treewise.gdl.syntax import Form, Group, Symbol
from treewise.gdl.terms import CONNECTIVES, KEYWORDS

_GIVEN = {TRUE, DOES}
_MOST_COMPARED = 20_000
"""Pairs of names of one sheet that are compared letter by letter: it takes a second, and helps where few are wrong."""
_PLAIN = re.compile(r"\??[A-Za-z0-9_+\-*/<>=.!&$%:]+")


def case(source: Source) -> Iterator[Finding]:
    """Names that differ only in case; variables within one rule."""
    names: dict[str, Symbol] = {}
    told: set[str] = set()
    for rule in source.rules:
        known: dict[str, Symbol] = {}
        for symbol in symbols(rule.form):
            text = symbol.text.lower()
            first = (known if is_variable(symbol) else names).setdefault(text, symbol)
            if first.text != symbol.text and text not in told and text not in KEYWORDS and text not in CONNECTIVES:
                told.add(text)
                what = f"{symbol} and {first} ({_place(first, symbol)}) differ only in case and are one name here"
                yield found("case", f"{what}: spell them alike, or choose another name", symbol)


def _place(other: Form, here: Form) -> str:
    return f"line {other.line}" if other.line != here.line else f"column {other.column}"


def characters(source: Source) -> Iterator[Finding]:
    """Names with unusual characters, once each."""
    seen: set[str] = set()
    for symbol in (symbol for rule in source.rules for symbol in symbols(rule.form)):
        if symbol.text not in seen and not _PLAIN.fullmatch(symbol.text):
            seen.add(symbol.text)
            odd = next(c for c in symbol.text.removeprefix("?") if not _PLAIN.fullmatch(c))
            message = f"the name {symbol} has the unusual character {odd!r}: use letters, digits and _ only"
            yield found("odd-character", message, symbol)


def parentheses(source: Source) -> Iterator[Finding]:
    """`(p)` for `p`, once each."""
    seen: set[str] = set()
    for form in (inner for rule in source.rules for atom in rule.terms() for inner in parts(atom)):
        if isinstance(form, Group) and len(form.items) == 1 and (name := keyword(form)) not in seen:
            seen.add(name)
            yield found("parentheses", f"({form.items[0]}) is read as {form.items[0]}: leave the parentheses out", form)


def arities(source: Source) -> Iterator[Finding]:
    """Names with several numbers of arguments, predicates and functions apart."""
    predicates = (form for rule in source.rules for form in (rule.head, *(atom for atom, _ in rule.atoms())))
    yield from _arities((form for form in predicates if keyword(form) not in KEYWORDS), "predicate")
    yield from _arities(source.functions, "function")


def _arities(forms: Iterable[Form], kind: str) -> Iterator[Finding]:
    first: dict[str, Form] = {}
    seen: set[str] = set()
    for form in forms:
        name, count = predicate(form)
        other = first.setdefault(name, form)
        if predicate(other)[1] != count and name not in seen:
            seen.add(name)
            here, there = f"{count} arguments here", f"{predicate(other)[1]} in {_place(other, form)}"
            advice = "correct the arguments, or give one another name"
            yield found(
                "arity", f"the {kind} `{spelt(form)}` has {here}, {there}, and so these are two: {advice}", form
            )


def predicates_as_functions(source: Source) -> Iterator[Finding]:
    """Names that are both, once each."""
    predicates = {name for name, _ in (*source.heads, *source.reads)} - set(KEYWORDS) - CONNECTIVES
    seen: set[str] = set()
    for term in source.functions:
        if (name := keyword(term)) in predicates and name not in seen:
            seen.add(name)
            message = f"`{spelt(term)}` is a function here and a predicate elsewhere, which have nothing in common"
            yield found("predicate-function", f"{message}: better use two names", term)


def undefined(source: Source) -> Iterator[Finding]:
    """Predicates that are asked for but never given."""
    known = _Known(source.heads)
    for name, forms in source.reads.items():
        if name not in source.heads and name not in _GIVEN and name[0] not in KEYWORDS:
            advice = known.meant(name) or "define it, or correct the name"
            yield found("undefined", f"{shown(forms[0])} is defined nowhere, so it never holds: {advice}", forms[0])


def unused(source: Source) -> Iterator[Finding]:
    """Predicates that no keyword needs, directly or through others."""
    needed = source.graph.below(*KEYWORDS.items())
    known = _Known(source.reads.keys() - source.heads.keys())
    for name, heads in source.heads.items():
        if name not in needed and name[0] not in KEYWORDS and name[0] not in CONNECTIVES:
            advice = known.meant(name) or "remove it, or use it"
            yield found("unused", f"{shown(heads[0])} is needed by nothing: {advice}", heads[0])


class _Known:
    """Predicates that a misspelt name may mean."""

    def __init__(self, known: Iterable[Predicate]) -> None:
        self._arities: dict[str, set[int]] = {}
        self._words: dict[int, set[str]] = {}
        for word, arity in known:
            self._arities.setdefault(word, set()).add(arity)
            self._words.setdefault(arity, set()).add(word)
        self._by_letters: dict[tuple[int, str], str] = {}
        for arity in {*self._words, *KEYWORDS.values()}:
            for word in sorted(self._candidates(arity), reverse=True):
                self._by_letters[arity, _letters(word)] = word
        self._left = _MOST_COMPARED

    def _candidates(self, arity: int) -> set[str]:
        keywords = {word for word, count in KEYWORDS.items() if count == arity}
        return self._words.get(arity, set()) | keywords | (CONNECTIVES if arity else set())

    def meant(self, name: Predicate) -> str:
        """A suggestion; empty if there is none."""
        text, arity = name
        swapped = self._by_letters.get((arity, _letters(text))) or (arity and _CONNECTIVES.get(_letters(text)))
        near = [swapped] if swapped else self._near(text, arity)
        if near:
            return f"did you mean `{near[0]}`?"
        others = self._arities.get(text)
        return f"it exists with {min(others)} arguments, did you mean that?" if others else ""

    def _near(self, text: str, arity: int) -> list[str]:
        if self._left <= 0:
            return []
        candidates = self._candidates(arity)
        self._left -= len(candidates)
        return difflib.get_close_matches(text, sorted(candidates), n=1, cutoff=0.8) if self._left > 0 else []


def _letters(word: str) -> str:
    return "".join(sorted(word))


_CONNECTIVES = {_letters(word): word for word in CONNECTIVES}


def shapes(source: Source) -> Iterator[Finding]:
    """Rules without conditions, disjunctions in disjunctions, negations of more than an atom."""
    for rule in source.rules:
        if rule.is_rule and not rule.conditions:
            yield found("empty-body", f"a rule without conditions is a fact: write {rule.head}", rule.form)
        for leaf in leaves(rule.body):
            if leaf.distinct and not leaf.positive:
                advice = "use one variable in place of the two, or the term in place of the variable"
                yield found("negated-distinct", f"the standard has no negated `distinct`: {advice}", leaf.form)
        todo = list(reversed(rule.conditions))
        while todo:
            form = todo.pop()
            if isinstance(form, Group) and keyword(form) in CONNECTIVES:
                yield from _inside(form)
                todo.extend(reversed(form.items[1:]))


def _inside(form: Group) -> Iterator[Finding]:
    word = keyword(form)
    if word == "or" and len(form.items) == 1:
        yield found("syntax", "`or` without conditions never holds: write the conditions, or remove the rule", form)
    for inner in form.items[1:]:
        name = keyword(inner) if isinstance(inner, Group) else ""
        if word == name == "or":
            yield found("nested-or", "an `or` inside an `or`: write the conditions in one `or`", inner)
        elif word == "not" and name in CONNECTIVES:
            advice = "negate the single conditions, or name them by a rule of their own"
            yield found("negated-group", f"`not` around `{name}` is not in the standard: {advice}", form)
