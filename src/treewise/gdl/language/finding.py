"""What a check has to say, and the list of all that can be said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from treewise.gdl.syntax import Form, lines, near
from treewise.gdl.terms import Rule
from treewise.wording import printable

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark on a rulesheet; `line` and `column` count from 1, and are 0 where it is about no place."""

    severity: Severity
    message: str
    line: int
    column: int
    code: str

    def __str__(self) -> str:
        place = f"{self.line}:{self.column}: " if self.line else ""
        return printable(f"{place}{self.severity}: {self.message} [{self.code}]")


ERRORS = {
    "syntax": "parentheses, names and connectives form no rules and facts",
    "unsafe": "a variable of the head, of a `not` or of a `distinct` is bound by no positive condition",
    "unstratified": "a predicate depends on its own negation",
    "recursion": "a recursive condition could build ever new terms",
    "keyword-place": "a keyword stands where it may not: `true` in a head, `next` in a body, …",
    "keyword-arity": "a keyword has the wrong number of arguments",
    "role-fact": "`role` is given by a rule or with a variable; only facts may",
    "reads-does": "`legal`, `goal` or `terminal` depend on `does`",
    "init-reads-state": "`init` depends on the state or on what follows from it",
    "base-reads-state": "`base` or `input` depend on the state",
    "negated-distinct": "`(not (distinct a b))`: the standard negates atoms only",
    "goal-value": "a goal value is not a whole number",
    "no-role": "there is no role",
    "no-legal": "there is no rule or fact for `legal`",
    "no-goal": "there is no rule or fact for `goal`",
    "no-terminal": "there is no rule or fact for `terminal`",
}
WARNINGS = {
    "case": "names that differ only in upper and lower case; they are one name here",
    "parentheses": "`(p)` without arguments; it means `p` here",
    "arity": "one name with different numbers of arguments; they are different things here",
    "empty-body": "a rule without conditions; it is a fact",
    "undefined": "a predicate that no rule or fact defines; it never holds",
    "unused": "a predicate that nothing needs",
    "predicate-function": "a name is both a predicate and a function; they have nothing to do with each other",
    "nested-or": "an `or` directly inside an `or`",
    "negated-group": "`not` around `or`, `and` or another `not`; the standard negates atoms only",
    "keyword-term": "a keyword inside a term; it has no meaning there",
    "odd-character": "a name with characters that other programs may not read",
    "unknown-role": "a role that is not declared",
    "unknown-fact": "`true` asks for a fact that neither `init` nor `next` gives",
    "unknown-move": "`does` asks for a move that `legal` does not give",
    "goal-range": "a goal value outside 0 to 100; it is cut to that range",
}
PLAYING = {
    "repaired": "a rule was changed so that it can be played: a variable that nothing binds got values or was left out",
    "dropped": "a rule cannot be played and was left out",
}
"""What is said only when a sheet is made ready for play."""
CHECKS: dict[str, tuple[Severity, str]] = {
    **{code: ("error", text) for code, text in ERRORS.items()},
    **{code: ("warning", text) for code, text in (WARNINGS | PLAYING).items()},
}
"""Of every code its severity and what it is about."""


def found(code: str, message: str, place: Form | Rule | None = None) -> Finding:
    """A finding at the place of a form or rule."""
    line, column = (place.line, place.column) if place is not None else (0, 0)
    return Finding(CHECKS[code][0], message, line, column, code)


def with_excerpts(findings: Iterable[Finding], text: str) -> list[Finding]:
    """Findings whose messages also say what stands at their place, where that is in a long line: in order."""
    source = lines(text)
    return [
        replace(finding, message=finding.message + near(source, finding.line, finding.column))
        for finding in sorted(findings, key=lambda finding: (finding.line, finding.column, finding.severity))
    ]
