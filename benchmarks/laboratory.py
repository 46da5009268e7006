"""What the laboratory costs a match: bare matches in this process against the same ones through the store.

python benchmarks/laboratory.py             about half a minute
python benchmarks/laboratory.py 200         fewer matches
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import machine

from treewise.lab import LocalExecutor, read_experiment, run
from treewise.lab.executor import play
from treewise.lab.experiment import Experiment
from treewise.lab.schedule import schedule

PROMISED = 5.0
"""Milliseconds."""

FILE = """
name = "overhead"
pairing = "head_to_head"
matches = {matches}
budgets = {{ one = "simulations(1)" }}
entrants = {{ A = "uct(c=0.5)", B = "uct(c=1.0)" }}
[[games]]
game = "tic_tac_toe"
"""


def main() -> None:
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        file = Path(folder) / "overhead.toml"
        file.write_text(FILE.format(matches=matches), encoding="utf-8")
        experiment = read_experiment(file)
        bare = seconds_bare(experiment)
        with_store = [
            seconds_in_store(experiment, Path(folder) / f"{processes}.sqlite", processes) for processes in (1, 2)
        ]
    print(machine.describe())
    print(f"{matches} matches of one simulation a move, tic_tac_toe; milliseconds a match")
    print(f"bare play_match        {1000 * bare / matches:7.3f}")
    for processes, seconds in zip((1, 2), with_store, strict=True):
        overhead = 1000 * (seconds - bare) / matches
        print(
            f"laboratory, {processes} worker{'s' if processes > 1 else ' '} {1000 * seconds / matches:6.3f}   "
            f"{seconds / bare:5.2f} × bare   overhead {overhead:.3f} (promised: below {PROMISED:g})"
        )


def seconds_bare(experiment: Experiment) -> float:
    planned = [match for fixture in schedule(experiment.cells) for match in fixture.matches]
    play(planned[0])
    start = time.perf_counter()
    for match in planned:
        play(match)
    return time.perf_counter() - start


def seconds_in_store(experiment: Experiment, store: Path, processes: int) -> float:
    """Without the start of the workers, which happens once a run."""
    executor = LocalExecutor(processes)
    try:
        run(experiment, store, executor, most=2 * processes)
        start = time.perf_counter()
        run(experiment, store, executor)
        return time.perf_counter() - start
    finally:
        executor.close()


if __name__ == "__main__":
    main()
