"""What the laboratory costs a match: bare matches in this process against the same ones through the store.

The matches are as short as they get, one simulation a move, so that nothing hides the cost, and go by the clock on the
wall. Two workers have twice as much time for a match as passes: what they wait for each other counts. The start of the
workers, once a run, does not.
"""

from __future__ import annotations

import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from statistics import median

import machine
from table import line
from timing import Options, Row, Spread, in_turns

from treewise.lab import LocalExecutor, read_experiment, run
from treewise.lab.executor import play
from treewise.lab.experiment import Experiment
from treewise.lab.schedule import schedule

SUBJECT = "overhead of the laboratory"
MATCHES = 1000
EXPERIMENT = """
name = "overhead"
pairing = "head_to_head"
matches = {matches}
budgets = {{ one = "simulations(1)" }}
entrants = {{ A = "uct(c=0.5)", B = "uct(c=1.0)" }}
[[games]]
game = "tic_tac_toe"
"""


def measure(options: Options) -> list[Row]:
    with (
        tempfile.TemporaryDirectory(dir=Path.cwd()) as name,  # a disk, as stores are on; /tmp may be memory
        closing(LocalExecutor(1)) as one,
        closing(LocalExecutor(2)) as two,
    ):
        folder = Path(name)
        file = folder / "overhead.toml"
        file.write_text(EXPERIMENT.format(matches=options.count(MATCHES, 20)), encoding="utf-8")
        experiment = read_experiment(file)
        bare, by_one, by_two = in_turns(
            options.repeats,
            lambda _: bare_match(experiment),
            lambda repeat: recorded_match(experiment, folder / f"one_{repeat}.sqlite", one),
            lambda repeat: recorded_match(experiment, folder / f"two_{repeat}.sqlite", two),
        )
    return [row("a match, one worker", by_one, bare), row("a match, two workers", by_two, bare)]


def row(name: str, recorded: list[float], bare: list[float]) -> Row:
    overhead = Spread.of([1000 * (ours - theirs) for ours, theirs in zip(recorded, bare, strict=True)])
    parts = {"recorded/s": 1 / median(recorded), "bare/s": 1 / median(bare)}
    return Row(SUBJECT, name, "ms", overhead, target=5, at_most=True, parts=parts)


def bare_match(experiment: Experiment) -> float:
    """Seconds."""
    planned = [match for fixture in schedule(experiment.cells) for match in fixture.matches]
    play(planned[0])
    start = time.perf_counter()
    for match in planned:
        play(match)
    return (time.perf_counter() - start) / len(planned)


def recorded_match(experiment: Experiment, store: Path, executor: LocalExecutor) -> float:
    """Seconds of a worker, after its first matches."""
    workers = len(executor.workers)
    run(experiment, store, executor, most=2 * workers)
    start = time.perf_counter()
    played = run(experiment, store, executor).played
    return workers * (time.perf_counter() - start) / played


if __name__ == "__main__":
    print(machine.describe())
    for each in measure(Options(quick="--quick" in sys.argv)):
        print(line(each))
