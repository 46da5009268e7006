"""Writes the results into docs/speed.md, and those that say most into README.md: there, too, is every target that is
missed. Both have a place for it, between `<!-- speed -->` and `<!-- /speed -->`.

python benchmarks/table.py
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from timing import Row

HERE = Path(__file__).parent
LATEST = HERE / "results" / "latest.json"
OPEN, CLOSE = "<!-- speed -->", "<!-- /speed -->"
HEADLINES = {
    "against_openspiel": ("geometric mean", "tic_tac_toe"),
    "against_by_hand": ("breakthrough, UCT", "go 9x9, uniform playouts"),
    "compiled_python": ("breakthrough, compiled Python against C++, UCT", "breakthrough, plain Python, UCT"),
    "rulesheets": ("all but merrills, geometric mean", "slowest build"),
    "video_games": (
        "all games, geometric mean",
        "a tick of a playout that learns, against a uniform one",
        "the same by the avatar's own moves",
    ),
    "six_games": ("six games, geometric mean",),
    "bonuses": (),
    "laboratory": ("a match, one worker",),
    "threads": ("breakthrough, root parallel", "breakthrough, tree parallel"),
    "memory": ("an edge, plain UCT",),
    "strength": ("breakthrough, tree parallel with 2 threads against 1",),
}
"""Of each subject, the rows for README.md."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, default=LATEST, help="results to read")
    parser.add_argument("--page", type=Path, default=HERE.parent / "docs" / "speed.md", help="page for all of them")
    parser.add_argument("--readme", type=Path, default=HERE.parent / "README.md", help="page for some of them")
    given = parser.parse_args()
    results = json.loads(given.json.read_text(encoding="utf-8"))
    pages = {
        path: replace_section(path.read_text(encoding="utf-8"), f"{measured(results)}\n{section}")
        for path, section in ((given.page, tables(results)), (given.readme, headlines(results)))
    }
    for path, page in pages.items():
        path.write_text(page, encoding="utf-8")


def replace_section(page: str, section: str) -> str:
    if page.count(OPEN) != 1 or page.count(CLOSE) != 1 or page.index(OPEN) > page.index(CLOSE):
        raise SystemExit(f"the page needs one {OPEN} and, after it, one {CLOSE}: the tables go between them")
    before, _, rest = page.partition(OPEN)
    _, _, after = rest.partition(CLOSE)
    return f"{before}{OPEN}\n{section}{CLOSE}{after}"


def measured(results: dict[str, Any]) -> str:
    machine = results["machine"]
    dates = ", ".join(sorted({subject["date"] for subject in results["subjects"].values()}))
    return (
        f"Measured on {machine['cpu']} ({machine['cores']} cores), {machine['compiler']}, Python {machine['python']}, "
        f"OpenSpiel {machine['openspiel']}; {dates}. Medians, with the least and the greatest of the repeats.\n"
    )


def rows_of(subject: dict[str, Any]) -> list[Row]:
    return [Row.from_json(record) for record in subject["rows"]]


def headlines(results: dict[str, Any]) -> str:
    lines = ["| | figure | target |", "|---|--:|--:|"]
    for name, subject in results["subjects"].items():
        for row in rows_of(subject):
            if row.name in HEADLINES[name] or row.reached is False:
                lines.append(f"| {row.subject}: {row.name} | {figure(row)} | {target(row)} |")
    return "\n".join(lines) + "\n"


def tables(results: dict[str, Any]) -> str:
    return "\n".join(table(rows_of(subject)) for subject in results["subjects"].values())


def table(rows: list[Row]) -> str:
    lines = [f"| {rows[0].subject} | | figure | target |", "|---|---|--:|--:|"]
    lines += [f"| {row.name} | {detail(row)} | {figure(row)} | {target(row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def figure(row: Row) -> str:
    spread = "" if row.figure.low == row.figure.high else f" ({number(row.figure.low)} – {number(row.figure.high)})"
    return f"**{number(row.figure.median)}{unit(row)}**{spread}"


def detail(row: Row) -> str:
    rates = [f"{number(value)} {key}" for key, value in row.parts.items() if key.endswith("/s")]
    return "; ".join([text for text in (" to ".join(rates), row.note) if text])


def line(row: Row) -> str:
    """For a screen."""
    figure = row.figure
    text = f"{row.name:52} {number(figure.median)}{unit(row)} ({number(figure.low)} – {number(figure.high)})"
    if row.target is not None:
        text += f"   target {target(row)}"
    parts = ", ".join(f"{number(value)} {key}" for key, value in row.parts.items())
    return text + (f"   [{parts}]" if parts else "")


def target(row: Row) -> str:
    if row.target is None:
        return ""
    bound = "at most " if row.at_most else ""
    return f"{bound}{number(row.target)}{unit(row)}, {'reached' if row.reached else 'not reached'}"


def unit(row: Row) -> str:
    return row.unit if row.unit in ("x", "/s") else f" {row.unit}"


def number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


if __name__ == "__main__":
    main()
