"""What there is to say about a description or a level, as a compiler says it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from treewise import spec

Severity = Literal["error", "warning"]

MOST_SHOWN = 20
"""Errors that one exception spells out; a broken file has many that follow from the first."""


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
        return f"{place}: {self.severity}: {self.message}"


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
    findings: list[Finding] = field(default_factory=list)

    def error(self, message: str, place: Place = NOWHERE) -> None:
        """Something that cannot be played."""
        self.findings.append(Finding("error", message, place.line, place.column, self.file))

    def warning(self, message: str, place: Place = NOWHERE) -> None:
        """Something that is played, though perhaps not as it was meant."""
        self.findings.append(Finding("warning", message, place.line, place.column, self.file))

    def unknown(self, what: str, name: str, known: Iterable[str], place: Place) -> None:
        """An error about a name, with the nearest known one."""
        self.error(f"unknown {what} '{shortened(name)}'; {spec.suggest(name, known)}", place)

    def check(self) -> None:
        """Raises a `VGDLError` if there was an error."""
        if any(finding.severity == "error" for finding in self.findings):
            raise VGDLError(self.findings)


def shortened(text: str) -> str:
    """A word as it is quoted in a message: never a page of it."""
    return text if len(text) <= 40 else text[:39] + "…"
