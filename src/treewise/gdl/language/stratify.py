"""Negation inside a cycle of predicates, made harmless where the atoms themselves form no cycle.

`(<= (goal ?p 0) (role ?p) (not (goal ?p 100)))` is common and means something, though `goal` reads its own negation:
the rules for 100 do not read those for 0. They are copied to a predicate of their own, for that pattern of arguments.
"""

from __future__ import annotations

from treewise.gdl.language.dependencies import Dependencies, Edge, Predicate, predicate
from treewise.gdl.normalise import put_in
from treewise.gdl.syntax import GDLError
from treewise.gdl.terms import (
    Argument,
    Distinct,
    Literal,
    Rule,
    Term,
    Variable,
    instance,
    unify,
    variables,
    variables_of,
)

# A sheet that needs more has terms that grow from copy to copy.
MOST_PATTERNS = 100


def stratified(rules: tuple[Rule, ...]) -> tuple[tuple[Rule, ...], tuple[Rule, ...]]:
    """Rules with the same meaning whose predicates have strata, and those that had to be left out for it.

    >>> from treewise.gdl import parse_sheet
    >>> sheet = parse_sheet("(<= (goal ?p 100) (won ?p)) (<= (goal ?p 0) (role ?p) (not (goal ?p 100)))")
    >>> rules, dropped = stratified(sheet.rules)
    >>> [str(rule) for rule in rules], dropped
    (['(<= (goal ?p 100) (won ?p))', '(<= (goal ?p 0) (role ?p) (not (goal like 1 ?p)))',
    '(<= (goal like 1 ?v0) (won ?v0))'], ())
    """
    graph = Dependencies.of(rules)
    if not graph.negations_in_cycles():
        return rules, ()
    copies = _Copies(rules, graph)
    kept = copies.all_rules()
    if copies.refused:
        refused = dict.fromkeys(copies.refused)
        kept, others = stratified(tuple(rule for rule in rules if rule not in refused))
        return kept, (*refused, *others)
    dropped: list[Rule] = []
    while cycles := Dependencies.of(kept).negations_in_cycles():
        guilty = {edge for edge, *_ in cycles.values()}
        dropped += (rule for rule in kept if _has_one(rule, guilty))
        kept = tuple(rule for rule in kept if not _has_one(rule, guilty))
    needed = Dependencies.of(kept).below(*(predicate(rule.head) for rule in rules))
    return tuple(rule for rule in kept if predicate(rule.head) in needed), tuple(dropped)


def _has_one(rule: Rule, negations: set[Edge]) -> bool:
    negated = (c.atom for c in rule.body if isinstance(c, Literal) and not c.positive)
    return any(Edge(predicate(rule.head), predicate(atom), positive=False) in negations for atom in negated)


class _Copies:
    """The rules with their negations inside cycles turned to predicates for the patterns that are asked for."""

    def __init__(self, rules: tuple[Rule, ...], graph: Dependencies) -> None:
        self.rules, self.graph = rules, graph
        self.patterns: dict[Term, str] = {}
        self.refused: list[Rule] = []

    def all_rules(self) -> tuple[Rule, ...]:
        made = [self.renamed(rule, predicate(rule.head), negated_only=True) for rule in self.rules]
        done = 0
        while done < len(self.patterns):
            pattern, name = list(self.patterns.items())[done]
            made += self.copies(pattern, name)
            done += 1
        return tuple(made)

    def copies(self, pattern: Term, name: str) -> list[Rule]:
        copies = []
        for rule in self.rules:
            try:
                copy = _copy(rule, pattern, name)
            except GDLError:  # from pattern to pattern its terms grow too large
                self.refused.append(rule)
                continue
            copies += [self.renamed(copy, predicate(rule.head), negated_only=False)] if copy else []
        return copies

    def renamed(self, rule: Rule, origin: Predicate, negated_only: bool) -> Rule:
        """The rule with what it asks of its own cycle (`origin` says which) in other names."""
        body: list[Literal | Distinct] = []
        for condition in rule.body:
            ours = isinstance(condition, Literal) and self.graph.on_a_cycle(origin, predicate(condition.atom))
            if isinstance(condition, Distinct) or not ours or (condition.positive and negated_only):
                body.append(condition)
            else:
                body.append(Literal(self.name(condition.atom), condition.positive))
        return Rule(rule.head, tuple(body), rule.line, rule.column)

    def name(self, atom: Term) -> Term:
        own = tuple(dict.fromkeys(variables(atom)))
        pattern = instance(atom, {variable: Variable(f"v{index}") for index, variable in enumerate(own)})
        if pattern not in self.patterns and len(self.patterns) >= MOST_PATTERNS:
            return atom
        number = len(self.patterns) + 1
        return Term(self.patterns.setdefault(pattern, f"{atom.name} like {number}"), own)


def _copy(rule: Rule, pattern: Term, name: str) -> Rule | None:
    """The rule for atoms of the pattern, under another name; none if it gives no such atoms."""
    own = {*variables(rule.head), *(v for condition in rule.body for v in variables_of(condition))}
    apart: dict[Variable, Argument] = {variable: Variable(f"{variable.name}_c") for variable in own}
    values: dict[Variable, Argument] = {}
    if not unify(instance(rule.head, apart), pattern, values):
        return None
    head = Term(name, tuple(dict.fromkeys(variables(pattern))))
    renamed = put_in(rule, apart)
    return put_in(Rule(head, renamed.body, rule.line, rule.column), values) if renamed else None
