"""What there is to say about a description or a level, as a compiler says it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from treewise import spec
from treewise.wording import printable, shortened

Severity = Literal["error", "warning"]

MOST_SHOWN = 20
"""Errors that the text of one exception spells out; a broken file has many that follow from the first."""
MOST_FOUND = 200
"""Findings that are kept of one file."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark; `line` and `column` count from 1, and are 0 where it is about no place.

    >>> print(Finding("error", "unknown effect 'kilSprite'", 12, 24, "zelda.txt"))
    zelda.txt:12:24: error: unknown effect 'kilSprite'
    """

    severity: Severity
    message: str
    line: int
    column: int
    file: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return printable(f"{place}: {self.severity}: {self.message}")


class VGDLError(ValueError):
    """A description or a level that cannot be played; `findings` are all the reasons.

    >>> print(VGDLError("a level has no lines", file="empty.txt"))
    empty.txt: error: a level has no lines
    """

    def __init__(self, findings: str | Iterable[Finding], file: str = "<description>") -> None:
        listed = [Finding("error", findings, 0, 0, file)] if isinstance(findings, str) else list(findings)
        lines = [str(finding) for finding in listed if finding.severity == "error"]
        more = [f"… and {len(lines) - MOST_SHOWN} more errors"] if len(lines) > MOST_SHOWN else []
        super().__init__("\n".join(lines[:MOST_SHOWN] + more))
        self.findings = listed

    def __reduce__(self) -> tuple[type[VGDLError], tuple[list[Finding]]]:
        return VGDLError, (self.findings,)


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a file; line and column count from 1."""

    line: int = 0
    column: int = 0


NOWHERE = Place()


@dataclass
class Report:
    """Collects findings about one file while it is read, so that all are told at once."""

    file: str = "<description>"
    _found: dict[Finding, None] = field(default_factory=dict)
    _errors: int = 0

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was found, in the order of the text."""
        return tuple(sorted(self._found, key=lambda finding: (finding.line, finding.column)))

    def error(self, message: str, place: Place = NOWHERE) -> None:
        """Something that cannot be played."""
        self._errors += 1
        self._keep(Finding("error", message, place.line, place.column, self.file))

    def warning(self, message: str, place: Place = NOWHERE) -> None:
        """Something that is played, though perhaps not as it was meant."""
        self._keep(Finding("warning", message, place.line, place.column, self.file))

    def unknown(self, what: str, name: str, known: Iterable[str], place: Place, *, error: bool = True) -> None:
        """An error or a warning about a name, with the nearest known one."""
        advice = spec.suggest(name, known) if len(self._found) < MOST_FOUND else ""
        (self.error if error else self.warning)(f"unknown {what} '{shortened(name)}'; {advice}", place)

    def check(self) -> None:
        """Raises a `VGDLError` if there was an error."""
        if self._errors:
            raise VGDLError(self.findings)

    def _keep(self, finding: Finding) -> None:
        """Errors take the places of warnings where there are too many."""
        if len(self._found) >= MOST_FOUND and finding.severity == "error":
            warning = next((kept for kept in self._found if kept.severity == "warning"), None)
            if warning is not None:
                del self._found[warning]
        if len(self._found) < MOST_FOUND:
            self._found[finding] = None
