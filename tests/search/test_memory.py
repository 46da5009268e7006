"""The memory of trees and of what playouts learn: its cap, its size, and that it goes back."""

import os
import subprocess
import sys
from typing import Any

import pytest

import treewise
from treewise import Search, expansion, limit, proof, selection

BREAKTHROUGH = treewise.load_game("breakthrough")


def run_script(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("megabytes", [0.01, 0.1, 1])
@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"selection": selection.UCB1Tuned()},
        {"selection": selection.PUCT()},
        {"proof": proof.Solver()},
        {"expansion": expansion.One()},
    ],
    ids=["uct", "squares", "prior", "proof", "one"],
)
def test_the_cap_holds_and_the_search_goes_on(parts: dict[str, Any], megabytes: float) -> None:
    search = Search(memory_mb=megabytes, limit=limit.Simulations(5000), **parts)
    result = search.run(BREAKTHROUGH.initial_state(), seed=1)
    assert result.stats.memory_bytes <= megabytes * 1e6
    assert result.stats.simulations == 5000
    assert sum(result.visits.values()) == 5000
    assert result.stats.memory_full == (megabytes < 1)


def test_joint_actions_count_too() -> None:
    state = treewise.load_game("goofspiel(cards=6, points_order='descending')").initial_state()
    result = Search(memory_mb=0.05, limit=limit.Simulations(5000)).run(state, seed=1)
    assert result.stats.memory_full
    assert result.stats.memory_bytes <= 0.05e6
    assert result.stats.simulations == 5000


@pytest.mark.parametrize("after", [1, 4])
def test_counts_of_joint_actions_stop_at_the_cap(after: int) -> None:
    state = treewise.load_game("goofspiel(cards=13, points_order='descending')").initial_state()
    search = Search(memory_mb=0.02, expansion=expansion.All(after=after), limit=limit.Simulations(3000))
    stats = search.run(state, seed=1).stats
    assert stats.memory_full
    assert stats.memory_bytes <= 0.02e6
    assert stats.simulations == 3000


TABLES = """
import resource, treewise
from treewise import Search, limit, playout

def resident():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000

state = treewise.load_game("breakthrough").initial_state()
search = Search(playout=playout.NGram(inner=playout.LastGoodReply()), memory_mb=1, limit=limit.Simulations(10))
search.run(state)
before = resident()
search.replace(limit=limit.Simulations(30_000)).run(state)
print(resident() - before)
"""


def test_tables_of_playouts_have_a_cap() -> None:
    """Of a megabyte, as the tree has; without it, some thirty."""
    assert float(run_script(TABLES)) < 6


def test_edges_are_small() -> None:
    state = BREAKTHROUGH.initial_state()
    assert treewise.uct(simulations=10).run(state).stats.bytes_per_edge <= 32
    result = treewise.uct(simulations=20_000).run(state, seed=1)
    assert result.stats.memory_bytes <= 32 * result.stats.edges


RESIDENT = """
import treewise
from treewise import Search, expansion, limit

def resident():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024

state = treewise.load_game("breakthrough").initial_state()
session = Search(expansion=expansion.All(after=0), limit=limit.Memory(100)).session(seed=1)
before = resident()
result = session.run(state)
grown = resident()
action = min(result.visits, key=result.visits.get)
state.apply(action)
session.advance(action)
print(grown - before, resident() - before)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="needs Linux's /proc")
def test_memory_goes_back_to_the_system() -> None:
    grown, kept = map(float, run_script(RESIDENT).split())
    assert grown > 90
    assert kept < grown / 3


NARROW = """
import resource
import treewise
from treewise import parallel

resource.setrlimit(resource.RLIMIT_AS, (2_048_000_000, 2_048_000_000))
state = treewise.load_game("breakthrough").initial_state()
searches = (treewise.uct(simulations=2000), treewise.enhanced(simulations=200))
print([list(search.run(state, seed=1).visits.values()) for search in searches])
sessions = [treewise.uct(simulations=300).session() for _ in range(5)]
print([session.run(state).stats.simulations for session in sessions])
for kind in (parallel.One(), parallel.Tree(threads=2)):
    session = treewise.uct(simulations=10**8).replace(parallel=kind).session()
    try:
        session.run(state)
    except RuntimeError as error:
        print(error)
    print(session._core.report(1)["simulations"] > 1000)
small = treewise.uct(simulations=10**5).replace(memory_mb=1).run(state).stats
print(small.memory_full, small.simulations)
resource.setrlimit(resource.RLIMIT_AS, (1, 2_048_000_000))
try:
    treewise.uct(simulations=10).run(state)
except (RuntimeError, MemoryError) as error:
    print("has no address space left" in str(error))
"""


def test_searches_with_little_address_space() -> None:
    """As `ulimit -v 2000000` gives: the same trees, a clear word where one outgrows what it could reserve."""
    lines = run_script(NARROW).splitlines()
    state = BREAKTHROUGH.initial_state()
    free = [
        search.run(state, seed=1) for search in (treewise.uct(simulations=2000), treewise.enhanced(simulations=200))
    ]
    assert lines[:2] == [str([list(result.visits.values()) for result in free]), "[300, 300, 300, 300, 300]"]
    for refusal, searched in (lines[2:4], lines[4:6]):
        assert "the tree may take 2048 MB, but this process could reserve address space for" in refusal
        assert "(ulimit -v), or set memory_mb" in refusal
        assert searched == "True"
    assert lines[6:] == ["True 100000", "True"]


SHARED = """
import treewise
from treewise import parallel

def resident():
    with open("/proc/self/smaps_rollup") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("Rss:")) * 1024 / 1e6

state = treewise.load_game("breakthrough").initial_state()
search = treewise.uct(simulations=400_000).replace(parallel=parallel.Tree(threads={threads}))
search.replace(memory_mb=0.01).run(state)
before = resident()
session = search.replace(memory_mb={cap}).session()
print(session.run(state).stats.memory_full, (resident() - before) / {cap})
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/smaps_rollup"), reason="needs Linux's /proc")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("cap", [1, 4])
def test_what_threads_share_keeps_the_cap(threads: int, cap: int) -> None:
    full, share = run_script(SHARED.format(threads=threads, cap=cap)).split()
    assert full == "True"
    assert float(share) < 1.4
