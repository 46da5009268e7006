"""From forms to a `Sheet`: case folded, disjunctions split, negation pushed to the atoms, bodies put in order.

The passes are those of any GDL reasoner: `(p)` is `p`; `(not (or a b))` is `(not a) (not b)`; `(not (distinct a b))`
makes the two terms equal; a rule with a disjunction becomes one rule for each branch, or, where that would be too many,
calls a predicate of its own; `distinct` and `not` move behind what binds their variables. Whether the rules are *good*
rules is asked elsewhere.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from treewise.gdl.syntax import Form, GDLError, Group, Symbol, read
from treewise.gdl.terms import Argument, Distinct, Literal, Rule, Sheet, Term, Variable, substitute, unify, variables

# More branches than this in one rule, and disjunctions get names instead of copies of the rule.
MOST_BRANCHES = 16
_NOT_GDL = ("=>", "<=>", "forall", "exists", "'", '"')


@dataclass(frozen=True, slots=True)
class _Equal:
    left: Argument
    right: Argument


# A condition is an "all" of conditions, an "any" of conditions, or one of the simple ones.
@dataclass(frozen=True, slots=True)
class _All:
    parts: tuple[_Condition, ...]


@dataclass(frozen=True, slots=True)
class _Any:
    parts: tuple[_Condition, ...]


_Simple = Literal | Distinct | _Equal
_Condition = _Simple | _All | _Any


def parse_sheet(text: str) -> Sheet:
    """A rulesheet's text in normal form.

    >>> sheet = parse_sheet("(role X) (<= (legal ?p go) (role ?p) (or (true a) (not (true b))))")
    >>> [str(rule) for rule in sheet.rules]
    ['(role x)', '(<= (legal ?p go) (role ?p) (true a))', '(<= (legal ?p go) (not (true b)) (role ?p))']
    >>> sheet.spell(sheet.roles[0])
    'X'
    """
    return normalise(read(text))


def normalise(forms: Iterable[Form]) -> Sheet:
    """The same for forms that are read already."""
    maker = _Maker()
    for form in forms:
        maker.add(form)
    roles = tuple(
        role
        for rule in maker.rules
        if rule.head.name == "role" and len(rule.head.args) == 1 and isinstance(role := rule.head.args[0], Term)
    )
    return Sheet(tuple(maker.rules), tuple(dict.fromkeys(roles)), maker.spelling)


@dataclass(slots=True)
class _Maker:
    rules: list[Rule] = field(default_factory=list)
    spelling: dict[str, str] = field(default_factory=dict)
    named: int = 0

    def add(self, form: Form) -> None:
        if isinstance(form, Group) and form.items and _keyword(form.items[0]) == "<=":
            if len(form.items) < 2:
                raise GDLError("a rule needs a head: (<= head conditions ...)", form.line, form.column)
            head = self.atom(form.items[1])
            condition = _All(tuple(self.condition(item, True) for item in form.items[2:]))
            self.split(head, condition, form)
        else:
            self.rules.append(Rule(self.atom(form), (), form.line, form.column))

    # ---- terms ----

    def name(self, symbol: Symbol) -> str:
        if symbol.text in ("<=", *_NOT_GDL) or symbol.text.startswith(("'", '"')):
            raise GDLError(
                f"{symbol.text} cannot stand here: GDL has names, variables and terms only", symbol.line, symbol.column
            )
        folded = symbol.text.lower()
        self.spelling.setdefault(folded, symbol.text)
        return folded

    def term(self, form: Form) -> Argument:
        if isinstance(form, Symbol) and form.text.startswith("?"):
            return Variable(form.text[1:].lower())
        return self.atom(form)

    def atom(self, form: Form) -> Term:
        if isinstance(form, Symbol):
            if form.text.startswith("?"):
                raise GDLError(f"{form.text} is a variable where an atom is needed", form.line, form.column)
            return Term(self.name(form))
        if not form.items:
            raise GDLError("an empty pair of parentheses means nothing", form.line, form.column)
        head = form.items[0]
        if isinstance(head, Group) or head.text.startswith("?"):
            raise GDLError("a term begins with a name: (name argument ...)", head.line, head.column)
        return Term(self.name(head), tuple(self.term(item) for item in form.items[1:]))

    # ---- conditions, negation pushed inwards ----

    def condition(self, form: Form, positive: bool) -> _Condition:
        keyword = _keyword(form.items[0]) if isinstance(form, Group) and form.items else ""
        if not isinstance(form, Group) or keyword not in ("not", "or", "and", "distinct"):
            return Literal(self.atom(form), positive)
        arguments = form.items[1:]
        if keyword == "not":
            _count(form, 1, "not")
            return self.condition(arguments[0], not positive)
        if keyword == "distinct":
            _count(form, 2, "distinct")
            left, right = self.term(arguments[0]), self.term(arguments[1])
            return Distinct(left, right) if positive else _Equal(left, right)
        parts = tuple(self.condition(argument, positive) for argument in arguments)
        return _Any(parts) if (keyword == "or") == positive else _All(parts)

    # ---- rules ----

    def split(self, head: Term, condition: _All, form: Group) -> None:
        if _branches(condition) > MOST_BRANCHES:
            condition = self.name_disjunctions(head, condition, form)
        for simple in _products(condition):
            rule = _rule(head, simple, form)
            if rule is not None:
                self.rules.append(rule)

    def name_disjunctions(self, head: Term, condition: _All, form: Group) -> _All:
        """Gives every disjunction whose branches bind all of their variables a predicate of its own."""
        parts: list[_Condition] = []
        for index, part in enumerate(condition.parts):
            if not isinstance(part, _Any) or not all(_binds_all(simple) for simple in _products(part)):
                parts.append(part)
                continue
            others = [*condition.parts[:index], *condition.parts[index + 1 :]]
            outside = {*variables(head), *itertools.chain.from_iterable(map(_variables, others))}
            shared = tuple(v for v in dict.fromkeys(_variables(part)) if v in outside)
            if not all(set(shared) <= set(itertools.chain.from_iterable(map(_variables, b))) for b in _products(part)):
                parts.append(part)
                continue
            self.named += 1
            name = Term(f"{head.name} or {self.named}", shared)  # no name of a source holds a blank
            for branch in part.parts:
                self.split(name, _All((branch,)), form)
            parts.append(Literal(name))
        return _All(tuple(parts))


def _keyword(form: Form) -> str:
    return form.text.lower() if isinstance(form, Symbol) else ""


def _count(form: Group, count: int, keyword: str) -> None:
    if len(form.items) != count + 1:
        raise GDLError(
            f"`{keyword}` takes {count} argument{'s' * (count > 1)}, not {len(form.items) - 1}", form.line, form.column
        )


def _branches(condition: _Condition) -> int:
    if isinstance(condition, _Any):
        return sum(map(_branches, condition.parts))
    if isinstance(condition, _All):
        product = 1
        for part in condition.parts:
            product *= _branches(part)
        return product
    return 1


def _products(condition: _Condition) -> Iterator[tuple[_Simple, ...]]:
    """The disjunctive normal form."""
    if isinstance(condition, _Any):
        for part in condition.parts:
            yield from _products(part)
    elif isinstance(condition, _All):
        for combination in itertools.product(*(tuple(_products(part)) for part in condition.parts)):
            yield tuple(itertools.chain.from_iterable(combination))
    else:
        yield (condition,)


def _terms(simple: _Simple) -> tuple[Argument, ...]:
    return (simple.atom,) if isinstance(simple, Literal) else (simple.left, simple.right)


def _variables(condition: _Condition) -> Iterator[Variable]:
    if isinstance(condition, _All | _Any):
        for part in condition.parts:
            yield from _variables(part)
    else:
        for term in _terms(condition):
            yield from variables(term)


def _binds_all(simple: Sequence[_Simple]) -> bool:
    bound = {v for s in simple if isinstance(s, Literal) and s.positive for v in variables(s.atom)}
    return all(v in bound for s in simple for v in _variables(s))


def _rule(head: Term, conditions: Sequence[_Simple], form: Group) -> Rule | None:
    """The rule with its equalities put in and its body in order; none if it can never fire."""
    values: dict[Variable, Argument] = {}
    for condition in conditions:
        if isinstance(condition, _Equal) and not unify(condition.left, condition.right, values):
            return None
    body: list[Literal | Distinct] = []
    for condition in conditions:
        if isinstance(condition, Literal):
            body.append(Literal(_atom(condition.atom, values), condition.positive))
        elif isinstance(condition, Distinct):
            left, right = substitute(condition.left, values), substitute(condition.right, values)
            if left == right:
                return None
            if unify(left, right, {}):
                body.append(Distinct(left, right))
    return Rule(_atom(head, values), tuple(in_order(dict.fromkeys(body))), form.line, form.column)


def _atom(atom: Term, values: dict[Variable, Argument]) -> Term:
    result = substitute(atom, values)
    assert isinstance(result, Term)
    return result


def in_order(body: Iterable[Literal | Distinct]) -> Iterator[Literal | Distinct]:
    """Positive literals as they stand; each other condition as soon as its variables are bound, unbound ones last."""
    waiting: list[Literal | Distinct] = []
    bound: set[Variable] = set()
    positive: list[Literal] = []
    for condition in body:
        if isinstance(condition, Literal) and condition.positive:
            positive.append(condition)
        else:
            waiting.append(condition)
    for literal in (None, *positive):
        if literal is not None:
            yield literal
            bound.update(variables(literal.atom))
        ready = [c for c in waiting if bound.issuperset(_variables(c))]
        waiting = [c for c in waiting if c not in ready]
        yield from ready
    yield from waiting
