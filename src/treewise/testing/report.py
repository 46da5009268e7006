"""What a conformance suite found, in words."""

from __future__ import annotations

from dataclasses import dataclass

from treewise.wording import counted


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: its kind, a sentence, and where it was first seen.

    >>> print(Problem("names", "two legal actions are called 'a1'", match=0, step=4))
    names: two legal actions are called 'a1' (match 0, step 4)
    """

    kind: str
    text: str
    match: int
    step: int

    def __str__(self) -> str:
        return f"{self.kind}: {self.text} (match {self.match}, step {self.step})"


@dataclass(frozen=True)
class Report:
    """The result of a check. Each kind of problem is listed once, where it was first seen.

    >>> print(Report("tic_tac_toe", matches=20, steps=152))
    tic_tac_toe: no problems in 20 matches, 152 steps
    """

    name: str
    matches: int
    steps: int
    problems: tuple[Problem, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing was found."""
        return not self.problems

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of problems that were found."""
        return frozenset(problem.kind for problem in self.problems)

    def __str__(self) -> str:
        played = f"{counted(self.matches, 'match')}, {counted(self.steps, 'step')}"
        if self.ok:
            return f"{self.name}: no problems in {played}"
        kinds = "1 kind of problem" if len(self.problems) == 1 else f"{len(self.problems)} kinds of problems"
        lines = [f"{self.name}: {kinds} in {played}"]
        return "\n".join(lines + [f"- {problem}" for problem in self.problems])


class Stop(Exception):
    """The match cannot go on: what was found makes the next step meaningless."""


class Notebook:
    """Collects problems while a check runs; knows which match and step it is at."""

    def __init__(self) -> None:
        self.match = 0
        self.step = 0
        self.steps = 0
        self._found: dict[str, Problem] = {}

    def note(self, kind: str, text: str) -> None:
        """Writes down a problem, unless one of its kind was there before."""
        self.add(Problem(kind, text, self.match, self.step))

    def add(self, problem: Problem) -> None:
        """The same, of a problem that was found elsewhere."""
        self._found.setdefault(problem.kind, problem)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What was found so far."""
        return tuple(self._found.values())

    def require(self, condition: bool, kind: str, text: str) -> bool:
        """Notes the problem unless `condition` holds; returns `condition`."""
        if not condition:
            self.note(kind, text)
        return condition

    def fatal(self, kind: str, text: str) -> Stop:
        """Notes the problem and returns the exception that ends the match."""
        self.note(kind, text)
        return Stop(text)

    def has(self, kind: str) -> bool:
        """Whether a problem of this kind was found."""
        return kind in self._found

    def report(self, name: str, matches: int) -> Report:
        """The finished report."""
        return Report(name, matches, self.steps, self.problems)
