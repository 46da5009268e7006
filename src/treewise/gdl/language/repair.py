"""Playing what the strict standard forbids: a player that refuses a rulesheet loses the match.

Rules that cannot be evaluated are changed as little as possible, or left out; a warning says which. What comes out is
safe and stratified, and no recursion builds terms without end.

- A role that nothing binds ranges over the roles; another variable of a head over the terms that the sheet has at
  places where that variable can matter (`treewise.gdl.language.sorts`), if they are few.
- A variable that only a `not` has means "none": `(not (p ?x))` holds if `p` holds of nothing. This is how the reasoners
  of servers, which work from goals to rules, read it. A `distinct` with such a variable is taken to hold.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property

from treewise.gdl.language.dependencies import Dependencies, predicate
from treewise.gdl.language.finding import Finding, found, with_excerpts
from treewise.gdl.language.sorts import Sorts, is_role
from treewise.gdl.language.stratify import stratified
from treewise.gdl.normalise import in_order, normalise
from treewise.gdl.syntax import Form, GDLError, read
from treewise.gdl.terms import (
    CONNECTIVES,
    Distinct,
    Literal,
    Rule,
    Sheet,
    Term,
    Variable,
    is_ground,
    variables,
    variables_of,
)

# Of one rule, when all variables that nothing binds take all of their values.
MOST_INSTANCES = 50_000
_NO_HEADS = CONNECTIVES | {"true", "does", "distinct"}


def parse_for_play(text: str) -> tuple[Sheet, list[Finding]]:
    """A rulesheet ready to be played, and what had to be done for it. Only wrong parentheses are an error.

    >>> sheet, warnings = parse_for_play("(role x) (role) (<= (goal ?p 100) (won)) (init ())")
    >>> [str(rule) for rule in sheet.rules]
    ['(role x)', 'role', '(<= (goal ?p 100) won (role ?p))']
    >>> for warning in warnings:
    ...     print(warning)
    1:17: warning: ?p is bound by nothing: it ranges over the roles [repaired]
    1:48: warning: left out, an empty pair of parentheses means nothing: remove it [dropped]
    """
    sheet, findings = forms_for_play(read(text))
    return sheet, with_excerpts(findings, text)


def forms_for_play(forms: Iterable[Form]) -> tuple[Sheet, list[Finding]]:
    """The same for forms that are read already."""
    errors: list[GDLError] = []
    sheet, warnings = prepare(normalise(forms, errors))
    broken = [Finding("warning", f"left out, {error.message}", error.line, error.column, "dropped") for error in errors]
    return sheet, sorted([*broken, *warnings], key=lambda finding: (finding.line, finding.column))


def prepare(sheet: Sheet) -> tuple[Sheet, list[Finding]]:
    """The sheet ready to be played, and what had to be done for it. Never fails."""
    mender = _Mender(sheet)
    rules: list[Rule] = []
    for rule in sheet.rules:
        if rule.head.name in _NO_HEADS:
            mender.warn("dropped", rule, f"`{rule.head.name}` cannot be a head")
        elif rule.body or not is_ground(rule.head):
            rules += mender.mended(rule)
        else:
            rules.append(rule)
    graph = Dependencies.of(rules)
    endless = dict.fromkeys(rule for rule in rules if rule.body and _endless(rule, graph))
    for rule in endless:
        mender.warn("dropped", rule, "its recursion could build terms without end")
    kept, dropped = stratified((*(rule for rule in rules if rule not in endless), *mender.added))
    for rule in dropped:
        mender.warn("dropped", rule, "a negation in it depends on the rule itself")
    return Sheet(kept, sheet.roles, sheet.spelling), list(dict.fromkeys(mender.warnings))


class _Mender:
    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self.added: list[Rule] = []
        self.warnings: list[Finding] = []
        self.domains: dict[tuple[Term, ...], str] = {}

    @cached_property
    def sorts(self) -> Sorts:
        """What variables can be; good sheets never ask."""
        return Sorts(self._sheet.rules)

    def warn(self, code: str, rule: Rule, message: str) -> None:
        self.warnings.append(found(code, message, rule))

    def mended(self, rule: Rule) -> list[Rule]:
        """The rule, safe; nothing if that cannot be."""
        bound = {v for c in rule.body if _binds(c) for v in variables_of(c)}
        unbound = [v for v in dict.fromkeys(variables(rule.head)) if v not in bound]
        binders = self.binders(rule, unbound)
        if binders is None:
            return []
        rule = self.without_free(rule, bound | set(unbound))
        return [Rule(rule.head, tuple(in_order((*rule.body, *binders))), rule.line, rule.column)] if binders else [rule]

    def binders(self, rule: Rule, unbound: list[Variable]) -> list[Literal] | None:
        """Conditions that say what variables of the head can be; none if that is unknown or too much."""
        others = [v for v in unbound if not is_role(v, rule.head)]
        values = {v: self.sorts.values(v, rule) for v in others}
        instances = math.prod(map(len, values.values()))
        if not 0 < instances <= MOST_INSTANCES:
            names = ", ".join(map(str, others))
            reason = f"could be {instances:,} things" if instances else "nothing in the sheet limits"
            self.warn("dropped", rule, f"left out, since nothing binds {names}, which {reason}")
            return None
        for v in unbound:
            what = f"{len(values[v])} terms" if v in values else "the roles"
            self.warn("repaired", rule, f"{v} is bound by nothing: it ranges over {what}")
        return [Literal(self.domain(values[v], v) if v in values else Term("role", (v,))) for v in unbound]

    def domain(self, values: tuple[Term, ...], variable: Variable) -> Term:
        """An atom that holds where the variable is one of the values."""
        if values not in self.domains:
            name = self.domains[values] = f"any {len(self.domains) + 1}"
            self.added += (Rule(Term(name, (value,))) for value in values)
        return Term(self.domains[values], (variable,))

    def without_free(self, rule: Rule, bound: set[Variable]) -> Rule:
        """The rule without the variables that only its negations and inequalities have."""
        body: list[Literal | Distinct] = []
        for condition in rule.body:
            free = [v for v in variables_of(condition) if v not in bound] if not _binds(condition) else []
            if not free:
                body.append(condition)
                continue
            names = ", ".join(map(str, dict.fromkeys(free)))
            if isinstance(condition, Distinct):
                self.warn("repaired", rule, f"{names} is bound by nothing: {condition} is taken to hold")
                continue
            self.warn("repaired", rule, f"{names} is bound by nothing: {condition} is read as `for no {names}`")
            kept = tuple(v for v in dict.fromkeys(variables_of(condition)) if v in bound)
            some = Term(f"{condition.atom.name} for some {len(self.added) + 1}", kept)
            self.added.append(Rule(some, (Literal(condition.atom),), rule.line, rule.column))
            body.append(Literal(some, positive=False))
        return Rule(rule.head, tuple(body), rule.line, rule.column)


def _binds(condition: Literal | Distinct) -> bool:
    return isinstance(condition, Literal) and condition.positive


def _endless(rule: Rule, graph: Dependencies) -> bool:
    """Whether the rule breaks the restriction on recursion (`checks.rules`) and may give larger terms at every use."""
    head = predicate(rule.head)
    positive = [c for c in rule.body if isinstance(c, Literal) and c.positive]
    recursive = [c.atom for c in positive if graph.on_a_cycle(head, predicate(c.atom))]
    outside = [c.atom for c in positive if c.atom not in recursive]
    given = {*rule.head.args, *(argument for atom in outside for argument in atom.args)}
    free = [a for atom in recursive for a in atom.args if a not in given and any(variables(a))]
    inside = {v for argument in free for v in variables(argument)}
    return any(v in inside for argument in rule.head.args if isinstance(argument, Term) for v in variables(argument))
