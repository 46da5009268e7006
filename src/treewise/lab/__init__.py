"""The laboratory: an experiment file becomes a schedule of matches, a store of records, a report with intervals."""

from treewise.lab.database import StoreError
from treewise.lab.executor import LocalExecutor
from treewise.lab.experiment import Experiment, read_experiment
from treewise.lab.load import load
from treewise.lab.outcome import ExperimentOutcome
from treewise.lab.ray_executor import RayExecutor
from treewise.lab.run import run

__all__ = [
    "Experiment",
    "ExperimentOutcome",
    "LocalExecutor",
    "RayExecutor",
    "StoreError",
    "load",
    "read_experiment",
    "run",
]
