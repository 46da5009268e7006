"""A rulesheet as an answer set program, the language of the grounder, and its terms back again.

Which facts and actions can ever occur is relaxed reachability: every action that may be legal may be made, every fact
that may come next may be true. Three choice rules say so; the grounder then meets every rule that can ever fire.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from treewise.gdl.syntax import GDLError
from treewise.gdl.terms import Argument, Distinct, Literal, Rule, Term, Variable, variables

SHOWN = (("true", 1), ("next", 1), ("init", 1), ("does", 2), ("legal", 2), ("goal", 2), ("sees", 2), ("terminal", 0))
"""What a reader of the ground program needs to know by name."""
GUARD = "guard "
"""Begins the name of predicates that only bind variables: what reads them asks for the same elsewhere."""
_GIVEN = ("true", "does", "distinct")
_RELAXED = """\
{{{true}(F)}} :- {init}(F).
{{{true}(F)}} :- {next}(F).
{{{does}(R,M)}} :- {legal}(R,M), {role}(R).
"""
_TOKEN = re.compile(r"\w+|[(),]")


@dataclass(slots=True)
class Names:
    """Short names that are safe in a program, one for each constant, function and predicate of the sheet."""

    terms: dict[str, str] = field(default_factory=dict)
    predicates: dict[tuple[str, int], str] = field(default_factory=dict)
    original: dict[str, str] = field(default_factory=dict)

    def predicate(self, name: str, arity: int) -> str:
        """The name of a predicate; those of different arity are different."""
        key = (name, arity)
        if key not in self.predicates:
            short = f"p{len(self.predicates)}"
            self.predicates[key] = short
            self.original[short] = name
        return self.predicates[key]

    def term(self, term: Argument, values: dict[Variable, str]) -> str:
        """The text of a term; `values` names the variables and grows."""
        if isinstance(term, Variable):
            return values.setdefault(term, f"V{len(values)}")
        if term.name not in self.terms:
            short = f"c{len(self.terms)}"
            self.terms[term.name] = short
            self.original[short] = term.name
        arguments = ",".join(self.term(argument, values) for argument in term.args)
        return f"{self.terms[term.name]}({arguments})" if term.args else self.terms[term.name]

    def atom(self, atom: Term, values: dict[Variable, str]) -> str:
        """The text of an atom."""
        name = self.predicate(atom.name, len(atom.args))
        return f"{name}({','.join(self.term(argument, values) for argument in atom.args)})" if atom.args else name

    def read(self, text: str) -> Term:
        """The term or atom that a text of the grounder means.

        >>> names = Names()
        >>> text = names.atom(Term("cell", (Term("1"), Term("f", (Term("b"),)))), {})
        >>> text, str(names.read(text))
        ('p0(c0,c1(c2))', '(cell 1 (f b))')
        """
        stack: list[tuple[str, list[Term]]] = [("", [])]
        name = ""
        for token in _TOKEN.findall(text):
            if token == "(":
                stack.append((name, []))
                name = ""
            elif token not in "),":
                name = token
            else:
                if name:
                    stack[-1][1].append(Term(self.original[name]))
                name = ""
                if token == ")":
                    function, arguments = stack.pop()
                    stack[-1][1].append(Term(self.original[function], tuple(arguments)))
        return Term(self.original[name]) if name else stack[0][1][0]


def program(rules: Iterable[Rule], names: Names) -> str:
    """The program's text; names are added to `names`."""
    lines = [_rule(rule, names) for rule in rules]
    keywords = {name: names.predicate(name, arity) for name, arity in (*SHOWN, ("role", 1))}
    lines.append(_RELAXED.format(**keywords))
    shown = [*SHOWN, *(key for key in names.predicates if key[0].startswith(GUARD))]
    lines += [f"#show {names.predicate(name, arity)}/{arity}." for name, arity in shown]
    return "\n".join(lines)


def _rule(rule: Rule, names: Names) -> str:
    if rule.head.name in _GIVEN:
        raise GDLError(f"`{rule.head.name}` is given by the match and cannot be a rule's head", rule.line, rule.column)
    check_safe(rule)
    values: dict[Variable, str] = {}
    head = names.atom(rule.head, values)
    body = ", ".join(_condition(condition, names, values) for condition in rule.body)
    return f"{head} :- {body}." if body else f"{head}."


def _condition(condition: Literal | Distinct, names: Names, values: dict[Variable, str]) -> str:
    if isinstance(condition, Distinct):
        return f"{names.term(condition.left, values)} != {names.term(condition.right, values)}"
    return f"{'' if condition.positive else 'not '}{names.atom(condition.atom, values)}"


def check_safe(rule: Rule) -> None:
    """Refuses a rule with a variable that no positive literal of its body binds."""
    bound = {v for c in rule.body if isinstance(c, Literal) and c.positive for v in variables(c.atom)}
    used: list[Argument] = [rule.head]
    for condition in rule.body:
        used += [condition.left, condition.right] if isinstance(condition, Distinct) else [condition.atom]
    for variable in (v for term in used for v in variables(term)):
        if variable not in bound:
            raise GDLError(f"nothing in the body binds {variable}: {rule}", rule.line, rule.column)
