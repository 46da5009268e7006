"""Running: resuming, limits, several runs on one store, workers that die, matches that fail."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from small_experiments import (
    LONGER,
    SMALL,
    Here,
    contents,
    count,
    experiment,
    play_here,
    play_in_processes,
    start_run,
    wait_for,
    write,
)

from treewise.lab import LocalExecutor, claims, read_experiment, run
from treewise.lab.executor import FinishedMatch, LostMatch, Result, play
from treewise.lab.run import MatchError
from treewise.lab.schedule import schedule
from treewise.lab.store import Store
from treewise.lab.tally import Tally
from treewise.processes import held_back

TOTAL, LONGER_TOTAL = 36, 144


def test_nothing_is_played_twice(tmp_path: Path) -> None:
    asked, store = experiment(tmp_path), tmp_path / "a.sqlite"
    first, second = Here(), Here()
    assert run(asked, store, first).complete
    assert run(asked, store, second).complete
    assert len({match.key for match in first.submitted}) == len(first.submitted) == TOTAL
    assert second.submitted == []


def test_a_run_goes_on_where_the_last_one_ended(tmp_path: Path) -> None:
    asked, store = experiment(tmp_path), tmp_path / "a.sqlite"
    order = [match.key for fixture in schedule(asked.cells, 1) for match in fixture.matches]
    for done in (5, 10, 15):
        stopped = play_here(asked, store, most=5)
        assert (stopped.played, stopped.tally.done, stopped.complete) == (5, done, False)
        assert list(contents(store)) == order[:done]
    play_here(asked, store)
    play_here(asked, tmp_path / "b.sqlite")
    assert contents(store) == contents(tmp_path / "b.sqlite")


def test_processes_play_the_same_matches(tmp_path: Path) -> None:
    asked = experiment(tmp_path)
    play_here(asked, tmp_path / "here.sqlite")
    assert play_in_processes(asked, tmp_path / "there.sqlite").played == TOTAL
    assert contents(tmp_path / "there.sqlite") == contents(tmp_path / "here.sqlite")


def test_another_experiment_finds_the_matches_it_shares(tmp_path: Path) -> None:
    store = tmp_path / "a.sqlite"
    play_here(experiment(tmp_path), store)
    other = SMALL.replace('name = "small"', 'name = "other"').replace("MAST =", '"other name" =')
    assert play_here(experiment(tmp_path, other), store).played == 0


def test_cells_can_be_chosen(tmp_path: Path) -> None:
    asked, store = experiment(tmp_path), tmp_path / "a.sqlite"
    stopped = play_here(asked, store, choose=lambda cell: cell.game_label == "Breakthrough" and not cell.control)
    assert (stopped.played, stopped.tally.asked, stopped.complete) == (12, 12, True)
    assert play_here(asked, store).played == TOTAL - 12


def test_no_match_begins_after_the_deadline(tmp_path: Path) -> None:
    stopped = play_here(experiment(tmp_path), tmp_path / "a.sqlite", seconds=0.0)
    assert (stopped.played, stopped.complete) == (0, False)


def test_reports_tell_the_running_score(tmp_path: Path) -> None:
    asked, store = experiment(tmp_path), tmp_path / "a.sqlite"
    play_here(asked, store, most=4)
    seen: list[tuple[int, int]] = []

    def report(tally: Tally) -> None:
        seen.append((tally.done, tally.asked))
        assert tally.latest is None or tally.latest.rate is not None

    stopped = play_here(asked, store, report=report)
    assert seen == [(done, TOTAL) for done in range(4, TOTAL + 1)]
    for each in stopped.tally.cells:
        assert each.rate == sum(each.scores.values()) / 6


class AfterFour:
    """Decides when the first four matches are there, whatever they say."""

    def __init__(self) -> None:
        self.seen: set[int] = set()

    def add(self, index: int, score: float) -> None:
        self.seen.add(index)

    @property
    def decision(self) -> str:
        return "p1" if {0, 1, 2, 3} <= self.seen else "go on"


def test_a_sequential_test_ends_a_cell(tmp_path: Path) -> None:
    asked, store = experiment(tmp_path), tmp_path / "a.sqlite"
    stopped = run(asked, store, Here(capacity=1), test=AfterFour)
    assert stopped.complete
    assert [each.done for each in stopped.tally.cells] == [4, 4, 6] * 2  # controls are played out
    assert play_here(asked, store, test=AfterFour).played == 0


# ---- several runs


def test_two_runs_at_once_share_the_matches(tmp_path: Path) -> None:
    # In seconds, so that neither is ready before the other has begun, however busy the machine is.
    timed = SMALL.replace("simulations(12)", "seconds(0.02)").replace("matches = 6", "matches = 4")
    file, store = write(tmp_path, timed), tmp_path / "both.sqlite"
    both = [start_run(file, "--store", store, "--processes", "1") for _ in range(2)]
    outputs = [process.communicate(timeout=100) for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    played = [int(out.split()[0]) for out, _ in outputs]
    assert sum(played) == count(store) == 24
    assert min(played) > 0
    assert play_here(read_experiment(file), store).played == 0


class Other:
    """Another run on the same store, in another container: its processes cannot be seen from here."""

    def __init__(self, store: Path, key: bytes) -> None:
        self.store = Store(store, write=True)
        self.key = key
        with self.store.database.transaction() as db:
            db.execute("INSERT INTO run VALUES (77, 'elsewhere', 1, '', ?)", (time.time(),))
            db.execute("INSERT INTO claim VALUES (?, 77)", (key,))

    def dies(self) -> None:
        with self.store.database.transaction() as db:
            db.execute("UPDATE run SET heartbeat = heartbeat - ?", (2 * claims.SILENCE,))

    def finishes(self, played: Result) -> None:
        assert isinstance(played, FinishedMatch)
        with self.store.database.transaction() as db:
            self.store.record(db, played)
            db.execute("DELETE FROM claim WHERE run = 77")


@pytest.mark.parametrize("dies", [True, False])
def test_what_another_run_has_claimed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dies: bool) -> None:
    asked, store = experiment(tmp_path), tmp_path / "a.sqlite"
    match = next(schedule(asked.cells, 1)).matches[0]
    other, waits = Other(store, match.key), list[float]()

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        assert match not in executor.submitted
        if dies:
            other.dies()
        else:
            other.finishes(play(match))

    monkeypatch.setattr(time, "sleep", sleep)
    executor, elsewhere = Here(), list[int]()
    stopped = run(asked, store, executor, report=lambda tally: elsewhere.append(tally.elsewhere))
    assert stopped.complete
    assert stopped.played == (TOTAL if dies else TOTAL - 1)
    assert sum(elsewhere) == 1
    assert len(waits) == 1
    assert (executor.submitted[-1] == match) == dies
    other.store.close()


def test_claims_of_a_process_that_is_gone_are_free(tmp_path: Path) -> None:
    asked, store = experiment(tmp_path), tmp_path / "a.sqlite"
    file = write(tmp_path, LONGER)
    killed = start_run(file, "--store", store, "--processes", "1")
    wait_for(lambda: count(store) >= 1, killed)
    killed.kill()
    killed.communicate()
    with Store(store) as opened:
        left = opened.database.connection.execute("SELECT count(*) FROM claim").fetchone()[0]
    assert left > 0
    assert play_here(asked, store).complete
    with Store(store) as opened:
        assert opened.database.connection.execute("SELECT * FROM claim").fetchall() == []
        assert opened.database.connection.execute("SELECT * FROM run").fetchall() == []


def test_who_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    own = (claims._host(), os.getpid(), claims._began(os.getpid()))
    assert claims._alive(*own, heartbeat=0.0)  # a long pause of a process that can be seen means nothing
    assert not claims._alive(own[0], own[1], "another start", heartbeat=time.time())
    assert claims._alive("elsewhere", own[1], "", heartbeat=time.time())
    assert not claims._alive("elsewhere", own[1], "", heartbeat=time.time() - 2 * claims.SILENCE)


def test_who_has_ended_is_dead_though_its_parent_has_not_heard_of_it() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    try:
        os.kill(process.pid, 0)  # it still has its number
        assert not claims._exists(process.pid)
    finally:
        process.wait()


def test_a_run_buried_alive_comes_back(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", write=True) as store:
        one, other = claims.Claims(store.database), claims.Claims(store.database)
        with store.database.transaction() as db:
            assert one.take(db, b"key")
            assert not other.take(db, b"key")
            other._forget(db, one.run)
            assert other.take(db, b"key")
            one.beat(db)
            assert one.take(db, b"another key")
            one.release(db, b"key")
            assert not one.take(db, b"key")


# ---- deaths


def test_kill_9_at_any_moment_loses_only_what_was_being_played(tmp_path: Path) -> None:
    slow = LONGER.replace("simulations(300)", "simulations(3000)")  # seconds long: it will not be ready before
    file, store = write(tmp_path, slow), tmp_path / "killed.sqlite"
    seen: dict[bytes, tuple[object, ...]] = {}
    for wanted in (1, 40):
        process = start_run(file, "--store", store, "--processes", "1")
        wait_for(lambda wanted=wanted: count(store) >= wanted, process)
        process.kill()
        process.communicate()
        after = contents(store)
        assert after.items() >= seen.items()
        assert wanted <= len(after) < LONGER_TOTAL
        seen = after
    asked = read_experiment(file)
    assert play_in_processes(asked, store).complete
    play_in_processes(asked, tmp_path / "undisturbed.sqlite")
    assert contents(store) == contents(tmp_path / "undisturbed.sqlite")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_what_stops_a_run_says_how_to_go_on(tmp_path: Path, number: signal.Signals) -> None:
    file = write(tmp_path, LONGER)
    inherited = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup has it ignored
    process = start_run(file, "--processes", "1")
    signal.signal(signal.SIGHUP, inherited)
    wait_for(lambda: count(tmp_path / "small.sqlite") >= 2, process)
    process.send_signal(number)
    out, error = process.communicate(timeout=30)
    assert (process.returncode, error) == (128 + number, "")
    assert f"To go on: treewise lab run {file} --processes 1" in out
    with Store(tmp_path / "small.sqlite") as store:
        assert store.database.connection.execute("SELECT * FROM claim").fetchall() == []


def test_what_comes_while_workers_start_waits_until_they_have() -> None:
    """Else the half-fed child would end with a traceback of its own."""
    begun = []

    def begin() -> None:
        with held_back():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
            begun.append(True)

    with pytest.raises(KeyboardInterrupt):
        begin()
    assert begun
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_long_matches_do_not_wait_behind_each_other(tmp_path: Path) -> None:
    asked = experiment(tmp_path, SMALL.replace("matches = 6", "matches = 2"))
    fixtures = [match for fixture in schedule(asked.cells, 1) for match in fixture.matches]
    executor = LocalExecutor(2)
    try:
        assert executor.capacity == 2
        executor.submit(fixtures[0])
        assert executor.results(60)
        assert executor.capacity == 4  # it was quick
        executor.submit(replace(fixtures[1], searches=("mcts(limit=seconds(0.3))",) * 2))
        assert executor.results(60)
        assert executor.capacity == 2
    finally:
        executor.close()


def test_a_killed_worker_is_replaced(tmp_path: Path) -> None:
    asked, store = experiment(tmp_path, LONGER), tmp_path / "a.sqlite"
    executor = LocalExecutor(1)
    victims: list[int] = []

    def kill_twice(tally: Tally) -> None:
        if tally.done >= 3 * len(victims) and len(victims) < 2:
            victims.append(executor.workers[0].process.result(timeout=60))
            os.kill(victims[-1], signal.SIGKILL)

    try:
        assert run(asked, store, executor, most=12, report=kill_twice).tally.done == 12
    finally:
        executor.close()
    assert len(set(victims)) == 2
    play_here(asked, tmp_path / "undisturbed.sqlite", most=12)
    assert contents(store) == contents(tmp_path / "undisturbed.sqlite")


class Deadly(Here):
    """Loses the worker over one match, again and again, and once each other match."""

    def __init__(self, poison: bytes) -> None:
        super().__init__(capacity=2)
        self.poison = poison
        self.lost: set[bytes] = set()

    def results(self, timeout: float) -> list[Result]:
        match = self.queue.pop(0)
        if match.key == self.poison or match.key not in self.lost:
            self.lost.add(match.key)
            return [LostMatch(match, blamed=match.key == self.poison)]
        return [play(match)]


def test_a_match_that_kills_its_worker_three_times_is_named(tmp_path: Path) -> None:
    asked, store = experiment(tmp_path), tmp_path / "a.sqlite"
    planned = [match for fixture in schedule(asked.cells, 1) for match in fixture.matches]
    executor = Deadly(planned[5].key)
    with pytest.raises(MatchError, match="a worker process died 3 times in the same match") as error:
        run(asked, store, executor)
    assert error.value.match == planned[5]
    assert executor.submitted.count(planned[5]) == 3
    assert set(contents(store)) >= {match.key for match in planned[:5]}


def test_a_match_that_fails_is_named_with_the_way_to_see_it_again(tmp_path: Path) -> None:
    asked, store = experiment(tmp_path), tmp_path / "a.sqlite"
    broken = replace(asked.cells[1], a_text="mcts(playout=decisive(inner=no_such_policy))")
    asked = replace(asked, cells=(asked.cells[0], broken))
    with pytest.raises(MatchError, match="a match failed with ValueError: unknown playout 'no_such_policy'") as error:
        play_in_processes(asked, store, processes=1)
    python, *arguments = shlex.split(str(error.value).partition("To see it again: ")[2])
    assert python == "python"
    again = subprocess.run([sys.executable, *arguments], capture_output=True, text=True)
    assert again.returncode == 1
    assert "ValueError: unknown playout 'no_such_policy'" in again.stderr
    assert 0 < count(store) <= 6
