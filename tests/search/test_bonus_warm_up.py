"""The simulations at the start of a run, which bonuses leave alone: how many they are, by each kind of limit."""

from __future__ import annotations

import time

import numpy as np
import pytest

from bonus_reference import BREAKTHROUGH, Fan, Recorder, check, rewards
from treewise import Search, _core, bonus, limit, parallel


def test_limits_foretell_the_simulations_of_a_run() -> None:
    def expected(rule: limit.Limit, simulations: int, seconds: float) -> float | None:
        return _core.expected_simulations(rule.core(), simulations, seconds)

    assert expected(limit.Simulations(500), 0, 0) == 500
    assert expected(limit.Simulations(500), 100, 9) == 500
    assert expected(limit.Seconds(2), 0, 0) == float("inf"), "not known yet"
    assert expected(limit.Seconds(2), 100, 0.5) == 400
    assert expected(limit.CpuSeconds(2), 100, 0.5) == 400
    assert expected(limit.Memory(8), 100, 0.5) is None, "never known"
    assert expected(limit.Proven(), 100, 0.5) is None
    assert expected(limit.Simulations(500) | limit.Seconds(2), 100, 0.5) == 400
    assert expected(limit.Simulations(300) | limit.Seconds(2), 0, 0) == 300
    assert expected(limit.Simulations(500) & limit.Seconds(2), 100, 0.5) == 500
    assert expected(limit.Proven() | limit.Memory(8) | limit.Seconds(2), 100, 0.5) == 400
    assert expected(limit.Memory(8) & limit.Simulations(7), 100, 0.5) == 7
    assert expected(limit.Memory(8) | limit.Proven(), 100, 0.5) is None


def test_there_is_no_warm_up_where_nobody_knows_how_long_the_run_will_be() -> None:
    search = Search(limit=limit.Memory(0.05))
    added = check(search, bonus.RelativeBonus(), BREAKTHROUGH.initial_state(), expected=0)
    assert any(added[:10])


class Slow(Recorder):
    """Notes when each simulation is over, and takes so long that the clock is read before the next one."""

    def __init__(self) -> None:
        super().__init__()
        self.times: list[float] = []

    def result(self, record: bonus.Record) -> list[float]:
        self.times.append(time.monotonic())
        time.sleep(0.002 if self.records else 0.008)
        return super().result(record)


def test_the_warm_up_of_a_timed_run_is_a_share_of_its_time() -> None:
    """By the rate so far, half of the simulations are over when half of the time is, whatever else the machine does.

    30 simulations at least, and so no end of the warm-up before the 15th: else there might be none after half of the
    time on a machine that stood still meanwhile.
    """
    part, slow = bonus.RelativeBonus(warm_up=0.5), Slow()
    search = Search(bonus=[part, slow], limit=limit.Seconds(0.1) & limit.Simulations(30))
    start = time.monotonic()
    search.run(BREAKTHROUGH.initial_state(), seed=1)
    added, always = slow.added(), rewards(part, slow.simulations())
    assert any(added)
    for i, over in enumerate(slow.times):
        # The run began between `start` and the end of its first simulation, and this simulation after the one before.
        if over - start < 0.05:
            assert added[i] == 0
        elif i >= 15 and slow.times[i - 1] - slow.times[0] >= 0.05:
            assert added[i] == pytest.approx(always[i], abs=1e-9)


def test_the_warm_up_is_shared_out() -> None:
    """Each of two threads has 400 simulations, and the first 200 of them without bonus: 400 in all, in any order."""
    recorder = Recorder()
    search = Search(bonus=[bonus.RelativeBonus(warm_up=0.5), recorder], parallel=parallel.Root(2))
    search.replace(limit=limit.Simulations(800)).run(BREAKTHROUGH.initial_state(), seed=1)
    altered = np.count_nonzero(recorder.added())
    assert 300 < altered <= 400, "a few are just average"


class Unresolved(Fan):
    """Of every four ends, three have no result."""

    lacks_results = True
    ends = [(way % 3 % 2, 3 + way % 7, 0.5) for way in range(400)]

    def has_result(self) -> bool:
        return (self.way or 0) % 4 == 0

    def clone(self) -> Unresolved:
        return Unresolved(self.way, self.steps)


def test_simulations_without_a_result_belong_to_the_warm_up() -> None:
    recorder = Recorder()
    search = Search(bonus=[bonus.RelativeBonus(warm_up=0.5), recorder], limit=limit.Simulations(400))
    result = search.run(Unresolved(), seed=1)
    assert (result.stats.discarded, len(recorder.records)) == (300, 100)
    altered = [added != 0 for added in recorder.added()]
    assert 35 < altered.index(True) < 65, "half of the simulations, and so about half of the results"
    assert sum(altered) > 30


class Unrated(Unresolved):
    """Its quality is a question about ends with a result."""

    def quality(self) -> float:
        assert self.has_result()
        return super().quality()

    def clone(self) -> Unrated:
        return Unrated(self.way, self.steps)


@pytest.mark.parametrize("kind", [parallel.One(), parallel.Leaf(2), parallel.Tree(2)], ids=lambda kind: kind.text())
def test_an_end_without_a_result_is_not_asked_for_its_quality(kind: parallel.Part) -> None:
    result = Search(bonus=[bonus.QualityBonus()], parallel=kind, limit=limit.Simulations(400)).run(Unrated(), seed=1)
    assert result.stats.discarded > 200
