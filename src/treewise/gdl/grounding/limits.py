"""What making the fast machine may cost: the processor's time, memory, rules. All steps of one build share a budget."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields

from treewise import _core
from treewise.gdl.syntax import GDLError


@dataclass(frozen=True, slots=True)
class Limits:
    """What one build may cost, from the first rewrite of the rules to the last gate. More is a `TooLarge`.

    >>> Limits(seconds=5)
    Limits(seconds=5, megabytes=2000, rules=5000000)
    """

    seconds: float = 40.0
    """Of the processor, for this build alone: other work on the machine does not count."""
    megabytes: int = 2000
    """By which the process may grow."""
    rules: int = 5_000_000
    """Ground rules that are kept."""


class TooLarge(GDLError):
    """A rulesheet that cannot be ground within the limits."""


class Budget:
    """The limits of one build, which begins when this is made.

    >>> budget = Budget(Limits(seconds=0))
    >>> with budget.spending():
    ...     pass
    Traceback (most recent call last):
        ...
    treewise.gdl.grounding.limits.TooLarge: grounding took longer than 0 s of the processor: allow more seconds
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        for field in fields(self.limits):
            if not getattr(self.limits, field.name) >= 0:
                raise ValueError(f"{field.name} to ground in are not below 0")
        most = _core.process_bytes() + (min(int(self.limits.megabytes), 1 << 40) << 20)
        self.engine = _core.GroundBudget(float(self.limits.seconds), most, min(int(self.limits.rules), 1 << 60))

    @contextmanager
    def spending(self) -> Iterator[None]:
        """A step of the build: a `TooLarge` if a limit was passed by the end of it."""
        try:
            yield
            self.engine.look()
        except (_core.OverBudget, MemoryError) as error:
            raise self._exceeded(str(error)) from None

    def count_rules(self, rules: int) -> None:
        """A `TooLarge` if a program, however it came about, has more rules than allowed."""
        if rules > self.limits.rules:
            raise self._exceeded("rules")

    def _exceeded(self, what: str) -> TooLarge:
        if what == "rules":
            return TooLarge(f"the ground program has more than {self.limits.rules:,} rules: allow more rules")
        if what == "seconds":
            seconds = f"{self.limits.seconds:g} s of the processor"
            return TooLarge(f"grounding took longer than {seconds}: allow more seconds")
        return TooLarge(f"grounding took more than {self.limits.megabytes:,} MB of memory: allow more megabytes")
