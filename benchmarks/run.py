"""Measures the speed of Treewise beside others on this machine.

python benchmarks/run.py                    everything but strength, about fifteen minutes
python benchmarks/run.py --only threads     one subject; the others keep their last figures
python benchmarks/run.py --strength         two threads against one in matches, about ten minutes more
python benchmarks/table.py                  writes the results into docs/speed.md and README.md
"""

from __future__ import annotations

import os

# Before anything imports NumPy: its idle threads would count as CPU time of the process.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import importlib
import json
import time
from pathlib import Path
from typing import Any

import machine
from table import LATEST, line
from timing import Options

SUBJECTS = [
    "against_openspiel",
    "against_by_hand",
    "compiled_python",
    "rulesheets",
    "video_games",
    "six_games",
    "bonuses",
    "laboratory",
    "threads",
    "memory",
]
LONG_SUBJECTS = ["strength"]


def main() -> None:
    given = arguments()
    options = Options(repeats=given.repeats or (1 if given.quick else 5), quick=given.quick)
    subjects = given.only or [*SUBJECTS, *(LONG_SUBJECTS if given.strength else [])]
    file = given.json or (None if given.quick else LATEST)
    results = start_from(file)
    for name in subjects:
        rows = importlib.import_module(name).measure(options)
        for row in rows:
            print(line(row), flush=True)
        results["subjects"][name] = {"date": time.strftime("%Y-%m-%d"), "rows": [row.to_json() for row in rows]}
        if file:
            save(results, file)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="only see that everything runs; figures mean nothing")
    parser.add_argument("--only", action="append", choices=[*SUBJECTS, *LONG_SUBJECTS], help="may be given repeatedly")
    parser.add_argument("--strength", action="store_true", help="the matches of two threads against one, too")
    parser.add_argument("--repeats", type=int, help="of every measurement; 5 unless told (1 with --quick)")
    parser.add_argument("--json", type=Path, help=f"results; {LATEST.name} unless told (none with --quick)")
    given = parser.parse_args()
    if given.repeats is not None and given.repeats < 1:
        parser.error("--repeats must be at least 1")
    return given


def start_from(file: Path | None) -> dict[str, Any]:
    """The results so far, if they are of this machine and these versions."""
    described = machine.describe()
    if file and file.exists():
        results: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        if results["machine"] == described:
            return results
    return {"machine": described, "subjects": {}}


def save(results: dict[str, Any], file: Path) -> None:
    order = [*SUBJECTS, *LONG_SUBJECTS]
    results["subjects"] = dict(sorted(results["subjects"].items(), key=lambda item: order.index(item[0])))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
