"""From forms to a `Sheet`: case folded, disjunctions split, negation pushed to the atoms, bodies put in order.

The passes are those of any GDL reasoner: `(p)` is `p`; `(not (or a b))` is `(not a) (not b)`; `(not (distinct a b))`
makes the two terms equal; a rule with a disjunction becomes one rule for each branch, or, where that would be too many,
calls a predicate of its own; `distinct` and `not` move behind what binds their variables. Whether the rules are *good*
rules is asked elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from treewise.gdl.language.conditions import (
    All,
    Condition,
    Leaf,
    One,
    Some,
    body,
    branches,
    flat,
    given_by,
    in_context,
    keyword,
    leaves,
    mapped,
    products,
)
from treewise.gdl.syntax import Form, GDLError, Group, Symbol, read
from treewise.gdl.terms import (
    Argument,
    Distinct,
    Literal,
    Rule,
    Sheet,
    Term,
    Variable,
    instance,
    limited,
    substitute,
    unify,
    variables,
    variables_of,
)

# More branches than this in one rule, and disjunctions get names instead of copies of the rule.
MOST_BRANCHES = 16
# Where they cannot be named (a variable that only some branches bind), this is the end.
MOST_COPIES = 4096
_NOT_GDL = ("<=", "=>", "<=>", "->", "<-", "=<", ":-", "forall")


@dataclass(frozen=True, slots=True)
class _Equal:
    left: Argument
    right: Argument


_Simple = Literal | Distinct | _Equal


def parse_sheet(text: str) -> Sheet:
    """A rulesheet's text in normal form.

    >>> sheet = parse_sheet("(role X) (<= (legal ?p go) (role ?p) (or (true a) (not (true b))))")
    >>> [str(rule) for rule in sheet.rules]
    ['(role x)', '(<= (legal ?p go) (role ?p) (true a))', '(<= (legal ?p go) (not (true b)) (role ?p))']
    >>> sheet.spell(sheet.roles[0])
    'X'
    """
    return normalise(read(text))


def normalise(forms: Iterable[Form], errors: list[GDLError] | None = None) -> Sheet:
    """The same for forms that are read already; with a list for the errors, forms that are no GDL are left out."""
    maker = _Maker()
    for form in forms:
        try:
            maker.add(form)
        except GDLError as error:
            if errors is None:
                raise
            errors.append(error)
    roles = (rule.head.args[0] for rule in maker.rules if rule.head.name == "role" and len(rule.head.args) == 1)
    ground = (role for role in roles if isinstance(role, Term) and not any(variables(role)))
    return Sheet(tuple(maker.rules), tuple(dict.fromkeys(ground)), maker.spelling)


def well_formed(forms: Iterable[Form], errors: list[GDLError]) -> Iterator[Form]:
    """The forms that are GDL; what is wrong with the others goes to the list."""
    maker = _Maker()
    for form in forms:
        try:
            maker.add(form)
        except GDLError as error:
            errors.append(error)
        else:
            yield form
        maker.rules.clear()


@dataclass(slots=True)
class _Maker:
    rules: list[Rule] = field(default_factory=list)
    spelling: dict[str, str] = field(default_factory=dict)
    named: int = 0

    def add(self, form: Form) -> None:
        """Appends the rules of a form; none of them if it is no GDL."""
        before = len(self.rules)
        try:
            if isinstance(form, Group) and keyword(form) == "<=":
                if len(form.items) < 2:
                    raise GDLError("a rule needs a head: (<= head conditions ...)", form.line, form.column)
                head = self.atom(form.items[1])
                self.split(head, mapped(body(form.items[2:]), self.simple), form)
            else:
                self.rules.append(Rule(self.atom(form), (), form.line, form.column))
        except GDLError as error:
            del self.rules[before:]
            if error.line:
                raise
            raise GDLError(error.message, form.line, form.column) from None

    # ---- terms ----

    def name(self, symbol: Symbol) -> str:
        folded = symbol.text.lower()
        if folded in _NOT_GDL:
            advice = "a rule is (<= head conditions ...)" if folded != "forall" else "GDL has no quantifiers"
            raise GDLError(f"`{symbol.text}` cannot stand here: {advice}", symbol.line, symbol.column)
        if folded.startswith(("'", '"', "`")) or folded.endswith('"'):
            raise GDLError(f"{symbol.text}: GDL has no strings and quotes, only names", symbol.line, symbol.column)
        self.spelling.setdefault(folded, symbol.text)
        return folded

    def term(self, form: Form) -> Argument:
        if isinstance(form, Symbol) and form.text.startswith("?"):
            if len(form.text) == 1:
                raise GDLError("a variable needs a name behind its question mark: ?x", form.line, form.column)
            return Variable(form.text[1:].lower())
        return self.atom(form)

    def atom(self, form: Form) -> Term:
        if isinstance(form, Symbol):
            if form.text.startswith("?"):
                raise GDLError(f"{form.text} is a variable where an atom is needed", form.line, form.column)
            return Term(self.name(form))
        if not form.items:
            raise GDLError("an empty pair of parentheses means nothing: remove it", form.line, form.column)
        head = form.items[0]
        if isinstance(head, Group) or head.text.startswith("?"):
            raise GDLError("a term begins with a name: (name argument ...)", head.line, head.column)
        return Term(self.name(head), tuple(map(self.term, form.items[1:])))

    def simple(self, leaf: Leaf) -> _Simple:
        if not leaf.distinct:
            return Literal(self.atom(leaf.form), leaf.positive)
        assert isinstance(leaf.form, Group)
        left, right = map(self.term, leaf.form.items[1:])
        return Distinct(left, right) if leaf.positive else _Equal(left, right)

    # ---- rules ----

    def split(self, head: Term, condition: Condition[_Simple], form: Group) -> None:
        parts = flat(condition)
        if branches(All(parts)) > MOST_BRANCHES:
            parts = self.name_disjunctions(head, parts, form)
        if branches(All(parts)) > MOST_COPIES:
            raise GDLError(
                f"this rule stands for more than {MOST_COPIES} rules: give its disjunctions names",
                form.line,
                form.column,
            )
        for simple in products(All(parts)):
            rule = _rule(head, simple, form)
            if rule is not None:
                self.rules.append(rule)

    def name_disjunctions(
        self, head: Term, parts: Sequence[Condition[_Simple]], form: Group
    ) -> tuple[Condition[_Simple], ...]:
        """Gives disjunctions a predicate of their own, all but those that share a variable which not all branches bind.

        A branch may lean on variables that are bound around the disjunction; the literals that bind them are repeated
        in its rule, which changes nothing, since they are asked anyway.
        """
        certain = [part for part in parts if not isinstance(part, Some)]
        waiting = [part for part in parts if isinstance(part, Some)]
        again = True
        while again:  # a disjunction that has a name binds variables for the others
            again = False
            for part in tuple(waiting):
                others = [other for other in waiting if other is not part]
                literal = self.name_disjunction(head, part, certain, others, form)
                if literal is not None:
                    certain.append(One(literal))
                    waiting = others
                    again = True
        return (*certain, *waiting)

    def name_disjunction(
        self,
        head: Term,
        part: Some[_Simple],
        certain: Sequence[Condition[_Simple]],
        others: Sequence[Condition[_Simple]],
        form: Group,
    ) -> Literal | None:
        outside = {*variables(head), *(v for other in (*certain, *others) for v in _all_variables(other))}
        shared = tuple(v for v in dict.fromkeys(_all_variables(part)) if v in outside)
        binders = [_binders(branch, shared, certain) for branch in part.parts]
        if any(found is None for found in binders):
            return None
        self.named += 1
        name = Term(f"{head.name} or {self.named}", shared)  # no name of a source holds a blank
        for branch, found in zip(part.parts, binders, strict=True):
            self.split(name, All((branch, *(found or ()))), form)
        return Literal(name)


def _all_variables(condition: Condition[_Simple]) -> Iterator[Variable]:
    for simple in leaves(condition):
        yield from _variables(simple)


def _variables(simple: _Simple) -> Iterator[Variable]:
    return variables_of(Distinct(simple.left, simple.right) if isinstance(simple, _Equal) else simple)


def _bound(simple: _Simple) -> frozenset[Variable]:
    if isinstance(simple, Literal) and simple.positive:
        return frozenset(variables(simple.atom))
    return frozenset()


def _binders(
    branch: Condition[_Simple], shared: Iterable[Variable], certain: Iterable[Condition[_Simple]]
) -> list[Condition[_Simple]] | None:
    """The literals around a branch that bind what it does not bind itself; none if something stays unbound."""
    missing = set(shared) - given_by(branch, _bound)
    for simple, bound in in_context(branch, _bound):
        if not (isinstance(simple, Literal) and simple.positive):
            missing |= set(_variables(simple)) - bound
    found: list[Condition[_Simple]] = []
    for literal in certain:
        if missing & (bound := given_by(literal, _bound)):
            found.append(literal)
            missing -= bound
    return None if missing else found


def _rule(head: Term, conditions: Sequence[_Simple], form: Group) -> Rule | None:
    """The rule with its equalities put in and its body in order; none if it can never fire."""
    values: dict[Variable, Argument] = {}
    for condition in conditions:
        if isinstance(condition, _Equal) and not unify(condition.left, condition.right, values):
            return None
    plain = [condition for condition in conditions if not isinstance(condition, _Equal)]
    return put_in(Rule(head, tuple(plain), form.line, form.column), values)


def put_in(rule: Rule, values: Mapping[Variable, Argument]) -> Rule | None:
    """The rule with values for some variables and its body in order; none if it can never fire."""
    kept: list[Literal | Distinct] = []
    for condition in rule.body:
        if isinstance(condition, Literal):
            kept.append(Literal(_atom(condition.atom, values), condition.positive))
            continue
        left, right = limited(substitute(condition.left, values)), limited(substitute(condition.right, values))
        if left == right:
            return None
        if unify(left, right, {}):
            kept.append(Distinct(left, right))
    return Rule(_atom(rule.head, values), tuple(in_order(dict.fromkeys(kept))), rule.line, rule.column)


def _atom(atom: Term, values: Mapping[Variable, Argument]) -> Term:
    if values:
        limited(atom := instance(atom, values))
    return atom


def in_order(body: Iterable[Literal | Distinct]) -> Iterator[Literal | Distinct]:
    """Positive literals as they stand; each other condition as soon as its variables are bound, unbound ones last."""
    positive: list[Literal] = []
    waiting: list[Literal | Distinct] = []
    for condition in body:
        if isinstance(condition, Literal) and condition.positive:
            positive.append(condition)
        else:
            waiting.append(condition)
    missing = [set(variables_of(condition)) for condition in waiting]
    needed_by: dict[Variable, list[int]] = {}
    for place, unbound in enumerate(missing):
        for variable in unbound:
            needed_by.setdefault(variable, []).append(place)
    yield from (condition for condition, unbound in zip(waiting, missing, strict=True) if not unbound)
    for literal in positive:
        yield literal
        ready = []
        for variable in variables(literal.atom):
            for place in needed_by.pop(variable, ()):
                missing[place].discard(variable)
                if not missing[place]:
                    ready.append(place)
        yield from (waiting[place] for place in sorted(ready))
    yield from (condition for condition, unbound in zip(waiting, missing, strict=True) if unbound)
