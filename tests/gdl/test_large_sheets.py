"""Sheets of a hundred thousand rules are read and checked in time that grows as they do, whatever is wrong there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

import pytest

from treewise.gdl.language.repair import parse_for_play
from treewise.gdl.language.validate import validate

SHAPES: dict[str, Callable[[int], str]] = {
    "facts": lambda n: "".join(f"(p a{i} b{i % 7}) " for i in range(n)),
    "facts in lines": lambda n: "".join(f"(init (cell {i} b))\n" for i in range(n)),
    "unused predicates": lambda n: "".join(f"(p{i} a) " for i in range(n)),
    "undefined predicates": lambda n: "".join(f"(<= terminal (p{i} a)) " for i in range(n)),
    "a chain": lambda n: "".join(f"(<= (p{i} ?x) (p{i + 1} ?x)) " for i in range(n)),
    "cycles with negations": lambda n: "".join(f"(<= p{i} (not q{i})) (<= q{i} (not p{i})) " for i in range(n)),
    "one cycle with negations": lambda n: "".join(f"(<= p{i} (not p{(i + 1) % n})) " for i in range(n)),
    "endless recursion": lambda n: "".join(f"(<= (p (s ?x) {i}) (p ?x {i})) " for i in range(n)),
    "one body": lambda n: f"(<= terminal {' '.join(f'(p a{i})' for i in range(n))})",
    "negations in one body": lambda n: f"(<= (p ?x) (q ?x) {' '.join(f'(not (p a{i} ?x))' for i in range(n))})",
    "bound one by one": lambda n: f"(<= p {' '.join(f'(q ?x{i}) (not (p ?x{i}))' for i in range(n))})",
    "one disjunction": lambda n: f"(<= p (q ?x) (or {' '.join(f'(p a{i} ?x)' for i in range(n))}))",
    "broken rules": lambda n: "(<=) " * n,
    "unbound variables": lambda n: "".join(f"(<= (p ?x{i} a) (not (q ?y))) " for i in range(n)),
    "two numbers of arguments": lambda n: "".join(f"(p{i} a) (p{i} a b) " for i in range(n)),
}


def steps(work: Callable[[], object]) -> int:
    """How many functions are called: the same in every run, on any machine."""
    count = 0

    def called(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("work", [validate, parse_for_play])
@pytest.mark.parametrize("shape", SHAPES)
def test_four_times_the_sheet_is_four_times_the_work(shape: str, work: Callable[[str], object]) -> None:
    few, many = (f"(role x) {SHAPES[shape](size)}" for size in (300, 1200))
    assert steps(lambda: work(many)) < 5 * steps(lambda: work(few))
