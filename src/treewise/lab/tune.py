"""Tuning: a search's parameters, tried out by matches against a base.

Optuna proposes values; each trial is a cell of the laboratory, its matches kept in the store. What Optuna proposes
depends on the seed and the matches alone, so a tuning that is started again walks the same way: it finds in the store
what has been played and goes on with the first match that is missing. Nothing else has to be saved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from treewise._core import derive_seed
from treewise.comparison import wilson_interval
from treewise.lab.candidates import Candidates
from treewise.lab.database import StoreError
from treewise.lab.executor import Executor
from treewise.lab.extra import extra
from treewise.lab.outcome import Cell
from treewise.lab.ranges import Value
from treewise.lab.run import run
from treewise.lab.statistics import Sample, rate
from treewise.lab.store import Store
from treewise.lab.tally import Tally
from treewise.wording import counted

__all__ = ["Progress", "Trial", "Tuning", "tune"]

_LEAST_PAIRS = 4
"""Before that a trial is not stopped: by chance alone too many would look hopeless."""
_GROWTH = 1.1
"""Trials are kept whenever there are so many times more: kept each time, a thousand would fill the disk."""


@dataclass(frozen=True)
class Trial:
    """Some values, and the scores of the search with them in its matches against the base."""

    number: int
    values: Mapping[str, Value]
    text: str
    """The search with these values."""
    scores: tuple[float, ...]
    stopped: bool = False
    """Whether it looked hopeless before all its matches were played."""

    def __repr__(self) -> str:
        rate = f"{100 * self.rate:.1f} % of {counted(len(self.scores), 'match')}"
        return f"<Trial {self.number}: {self.text}, {rate}{', stopped' if self.stopped else ''}>"

    @property
    def rate(self) -> float:
        """The win rate, draws half."""
        return sum(self.scores) / len(self.scores)

    @cached_property
    def interval(self) -> tuple[float, float]:
        """The win rate's 95 % interval, which counts in pairs of matches, as the laboratory's reports do."""
        estimate = rate(Sample.of(self.scores))
        return estimate.low, estimate.high


@dataclass(frozen=True)
class Tuning:
    """What a tuning found."""

    candidates: Candidates
    trials: tuple[Trial, ...]
    confirmation: Trial | None = None
    """The best values again, in matches that had no part in choosing them."""

    def __repr__(self) -> str:
        return f"<Tuning of {self.candidates.search}: {counted(len(self.trials), 'trial')}, best {self.best!r}>"

    @property
    def best(self) -> Trial:
        """The trial with the highest win rate of those that were not stopped; of equal ones the first.

        As the best of many it is lucky as well as good: its rate is higher than what it will do again.
        """
        return _best(self.trials)

    @property
    def ranking(self) -> list[Trial]:
        """The best first, those that were stopped last; of trials with the same values the one with most matches."""
        ordered = sorted(self.trials, key=lambda trial: (len(trial.scores), -trial.number))
        longest = {trial.text: trial for trial in ordered}
        return sorted(longest.values(), key=lambda trial: (trial.stopped, -trial.rate, trial.number))


@dataclass(frozen=True)
class Progress:
    """How far a tuning is."""

    finished: tuple[Trial, ...]
    played: int
    """Matches of the trial, or of the confirmation, that is being played."""

    @property
    def best(self) -> Trial | None:
        """So far."""
        return _best(self.finished) if self.finished else None


def tune(
    candidates: Candidates,
    store: str | Path,
    executor: Executor,
    *,
    trials: int = 30,
    matches: int = 20,
    confirm: int = 0,
    report: Callable[[Progress], None] | None = None,
) -> Tuning:
    """Looks for the values with which a search wins most often against the base.

    Each of the `trials` plays `matches` with seats swapped in pairs, fewer if it looks hopeless. The best then plays
    `confirm` matches with fresh seeds, whose win rate is the honest one. Called again with the same store it goes on;
    `report` is called after each change. The executor is not closed.

    >>> import tempfile
    >>> from treewise.lab import Candidates, LocalExecutor
    >>> candidates = Candidates("tic_tac_toe", "uct(c={c})", "uct(c=0)", {"c": "0:2"}, budget="simulations(20)")
    >>> executor = LocalExecutor(processes=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tuning = tune(candidates, f"{folder}/c.sqlite", executor, trials=3, matches=2)
    >>> executor.close()
    >>> [0 <= trial.values["c"] <= 2 for trial in tuning.trials]
    [True, True, True]
    """
    if trials < 1 or matches < 2 or matches % 2 or confirm < 0 or confirm % 2:
        raise ValueError("a tuning needs at least one trial, and even numbers of matches, to swap the seats")
    for library in ("optuna", "statsmodels"):
        extra(library, "tune")
    with Store(store, write=True) as opened:
        tuner = _Tuner(candidates, opened, executor, matches, report or (lambda progress: None))
        study = _study(candidates.seed, matches)
        try:
            for _ in range(trials):
                tuner.play_trial(study)
        except BaseException:
            with suppress(StoreError):  # the first error counts
                tuner.keep()
            raise
        found = Tuning(candidates, tuple(tuner.trials))
        tuner.save([candidates.cell(trial.values, len(trial.scores)) for trial in found.ranking])
        return replace(found, confirmation=tuner.confirm(found.best, confirm)) if confirm else found


class _Tuner:
    """The trials of one tuning, as they are played."""

    def __init__(
        self,
        candidates: Candidates,
        store: Store,
        executor: Executor,
        matches: int,
        report: Callable[[Progress], None],
    ) -> None:
        self.candidates, self.store, self.executor = candidates, store, executor
        self.matches, self.report = matches, report
        self.trials: list[Trial] = []
        self.tried: list[Cell] = []
        self.kept = 0

    def play_trial(self, study: Any) -> None:
        """Plays what Optuna proposes and tells it the win rate."""
        proposed = study.ask()
        values = {name: allowed.suggest(proposed, name) for name, allowed in self.candidates.allowed.items()}
        pairs = _Pairs(proposed, self.matches // 2)
        self.tried.append(self.candidates.cell(values, self.matches))
        if len(self.tried) > self.kept * _GROWTH:
            self.keep()
        played = self._play(self.tried[-1], self.candidates.name, pairs)
        # Those beyond the last pair told were under way when the trial was stopped: which, is a matter of chance.
        scores, stopped = played[: 2 * pairs.told], pairs.decision != "go on"
        trial = Trial(len(self.trials), values, self.candidates.text(values), scores, stopped)
        state = extra("optuna.trial", "tune").TrialState.PRUNED if stopped else None
        study.tell(proposed, None if stopped else trial.rate, state)
        self.trials.append(trial)
        self.tried[-1] = replace(self.tried[-1], matches=len(scores))

    def _play(self, cell: Cell, name: str, pairs: _Pairs | None = None) -> tuple[float, ...]:
        """A's scores in the order of the schedule."""

        def tell(tally: Tally) -> None:
            self.report(Progress(tuple(self.trials), tally.done))

        asked, test = self.candidates.experiment(name, [cell]), (lambda: pairs) if pairs else None
        source = None if pairs else ""  # trials are kept together
        stopped = run(asked, self.store, self.executor, source=source, test=test, report=tell)
        return tuple(score for _, score in sorted(stopped.tally.cells[0].scores.items()))

    def confirm(self, best: Trial, matches: int) -> Trial:
        """The same values again, with other seeds."""
        cell = self.candidates.cell(best.values, matches, derive_seed(self.candidates.seed % 2**64, 1))
        return replace(best, scores=self._play(cell, f"{self.candidates.name}, confirmation"))

    def keep(self) -> None:
        """Keeps the trials so far for status and reports, unless they are among those of an earlier start."""
        cells = list({cell.a_text: cell for cell in sorted(self.tried, key=lambda cell: cell.matches)}.values())
        self.kept = len(self.tried)
        if not {cell.a_text for cell in cells} <= self._known():
            self.save(cells)

    def _known(self) -> set[str]:
        """The searches that the store's experiment of this name has."""
        name = self.candidates.name
        return {cell.a_text for cell in self.store.experiment(name).cells} if name in self.store.names() else set()

    def save(self, cells: Sequence[Cell]) -> None:
        """Keeps trials as one experiment."""
        self.store.save(self.candidates.experiment(self.candidates.name, cells), "")


class _Pairs:
    """Tells Optuna the win rate after each pair, in the order of the schedule, whichever match is finished first."""

    def __init__(self, proposed: Any, pairs: int) -> None:
        self.proposed, self.pairs = proposed, pairs
        self.scores: dict[int, float] = {}
        self.told = 0
        self.decision = "go on"

    def add(self, index: int, score: float) -> None:
        """Takes the score of one match."""
        self.scores[index] = score
        while self.decision == "go on" and {2 * self.told, 2 * self.told + 1} <= self.scores.keys():
            self.told += 1
            self.proposed.report(sum(self.scores[place] for place in range(2 * self.told)) / (2 * self.told), self.told)
            if self.told < self.pairs and self.proposed.should_prune():
                self.decision = "stopped"


class _Hopeless:
    """Stops a trial when its Wilson interval lies below that of the best one so far: a rule that needs rates alone."""

    def __init__(self, matches: int) -> None:
        self.matches = matches

    def prune(self, study: Any, trial: Any) -> bool:
        """What Optuna asks after each pair."""
        complete = (extra("optuna.trial", "tune").TrialState.COMPLETE,)
        rates: list[float] = [each.value for each in study.get_trials(deepcopy=False, states=complete)]
        pairs = trial.last_step
        if not rates or pairs < _LEAST_PAIRS:
            return False
        highest = wilson_interval(trial.intermediate_values[pairs] * 2 * pairs, 2 * pairs)[1]
        return highest < wilson_interval(max(rates) * self.matches, self.matches)[0]


def _study(seed: int, matches: int) -> Any:
    optuna = extra("optuna", "tune")
    with _quiet(optuna):
        sampler = optuna.samplers.TPESampler(seed=seed % 2**32)
        return optuna.create_study(direction="maximize", sampler=sampler, pruner=_Hopeless(matches))


@contextmanager
def _quiet(optuna: Any) -> Iterator[None]:
    level = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        yield
    finally:
        optuna.logging.set_verbosity(level)


def _best(trials: Sequence[Trial]) -> Trial:
    """The first trial is never stopped, so there is one."""
    return max((trial for trial in trials if not trial.stopped), key=lambda trial: trial.rate)
