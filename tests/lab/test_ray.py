"""Matches on a real Ray instance: the same records, workers that are killed, what is refused, Ctrl-C."""

from __future__ import annotations

import importlib.util
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import astuple, replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from small_experiments import ALONE, LONGER, contents, experiment, play_here, play_in_processes, start_run, write

from treewise.cli import main
from treewise.extras import how_to_install
from treewise.lab import RayExecutor, ray_executor, run
from treewise.lab.executor import FinishedMatch, LostMatch, Result
from treewise.lab.origin import origin
from treewise.lab.ray_executor import ClusterError
from treewise.lab.run import MatchError
from treewise.lab.schedule import PlannedMatch
from treewise.lab.store import Store
from treewise.lab.tally import Tally

pytestmark = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="needs the extra ray")

SLOW = LONGER.replace("simulations(300)", "simulations(40000)").replace('"tic_tac_toe"', '"breakthrough(rows=6)"')
"""Matches of some seconds: there is time to disturb one."""
QUICK = PlannedMatch("tic_tac_toe", ("uct(simulations=20)",) * 2, 1, 0, False)


@pytest.fixture(scope="module")
def cluster() -> Iterator[RayExecutor]:
    """One instance for all: the executors that tests make find that Ray runs in this process."""
    executor = RayExecutor("local", matches=2)
    yield executor
    executor.close()


@pytest.fixture
def executor(cluster: RayExecutor) -> Iterator[RayExecutor]:
    made = RayExecutor()
    yield made
    made.close()
    assert cluster.ray.is_initialized()


def playing() -> list[int]:
    """Processes below this one that Ray has named after the match they are playing."""
    parents, found = {}, []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat, line = (folder / "stat").read_text(), (folder / "cmdline").read_text()
        except (OSError, UnicodeDecodeError):
            continue
        process = int(folder.name)
        parents[process] = int(stat.rpartition(")")[2].split()[1])
        if line.startswith("ray::treewise match"):
            found.append(process)
    return [process for process in found if os.getpid() in ancestors(process, parents)]


def ancestors(process: int, parents: dict[int, int]) -> Iterator[int]:
    while process in parents:
        process = parents[process]
        yield process


def wait_until(reached: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def one_result(executor: RayExecutor) -> Result:
    while not (results := executor.results(60)):
        pass
    assert len(results) == 1
    return results[0]


def test_the_same_records_as_processes_of_this_machine(tmp_path: Path, executor: RayExecutor) -> None:
    asked = experiment(tmp_path)
    stopped = run(asked, tmp_path / "ray.sqlite", executor)
    assert (stopped.played, stopped.complete, executor.under_way) == (36, True, {})
    play_in_processes(asked, tmp_path / "local.sqlite", processes=1)
    assert contents(tmp_path / "ray.sqlite") == contents(tmp_path / "local.sqlite")
    with Store(tmp_path / "ray.sqlite") as store:
        assert {each.origin for each in store.matches()} == {origin()}


def test_entrants_that_play_alone(tmp_path: Path, executor: RayExecutor) -> None:
    asked = experiment(tmp_path, ALONE)
    assert run(asked, tmp_path / "ray.sqlite", executor).played == 28
    play_here(asked, tmp_path / "here.sqlite")
    assert contents(tmp_path / "ray.sqlite") == contents(tmp_path / "here.sqlite")


class Watched(RayExecutor):
    """Remembers what was lost."""

    def __init__(self) -> None:
        super().__init__()
        self.lost: list[LostMatch] = []

    def results(self, timeout: float) -> list[Result]:
        found = super().results(timeout)
        self.lost += [result for result in found if isinstance(result, LostMatch)]
        return found


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_worker_killed_in_the_middle(tmp_path: Path, cluster: RayExecutor) -> None:
    asked, store, executor = experiment(tmp_path, SLOW), tmp_path / "a.sqlite", Watched()
    killed: list[int] = []

    def kill_one(tally: Tally) -> None:
        if not killed:
            wait_until(playing)
            killed.append(playing()[0])
            os.kill(killed[0], signal.SIGKILL)

    assert run(asked, store, executor, most=3, report=kill_one).played == 3
    assert [lost.blamed for lost in executor.lost] == [True]
    play_here(asked, tmp_path / "undisturbed.sqlite", most=3)
    assert contents(store) == contents(tmp_path / "undisturbed.sqlite")


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_closing_ends_what_is_being_played(tmp_path: Path, cluster: RayExecutor) -> None:
    executor = RayExecutor()
    executor.submit(replace(QUICK, searches=("uct(simulations=1000000000)",) * 2))
    wait_until(playing)
    assert executor.results(timeout=0.01) == []
    executor.close()
    wait_until(lambda: not playing())
    assert executor.under_way == {}


def test_a_match_that_fails(tmp_path: Path, executor: RayExecutor) -> None:
    asked = experiment(tmp_path)
    broken = replace(asked.cells[0], a_text="mcts(playout=no_such_policy)")
    with pytest.raises(MatchError, match="a match failed with ValueError: unknown playout 'no_such_policy'"):
        run(replace(asked, cells=(broken,)), tmp_path / "a.sqlite", executor)


def test_a_worker_with_another_version(executor: RayExecutor, monkeypatch: pytest.MonkeyPatch) -> None:
    own, node = ray_executor.__version__, socket.gethostname()
    monkeypatch.setattr(ray_executor, "__version__", "77.0")
    executor.submit(QUICK)
    wanted = f"the Ray worker on {node} has treewise {own}: install treewise 77.0 on every machine of the cluster"
    with pytest.raises(ClusterError, match=wanted):
        one_result(executor)


def test_a_worker_without_treewise(monkeypatch: pytest.MonkeyPatch) -> None:
    task = ray_executor._task()
    assert task(ray_executor.__version__, astuple(QUICK))[0] == ""
    monkeypatch.setitem(sys.modules, "treewise.lab.executor", None)
    refused, result = task(ray_executor.__version__, astuple(QUICK))
    assert "cannot load treewise" in refused
    assert result is None


def test_a_match_of_more_threads_than_a_machine_has_is_played(cluster: RayExecutor) -> None:
    executor = RayExecutor(threads=64)
    assert executor.capacity == 1
    executor.submit(QUICK)
    assert isinstance(one_result(executor), FinishedMatch)


def test_capacity(cluster: RayExecutor) -> None:
    assert (cluster.capacity, RayExecutor().capacity, RayExecutor(matches=7).capacity) == (2, 3, 7)
    with pytest.raises(ValueError, match="must be at least 1"):
        RayExecutor(matches=0)


# ---- the command


def test_ctrl_c_on_a_cluster_that_was_joined(tmp_path: Path, cluster: RayExecutor) -> None:
    file, store = write(tmp_path, SLOW), tmp_path / "small.sqlite"
    process = start_run(file, "--ray", cluster.ray.get_runtime_context().gcs_address)
    wait_until(lambda: playing() or process.poll() is not None)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=60)
    assert (process.returncode, error) == (130, "")
    assert f"To go on: treewise lab run {file} --ray" in out
    with Store(store) as opened:
        assert opened.database.connection.execute("SELECT * FROM claim").fetchall() == []
    wait_until(lambda: not playing())


def test_nobody_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("ray.is_initialized", lambda: False)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
    assert main(["lab", "run", str(write(tmp_path)), "--ray", address]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"treewise lab: no Ray cluster answers at '{address}' (")
    assert "start one with `ray start --head`, or use --ray local" in error


def test_an_empty_address() -> None:
    with pytest.raises(ClusterError, match="address is empty"):
        ray_executor._connect(SimpleNamespace(), "", 1)


def test_no_cluster_to_join() -> None:
    def init(**_: object) -> None:
        raise ConnectionError("Could not find any running Ray instance")

    with pytest.raises(ClusterError, match=r"'auto' \(none is running on this machine\): start one"):
        ray_executor._connect(SimpleNamespace(init=init), "auto", 1)


def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(["lab", "run", str(write(tmp_path)), "--ray", "local"]) == 2
    assert capsys.readouterr().err == f"treewise lab: the laboratory needs ray: {how_to_install('ray')}\n"
