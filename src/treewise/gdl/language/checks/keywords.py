"""Checks of the words that GDL gives a meaning: where they stand, what they depend on, what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from treewise.gdl.language.checks.source import (
    Source,
    arguments,
    folded,
    is_variable,
    predicate,
    variables,
)
from treewise.gdl.language.conditions import keyword
from treewise.gdl.language.dependencies import DOES, TRUE, Predicate
from treewise.gdl.language.finding import Finding, found
from treewise.gdl.syntax import Form
from treewise.gdl.terms import CONNECTIVES, KEYWORDS

_BODY_ONLY = {"true", "does", "distinct"} | CONNECTIVES
_HEAD_ONLY = {"init", "next", "base", "input", "sees"}
_USE = {
    "role": "(role name)",
    "init": "(init fact)",
    "true": "(true fact)",
    "does": "(does role move)",
    "next": "(next fact)",
    "legal": "(legal role move)",
    "goal": "(goal role value)",
    "terminal": "terminal",
    "base": "(base fact)",
    "input": "(input role move)",
    "sees": "(sees role percept)",
    "distinct": "(distinct term term)",
}
_WITH_ROLE: tuple[Predicate, ...] = (("legal", 2), ("goal", 2), DOES, ("sees", 2), ("input", 2))


def placement(source: Source) -> Iterator[Finding]:
    """Keywords in heads, bodies and terms where they may not be, or with the wrong number of arguments."""
    for rule in source.rules:
        if (name := predicate(rule.head)[0]) in _BODY_ONLY:
            yield found("keyword-place", f"`{name}` cannot be a head: it may only be a condition of a rule", rule.head)
        else:
            yield from _arity(rule.head)
        for atom, _ in rule.atoms():
            if (name := predicate(atom)[0]) in _HEAD_ONLY:
                advice = "ask for `true` instead" if name in ("init", "next") else "use a predicate of your own"
                yield found("keyword-place", f"`{name}` cannot be a condition, only a head: {advice}", atom)
            elif name in CONNECTIVES:
                yield found("keyword-place", f"`{name}` needs conditions: ({name} condition)", atom)
            else:
                yield from _arity(atom)


def _arity(atom: Form) -> Iterator[Finding]:
    name, count = predicate(atom)
    if name in KEYWORDS and KEYWORDS[name] != count:
        yield found("keyword-arity", f"`{name}` with {count} arguments: write {_USE[name]}", atom)


def keyword_terms(source: Source) -> Iterator[Finding]:
    """Keywords used as constants or functions, once each."""
    seen: set[str] = set()
    for term in source.inner:
        name = keyword(term)
        if (name in KEYWORDS or name in CONNECTIVES) and name not in seen:
            seen.add(name)
            yield found("keyword-term", f"`{name}` inside a term is a plain name: choose another to avoid doubt", term)


def roles(source: Source) -> Iterator[Finding]:
    """Roles that are not ground facts, and names that are used as roles but are none."""
    for rule in source.rules:
        if predicate(rule.head) == ("role", 1) and (rule.conditions or any(variables(rule.head))):
            yield found("role-fact", "a role must be a fact without variables: (role name)", rule.head)
    if not source.roles:
        return
    seen: set[str] = set()
    for name in _WITH_ROLE:
        for atom in (*source.heads.get(name, ()), *source.reads.get(name, ())):
            role = arguments(atom)[0]
            if not is_variable(role) and folded(role) not in source.roles and folded(role) not in seen:
                seen.add(folded(role))
                yield found("unknown-role", f"{role} is no role: add (role {role}), or correct the name", role)


def dependencies(source: Source) -> Iterator[Finding]:
    """Keywords that depend on what they must not."""
    state = (TRUE, DOES)
    beyond: tuple[Predicate, ...] = (("legal", 2), ("next", 1), ("goal", 2), ("terminal", 0))
    for name in ("legal", "goal", "terminal"):
        yield from _path(source, name, (DOES,), "reads-does", "what is being done is only known to `next` and `sees`")
    yield from _path(source, "init", (*state, *beyond), "init-reads-state", "the initial state comes before all others")
    for name in ("base", "input"):
        yield from _path(source, name, state, "base-reads-state", "it lists what is possible in any state")


def _path(source: Source, name: str, ends: tuple[Predicate, ...], code: str, reason: str) -> Iterator[Finding]:
    start = (name, KEYWORDS[name])
    for end in ends:
        path = source.graph.path(start, end)
        if path:
            text = " <- ".join([name, *(edge.body[0] for edge in path)])
            message = f"`{name}` must not depend on `{end[0]}` ({text}), since {reason}: leave that condition out"
            yield found(code, message, source.edges[path[0]])
            return


def missing(source: Source) -> Iterator[Finding]:
    """Keywords that every game must define."""
    for name in ("role", "legal", "goal", "terminal"):
        if (name, KEYWORDS[name]) not in source.heads:
            what = "facts" if name == "role" else "rules or facts"
            yield found(f"no-{name}", f"a game needs {what} for `{name}`: add {_USE[name]}")


def goals(source: Source) -> Iterator[Finding]:
    """Goal values that are no numbers from 0 to 100."""
    for head in source.heads.get(("goal", 2), ()):
        value = arguments(head)[1]
        if is_variable(value):
            continue
        if not re.fullmatch(r"[+-]?[0-9]+", folded(value)):
            yield found("goal-value", f"the goal value {value} is not a whole number: write one from 0 to 100", value)
        elif not 0 <= int(folded(value)) <= 100:
            yield found("goal-range", f"the goal value {value} lies outside 0 to 100: write one from 0 to 100", value)


def facts_and_moves(source: Source) -> Iterator[Finding]:
    """Facts and moves that rules ask for although nothing gives them."""
    for code, asked, given, what in (
        ("unknown-fact", TRUE, (("init", 1), ("next", 1)), "fact that `init` or `next` give"),
        ("unknown-move", DOES, (("legal", 2),), "move that `legal` gives"),
    ):
        known = [arguments(head)[-1] for name in given for head in source.heads.get(name, ())]
        if any(map(is_variable, known)):
            continue
        names = set(map(predicate, known))
        seen: set[Predicate] = set()
        for term in (arguments(atom)[-1] for atom in source.reads.get(asked, ())):
            if not is_variable(term) and (name := predicate(term)) not in names | seen:
                seen.add(name)
                yield found(code, f"{term} is no {what}, so this never holds: correct the name or the rules", term)
