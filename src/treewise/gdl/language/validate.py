"""The checks of a rulesheet: what makes it no GDL, and what looks like a mistake."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from treewise.gdl.language.checks import keywords, names, rules
from treewise.gdl.language.checks.source import Source
from treewise.gdl.language.finding import CHECKS, Finding, with_excerpts
from treewise.gdl.syntax import GDLError, Symbol, read

__all__ = ["CHECKS", "Finding", "validate"]

_CHECKS: tuple[Callable[[Source], Iterator[Finding]], ...] = (
    rules.safety,
    rules.stratification,
    rules.recursion,
    keywords.placement,
    keywords.keyword_terms,
    keywords.roles,
    keywords.dependencies,
    keywords.missing,
    keywords.goals,
    keywords.facts_and_moves,
    names.case,
    names.characters,
    names.parentheses,
    names.arities,
    names.predicates_as_functions,
    names.undefined,
    names.unused,
    names.shapes,
)

_INFIX = "this is infix GDL, head :- conditions: write (<= head condition ...), with each name inside its parentheses"


def validate(text: str) -> list[Finding]:
    """What there is to say about a rulesheet, in the order of its text. Errors make it invalid by the strict standard;
    `treewise.gdl.language.repair` says what playing it nevertheless takes.

    >>> for finding in validate("(role x) (leagl x go) (goal x 100) (<= terminal (not (p ?y))) (p 1)"):
    ...     print(finding)
    error: a game needs rules or facts for `legal`: add (legal role move) [no-legal]
    1:10: warning: `leagl` with 2 arguments is needed by nothing: did you mean `legal`? [unused]
    1:57: error: no positive condition binds ?y of this `not`: add a condition that says what ?y can be, as (role ?y)
    does for a role [unsafe]
    """
    try:
        forms = read(text)
    except GDLError as error:
        return [_from_error(error)]
    infix = next((form for form in forms if isinstance(form, Symbol) and form.text == ":-"), None)
    if infix is not None:
        return with_excerpts([_from_error(GDLError(_INFIX, infix.line, infix.column))], text)
    source = Source(forms)
    findings = [*map(_from_error, source.errors), *(finding for check in _CHECKS for finding in check(source))]
    return with_excerpts(findings, text)


def _from_error(error: GDLError) -> Finding:
    return Finding("error", error.message, error.line, error.column, "syntax")
