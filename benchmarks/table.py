"""Writes the results into README.md, between `<!-- speed -->` and `<!-- /speed -->`.

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, default=LATEST, help="results to read")
    parser.add_argument("--readme", type=Path, default=HERE.parent / "README.md", help="page to write into")
    given = parser.parse_args()
    results = json.loads(given.json.read_text(encoding="utf-8"))
    page = given.readme.read_text(encoding="utf-8")
    given.readme.write_text(replace_section(page, tables(results)), encoding="utf-8")


def replace_section(page: str, section: str) -> str:
    if page.count(OPEN) != 1 or page.count(CLOSE) != 1 or page.index(OPEN) > page.index(CLOSE):
        raise SystemExit(f"the page needs one {OPEN} and, after it, one {CLOSE}: the tables go between them")
    before, _, rest = page.partition(OPEN)
    _, _, after = rest.partition(CLOSE)
    return f"{before}{OPEN}\n{section}{CLOSE}{after}"


def tables(results: dict[str, Any]) -> str:
    machine = results["machine"]
    measured = ", ".join(sorted({subject["date"] for subject in results["subjects"].values()}))
    parts = [
        f"Measured on {machine['cpu']} ({machine['cores']} cores), {machine['compiler']}, Python {machine['python']}, "
        f"OpenSpiel {machine['openspiel']}; {measured}. Medians, with the least and the greatest of the repeats.\n"
    ]
    for subject in results["subjects"].values():
        rows = [Row.from_json(record) for record in subject["rows"]]
        parts.append(table(rows))
    return "\n".join(parts)


def table(rows: list[Row]) -> str:
    lines = [f"| {rows[0].subject} | | figure | target |", "|---|---|--:|--:|"]
    for row in rows:
        spread = "" if row.figure.low == row.figure.high else f" ({number(row.figure.low)} – {number(row.figure.high)})"
        figure = f"**{number(row.figure.median)}{unit(row)}**{spread}"
        lines.append(f"| {row.name} | {detail(row)} | {figure} | {target(row)} |")
    return "\n".join(lines) + "\n"


def detail(row: Row) -> str:
    rates = [f"{number(value)} {key}" for key, value in row.parts.items() if key.endswith("/s")]
    return "; ".join([text for text in (" to ".join(rates), row.note) if text])


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
