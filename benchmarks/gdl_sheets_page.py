"""Writes what `gdl_sheets.py` and `gdl_agreement.py` found as a page.

python benchmarks/gdl_sheets_page.py sheets.jsonl agreement.jsonl docs/gdl_sheets.md
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import median
from typing import Any

Found = Mapping[str, Any]

_HEAD = """\
# Which rulesheets are played, and how

This page was [made by two programs](#how-this-was-made), to answer two questions. Of public [rulesheets](gdl.md),
written by many people for many programs, which does the fast machine build, and does it mean by them what the prover
means? And how well are the project's [own rulesheets](gdl_games.md) tried?

## Public rulesheets
"""

_HOW = """\
## How this was made

    python benchmarks/gdl_sheets.py FOLDER --results sheets.jsonl
    python benchmarks/gdl_agreement.py --results agreement.jsonl
    python benchmarks/gdl_sheets_page.py sheets.jsonl agreement.jsonl docs/gdl_sheets.md

A *state compared* has the same facts, the same legal actions of every role, and is terminal or not, on both machines;
where a match ends, goals are the same too. Matches are random, from the start. *Seconds* are of processor time, for
reading, grounding and making the circuit; *MB* the most memory of any process. Limits were those of
`treewise.gdl.load_machine`: 20 seconds, a gigabyte and three million rules for the grounder. The public sheets are no
part of the project.
"""


def main() -> None:
    """Reads the results, writes the page."""
    sheets, agreement, page = map(Path, sys.argv[1:])
    page.write_text("\n".join([_HEAD, *_public(_read(sheets)), *_own(_read(agreement)), _HOW]), encoding="utf-8")


def _read(path: Path) -> list[Found]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _public(sheets: list[Found]) -> Iterable[str]:
    built = [found for found in sheets if found["machine"] == "net"]
    differing = [found for found in built if found.get("difference")]
    others = [found for found in sheets if found["machine"] != "net"]
    seconds = [found["seconds"] for found in built]
    quick = sum(each < 1 for each in seconds)
    yield f"Of **{len(sheets)}** sheets the fast machine builds **{len(built)}**, {quick} of them in less than a"
    yield f"second; the median is {median(seconds):.2f} s, the longest {max(seconds):.0f} s."
    agrees = "**It agrees with the prover in all of them**"
    told = agrees if not differing else f"**It differs from the prover in {len(differing)}**"
    yield f"{told}, along {sum(found['states'] for found in built):,} states.\n"
    if others:
        yield "These are played by the prover:\n"
        yield from _table(["sheet", "why", "states played"], map(_fallback, others))
    else:
        yield "None is left to the prover.\n"
    stuck = [found for found in built if "stopped" in found]
    if stuck:
        yield "In these a random match came to a state in which a role has no legal action, which ended the"
        yield "comparison:\n"
        yield ", ".join(f"`{found['sheet']}`" for found in stuck) + ".\n"
    yield "All that are built:\n"
    columns = ["sheet", "seconds", "MB", "facts", "actions", "gates", "loops", "states compared", "result"]
    yield from _table(columns, map(_line, built))


def _fallback(found: Found) -> list[str]:
    return [f"`{found['sheet']}`", found["why"], f"{found.get('states', 0):,}"]


def _line(found: Found) -> list[str]:
    counts = (f"{found[key]:,}" for key in ("facts", "actions", "gates", "loops", "states"))
    result = f"differs: {found['difference']}" if found.get("difference") else "agrees"
    return [f"`{found['sheet']}`", f"{found['seconds']:.2f}", str(found["megabytes"]), *counts, result]


def _own(games: list[Found]) -> Iterable[str]:
    yield "## The project's own rulesheets\n"
    yield "Along random matches three ways to evaluate a sheet are compared: the fast machine, the prover, which does"
    yield "not ground, and plain evaluation of all ground rules, which is slow and was given less time.\n"
    wrong = [found["sheet"] for found in games if not found["agree"]]
    yield f"**They differ in {', '.join(wrong)}.**\n" if wrong else "All agree in every state.\n"
    columns = ["rulesheet", "fast machine and prover", "different states among them", "ground rules too"]
    rows = ([f"`{f['sheet']}`", *(f"{f[key]:,}" for key in ("states", "distinct", "of_rules"))] for f in games)
    yield from _table(columns, rows)


def _table(columns: list[str], rows: Iterable[list[str]]) -> Iterable[str]:
    yield f"| {' | '.join(columns)} |"
    yield f"|---{'|--:' * (len(columns) - 2)}|---|" if columns[-1] == "result" else f"|{'---|' * len(columns)}"
    yield from (f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in rows)
    yield ""


if __name__ == "__main__":
    main()
