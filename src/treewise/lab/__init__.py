"""The laboratory: an experiment file becomes a schedule of matches, a store of records, a report with intervals."""

from treewise.lab.candidates import Candidates
from treewise.lab.database import StoreError
from treewise.lab.executor import LocalExecutor
from treewise.lab.experiment import Experiment, read_experiment
from treewise.lab.load import load
from treewise.lab.outcome import ExperimentOutcome
from treewise.lab.ray_executor import RayExecutor
from treewise.lab.run import run
from treewise.lab.tune import Tuning, tune

__all__ = [
    "Candidates",
    "Experiment",
    "ExperimentOutcome",
    "LocalExecutor",
    "RayExecutor",
    "StoreError",
    "Tuning",
    "load",
    "read_experiment",
    "run",
    "tune",
]
